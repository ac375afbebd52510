"""Paired tests, corrections, power and numbers of references: against enumeration, published examples and sacreBLEU."""

import html
import json
import math
import re
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bleu_lit.bleu import BleuStats
from bleu_lit.compare import (
    _bootstrap_test,
    assignment_sums,
    difference_interval,
    effect_size,
    paired_bootstrap,
    paired_permutation,
    paired_randomization,
)
from bleu_lit.core import BleuInputError, EmptyCorpusError, LengthMismatchError, MissingReferenceError, SettingsError, StatisticsError, UnknownNameError
from bleu_lit.power import detectable_difference, power_of, segments_needed
from bleu_lit.references import SubsetScores, by_references
from bleu_lit.score import corpus_bleu, score_from_stats, segment_stats
from bleu_lit.settings import SACREBLEU, Settings, parse_signature
from bleu_lit.shown import markdown_notes
from bleu_lit.sums import mean_rows, mean_value, score_function
from bleu_lit.systems import against_baseline, all_pairs, benjamini_hochberg, check_systems, holm
from tests.shared import SHARED, EvaluationSet, lines, needs_data
from tests.test_resample import bleu_rows

np = pytest.importorskip("numpy")

TESTS = [paired_bootstrap, paired_randomization, paired_permutation]


# ---- The exact test


def enumerated(system, baseline, value) -> Fraction:
    """p by every assignment, one after the other."""
    hits, observed = 0, None
    for kept in product((True, False), repeat=len(system)):
        one = [a if keep else b for keep, a, b in zip(kept, system, baseline, strict=True)]
        other = [b if keep else a for keep, a, b in zip(kept, system, baseline, strict=True)]
        gap = abs(value([sum(column) for column in zip(*one, strict=True)]) - value([sum(column) for column in zip(*other, strict=True)]))
        observed = gap if observed is None else observed  # the first assignment is the observed one
        hits += gap >= observed - 1e-12
    return Fraction(hits, 2 ** len(system))


@hypothesis_settings(max_examples=40)
@given(st.integers(2, 7).flatmap(lambda segments: st.tuples(bleu_rows(segments), bleu_rows(segments))))
def test_the_permutation_test_counts_every_assignment(pair):
    expected = enumerated(*pair, score_function().value)
    for engine in ("numpy", "python"):
        assert paired_permutation(*pair, engine=engine).p_exact == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=9))
def test_segments_that_differ_alike_are_one_group(values):
    pair = mean_rows([a for a, _ in values]), mean_rows([b for _, b in values])
    assert paired_permutation(*pair, mean_value).p_exact == enumerated(*pair, mean_value)
    assert sum(assignment_sums(*pair).values()) == 2 ** sum(a != b for a, b in values)


def test_darwins_maize():
    """Fisher, The Design of Experiments (1935), section 21: 863 of 32768 assignments have a sum of at least 314, so p = 2 · 863 / 32768."""
    differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert sum(differences) == 314
    found = paired_permutation(mean_rows([1000 + x for x in differences]), mean_rows([1000] * 15), mean_value)
    assert found.p_exact == Fraction(2 * 863, 32768)
    drawn = paired_randomization(mean_rows([1000 + x for x in differences]), mean_rows([1000] * 15), mean_value)
    assert drawn.p_value == pytest.approx(2 * 863 / 32768, abs=4 * math.sqrt(0.0527 * 0.9473 / 10000))


def test_fractional_values_are_added_exactly():
    pair = mean_rows([0.1, 0.2, 0.3]), mean_rows([0.2, 0.3, 0.1])
    assert paired_permutation(*pair, mean_value).p_exact == 1  # the difference is 0, whatever the rounding


def test_too_many_assignments_are_an_error_with_advice():
    with pytest.raises(StatisticsError, match="paired_randomization"):
        paired_permutation([(1, 3**i) for i in range(20)], [(1, 0)] * 20, mean_value)
    assert paired_permutation([(1, 3**i) for i in range(5)], [(1, 0)] * 5, mean_value, limit=32).p_exact == Fraction(2, 32)
    for limit, allowed in ((32, 5), (63, 5), (64, 6), (100_000, 16)):  # as many as their assignments fit, and in the worst case no more
        with pytest.raises(StatisticsError, match=f"as up to {allowed} segments that differ always have") as caught:
            paired_permutation([(1, 3**i) for i in range(20)], [(1, 0)] * 20, mean_value, limit=limit)
        assert caught.value.got == "more, from 20 segments that differ"
        paired_permutation([(1, 3**i) for i in range(allowed)], [(1, 0)] * allowed, mean_value, limit=limit)
    with pytest.raises(StatisticsError, match=r"16 segments.*test=\"ar\"") as caught:
        against_baseline({"a": [(1, 3**i) for i in range(20)], "b": [(1, 0)] * 20}, score=mean_value, test="exact", samples=10)
    assert "limit" not in caught.value.fix  # which cannot be raised there


@pytest.mark.parametrize("smooth", ["exp", "average"])
def test_average_reference_lengths_are_compared_exactly(smooth):
    """Reference lengths in thirds: p by every assignment, in fractions, and the same from both engines."""
    settings = SACREBLEU.replace(reference_length="average", smooth=smooth)
    orders = settings.counted_orders
    pair = [
        [(8, Fraction(3 * i + k, 3), *(max(0, 7 - n - (i * k) % 3) for n in range(orders)), *(8 - n for n in range(orders))) for i in range(1, 8)]
        for k in (22, 7)
    ]
    expected = enumerated(*pair, score_function(settings).value)
    for engine in ("numpy", "python"):
        found = paired_permutation(*pair, settings, engine=engine)
        assert found.p_exact == expected and found.score == corpus_score(pair[0], settings)
        assert paired_randomization(*pair, settings, samples=4000, engine=engine).p_value == pytest.approx(float(expected), abs=0.04)
        assert effect_size(*pair, settings, engine=engine).difference == found.difference
    for test in (paired_randomization, paired_bootstrap, difference_interval):
        one, other = (test(*pair, settings, samples=200, engine=engine) for engine in ("numpy", "python"))
        assert one.replicates == pytest.approx(other.replicates, abs=1e-14)
    systems = {"a": pair[0], "b": pair[1]}
    assert against_baseline(systems, score=settings, test="exact").tests[0].p_exact == expected


def corpus_score(rows, settings):
    return score_from_stats(BleuStats.from_row([sum(column) for column in zip(*rows, strict=True)]), settings).value


def test_a_p_of_exactly_alpha_is_significant():
    """The largest of 5 differences against 4 alike in sign gives p = 2/32; at alpha = 1/16 that is "at most alpha", and 1/20 as a float is 0.05."""
    exact = paired_permutation([(1, 3**i) for i in range(5)], [(1, 0)] * 5, mean_value)
    assert exact.p_exact == Fraction(1, 16) and exact.significant(1 / 16) and not exact.significant(0.0624)
    assert replace(exact, p_value=0.05).significant(0.05) and not replace(exact, p_value=math.nextafter(0.05, 1)).significant(0.05)
    drawn = paired_randomization(mean_rows([2] * 40), mean_rows([1] * 40), mean_value, samples=19)
    assert drawn.p_value == 1 / 20 and drawn.significant()


@pytest.mark.parametrize("count", range(1, 8))
def test_few_segments_that_differ_are_said(count):
    """With n segments that differ, all of them in one direction, p is 2 / 2^n: no test can be significant at 0.05 below 6 of them."""
    pair = mean_rows([3**i for i in range(1, count + 1)] + [7] * 20), mean_rows([0] * count + [7] * 20)
    exact = paired_permutation(*pair, mean_value)
    assert exact.p_exact == Fraction(2, 2**count) and exact.significant() == (count >= 6)
    drawn, sampled = (test(*pair, mean_value, samples=500) for test in (paired_randomization, paired_bootstrap))
    for found in (exact, drawn, sampled):
        assert any(f"only {count} segment" in note for note in found.notes) == (count < 6)
    if count < 6:
        assert f"below {2 / 2**count:g}," in exact.notes[0]
    for test in ("exact", "ar", "bs"):
        notes = against_baseline({"old": pair[1], "new": pair[0]}, score=mean_value, test=test, samples=100).notes
        assert any(note.startswith(f"new and old: only {count} segment") for note in notes) == (count < 6)


@pytest.mark.parametrize("names", [None, 7, "ab", (), ("a",), ("a", "b", "c"), ("a", "a"), {"a", "b"}, [1, 1]])
@pytest.mark.parametrize("test", TESTS)
def test_names_are_two(test, names):
    with pytest.raises(BleuInputError, match="names: expected two different names"):
        test(mean_rows([1, 2, 3]), mean_rows([3, 2, 1]), mean_value, names=names)


def test_rounding_alone_has_no_effect():
    """Ten tenths in two orders are one mean; the effect of two such systems is 0, and not infinitely many standard errors."""
    one = effect_size(mean_rows([0.1] * 10), mean_rows([0.1 + 1e-17, 0.1 - 1.4e-17] * 5), lambda sums: sums[1] / sums[0] * (1 + 1e-16 * (sums[0] % 2)))
    assert (one.difference, one.standard_error, one.z) == (0.0, 0.0, 0.0)
    assert SubsetScores(2, (0.1 + 0.2, 0.3, 0.3)).deviation == 0.0 and SubsetScores(2, (0.2, 0.4)).deviation == pytest.approx(0.1)


def test_equal_but_for_rounding_is_no_difference():
    """0.1 + 0.2 and 0.3 are one number; added in two orders they differ in the last digit."""
    one = paired_randomization(mean_rows([0.1, 0.2, 0.3]), mean_rows([0.3, 0.3, 0.0]), lambda sums: 0.1 + 0.2 if sums[1] > 0.6 else 0.3, samples=50)
    assert replace(one, score=0.1 + 0.2, baseline_score=0.3).better is None
    gaps = [0.1 + 0.2 - 0.3] * 50
    equal = _bootstrap_test(([(1, 1)] * 2, [(1, 2)] * 2), ([0.3 + gap for gap in gaps], [0.3] * 50), score_function(mean_value), 50, 1, "two-sided", "ab")
    assert equal.wins == 0


# ---- What each test refuses


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("system", "baseline", "kind", "words"),
    [
        (mean_rows([1, 2, 3]), mean_rows([1, 2]), LengthMismatchError, "3 rows of system and 2 of baseline"),
        (mean_rows([1, 2]), [(1, 2, 3), (1, 2, 3)], StatisticsError, "columns"),
        ([(1, 2)], [(1, 2)], StatisticsError, "two segments"),
        ([], [], EmptyCorpusError, "system"),
        (mean_rows([1, 2]), [(1, 2), (1, math.nan)], StatisticsError, r"baseline\[1\]"),
    ],
)
def test_pairs_that_cannot_be_compared(test, system, baseline, kind, words):
    with pytest.raises(kind, match=words):
        test(system, baseline, mean_value)


@pytest.mark.parametrize("test", TESTS[:2])
@pytest.mark.parametrize("choices", [{"samples": 0}, {"samples": 1.5}, {"seed": None}, {"seed": -3}, {"seed": "1"}, {"names": "ab"}, {"engine": "jax"}])
def test_choices_that_do_not_exist(test, choices):
    with pytest.raises(BleuInputError):
        test(mean_rows([1, 2, 3]), mean_rows([3, 2, 1]), mean_value, **choices)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("engine", ["numpy", "python"])
def test_a_system_against_itself(test, engine):
    rows = segment_stats(["a b c d e", "a b x", "c d e f"], [["a b c d e"], ["a b c"], ["c d e g"]])
    found = test(rows, rows, engine=engine)
    assert found.p_value == 1 and found.difference == 0 and found.differing == 0 and "nothing to test" in found.notes[0] and found.better is None
    assert not found.significant()


def test_sacrebleu_calls_a_system_different_from_itself():
    """The reason for counting ties: sacreBLEU 2.6.0 asks for larger differences, and gives its smallest p."""
    significance = pytest.importorskip("sacrebleu.significance")
    metrics = pytest.importorskip("sacrebleu.metrics")
    texts, references = ["a b c d e", "a b x", "c d e f"], ["a b c d e", "a b c", "c d e g"]
    _, scores = significance.PairedTest([("a", texts), ("b", texts)], {"BLEU": metrics.BLEU()}, [references], test_type="ar", n_samples=99)()
    assert scores["BLEU"][1].p_value == 1 / 100


# ---- Engines, results


@hypothesis_settings(max_examples=25)
@given(st.integers(2, 9).flatmap(lambda segments: st.tuples(bleu_rows(segments), bleu_rows(segments))), st.integers(0, 99))
def test_engines_give_the_same_p(pair, seed):
    for test in TESTS[:2]:
        numpy, plain = (test(*pair, samples=64, seed=seed, engine=engine) for engine in ("numpy", "python"))
        assert numpy == plain or (numpy.p_value, numpy.p_two_sided) == (plain.p_value, plain.p_two_sided)
        assert numpy.replicates == pytest.approx(plain.replicates, abs=1e-12)


def test_results_are_plain_values_and_signatures_parse_back():
    rows = [(10, 10, 5 + i % 4, 4 + i % 3, 2, i % 2, 10, 9, 8, 7) for i in range(12)]
    other = [(10, 10, 5 + i % 3, 4 + i % 2, 2, i % 2, 10, 9, 8, 7) for i in range(12)]
    said = {}
    for found in (*(test(rows, other, SACREBLEU, names=("<new>", "old|x")) for test in TESTS), paired_bootstrap(rows, other, SACREBLEU, rule="two-sided")):
        plain = json.loads(found.to_json())
        assert plain == found.to_dict() and plain["difference"] == found.score - found.baseline_score
        assert "<new>" not in found._repr_markdown_() and "old|x" not in found._repr_markdown_()
        assert parse_signature(found.signature) == SACREBLEU
        said[found.test + (found.signature.split("|")[1])] = found
        with pytest.raises(AttributeError):
            found.p_value = 0
    assert {"bsbs:1000", "arar:10000", "exactar:exact", "bsbs:1000[two-sided]"} == set(said)
    assert said["bsbs:1000"].p_two_sided == said["bsbs:1000[two-sided]"].p_value
    assert "two-sided" in said["bsbs:1000"].notes[0] and said["bsbs:1000"].signature.split("|")[2] == "seed:12345"


def test_lower_can_be_better():
    from dataclasses import replace

    errors = replace(score_function(mean_value), direction="lower")
    found = paired_bootstrap(mean_rows([1, 2, 1, 2]), mean_rows([5, 6, 7, 8]), errors, names=("few", "many"))
    assert found.better == "few" and found.wins == 1.0 and found.difference < 0


def test_effect_is_cohens_d_of_paired_values():
    a, b = [3.0, 5.5, 4.0, 8.0, 6.5], [2.0, 5.0, 4.5, 6.0, 5.0]
    gaps = np.subtract(a, b)
    for engine in ("numpy", "python"):
        effect = effect_size(mean_rows(a), mean_rows(b), mean_value, engine=engine)
        assert effect.per_segment == pytest.approx(gaps.mean() / gaps.std(ddof=1), rel=1e-12)
        assert effect.standard_error == pytest.approx(gaps.std(ddof=1) / math.sqrt(5), rel=1e-12)


def test_interval_of_the_difference():
    a, b = mean_rows([3, 5, 4, 8, 6] * 10), mean_rows([2, 5, 4, 6, 5] * 10)
    for method in ("percentile", "bca"):
        numpy, plain = (difference_interval(a, b, mean_value, samples=200, method=method, engine=engine) for engine in ("numpy", "python"))
        assert (numpy.low, numpy.high) == pytest.approx((plain.low, plain.high), rel=1e-12) and numpy.low < 0.8 < numpy.high
    assert difference_interval(a, a, mean_value, samples=50, method="bca").notes


# ---- Corrections

BENJAMINI_HOCHBERG = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]


def test_the_example_of_benjamini_and_hochberg():
    """Benjamini and Hochberg (1995), section 4.1: of 15 p-values, their procedure rejects four at 0.05; the ones that bound any false finding reject three."""
    assert sum(p <= 0.05 for p in benjamini_hochberg(BENJAMINI_HOCHBERG)) == 4
    assert sum(p <= 0.05 for p in holm(BENJAMINI_HOCHBERG)) == 3


@given(st.lists(st.floats(0, 1), max_size=12))
def test_corrections_by_their_definitions(values):
    order, count = sorted(values), len(values)
    for i, p in enumerate(values):
        below = [min(1, (count - j) * q) for j, q in enumerate(order) if q <= p]
        assert holm(values)[i] == pytest.approx(max(below), abs=1e-15)
        above = [min(1, count * q / (j + 1)) for j, q in enumerate(order) if q >= p]
        assert benjamini_hochberg(values)[i] == pytest.approx(min(above), abs=1e-15)


@pytest.mark.parametrize("values", [[-0.1], [1.1], [math.nan], ["0.5"], [True], [Decimal("sNaN")], [10**5000], [object()]])
def test_p_values_are_probabilities(values):
    for correction in (holm, benjamini_hochberg):
        with pytest.raises(StatisticsError, match="probability"):
            correction(values)


# ---- Several systems


def some_systems():
    return {name: mean_rows([(7 * i * k) % 11 + k for i in range(1, 30)]) for name, k in (("a", 1), ("b", 2), ("c", 3))}


@pytest.mark.parametrize("test", ["ar", "bs", "exact"])
@pytest.mark.parametrize("engine", ["numpy", "python"])
def test_tests_of_many_are_the_tests_of_two(test, engine):
    systems = {name: rows[:8] for name, rows in some_systems().items()}
    found = all_pairs(systems, score=mean_value, test=test, samples=100, correction="none", engine=engine)
    assert [(one.system, one.baseline) for one in found.tests] == [("b", "a"), ("c", "a"), ("c", "b")]
    for one in found.tests:
        pair, names = (systems[one.system], systems[one.baseline]), {"names": (one.system, one.baseline)}
        alone = {"ar": paired_randomization, "bs": paired_bootstrap, "exact": paired_permutation}[test]
        assert one == alone(*pair, mean_value, **names, **({} if test == "exact" else {"samples": 100}))
    for one, gap in zip(found.tests, found.differences, strict=True):
        expected = difference_interval(systems[one.system], systems[one.baseline], mean_value, samples=gap.samples)
        assert (gap.low, gap.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_a_table():
    found = against_baseline(some_systems(), "b", mean_value, samples=200, correction="benjamini-hochberg")
    assert [one.baseline for one in found.tests] == ["b", "b"] and found.adjusted == tuple(benjamini_hochberg([one.p_value for one in found.tests]))
    plain = json.loads(found.to_json())
    assert plain["correction"] == "benjamini-hochberg" and len(plain["tests"]) == 2 and set(plain["scores"]) == {"a", "b", "c"}
    how = (
        f"Intervals: 95 %, percentile bootstrap, {found.scores['a'].samples} samples, seed 12345. Test: approximate randomisation, two-sided, 200 assignments, "
        "seed 12345. Correction of p: Benjamini and Hochberg's for 2 tests."
    )
    assert str(found).endswith(how) and how in found._repr_markdown_() and plain["methods"] == how and found.scores["a"].samples == 1000
    assert "p (benjamini-hochberg)" in str(found) and found._repr_markdown_().count("| --- ") == 8
    assert all(test in found.tests for test in found.significant(0.999))
    assert "by chance" in against_baseline(some_systems(), score=mean_value, samples=20, correction="none").notes[0]
    hostile = {"a|b": mean_rows([1, 2, 3]), "<b>": mean_rows([2, 2, 1])}
    shown = against_baseline(hostile, score=mean_value, samples=20)._repr_markdown_()
    assert "<b>" not in shown and "a|b" not in shown


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda s: against_baseline({"a": s["a"]}, score=mean_value), SettingsError),
        (lambda s: against_baseline({}, score=mean_value), SettingsError),
        (lambda s: all_pairs([s["a"], s["b"]], mean_value), SettingsError),
        (lambda s: check_systems([("a", s["a"]), ("a", s["b"])]), SettingsError),
        (lambda s: against_baseline(s, "d", mean_value), UnknownNameError),
        (lambda s: against_baseline(s, score=mean_value, test="wilcoxon"), UnknownNameError),
        (lambda s: against_baseline(s, score=mean_value, correction="bonferoni"), UnknownNameError),
        (lambda s: against_baseline(s | {"b": s["b"][:3]}, score=mean_value), LengthMismatchError),
        (lambda s: against_baseline(s, score=mean_value, samples=0), SettingsError),
        (lambda s: against_baseline(s, score=mean_value, confidence=1), SettingsError),
        (lambda s: against_baseline(s, score=mean_value, interval_samples=0), SettingsError),
        (lambda s: against_baseline(s, score=mean_value, seed=None), BleuInputError),
        (lambda s: against_baseline(s), StatisticsError),
    ],
)
def test_systems_that_cannot_be_compared(call, kind):
    with pytest.raises(kind):
        call(some_systems())


# ---- Power


def test_power_of_the_normal_test():
    """Any table of sample sizes: for d = 0.2, 0.5 and 0.8, at 0.05 two-sided and a power of 0.8, the normal test needs 197, 32 and 13 pairs."""
    pilot = mean_rows([1, -1] * 5000), mean_rows([0] * 10000)
    sigma = math.sqrt(10000 / 9999)  # the standard deviation of 10000 values of +1 and -1
    for size, needed in ((0.2, 197), (0.5, 32), (0.8, 13)):
        assert segments_needed(size * sigma, *pilot, mean_value).segments == needed
    plan = power_of(0.2, 197, *pilot, mean_value)
    assert plan.power == pytest.approx(0.80, abs=0.005) and json.loads(plan.to_json()) == plan.to_dict()
    assert detectable_difference(197, *pilot, mean_value, power=plan.power).difference == pytest.approx(0.2, abs=1e-3)


@pytest.mark.parametrize(
    "choices",
    [{"difference": 0}, {"difference": math.nan}, {"difference": "1"}, {"power": 0.05}, {"power": 1}, {"alpha": 0}, {"alpha": 5}, {"difference": math.inf}],
)
def test_plans_that_make_no_sense(choices):
    with pytest.raises(SettingsError):
        segments_needed(**{"difference": 0.1, "system": mean_rows([1, 2, 3]), "baseline": mean_rows([3, 2, 2]), "score": mean_value} | choices)


PILOT = {"system": mean_rows([1, 2, 3]), "baseline": mean_rows([3, 2, 2]), "score": mean_value}


@pytest.mark.parametrize(
    "value", [True, Decimal("sNaN"), 10**400, 10**5000, Fraction(10**5000, 3), 5e-324, 1e-60, None], ids=lambda value: type(value).__name__
)
def test_differences_that_no_test_set_could_show(value):
    with pytest.raises(SettingsError, match="difference") as caught:
        segments_needed(value, **PILOT)
    assert len(str(caught.value)) < 300 and "nan" not in caught.value.fix


@pytest.mark.parametrize("segments", [0, 1, True, 2.5, "10", math.nan, 10**15, 10**5000], ids=lambda value: type(value).__name__)
def test_sizes_that_no_test_set_has(segments):
    for plan in (lambda: power_of(0.1, segments, **PILOT), lambda: detectable_difference(segments, **PILOT)):
        with pytest.raises(SettingsError, match="segments"):
            plan()


def test_a_test_set_has_two_segments_at_least():
    assert segments_needed(1e9, **PILOT).segments == 2


# ---- Numbers of references


@needs_data
def test_references_of_real_data():
    data = EvaluationSet(SHARED / "data" / "multeval_set1_4ref")
    candidates = lines(data.systems["run0"])
    streams = [lines(path) for path in data.references]
    study = by_references(candidates, list(map(list, zip(*streams, strict=True))))
    assert [len(size.scores) for size in study.sizes] == [4, 6, 4, 1]
    # claim: 002-36
    means, spreads = [size.mean for size in study.sizes], [size.deviation for size in study.sizes]
    assert means == sorted(means) and spreads == sorted(spreads, reverse=True)
    assert study.by_subset[(1, 3)] == corpus_bleu(candidates, [[streams[1][i], streams[3][i]] for i in range(len(candidates))]).value
    assert json.loads(study.to_json())["sizes"][0]["subsets"] == 4


def test_references_that_cannot_be_studied():
    for references in ([["a"], ["b"]], [["a", "b"], ["c"]], [["a", "b"], ["c", None]]):
        with pytest.raises(MissingReferenceError):
            by_references(["a", "b"], references)
    with pytest.raises(StatisticsError, match="finite"):
        by_references(["a", "b"], [["a", "b"], ["c", "d"]], lambda texts, groups: math.nan)


# ---- Against sacreBLEU and the published values

# sacreBLEU 2.6.0, PairedTest, seed 12345, tokenize none, baseline LIUM-NMT.4900: paired bootstrap of 2000 samples, approximate randomisation of 10000.
SACREBLEU_P = {
    "C-3MA.4959": (0.00050, 0.00010),
    "FBK.4870": (0.01849, 0.02270),
    "KIT.4950": (0.02449, 0.04320),
    "LMU-nmt-reranked.4934": (0.05097, 0.08649),
    "LMU-nmt-single.4893": (0.20990, 0.57924),
    "PROMT-Rule-based.4735": (0.00050, 0.00010),
    "RWTH-nmt-ensemble.4921": (0.01000, 0.02160),
    "SYSTRAN.4847": (0.21239, 0.59414),
    "TALP-UPC.4834": (0.00050, 0.00010),
    "online-A.0": (0.00050, 0.00010),
    "online-B.0": (0.38781, 0.93581),
    "online-F.0": (0.00050, 0.00010),
    "online-G.0": (0.00050, 0.00010),
    "uedin-nmt.4722": (0.00050, 0.00010),
    "xmu.4910": (0.25987, 0.70973),
}


@cache
def wmt17():
    """The rows of the 16 systems, the baseline first, and the published p-values."""
    data = EvaluationSet(SHARED / "data" / "wmt17_ende_16sys")
    names = sorted(data.systems, key=lambda name: (name != "LIUM-NMT.4900", name))
    references = [[reference] for reference in lines(data.references[0])]
    rows = {name: segment_stats(lines(data.systems[name]), references, tokenize="none") for name in names}
    published = {}
    for row in data.table("published.tsv"):
        if row["metric"].startswith("p-value") and "TER" not in row["metric"]:
            published[row["system"], "bs" if "bootstrap" in row["metric"] else "ar"] = float(row["score"])
    return rows, published


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(("place", "test", "samples"), [(0, "bs", 2000), (1, "ar", 10000)])
def test_p_values_of_wmt17(place, test, samples):
    """The same draws and the same p-values as sacreBLEU 2.6.0 in all 30 tests; within 0.01 of those published."""
    rows, published = wmt17()
    found = against_baseline(rows, score=SACREBLEU.replace(tokenize="none"), test=test, samples=samples, correction="none")
    assert {one.system: round(one.p_value, 5) for one in found.tests} == {name: values[place] for name, values in SACREBLEU_P.items()}
    for one in found.tests:
        assert one.p_value == pytest.approx(published[one.system, test], abs=0.01)
    assert f"|{test}:{samples}|seed:12345|" in found.signature


@needs_data
@pytest.mark.slow
def test_sacrebleu_itself():
    """Another seed and number of samples, with sacreBLEU run beside it."""
    significance = pytest.importorskip("sacrebleu.significance")
    metrics = pytest.importorskip("sacrebleu.metrics")
    data = EvaluationSet(SHARED / "data" / "wmt17_ende_16sys")
    names = ["LIUM-NMT.4900", "FBK.4870", "LMU-nmt-reranked.4934"]
    systems = [(name, lines(data.systems[name])[:1000]) for name in names]
    references = lines(data.references[0])[:1000]
    rows = {name: segment_stats(texts, [[reference] for reference in references]) for name, texts in systems}
    for test, samples, seed in (("bs", 333, 7), ("ar", 501, 8)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SACREBLEU_SEED", str(seed))
            said, theirs = significance.PairedTest(systems, {"BLEU": metrics.BLEU()}, [references], test_type=test, n_samples=samples)()
        ours = against_baseline(rows, None, score_function(SACREBLEU, nrefs=1), test, samples, seed, correction="none")
        assert [one.p_value for one in ours.tests] == [one.p_value for one in theirs["BLEU"][1:]]
        assert ours.signature.split("|version")[0] == str(said["BLEU"]).split("|version")[0]
        if test == "bs":
            for name, one in zip(names[1:], theirs["BLEU"][1:], strict=True):
                interval = ours.scores[name]
                assert (100 * interval.mean, 100 * interval.half_width) == pytest.approx((one.mean, one.ci), abs=1e-4)


def test_a_p_has_one_form_and_is_adjusted_only_among_several():
    """Of 14 differences that all favour one side, 2 of 2^14 assignments are as extreme: p = 2 / 16384 = 0.000122, and of 15 half of that."""
    for count, shown in ((14, "0.0001"), (15, "< 0.0001")):
        rows = {"old": [(1, 0)] * count, "new": [(1, 1)] * count}
        found = against_baseline(rows, score=mean_value, test="exact")
        assert found.tests[0].p_exact == Fraction(2, 2**count)
        head, line = str(found).splitlines()[:2]
        assert head.split()[-1] == "p" and "p (" not in str(found) + found._repr_markdown_() and line.endswith(f"  {shown}")
        assert f"p {'= ' * (shown[0] != '<')}{shown} (exact" in str(found.tests[0])
    several = against_baseline(rows | {"other": [(1, 0)] * count}, score=mean_value, samples=20)
    assert str(several).splitlines()[0].endswith("  p (holm)") and "p (" in several._repr_markdown_()


# ---- Names in Markdown


HOSTILE_NAMES = ["my_model_v2", "*new*", "[a](http://b)", "`code`", "<i>x</i>", "a|b", "$1$", "\\(x\\)", "#1", "~~gone~~", "![](x)", "a & b"]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_itself_in_every_markdown_of_a_result(name):
    """A renderer of CommonMark with tables shows the name as it is, and nothing else is made of it."""
    markdown = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])
    rows = [(3, 3, 2, 1, 3, 2), (4, 4, 3, 1, 4, 3), (5, 5, 2, 0, 5, 4)]
    others = [(3, 3, 1, 0, 3, 2), (4, 4, 3, 2, 4, 3), (5, 5, 4, 1, 5, 4)]
    settings = Settings(max_order=2)
    compared = against_baseline({"base": rows, name: others}, score=settings, test="exact")
    tested = paired_permutation(others, rows, settings, names=(name, "base"))
    noted = markdown_notes([f"{name}: a note on {name}"])
    for source in (compared._repr_markdown_(), tested._repr_markdown_(), noted):
        page = markdown.render(source)
        text = html.unescape(re.sub(r"</?(table|thead|tbody|tr|th|td|p|ul|li|strong|code)( [^>]*)?>", "", page))
        assert name in text and not re.search(r"<(i|em|a|img|s|del)\b", page)
        assert len({line.count("|") for line in source.splitlines() if line.startswith("|")}) <= 1
