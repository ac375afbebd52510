"""Smoothing: equal to sacreBLEU and (where it follows the paper) to NLTK, the published figures, and what must hold for every method."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleu_lit.bleu import BleuStats, bleu_from_stats, stats_of_corpus, stats_of_segment
from bleu_lit.core import BleuInputError, OrderError, SmoothingValueError, StatisticsError, UnknownNameError, WeightsError
from bleu_lit.exact import ExactScore
from bleu_lit.smoothing import SMOOTHING, smoothed_bleu, smoothed_precisions, smoothing_value

SACREBLEU_METHODS = ("none", "floor", "add-k", "exp")
TAKES_VALUE = ("floor", "add-k", "length", "interpolate", "average-length")
EVERY_METHOD = ("none", "floor", "add-k", "exp", "length", "average", "interpolate", "average-length", "add-one-all")

# Candidate 1, candidate 2 and the references of Papineni et al. (2002), as NLTK's docstrings print them.
C1 = "It is a guide to action which ensures that the military always obeys the commands of the party".split()
C2 = "It is to insure the troops forever hearing the activity guidebook that party direct".split()
C3 = "he read the book because he was interested in world history".split()  # fast-bleu's README scores it against the same references
R1 = "It is a guide to action that ensures that the military will forever heed Party commands".split()
R2 = "It is the guiding principle which guarantees the military forces always being under the command of the Party".split()
R3 = "It is the practical guide for the army always to heed the directions of the party".split()


# ---- What the tests draw


@st.composite
def corpus_stats(draw, orders, least=0, most_segments=4, longest=9):
    """Statistics that a corpus can have: totals of real lengths, and no more matches than in the order before."""
    lengths = draw(st.lists(st.integers(least, longest), min_size=1, max_size=most_segments))
    total = [sum(max(0, length - n) for length in lengths) for n in range(orders)]
    matched, bound = [], total[0]
    for value in total:
        bound = draw(st.integers(0, min(bound, value)))
        matched.append(bound)
    return BleuStats(sum(lengths), draw(st.integers(0, 2 * longest * most_segments)), tuple(matched), tuple(total))


words = st.sampled_from("abcd")
sentences = st.lists(words, min_size=1, max_size=12)
pairs = st.tuples(sentences, st.lists(sentences, min_size=1, max_size=3))


# ---- sacreBLEU


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("method", SACREBLEU_METHODS)
@given(data=st.data())
def test_equal_to_sacrebleu_on_any_statistics(method, effective, data):
    # claim: 002-17, 002-18, 002-19, 002-21
    metrics = pytest.importorskip("sacrebleu.metrics")
    orders = data.draw(st.integers(1, 6), "orders")
    stats = data.draw(corpus_stats(orders), "stats")
    values = {"floor": st.sampled_from([None, 0, 0.001, 0.1, 0.5, 1]), "add-k": st.sampled_from([None, 0, 0.5, 1, 2])}
    value = data.draw(values.get(method, st.none()), "value")
    theirs = metrics.BLEU.compute_bleu(
        [*stats.matched], [*stats.total], stats.candidate_length, stats.reference_length, method, value, effective, max_ngram_order=orders
    )
    ours = smoothed_bleu(stats, method=method, value=value, effective_order=effective)
    assert float(ours) * 100 == pytest.approx(theirs.score, rel=1e-11, abs=0)
    precisions = smoothed_precisions(stats, method, value)
    assert [100 * float(p or 0) for p in precisions] == pytest.approx(theirs.precisions, rel=1e-13, abs=0)


@given(
    candidate=st.lists(words, max_size=6),
    references=st.lists(st.lists(words, max_size=6), min_size=1, max_size=3),
    method=st.sampled_from(SACREBLEU_METHODS),
)
def test_equal_to_sacrebleu_on_short_sentences(candidate, references, method):
    # claim: 002-21
    metrics = pytest.importorskip("sacrebleu.metrics")
    stats = stats_of_segment(candidate, references)
    for effective in (False, True):
        theirs = metrics.BLEU(tokenize="none", smooth_method=method, effective_order=effective)
        score = theirs.sentence_score(" ".join(candidate), [" ".join(reference) for reference in references]).score
        assert float(smoothed_bleu(stats, method=method, effective_order=effective)) * 100 == pytest.approx(score, rel=1e-11, abs=0)


def test_names_and_defaults_are_sacrebleus():
    # claim: 002-21
    metrics = pytest.importorskip("sacrebleu.metrics")
    theirs = metrics.BLEU.SMOOTH_DEFAULTS
    assert {name: SMOOTHING[name].default for name in theirs} == {name: value and Fraction(str(value)) for name, value in theirs.items()}


# ---- NLTK, where it follows the paper


@given(candidate=st.lists(words, min_size=4, max_size=12), references=st.lists(sentences, min_size=1, max_size=3))
def test_equal_to_nltk_where_it_follows_the_paper(candidate, references):
    # claim: 002-20
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    stats = stats_of_segment(candidate, references)
    for name, number in (("floor", 1), ("add-k", 2), ("exp", 3), ("interpolate", 6)):
        if number == 6 and not stats.matched[2]:
            continue  # it refuses
        theirs = nltk.sentence_bleu(references, candidate, smoothing_function=getattr(nltk.SmoothingFunction(), f"method{number}"))
        ours = smoothed_bleu(stats, method=name)
        assert float(ours) == pytest.approx(theirs, rel=1e-11, abs=0)


# ---- The paper's algorithms, written down as they stand there, with floats


def paper_counts(number, matched, length, k=5.0):
    """Chen and Cherry's smoothed counts; `matched` holds one order more than wanted."""
    counts, invcnt = [float(m) for m in matched[:-1]], 1.0
    if number in (3, 4, 7):
        for n, m in enumerate(counts):
            if m == 0:
                invcnt = invcnt * 2 if number == 3 else invcnt * k / math.log(length)
                counts[n] = 1 / invcnt
    if number in (5, 7):
        original, before = [*counts, float(matched[-1])], matched[0] + 1.0
        for n in range(len(counts)):
            before = counts[n] = (before + original[n] + original[n + 1]) / 3
    return counts


@given(
    candidate=st.lists(words, min_size=6, max_size=30),
    references=st.lists(st.lists(words, min_size=1, max_size=30), min_size=1, max_size=2),
    orders=st.integers(1, 5),
)
def test_the_algorithms_of_the_paper(candidate, references, orders):
    # claim: 002-20
    stats = stats_of_segment(candidate, references, orders + 1)
    assume(stats.matched[0])
    for name, smoothing in SMOOTHING.items():
        if smoothing.paper in (3, 4, 5, 7):
            counts = paper_counts(smoothing.paper, stats.matched, len(candidate))
            expected = [count / total for count, total in zip(counts, stats.total[:-1], strict=True)]
            assert [float(p) for p in smoothed_precisions(stats, name, max_order=orders)] == pytest.approx(expected, rel=1e-12)


@given(stats=corpus_stats(6, least=6), alpha=st.integers(0, 9))
def test_interpolation_as_a_weighted_mean(stats, alpha):
    """(m + a p0) / (l + a) is the mean of m/l and p0 with the weights l and a."""
    assume(stats.matched[0])
    p = smoothed_precisions(stats, "interpolate", alpha)
    assert p[:2] == stats.precisions[:2]
    for n in range(2, 6):
        total = stats.total[n]
        prior = p[n - 1] ** 2 / p[n - 2] if p[n - 2] else 0
        assert p[n] == (stats.precisions[n] * total + prior * alpha) / (total + alpha)


def test_values_computed_by_hand():
    # claim: 002-20
    half = stats_of_segment("a b x y".split(), ["a b c d".split()], 5)  # matched 2, 1, 0, 0, 0
    assert smoothed_precisions(half, "average", max_order=4) == (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6), Fraction(1, 9))
    assert smoothed_precisions(half, "exp", max_order=4) == (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1, 4))
    ratio = math.log(4) / 5
    assert [float(p) for p in smoothed_precisions(half, "length", max_order=4)] == pytest.approx([1 / 2, 1 / 3, ratio / 2, ratio**2])
    assert smoothed_precisions(half, "average", max_order=2) == smoothed_precisions(half, "average", max_order=4)[:2]


# ---- Published figures


PUBLISHED = [
    ("nltk-c2-method1", C2, [R1, R2, R3], "floor", 0.1, {}, 0.0370, 1e-4),
    ("nltk-smooth-method0", C1, [R1], "none", None, {}, 0.4118, 1e-4),
    ("nltk-smooth-method1", C1, [R1], "floor", 0.1, {}, 0.4118, 1e-4),
    ("nltk-smooth-method2", C1, [R1], "add-k", 1, {}, 0.4452, 1e-4),
    ("nltk-old-method2", C1, [R1], "add-one-all", None, {}, 0.4489, 1e-4),
    ("nltk-smooth-method3", C1, [R1], "exp", None, {}, 0.4118, 1e-4),
    ("nltk-smooth-method4", C1, [R1], "length", 5, {}, 0.4118, 1e-4),
    ("nltk-smooth-method6", C1, [R1], "interpolate", 5, {}, 0.4135, 1e-4),
    ("sacrebleu-offset", "am I am a character sequence".split(), ["I am a symbol string sequence a a".split()], "floor", 0.1, {}, 0.1555722182, 1e-9),
    ("sacrebleu-offset, none", "am I am a character sequence".split(), ["I am a symbol string sequence a a".split()], "floor", 0, {}, 0, 0),
    ("sacrebleu-raw-same", "this is a test".split(), ["this is a test".split()], "floor", 0.01, {"effective_order": True}, 1.0, 0),
    ("sacrebleu-raw-fest", "this is a fest".split(), ["this is a test".split()], "floor", 0.01, {"effective_order": True}, 0.223606797749979, 1e-8),
    ("sacrebleu-raw-eff-test", ["test"], [["a", "test"]], "floor", 0.01, {"effective_order": True}, 0.3678794411714425, 1e-8),
    ("sacrebleu-raw-eff-same", ["a", "test"], [["a", "test"]], "floor", 0.01, {"effective_order": True}, 1.0, 0),
    ("sacrebleu-raw-eff-little", ["a", "little", "test"], [["a", "test"]], "floor", 0.01, {"effective_order": True}, 0.03218297948685433, 1e-8),
    ("torchmetrics 3504", "a x b y".split(), ["a b".split()], "add-k", 1, {"max_order": 2}, 0.35355, 1e-5),
    ("bleuscore-yellow", "Yellow , World !".split(), ["Hello , World !".split()], "add-one-all", None, {}, 0.668740304976422, 1e-10),
    ("fast-bleu, bigram", C1, [R1, R2, R3], "floor", 0.1, {"max_order": 2}, 0.7453559924999299, 2e-8),
    ("fast-bleu, bigram 2", C3, [R1, R2, R3], "floor", 0.1, {"max_order": 2}, 0.0191380231127159, 2e-8),
    ("fast-bleu, trigram", C1, [R1, R2, R3], "floor", 0.1, {"max_order": 3}, 0.6240726901657495, 2e-8),
    ("fast-bleu, trigram 2", C3, [R1, R2, R3], "floor", 0.1, {"max_order": 3}, 0.013720869575946234, 2e-8),
    ("nltk 2838", ["too"], [["short", "skirts"], ["too", "expensive"]], "length", 5, {"weights": (1, 0, 0, 0)}, 0.36787944117144233, 1e-15),
    ("sacrebleu 141", "this is a cat".split(), ["okay thanks".split()], "exp", None, {}, 0.0, 0),
]


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row[0])
def test_published_figure(row):
    # claim: 002-17, 002-18, 002-19, 002-20
    _, candidate, references, method, value, options, figure, tolerance = row
    stats = stats_of_segment(candidate, references)
    assert abs(float(smoothed_bleu(stats, method=method, value=value, **options)) - figure) <= tolerance


@pytest.mark.parametrize(
    ("matched", "total", "c", "r", "value"),
    [
        ((0, 0, 0, 0), (4, 4, 2, 1), 0, 1, 0),
        ((0, 0, 0, 0), (10, 11, 12, 0), 14, 10, 0),
        ((0, 0, 0, 0), (0, 0, 0, 0), 0, 0, 0),
        ((6, 5, 4, 0), (6, 5, 4, 3), 6, 6, 0),
        ((0, 0, 0, 0), (0, 0, 0, 0), 0, 0, 0.1),
        ((0, 0, 0, 0), (0, 0, 0, 0), 1, 5, 0.01),
    ],
)
def test_sacrebleus_degenerate_statistics_score_0(matched, total, c, r, value):
    assert float(smoothed_bleu(BleuStats(c, r, matched, total), method="floor", value=value)) == 0.0


def test_mtevals_example():
    """One bigram matches, and two words: mteval's comment gives the counts 2, 1, 1/2, 1/4."""
    # claim: 002-19
    stats = BleuStats(8, 8, (2, 1, 0, 0), (8, 7, 6, 5))
    counts = [p * total for p, total in zip(smoothed_precisions(stats, "exp"), stats.total, strict=True)]
    assert counts == [2, 1, Fraction(1, 2), Fraction(1, 4)]


def test_no_match_at_all_was_once_given_points():
    """Sockeye's test of 2017 has 0.0038 for this corpus; since sacreBLEU's issue 141 it is 0."""
    stats = stats_of_corpus(["this is a test".split(), "another test".split()], [[["ref1"]], [["ref2"]]])
    assert float(smoothed_bleu(stats, method="floor", value=0.01, effective_order=True)) == 0.0
    once = math.exp(sum(math.log(0.01 / total) for total in stats.total) / 4)
    assert once == pytest.approx(0.003799178428257963, abs=1e-12)


def test_nltks_figures_of_methods_5_and_7_are_not_the_papers():
    """NLTK's docstring prints 0.4905 for both; it averages precisions, the paper counts."""
    stats = stats_of_segment(C1, [R1], 5)
    for name in ("average", "average-length"):
        assert abs(float(smoothed_bleu(stats, method=name, max_order=4)) - 0.4905) > 0.01


def test_the_length_is_the_corpus():
    """NLTK's issue 2083: smoothing by length used the last candidate's length alone."""
    stats = stats_of_corpus(["a b c".split(), "d e f g h i j k l".split()], [["a x c".split()], ["d y f z h w j u v".split()]])
    assert stats.candidate_length == 12 and stats.matched[1] == 0
    assert float(smoothed_precisions(stats, "length")[1]) == pytest.approx(math.log(12) / 5 / stats.total[1])


# ---- Absent orders


def test_absent_is_not_zero():
    stats = stats_of_segment(["hi"], [["hi"]], 5)
    for name in EVERY_METHOD:
        absent = (1, 1, 1) if name in ("add-k", "add-one-all") else (None, None, None)
        assert smoothed_precisions(stats, name, max_order=4) == (1, *absent), name
        assert str(smoothed_bleu(stats, method=name, max_order=4, effective_order=True)) == "1", name
        assert float(smoothed_bleu(stats, method=name, max_order=4)) == (1.0 if absent[0] else 0.0), name
    assert smoothed_precisions(stats, "add-k", 0, 4) == (1, None, None, None)


@given(stats=corpus_stats(4), method=st.sampled_from((*SACREBLEU_METHODS, "length", "interpolate")))
def test_effective_order_drops_exactly_the_absent_orders(stats, method):
    precisions = smoothed_precisions(stats, method)
    assume(stats.matched[0])
    present = sum(p is not None for p in precisions)
    expected = smoothed_bleu(stats, method=method, max_order=present)
    assert smoothed_bleu(stats, method=method, effective_order=True) == expected


def test_effective_order_shares_the_weights():
    stats = stats_of_segment("a b".split(), ["a b".split()])
    other = BleuStats(2, 2, (1, 1, 0, 0), (2, 1, 0, 0))
    assert str(smoothed_bleu(other, (0.1, 0.3, 0.5, 0.1), effective_order=True)) == "(1/2)^(1/4)"  # 0.1 of 0.4
    assert smoothed_bleu(stats, (0, 0, 0.5, 0.5), effective_order=True).is_zero
    assert str(smoothed_bleu(stats, (0.5, 0.5, 0, 0))) == "1"  # an absent order of weight 0 does not take part


# ---- Properties


@given(pair=pairs, method=st.sampled_from(EVERY_METHOD), orders=st.integers(1, 6))
def test_sentences_stay_within_bounds(pair, method, orders):
    """No precision exceeds 1 for a single sentence, but for interpolation of rising precisions, where the paper's formula does."""
    stats = stats_of_segment(*pair, orders + 1)
    precisions = smoothed_precisions(stats, method, max_order=orders)
    raw = stats.up_to(orders).precisions
    rising = any(after > before for before, after in zip(raw, raw[1:], strict=False))
    if method != "interpolate" or not rising:
        assert all(p is None or 0 <= p <= 1 for p in precisions)
        assert 0.0 <= float(smoothed_bleu(stats, method=method, max_order=orders)) <= 1.0
        assert 0.0 <= float(smoothed_bleu(stats, method=method, max_order=orders, effective_order=True)) <= 1.0


@given(stats=corpus_stats(5), method=st.sampled_from(["none", "floor", "add-k", "exp", "add-one-all"]), value=st.fractions(0, 1))
def test_corpora_stay_within_bounds(stats, method, value):
    precisions = smoothed_precisions(stats, method, value if method in TAKES_VALUE else None)
    assert all(p is None or 0 <= p <= 1 for p in precisions)


def test_where_the_papers_formulas_exceed_1():
    # claim: 002-20
    corpus = BleuStats(6, 6, (6, 1, 0), (6, 1, 0))
    assert smoothed_precisions(corpus, "average", max_order=2) == (Fraction(7, 9), Fraction(17, 9))
    rising = stats_of_segment("a b a".split(), ["b a b".split()])
    assert smoothed_precisions(rising, "interpolate")[2] == Fraction(5, 4)
    assert smoothed_precisions(BleuStats(202, 202, (202, 0), (202, 1)), "length")[1] > 1


@given(stats=corpus_stats(5), method=st.sampled_from(EVERY_METHOD), effective=st.booleans())
def test_no_unigram_match_scores_0(stats, method, effective):
    empty = BleuStats(stats.candidate_length, stats.reference_length, (0,) * 5, stats.total)
    assert smoothed_precisions(empty, method, max_order=4) == (0, 0, 0, 0)
    assert float(smoothed_bleu(empty, method=method, max_order=4, effective_order=effective)) == 0.0


@given(stats=corpus_stats(5), low=st.fractions(0, 1), high=st.fractions(0, 1))
def test_a_larger_value_never_lowers(stats, low, high):
    """floor and add-k rise with the value; length falls with K."""
    low, high = sorted((low, high))

    def both(method, a, b):
        return zip(smoothed_precisions(stats, method, a), smoothed_precisions(stats, method, b), strict=True)

    for method in ("floor", "add-k"):
        assert all(a is None or a <= b for a, b in both(method, low, high))
    assert all(a is None or a >= b for a, b in both("length", low + 1, high + 1))


@given(stats=corpus_stats(4), method=st.sampled_from(["none", "floor", "exp", "length"]))
def test_nothing_missing_nothing_changed(stats, method):
    assume(stats.total[3])
    full = BleuStats(stats.candidate_length, stats.reference_length, tuple(max(m, 1) for m in stats.matched), stats.total)
    assert smoothed_precisions(full, method) == full.precisions
    assert smoothed_bleu(full, method=method) == bleu_from_stats(full)


@given(sentence=st.lists(words, min_size=1, max_size=12), method=st.sampled_from(EVERY_METHOD), orders=st.integers(1, 5))
def test_identity_scores_exactly_1(sentence, method, orders):
    stats = stats_of_segment(sentence, [sentence], orders + 1)
    assert str(smoothed_bleu(stats, method=method, max_order=orders, effective_order=True)) == "1"


@given(stats=corpus_stats(5), method=st.sampled_from(EVERY_METHOD))
def test_statistics_are_left_alone(stats, method):
    """sacreBLEU's add-k changes the caller's lists; nothing here does."""
    row = stats.row
    first = smoothed_precisions(stats, method, max_order=4)
    assert stats.row == row and smoothed_precisions(stats, method, max_order=4) == first


@given(stats=corpus_stats(6), method=st.sampled_from(EVERY_METHOD))
def test_orders_that_are_not_needed_do_not_matter(stats, method):
    needed = 4 + SMOOTHING[method].extra_orders
    assert smoothed_precisions(stats, method, max_order=4) == smoothed_precisions(stats.up_to(needed), method, max_order=4)


# ---- The table, values and errors


def test_the_table():
    # claim: 002-20
    assert tuple(SMOOTHING) == EVERY_METHOD
    assert {s.paper: s.name for s in SMOOTHING.values() if s.paper} == dict(enumerate(EVERY_METHOD[1:8], 1))
    for name, smoothing in SMOOTHING.items():
        assert smoothing.name == name and smoothing.meaning and bool(smoothing.values) == (name in TAKES_VALUE) == (smoothing.default is not None)
        assert pickle.loads(pickle.dumps(smoothing)) == smoothing


def test_values_are_exact():
    assert smoothing_value("floor", 0.1) == smoothing_value("floor", "0.1") == smoothing_value("floor", Decimal("0.1")) == Fraction(1, 10)
    assert smoothing_value("add-k", 2) == 2 and smoothing_value("length") == 5 and smoothing_value("exp") is None


@pytest.mark.parametrize(
    "value",
    [-1, -0.1, float("nan"), float("inf"), Decimal("NaN"), Decimal("Infinity"), "a tenth", "1/0", "", [], object(), 1j, True, False, b"1"],
)
@pytest.mark.parametrize("method", TAKES_VALUE)
def test_a_value_that_means_nothing(method, value):
    with pytest.raises(SmoothingValueError, match=f"expected a number .* for '{method}'"):
        smoothing_value(method, value)


@pytest.mark.parametrize("method", [name for name in EVERY_METHOD if name not in TAKES_VALUE])
def test_a_value_where_none_is_taken(method):
    stats = BleuStats(4, 4, (4, 3, 2, 1), (4, 3, 2, 1))
    with pytest.raises(SmoothingValueError, match="the methods that take one are floor, add-k, length, interpolate, average-length"):
        smoothed_bleu(stats, method=method, value=0.1, max_order=3)


@pytest.mark.parametrize(("method", "value"), [("floor", 1.01), ("length", 0), ("average-length", 0)])
def test_a_value_out_of_range(method, value):
    with pytest.raises(SmoothingValueError):
        smoothing_value(method, value)


class NltkLike:
    def method1(self, p_n):
        """As NLTK's."""

    def method7(self, p_n):
        """As NLTK's."""


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (NltkLike.method1, "'floor'"),
        (NltkLike().method7, "'average-length'"),
        (3, "'exp'"),
        ("method5", "'average'"),
        ("0", "'none'"),
        (9, "Give one of the names"),
        (NltkLike(), "type NltkLike"),
        (None, "type NoneType"),
        (True, "type bool"),
        (lambda p: p, "type function"),
        ("Floor", "Did you mean 'floor'"),
        ("add-1", "Did you mean 'add-k'"),
        ("add_one_all", "Did you mean 'add-one-all'"),
        ("exponential", "The names are"),
        ("", "The names are"),
    ],
)
def test_a_name_that_does_not_exist(method, said):
    with pytest.raises(UnknownNameError, match=said) as caught:
        smoothing_value(method)
    assert isinstance(caught.value, BleuInputError) and " at 0x" not in str(caught.value)


def test_statistics_that_lack_an_order():
    stats = stats_of_segment("a b c d".split(), ["a b c d".split()])
    for name in ("average", "average-length"):
        with pytest.raises(StatisticsError, match=r"5 orders.*got 4 orders.*max_order=4"):
            smoothed_precisions(stats, name)
        with pytest.raises(StatisticsError, match="5 orders"):
            smoothed_bleu(stats, (0.25,) * 4, method=name)
        assert len(smoothed_precisions(stats, name, max_order=3)) == 3
    with pytest.raises(StatisticsError, match="Count more orders"):
        smoothed_precisions(stats, "exp", max_order=5)
    with pytest.raises(StatisticsError, match="stats_of_segment"):
        smoothed_precisions([4, 3, 2, 1])
    with pytest.raises(OrderError):
        smoothed_precisions(stats, max_order=0)
    with pytest.raises(WeightsError, match="4 weights"):
        smoothed_bleu(stats, (0.5, 0.5), max_order=4)


def _interpolated(matched, total):  # equation 6 of Chen and Cherry, every fraction in full
    found = []
    for n, (m, t) in enumerate(zip(matched, total, strict=True)):
        expected = found[n - 1] ** 2 / found[n - 2] if n > 1 and found[n - 2] else 0
        found.append((m + 5 * expected) / (t + 5) if n > 1 else Fraction(m, t))
    return found


def test_interpolation_of_high_orders_has_the_floats_of_the_full_fractions_and_can_be_written():
    matched, total = (37, 31, 26, 22, 18, 14, 11, 8, 5, 2, 0, 0, 0, 0), tuple(range(40, 26, -1))
    stats = BleuStats(40, 40, matched, total)
    full = _interpolated(matched, total)
    assert full[-1].denominator.bit_length() > 15000 > 4300 * math.log2(10)
    assert list(map(float, smoothed_precisions(stats, "interpolate"))) == list(map(float, full))
    exact = ExactScore(tuple((p, Fraction(1, 14)) for p in full), Fraction(0))
    score = smoothed_bleu(stats, method="interpolate")
    assert float(score) == float(exact) == pytest.approx(math.exp(sum(math.log(p) for p in map(float, full)) / 14), rel=1e-12)
    for closed in (str(score), score.latex, str(exact), exact.latex):  # `str` of the numerators would raise
        assert 100 < len(closed) < 2000


def test_interpolation_of_any_order_ends():
    whole = BleuStats(1200, 1200, tuple(range(1150, 150, -1)), tuple(range(1200, 200, -1)))  # N = 1000
    assert 0.9 < float(smoothed_bleu(whole, method="interpolate")) < 1
    for value in (None, 1, Fraction(1, 10**60)):
        with pytest.raises(OrderError, match="max_order"):
            smoothed_precisions(BleuStats(1200, 1200, (1000, 900, *[0] * 998), tuple(range(1200, 200, -1))), "interpolate", value)
