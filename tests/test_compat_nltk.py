"""bleu_lit.compat.nltk against NLTK: the figures of its tests and documentation, its names and defaults, and under strict=False its numbers, digit by digit."""

import copy
import inspect
import itertools
import json
import math
import os
import pickle
import sys
import warnings
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import SCRIPTS, SHARED, lines, needs_data

import bleu_lit.compat.nltk as ours
from bleu_lit.bleu import BleuStats
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    FlatReferencesError,
    LengthMismatchError,
    MissingReferenceError,
    OrderError,
    SegmentTypeError,
    SettingsError,
    SmoothingValueError,
    StringForListError,
    UnknownNameError,
    WeightsError,
)
from bleu_lit.score import corpus_bleu, corpus_stats, score_from_stats
from bleu_lit.scripts import mteval_rows
from bleu_lit.settings import PAPER
from bleu_lit.tokens import tokenize

METHODS = [f"method{number}" for number in range(8)]
both_ways = pytest.mark.parametrize("strict", [True, False])

# ---- The figures of NLTK's tests and documentation (3.10.4: nltk/test/unit/translate/test_bleu.py, nltk/translate/bleu_score.py)

GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party".split()
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct".split()
PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands".split(),
    "It is the guiding principle which guarantees the military forces always being under the command of the Party".split(),
    "It is the practical guide for the army always to heed the directions of the party".split(),
]
READ = "he read the book because he was interested in world history".split()
BOOK = [[*"he was interested in world history because he read the book".split()]]
MARY = "John loves Mary".split()
NO_ALIGNMENT = ["The candidate has no alignment to any of the references".split()]
THE_CAT = ["the cat is on the mat".split(), "there is a cat on the mat".split()]


@both_ways
@pytest.mark.parametrize(
    ("references", "hypothesis", "n", "expected"),
    [
        (THE_CAT, ["the"] * 7, 1, 0.2857),
        (THE_CAT, ["the"] * 7, 2, 0.0),
        (PARTY, "of the".split(), 1, 1.0),
        (PARTY, "of the".split(), 2, 1.0),
        (PARTY, GUIDE, 1, 0.9444),
        (PARTY, TROOPS, 1, 0.5714),
        (PARTY, GUIDE, 2, 0.5882),
        (PARTY, TROOPS, 2, 0.0769),
    ],
)
def test_precision_figures(references, hypothesis, n, expected, strict):
    assert round(float(ours.modified_precision(references, hypothesis, n, strict=strict)), 4) == expected


@both_ways
@pytest.mark.parametrize(
    ("lengths", "length", "expected"),
    [
        ((11, 8), 7, 0.8669),
        ((11, 8, 6, 7), 7, 1.0),
        ((12, 15, 17), 12, 1.0),
        ((28, 28), 12, 0.2636),
        ((13, 2), 12, 0.9200),
        ((13, 11), 12, 1.0),
        ((11, 13), 12, 1.0),
    ],
)
def test_penalty_figures(lengths, length, expected, strict):
    nearest = ours.closest_ref_length([["a"] * each for each in lengths], length)
    assert round(ours.brevity_penalty(nearest, length, strict=strict), 4) == expected


@both_ways
@pytest.mark.parametrize(
    ("references", "hypothesis", "weights", "expected"),
    [
        (PARTY, GUIDE, (0.25,) * 4, 0.5045),
        (PARTY, TROOPS, (0.25,) * 4, 0.0),
        (PARTY, GUIDE, (1 / 5,) * 5, 0.3920),
        (PARTY, GUIDE, (1 / 2,) * 2, 0.7453),
        (PARTY, GUIDE, (1 / 3,) * 3, 0.6240),
        (PARTY[:1], GUIDE, (0.25,) * 4, 0.4118),
        (NO_ALIGNMENT, MARY, (1.0,), 0.0),
        (NO_ALIGNMENT, MARY, (0.5, 0.5), 0.0),
        ([MARY], MARY, (1.0,), 1.0),
        ([MARY], MARY, (0.5, 0.5), 1.0),
        ([MARY], [*MARY, "who", "loves", "Mike"], (0.25,) * 4, 0.0),
        ([[*MARY, "?"]], MARY, (0.25,) * 4, 0.0),
        ([MARY], MARY, (0.25,) * 4, 0.0),
        (NO_ALIGNMENT, [], (0.25,) * 4, 0.0),
        ([[]], MARY, (0.25,) * 4, 0.0),
        ([[]], [], (0.25,) * 4, 0.0),
        (["let it go".split()], "let go it".split(), (0.25,) * 4, 0.0),
        (NO_ALIGNMENT, ["Foo"], (0.25,) * 4, 0.0),
    ],
)
def test_sentence_figures(references, hypothesis, weights, expected, strict):
    assert math.floor(ours.sentence_bleu(references, hypothesis, weights, strict=strict) * 1e4) == round(expected * 1e4)


@both_ways
def test_corpus_figures(strict):
    corpus = ([PARTY, BOOK], [GUIDE, READ])
    found = ours.corpus_bleu(*corpus, [(0.5, 0.5), (0.333, 0.333, 0.334), (0.25,) * 4, (0.2,) * 5, (0.1, 0.3, 0.5, 0.1)], strict=strict)
    assert [math.floor(score * 1e4) for score in found] == [8242, 7067, 5920, 4719, 5818]
    singly = [ours.sentence_bleu(references, hypothesis, strict=strict) for references, hypothesis in zip(*corpus, strict=True)]
    assert math.floor(sum(singly) / 2 * 1e4) == 6223
    weights = [(1, 0, 0, 0), (0.25, 0.25, 0.25, 0.25), (0, 0, 0, 0, 1)]
    assert ours.corpus_bleu(*corpus, weights, strict=strict) == [ours.corpus_bleu(*corpus, each, strict=strict) for each in weights]
    bad = "Teo S yb , oe uNb , R , T t , , t Tue Ar saln S , , 5istsi l , 5oe R ulO sae oR R".split()
    stokehold = "Their tasks include changing a pump on the faulty stokehold .Likewise , two species that are very similar in morphology "
    assert round(ours.corpus_bleu([[f"{stokehold}were distinguished using genetics .".split()]], [bad], strict=strict), 4) == 0


def test_smoothing_figures():
    smoothing = ours.SmoothingFunction()
    found = [ours.sentence_bleu(PARTY[:1], GUIDE, smoothing_function=getattr(smoothing, name), strict=False) for name in METHODS]
    assert [math.floor(score * 1e4) for score in found] == [4118, 4118, 4452, 4118, 4118, 4905, 4135, 4905]
    for strict in (True, False):
        assert math.floor(ours.sentence_bleu(PARTY, TROOPS, smoothing_function=smoothing.method1, strict=strict) * 1e4) == 370
    place = (["It is a place of quiet contemplation .".split()], "It is .".split())  # nltk/test/bleu.doctest
    assert math.floor(ours.sentence_bleu(*place, smoothing_function=smoothing.method4, strict=False) * 1e6) == 44267
    assert ours.sentence_bleu(*place, smoothing_function=smoothing.method4) == 0  # it has no 4-gram at all


# ---- mteval-v13a.pl: NLTK's test holds corpus_bleu of the orders 1 to 9 against what the script printed of a Russian text, to 0.005

MTEVAL = """ BLEU:  0.5967   0.4741   0.3880   0.3221   0.2696   0.2273   0.1928   0.1641   0.1404  "Facebook-AI"
MT evaluation scorer ended on 2026 Nov 30 at 13:34:09
"""  # the last lines of: perl mteval-v13a.pl -c -s … -r … -t …, of the text `russian` in its files (the script as in nbs/82_scripts.ipynb, Perl 5.36)


def cumulative(printed: str) -> list[float]:
    """The figures in the last line but one, between its name and that of the system."""
    return list(map(float, printed.splitlines()[-2].split()[1:-1]))


def orders_1_to_9(references, hypotheses, strict, smoothed=False) -> list[float]:
    method = ours.SmoothingFunction().method3 if smoothed else None
    return ours.corpus_bleu([[tokens] for tokens in references], hypotheses, [(1 / n,) * n for n in range(1, 10)], smoothing_function=method, strict=strict)


@pytest.fixture(scope="module")
def russian() -> list[list[list[str]]]:
    """The references and hypotheses of a set of 1002 segments, cut by 13a."""
    folder = SHARED / "data" / "wmt21_enru"
    return [[tokenize(line, "13a") for line in lines(folder / name)] for name in ("ref.0.txt", "hyp.Facebook-AI.txt")]


@needs_data
@both_ways
@pytest.mark.parametrize("smoothed", [True, False])
def test_orders_1_to_9_are_what_mteval_printed(russian, strict, smoothed):
    room = 5.1e-5 if strict else 0.005  # NLTK counts an n-gram where a segment is too short to have one
    assert orders_1_to_9(*russian, strict, smoothed) == pytest.approx(cumulative(MTEVAL), abs=room)


@needs_data
@pytest.mark.skipif(not (SCRIPTS / "mteval-v13a.pl").is_file(), reason="mteval-v13a.pl is not there (set BLEU_LIT_SCRIPTS to the folder that holds it)")
@pytest.mark.parametrize("smoothed", [True, False])
def test_mteval_prints_what_it_printed(russian, smoothed):
    references, hypotheses = ([" ".join(tokens) for tokens in side] for side in russian)
    words = ["-b", "-c", *([] if smoothed else ["--no-smoothing"])]
    assert list(map(float, mteval_rows(str(SCRIPTS / "mteval-v13a.pl"), words, hypotheses, references))) == cumulative(MTEVAL)


def wmt15(name: str) -> str:
    """A file of the data that NLTK's test reads, where NLTK looks for its data: unpacked, or in the archive as it is downloaded."""
    named = [*filter(None, os.environ.get("NLTK_DATA", "").split(os.pathsep)), Path.home() / "nltk_data", Path(sys.prefix) / "nltk_data"]
    for models in (Path(root, "models") for root in [*named, *(f"/usr{local}/{share}/nltk_data" for local in ("", "/local") for share in ("share", "lib"))]):
        archive = models / "wmt15_eval.zip"
        for path in (models / "wmt15_eval" / name, *([zipfile.Path(archive, f"wmt15_eval/{name}")] if archive.is_file() else [])):
            if path.is_file():
                return path.read_text(encoding="utf-8")
    pytest.skip("NLTK's data set models/wmt15_eval is not there (python -m nltk.downloader wmt15_eval, or set NLTK_DATA to the folder that holds it)")


@both_ways
@pytest.mark.parametrize("smoothed", [True, False])
def test_orders_1_to_9_are_those_of_mteval_in_the_data_of_nltk(strict, smoothed):
    references, hypotheses = ([line.split() for line in wmt15(name).removesuffix("\n").split("\n")] for name in ("ref.ru", "google.ru"))
    printed = cumulative(wmt15("mteval-13a.output"))
    assert len(printed) == 9
    assert orders_1_to_9(references, hypotheses, strict, smoothed) == pytest.approx(printed, abs=0.005)


WMT15 = "BLEU = 23.17, 53.8/29.6/17.6/10.3 (BP=1.000, ratio=1.074, hyp_len=1989, ref_len=1852)"  # nltk_data, models/wmt15_eval, README: multi-bleu.perl


def line_of_multi_bleu(stats: BleuStats) -> str:
    """Statistics as the line that multi-bleu.perl prints of them."""
    score, (c, r) = score_from_stats(stats, PAPER), (stats.candidate_length, stats.reference_length)
    precisions = "/".join(f"{100 * float(p):.1f}" for p in score.precisions)
    return f"BLEU = {score.percent:.2f}, {precisions} (BP={score.brevity_penalty:.3f}, ratio={c / r:.3f}, hyp_len={c}, ref_len={r})"


def test_the_published_line_of_wmt15_is_that_of_its_text():
    sides = ([line.encode().split() for line in wmt15(name).removesuffix("\n").split("\n")] for name in ("google.ru", "ref.ru"))  # at ASCII's white space
    candidates, references = ([[word.decode() for word in words] for words in side] for side in sides)
    assert line_of_multi_bleu(corpus_stats(candidates, [[tokens] for tokens in references])) == WMT15


def test_whole_numbers_stand_behind_the_published_line_of_wmt15():
    """The line tells no matches. Its totals are known if each of the 100 segments has 4 tokens or more, which the
    source does not say: then they are 1989 - 100 (n - 1). Of the 8 choices of whole matches that round to its percentages exact arithmetic leaves two.
    """
    totals, percentages = [1989, 1889, 1789, 1689], map(Fraction, ("53.8", "29.6", "17.6", "10.3"))
    rounding = [[m for m in range(t + 1) if abs(Fraction(100 * m, t) - p) < Fraction(1, 20)] for t, p in zip(totals, percentages, strict=True)]
    choices = list(itertools.product(*rounding))
    products = [math.prod(map(Fraction, matched, totals)) for matched in choices]  # of which the score is the fourth root, for no length is penalised
    fit = [matched for matched, product in zip(choices, products, strict=True) if Fraction("0.23165") ** 4 <= product < Fraction("0.23175") ** 4]
    assert (len(choices), fit) == (8, [(1070, 560, 314, 174), (1071, 559, 314, 174)])
    for matched in choices:
        assert (line_of_multi_bleu(BleuStats(1989, 1852, matched, tuple(totals))) == WMT15) == (matched in fit)


@pytest.mark.skipif(not (SHARED / "published_examples.jsonl").exists(), reason=f"the published examples are not at {SHARED}")
def test_published_examples_hold_through_the_door():
    usual = {"smoothing": "none", "weights": "uniform 1/4", "max_order": 4, "brevity": "exp(1-r/c) if c<=r"}
    counted = 0
    for line in (SHARED / "published_examples.jsonl").read_text(encoding="utf-8").splitlines():
        example = json.loads(line)
        setting, published = example["settings"], (example.get("published") or {}).get("bleu")
        by_definition = usual.items() <= setting.items() and setting["ref_length"].startswith("closest") and not setting.get("zero_order")
        if not by_definition or example["agrees"] is False or setting["level"] not in ("sentence", "corpus") or not isinstance(example["tolerance"], float):
            continue
        if example["kind"] != "bleu" or not example.get("candidates") or not isinstance(published, float) or setting.get("effective_order"):
            continue
        found = ours.corpus_bleu(example["references"], example["candidates"])
        assert min(abs(found - published), abs(100 * found - published)) <= example["tolerance"], example["id"]
        counted += 1
    assert counted >= 5


# ---- The same as the installed NLTK

tokens = st.lists(st.sampled_from(["a", "b", "c", "d", 1]), max_size=8)
segments = st.lists(st.tuples(st.lists(tokens, min_size=1, max_size=3), tokens), min_size=1, max_size=4)
weightings = st.sampled_from(
    [
        (0.25,) * 4,
        [0.25] * 4,
        (1.0,),
        (0.5, 0.5),
        (0.2,) * 5,
        (0.1, 0.3, 0.5, 0.1),
        (0, 0, 1),
        (1 / 6,) * 6,
        [(0.5, 0.5), (0.25,) * 4],
        [(1.0,)],
        [(0.2,) * 5, (1 / 3,) * 3, (0, 1)],
    ]
)
smoothings = st.tuples(st.sampled_from([None, *METHODS]), st.sampled_from([{}, {"epsilon": 0.01, "alpha": 3, "k": 7}, {"k": 0.5}]))
many = settings(max_examples=250)


@pytest.fixture(scope="module")
def theirs():
    return pytest.importorskip("nltk.translate.bleu_score")


def outcome(function, *arguments, **named):
    """The result, or None for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **named)
        except (AssertionError, IndexError, ZeroDivisionError, ValueError, TypeError):
            return None


@many
@given(segments, weightings, smoothings, st.booleans())
def test_scores_are_those_of_nltk(theirs, corpus, weights, smoothing, auto_reweigh):
    name, parameters = smoothing
    references, hypotheses = [list(group) for group, _ in corpus], [hypothesis for _, hypothesis in corpus]
    functions = [getattr(module.SmoothingFunction(**parameters), name) if name else None for module in (ours, theirs)]
    found = outcome(ours.corpus_bleu, references, hypotheses, weights, functions[0], auto_reweigh, strict=False)
    assert found == outcome(theirs.corpus_bleu, references, hypotheses, weights, functions[1], auto_reweigh)
    single = outcome(ours.sentence_bleu, references[0], hypotheses[0], weights, functions[0], auto_reweigh, strict=False)
    assert single == outcome(theirs.sentence_bleu, references[0], hypotheses[0], weights, functions[1], auto_reweigh)


@many
@given(st.lists(tokens, min_size=1, max_size=3), tokens, st.integers(1, 6))
def test_parts_are_those_of_nltk(theirs, references, hypothesis, n):
    found, expected = ours.modified_precision(references, hypothesis, n, strict=False), theirs.modified_precision(references, hypothesis, n)
    assert (found.numerator, found.denominator, float(found)) == (expected.numerator, expected.denominator, float(expected))
    length = ours.closest_ref_length(references, len(hypothesis))
    assert length == theirs.closest_ref_length(references, len(hypothesis)) == ours.closest_ref_length(reversed(references), len(hypothesis))
    assert ours.brevity_penalty(length, len(hypothesis), strict=False) == theirs.brevity_penalty(length, len(hypothesis))


@many
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 6)), min_size=4, max_size=4), tokens, smoothings)
def test_methods_called_by_hand_are_those_of_nltk(theirs, counts, hypothesis, smoothing):
    name, parameters = smoothing
    if name is None:
        return
    matched = sorted((pair[0] for pair in counts), reverse=True)  # a longer n-gram never matches more often
    counts = [(m, max(m, total)) for m, (_, total) in zip(matched, counts, strict=True)]
    results = []
    for module, fraction in ((ours, ours.Precision), (theirs, lambda m, t: theirs.Fraction(m, t, _normalize=False))):
        p_n = [fraction(matched, total) for matched, total in counts]
        arguments = {"references": [["a", "b"]], "hypothesis": hypothesis, "hyp_len": len(hypothesis)}
        found = outcome(getattr(module.SmoothingFunction(**parameters), name), p_n, **arguments)
        results.append(found and [float(p) for p in found])
    assert results[0] == results[1]


@pytest.mark.parametrize("name", ["sentence_bleu", "corpus_bleu", "modified_precision", "closest_ref_length", "brevity_penalty", "SmoothingFunction"])
def test_arguments_have_the_names_order_and_defaults_of_nltk(theirs, name):
    found, expected = (list(inspect.signature(getattr(module, name)).parameters.values()) for module in (ours, theirs))
    assert [(p.name, p.default) for p in found if p.name != "strict"] == [(p.name, p.default) for p in expected]
    assert not [p for p in found[: len(expected)] if p.name == "strict"]


def test_characters_of_text_are_scored_as_in_nltk(theirs):
    assert ours.sentence_bleu(["the cat sat"], "the cat is", strict=False) == theirs.sentence_bleu(["the cat sat"], "the cat is")


def test_any_function_smooths_without_strict():
    def half(p_n, **_):
        return [Fraction(1, 2)] * len(p_n)

    assert ours.sentence_bleu([["a"]], ["a"], smoothing_function=half, strict=False) == 0.5
    with pytest.raises(UnknownNameError, match="strict=False"):
        ours.sentence_bleu([["a"]], ["a"], smoothing_function=half)


# ---- By the definition


@many
@given(segments, st.sampled_from([(0.25,) * 4, (0.5, 0.5), (0.2,) * 5, (0, 0, 1)]), st.sampled_from(METHODS))
def test_strict_is_the_definition(corpus, weights, method):
    """The same number as the score of tokens with these settings."""
    references, hypotheses = [list(group) for group, _ in corpus], [hypothesis for _, hypothesis in corpus]
    name = ["none", "floor", "add-k", "exp", "length", "average", "interpolate", "average-length"][int(method[-1])]
    expected = corpus_bleu(hypotheses, references, weights=weights, smooth=name, tokenize="given").value
    assert ours.corpus_bleu(references, hypotheses, weights, getattr(ours.SmoothingFunction(), method)) == expected
    assert ours.corpus_bleu(references, hypotheses, weights, name) == expected


@many
@given(segments, st.sampled_from(["method0", "method1", "method2", "method3"]))
def test_the_two_agree_where_every_order_is_there(corpus, method):
    long = [(group, hypothesis) for group, hypothesis in corpus if len(hypothesis) >= 4]
    references, hypotheses = [list(group) for group, _ in long], [hypothesis for _, hypothesis in long]
    if not long:
        return
    function = getattr(ours.SmoothingFunction(), method)
    strict, loose = (ours.corpus_bleu(references, hypotheses, smoothing_function=function, strict=way) for way in (True, False))
    assert strict == pytest.approx(loose, rel=1e-12, abs=1e-70)


@given(segments)
def test_an_identical_corpus_is_exactly_one(corpus):
    hypotheses = [*(hypothesis for _, hypothesis in corpus), list("abcd")]
    assert ours.corpus_bleu([[hypothesis] for hypothesis in hypotheses], hypotheses) == 1.0


def test_nltk_methods_are_understood(theirs):
    function = theirs.SmoothingFunction(epsilon=0.01).method1
    assert ours.sentence_bleu(PARTY, TROOPS, smoothing_function=function) == ours.sentence_bleu(
        PARTY, TROOPS, smoothing_function=ours.SmoothingFunction(epsilon=0.01).method1
    )


@given(st.integers(0, 9), st.integers(0, 9), st.fractions(max_denominator=9), st.integers(0, 9), st.integers(0, 9))
def test_a_precision_is_a_number(matched, total, other, matched_2, total_2):
    p, q = ours.Precision(min(matched, total), max(matched, total)), ours.Precision(min(matched_2, total_2), max(matched_2, total_2))
    value = Fraction(p.matched, p.total or 1)
    value_2 = Fraction(q.matched, q.total or 1)
    assert p == value and value == p and hash(p) == hash(value) and float(p) == float(value)
    assert [p + other, other + p, p * other, other * p, p - other, other - p] == [value + other] * 2 + [value * other] * 2 + [value - other, other - value]
    assert (p < other, other < p, p <= other) == (value < other, other < value, value <= other)
    assert (p > q, p == q, p != q) == (value > value_2, value == value_2, value != value_2)
    assert p + q == value + value_2 and p**2 == value**2
    assert type(p + 1) is Fraction and (p + 0.5) == float(value) + 0.5
    for twin in (pickle.loads(pickle.dumps(p)), copy.copy(p), copy.deepcopy(p)):
        assert (twin.numerator, twin.denominator) == (p.matched, p.total)


ERRORS = [
    (lambda **way: ours.corpus_bleu([], [], **way), EmptyCorpusError, True),
    (lambda **way: ours.corpus_bleu([[["a"]]], [["a"], ["b"]], **way), LengthMismatchError, True),
    (lambda **way: ours.sentence_bleu([], ["a"], **way), MissingReferenceError, True),
    (lambda **way: ours.sentence_bleu([["a"]], "a b", **way), StringForListError, False),
    (lambda **way: ours.sentence_bleu("a b", ["a"], **way), StringForListError, False),
    (lambda **way: ours.sentence_bleu(["a", "b"], ["a"], **way), FlatReferencesError, False),
    (lambda **way: ours.sentence_bleu([["a"]], ["a"], (0.9, 0.9), **way), WeightsError, False),
    (lambda **way: ours.sentence_bleu([["a"]], ["a"], (), **way), WeightsError, False),
    (lambda **way: ours.modified_precision([["a"]], ["a"], 0, **way), OrderError, True),
    (lambda **way: ours.modified_precision([], ["a"], 1, **way), MissingReferenceError, True),
    (lambda **way: ours.sentence_bleu([["a"]], ["a"], smoothing_function="expo", **way), UnknownNameError, False),
    (lambda **way: ours.brevity_penalty(-1, 2, **way), BleuInputError, True),
]


@pytest.mark.parametrize(("call", "error", "always"), ERRORS)
def test_errors(call, error, always):
    with pytest.raises(error):
        call()
    if always:
        with pytest.raises(error):
            call(strict=False)


def test_method6_without_trigrams_is_an_error_only_without_strict():
    method = ours.SmoothingFunction().method6
    assert ours.sentence_bleu([["a", "b", "x"]], ["a", "b", "y"], (1 / 3,) * 3, method) > 0
    with pytest.raises(BleuInputError, match="order 3"):
        ours.sentence_bleu([["a", "b", "x"]], ["a", "b", "y"], (1 / 3,) * 3, method, strict=False)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("value", [None, 5, iter(["a"]), [5], [["a"], 5]], ids=["None", "number", "iterator", "list of a number", "number in it"])
def test_what_is_no_list_of_tokens_is_named(value, strict):
    hypothesis, references = ["a", "b"], [["a", "c"]]
    calls = [lambda: ours.sentence_bleu(value, hypothesis, strict=strict), lambda: ours.modified_precision(value, hypothesis, 1, strict)]
    calls += [lambda: ours.corpus_bleu([value], [hypothesis], strict=strict)]
    if value is None or isinstance(value, (int, list)):
        calls += [lambda: ours.closest_ref_length(value, 4)]  # which takes an iterator
    if not isinstance(value, list):
        calls += [lambda: ours.sentence_bleu(references, value, strict=strict), lambda: ours.modified_precision(references, value, 1, strict)]
    for call in calls:
        with pytest.raises(SegmentTypeError, match=r"(hypothesis|references?)\b.*: expected a list"):
            call()


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("weights", [None, 5, [], [None], "ab", [[0.5, 0.5], None], [[["a"]]]], ids=str)
def test_weights_that_are_none_are_named(weights, strict):
    with pytest.raises(WeightsError):
        ours.corpus_bleu([[["a", "b"]]], [["a", "b"]], weights, strict=strict)


NO_SMOOTHING = ["x", "exp", 5, [1], {}, object(), lambda p_n, **known: None, lambda p_n, **known: ["a"]]


@pytest.mark.parametrize("function", NO_SMOOTHING, ids=lambda value: type(value).__name__)
def test_nltks_way_takes_functions_that_give_numbers(function):
    for references, hypothesis in (([["a", "b"]], ["a", "b"]), ([["a", "c"]], ["a", "b"])):
        with pytest.raises(SettingsError, match=r"smoothing_function: expected a function .*strict=True") as caught:
            ours.corpus_bleu([references], [hypothesis], smoothing_function=function, strict=False)
        assert caught.value.got


@pytest.mark.parametrize("name", ["epsilon", "alpha", "k"])
@pytest.mark.parametrize("value", [None, "x", True, math.nan, [1], b"1"], ids=repr)
def test_the_numbers_of_a_smoothing_function_are_numbers(name, value):
    with pytest.raises(SmoothingValueError, match=f"{name} of SmoothingFunction: expected a finite number.*Leave it out"):
        ours.SmoothingFunction(**{name: value})


def test_a_number_that_was_changed_afterwards_is_looked_at_under_strict():
    function = ours.SmoothingFunction()
    function.epsilon = None
    with pytest.raises(SmoothingValueError, match="epsilon of SmoothingFunction"):
        ours.corpus_bleu([[["a", "c"]]], [["a", "b"]], smoothing_function=function.method1)
    with pytest.raises(SmoothingValueError, match="other than 0"):
        ours.SmoothingFunction(k=0)
