"""Draws, sums and intervals: against NumPy's generator, exact arithmetic, sacreBLEU's intervals and published data."""

import json
import math
import random
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bleu_lit.bleu import BleuStats
from bleu_lit.clustered import cluster_bootstrap
from bleu_lit.compare import bootstrap_scores, difference_interval, kept_sums, paired_bootstrap, paired_permutation, paired_randomization
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    LengthMismatchError,
    MissingExtraError,
    SettingsError,
    SignatureError,
    StatisticsError,
    UnknownNameError,
)
from bleu_lit.draws import Pcg64, below, check_seed, find_numpy, sample_indices, seed_words, swap_bits
from bleu_lit.resample import bca_bounds, bootstrap_interval, grouped_rows, interval_bounds, leave_one_out, percentile_bounds, resample_signature
from bleu_lit.score import corpus_bleu, score_from_stats, segment_stats
from bleu_lit.settings import MTEVAL, PAPER, SACREBLEU, parse_signature, signature_parts
from bleu_lit.sums import bleu_values, bootstrap_sums, check_rows, mean_rows, mean_value, score_function
from bleu_lit.systems import against_baseline, all_pairs
from tests import resampling_simulation as simulation
from tests.shared import SHARED, EvaluationSet, lines, needs_data

np = pytest.importorskip("numpy")


@st.composite
def bleu_rows(draw, segments=None):
    """Rows that BLEU's counts could have."""
    rows = []
    for _ in range(draw(st.integers(2, 12)) if segments is None else segments):
        c, r = draw(st.integers(0, 12)), draw(st.integers(0, 12))
        total = [max(0, c - n) for n in range(4)]
        matched = [draw(st.integers(0, limit)) for limit in total]
        rows.append((c, r, *matched, *total))
    return rows


# ---- Draws


@given(st.integers(0, 2**140), st.integers(1, 5000), st.integers(1, 40))
def test_draws_are_numpys(seed, segments, samples):
    expected = np.random.default_rng(seed).choice(segments, size=(samples, segments), replace=True) if segments * samples < 20000 else None
    if expected is not None:
        assert list(sample_indices(segments, samples, seed)) == expected.tolist()
    bits = np.random.default_rng(seed).integers(2, size=(samples, segments % 70 + 1), dtype=bool)
    assert [list(row) for row in swap_bits(segments % 70 + 1, samples, seed)] == bits.astype(int).tolist()


@given(st.integers(0, 2**200))
def test_seed_words_are_numpys(seed):
    assert seed_words(seed, 8) == np.random.SeedSequence(seed).generate_state(8).tolist()
    assert Pcg64(seed).numbers(5) == np.random.PCG64(seed).random_raw(5).tolist()


def test_words_that_would_be_unfair_are_refused():
    for high in (1, 3, 5, 6, 7, 200):
        found = [below(word, high, bits=8) for word in range(256)]
        assert {found.count(number) for number in range(high)} == {256 // high}


def test_large_ranges_refuse_often_and_still_agree():
    high = 2**31 + 1  # nearly every second word is refused
    assert Pcg64(3).integers(high, 200) == np.random.default_rng(3).integers(0, high, 200).tolist()


@pytest.mark.parametrize("seed", [None, -1, 1.5, "12345", True, float("nan")])
def test_seeds_are_whole_numbers(seed):
    rows = mean_rows([1, 2, 3])
    for call in (lambda: bootstrap_sums(rows, 5, seed), lambda: bootstrap_interval(rows, mean_value, seed=seed)):
        with pytest.raises(BleuInputError, match="seed"):
            call()


def test_numpy_integers_are_taken():
    rows = mean_rows(np.array([1.0, 2.5, 3.0]))
    assert bootstrap_interval(rows, mean_value, samples=np.int64(50), seed=np.uint8(7)) == bootstrap_interval(rows, mean_value, samples=50, seed=7)


# ---- Rows


@pytest.mark.parametrize(
    ("rows", "kind", "words"),
    [
        ([], EmptyCorpusError, "two rows"),
        ([(1, 2)], StatisticsError, "two segments"),
        ([(1, 2), (1, 2, 3)], StatisticsError, r"rows\[1\]"),
        ([(), ()], StatisticsError, "numbers"),
        ([(1, 2), (1, math.nan)], StatisticsError, r"rows\[1\], column 1"),
        ([(1, 2), (math.inf, 2)], StatisticsError, r"rows\[1\], column 0"),
        ([(1, 2), (None, 2)], StatisticsError, "finite"),
        ([(1, 2), ("3", 2)], StatisticsError, "finite"),
        ([(1, 2), 5], BleuInputError, r"rows\[1\]"),
        ("rows", BleuInputError, "rows"),
        (7, BleuInputError, "rows"),
    ],
)
def test_rows_that_cannot_be_resampled(rows, kind, words):
    with pytest.raises(kind, match=words):
        bootstrap_interval(rows)


def test_rows_of_any_container():
    expected = [(1, 2), (3, 4), (5, 6)]
    for rows in (np.array(expected), tuple(expected), [list(row) for row in expected], iter(expected), [np.array(row) for row in expected]):
        assert check_rows(rows) == expected
    assert check_rows([(1, Fraction(1, 3)), (1, np.float32(0.5))]) == [(1, Fraction(1, 3)), (1, 0.5)]
    with pytest.raises(StatisticsError, match="finite"):
        check_rows(np.array([[1.0, 2.0], [1.0, np.nan]]))


@pytest.mark.parametrize(
    "value", [True, Decimal("sNaN"), Decimal("nan"), Fraction(10**5000, 3), 10**400, "1", object()], ids=lambda value: type(value).__name__
)
def test_numbers_that_no_score_can_be_made_of(value):
    with pytest.raises(StatisticsError, match="finite") as caught:
        bootstrap_interval([(1, value), (1, 2)], mean_value, samples=9)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("engine", ["numpy", "python"])
def test_whole_numbers_beyond_floats_are_scored_or_refused(engine):
    """A quotient of two huge sums is an ordinary number; a huge mean is none."""
    rows = [(10**400, 10**400), (10**400, 3 * 10**400), (10**400, 2 * 10**400)]
    calls = (
        lambda rows: bootstrap_interval(rows, mean_value, 20, engine=engine),
        lambda rows: paired_randomization(rows, rows[::-1], mean_value, 20, engine=engine),
        lambda rows: paired_permutation(rows, rows[::-1], mean_value, engine=engine),
        lambda rows: difference_interval(rows, rows[::-1], mean_value, 20, engine=engine, method="bca"),
    )
    assert calls[0](rows).score == 2.0 and calls[2](rows).p_exact == 1
    for call in calls:
        call(rows)
        with pytest.raises(StatisticsError, match="finite score of ordinary size"):
            call([(1, 10**308), (1, 10**308), (1, 0)])


@pytest.mark.parametrize("texts", [["the cat sat", "a dog barked"], [b"the cat", b"a dog"], [["the", "cat"], ["a", "dog"]], [[["a"]], [["b"]]]])
def test_texts_are_told_what_makes_rows_of_them(texts):
    with pytest.raises(StatisticsError, match=r"segment_stats\(candidates, references\)") as caught:
        check_rows(texts)
    assert "mean_rows" not in str(caught.value)


def test_one_value_per_segment_is_told_apart_from_rows():
    with pytest.raises(StatisticsError, match=r"rows\[0\]: expected a row of K numbers.*mean_rows"):
        bootstrap_interval([0.5, 0.25])


# ---- Sums


@given(bleu_rows(), st.integers(1, 60), st.integers(0, 10**6))
def test_engines_give_the_same_integers(rows, samples, seed):
    plain = bootstrap_sums(rows, samples, seed, engine="python")
    assert plain == bootstrap_sums(rows, samples, seed, engine="numpy")
    indices = np.random.default_rng(seed).choice(len(rows), size=(samples, len(rows)))
    assert plain == [tuple(map(int, np.array(rows)[drawn].sum(0))) for drawn in indices]


@given(st.lists(st.tuples(st.just(1), st.floats(-1e3, 1e3)), min_size=2, max_size=9), st.integers(0, 100))
def test_engines_agree_on_floats(rows, seed):
    for plain, fast in zip(bootstrap_sums(rows, 20, seed, "python"), bootstrap_sums(rows, 20, seed, "numpy"), strict=True):
        assert plain == pytest.approx(fast, rel=1e-9, abs=1e-9)


AVERAGE = SACREBLEU.replace(reference_length="average")


def average_rows(chance, segments=12):
    """Rows of BLEU whose reference lengths are thirds and quarters, as means of three and four references are."""
    rows = []
    for _ in range(segments):
        c, r = chance.randint(4, 12), Fraction(chance.randint(12, 40), chance.choice([3, 4]))
        total = tuple(c - n for n in range(4))
        rows.append((c, r, *sorted((chance.randint(1, t) for t in total), reverse=True), *total))
    return [row[:2] + tuple(min(m, t) for m, t in zip(row[2:6], row[6:], strict=True)) + row[6:] for row in rows]


@pytest.mark.parametrize("smooth", ["exp", "none", "average"])  # with a fast way, and without
@pytest.mark.parametrize("seed", range(5))
def test_average_reference_lengths_are_resampled_exactly(smooth, seed):
    settings, rows = AVERAGE.replace(smooth=smooth), average_rows(random.Random(seed))
    rows = rows if smooth != "average" else [(*row[:6], max(0, row[5] - 1), *row[6:], max(0, row[9] - 1)) for row in rows]
    picked = list(sample_indices(len(rows), 20, seed))
    sums = [tuple(sum(rows[i][k] for i in drawn) for k in range(len(rows[0]))) for drawn in picked]
    exact = [score_from_stats(BleuStats.from_row(row), settings).value for row in sums]
    for engine in ("numpy", "python"):
        assert bootstrap_sums(rows, 20, seed, engine) == sums
        assert list(bootstrap_interval(rows, settings, 20, seed, engine=engine).replicates) == pytest.approx(exact, rel=1e-13)
        left = [
            score_from_stats(BleuStats.from_row([a - b for a, b in zip(map(sum, zip(*rows, strict=True)), row, strict=True)]), settings).value for row in rows
        ]
        assert leave_one_out(rows, settings, engine) == pytest.approx(left, rel=1e-13)


def test_fractions_without_a_handy_unit_stay_exact():
    rows = [(1, Fraction(1, prime)) for prime in (10**9 + 7, 10**9 + 9, 10**9 + 21)]
    for engine in ("numpy", "python"):
        assert bootstrap_sums(rows, 5, 1, engine) == [(3, sum(rows[i][1] for i in drawn)) for drawn in sample_indices(3, 5, 1)]


@pytest.mark.parametrize("odd", [None, 0, -1, True, 2.0, "5", [], math.nan, 10**5000], ids=lambda odd: type(odd).__name__)
def test_numbers_of_draws_are_checked_wherever_they_are_given(odd):
    rows = [[(1, 1), (1, 2)]]
    for call in (
        lambda: next(sample_indices(odd)) if odd != 10**5000 else check_seed(-odd),
        lambda: next(swap_bits(odd)) if odd != 10**5000 else check_seed(odd),
        lambda: bootstrap_scores(rows, score_function(mean_value), odd),
        lambda: kept_sums(rows, odd),
        lambda: bootstrap_sums(rows[0], odd),
    ):
        with pytest.raises(BleuInputError) as caught:
            call()
        assert len(str(caught.value)) < 300


def test_bounds_of_what_is_no_score():
    for values in ([], [0.1, math.nan], [0.1, None], ["0.1"], None, 5):
        for bounds in (
            lambda values: percentile_bounds(values),
            lambda values: bca_bounds(0.1, values, [0.1, 0.2]),
            lambda values: bca_bounds(0.1, [0.1, 0.2], values),
            lambda values: interval_bounds(0.1, values, ()),
        ):
            with pytest.raises(BleuInputError):
                bounds(values)


def test_groups_have_labels():
    with pytest.raises(BleuInputError, match=r"groups\[0\]: expected a label"):
        grouped_rows([(1, 1), (1, 2)], [["a"], ["b"]])


def test_samples_that_no_memory_holds_are_refused_at_once():
    for call in (
        lambda samples: bootstrap_interval([(1, 1), (1, 2)], mean_value, samples=samples),
        lambda samples: paired_randomization([(1, 1), (1, 2)], [(1, 1), (1, 3)], mean_value, samples=samples),
        lambda samples: paired_bootstrap([(1, 1), (1, 2)], [(1, 1), (1, 3)], mean_value, samples=samples),
        lambda samples: cluster_bootstrap([(1, 1), (1, 2)], samples=samples),
    ):
        for samples in (10**9, 10**12, 10**5000):
            with pytest.raises(SettingsError, match=r"samples: expected at most .* whose sums and scores would take .*(GiB|memory)"):
                call(samples)


def test_room_is_counted_for_numbers_of_python_too():
    many, rows = 12_000_000, [tuple(range(1000, 1010))] * 2  # as tuples of ten numbers of 32 bytes and a place each they take over 4 GiB
    for engine in (None, "numpy", "python"):
        with pytest.raises(SettingsError, match="GiB"):
            bootstrap_sums(rows, many, engine=engine)


def test_draws_of_more_segments_than_fit_are_refused():
    for draws in (sample_indices, swap_bits):
        with pytest.raises(SettingsError, match=r"segments: expected at most 2\^26"):
            next(draws(10**30, 4, 5))


@pytest.mark.parametrize("engine", ["numpy", "python"])
def test_a_number_beyond_a_float_stands_beside_no_float(engine):
    said = r"rows\[0\], column 1: expected a number of ordinary size, as the column has floats"
    for large in (10**400, -(10**400), Fraction(10**400, 3)):
        with pytest.raises(StatisticsError, match=said):
            bootstrap_sums([(1, large), (1, 0.5)], engine=engine)
        with pytest.raises(StatisticsError, match=said):
            bootstrap_interval([(1, large), (1, 0.5)], lambda sums: 1.0, engine=engine)
    sums = bootstrap_sums([(0.5, 10**400), (0.5, 10**400)], 5, engine=engine)  # in a column of its own it is exact
    assert sums == [(1.0, 2 * 10**400)] * 5


def test_sums_of_another_shape_have_no_bleu():
    for sums in ([[1] * 7], [1] * 10, [["a"] * 10], None, [[[1] * 10]], [[10**400] * 10]):
        with pytest.raises(StatisticsError, match="sums: expected an array of B rows of"):
            bleu_values(sums)
    assert bleu_values([[5, 5, 5, 4, 3, 2, 5, 4, 3, 2]], "sacrebleu").tolist() == [1.0]


@pytest.mark.parametrize("value", [math.nan, math.inf, None, "a", Decimal("NaN"), 10**400])
def test_an_interval_is_around_a_finite_number(value):
    for call in (
        lambda: bca_bounds(value, [0.1, 0.2], [0.1, 0.3], 0.9),
        lambda: bca_bounds(0.1, [0.1, 0.2], [0.1, 0.3], 0.9, value),
        lambda: interval_bounds(value, [0.1, 0.2], [0.1, 0.3], 0.9),
        lambda: interval_bounds(value, [0.1, 0.2], [], 0.9),
    ):
        with pytest.raises(StatisticsError, match="expected finite numbers"):
            call()


def test_an_interval_takes_any_container_and_kind_of_number():
    found = interval_bounds(0.125, [0.1, 0.2], [0.1, 0.3], 0.9)
    assert interval_bounds(Decimal("0.125"), np.array([0.1, 0.2]), np.array([0.1, 0.3]), 0.9) == found
    assert interval_bounds(0.125, [0.1, 0.2], np.array([]), 0.9) == interval_bounds(0.125, [0.1, 0.2], None, 0.9)
    with pytest.raises(SignatureError, match="signature: expected a signature, which is text, got 5"):
        resample_signature(5)


def test_integers_of_any_size_stay_exact():
    for large in (2**23, 2**24 + 1, 2**52 + 1, 2**60 + 1, 2**200 + 1):
        rows = [(large, 1), (large + 2, 0), (0, 1)]
        assert bootstrap_sums(rows, 40, 5, "numpy") == bootstrap_sums(rows, 40, 5, "python")
    negative = [(1, -5), (1, 7), (1, 0)]
    assert bootstrap_sums(negative, 40, 5, "numpy") == bootstrap_sums(negative, 40, 5, "python")


# ---- The score


SETTINGS = [
    SACREBLEU,
    PAPER,
    MTEVAL,
    SACREBLEU.replace(effective_order=True),
    SACREBLEU.replace(smooth="floor"),
    SACREBLEU.replace(smooth="floor", smooth_value=0),
    SACREBLEU.replace(smooth="add-k", effective_order=True),
    SACREBLEU.replace(smooth="add-k", smooth_value="1/3"),
    SACREBLEU.replace(smooth="add-one-all"),
    SACREBLEU.replace(weights=(0.5, 0.5, 0, 0)),
    SACREBLEU.replace(weights=(0, 0, 0, 1), effective_order=True),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: f"{settings.smooth}-{settings.effective_order}-{settings.weights}")
@given(rows=bleu_rows())
def test_many_scores_at_once_equal_the_exact_ones(settings, rows):
    exact = [score_function(settings).value(row) for row in rows]
    assert bleu_values(np.array(rows), settings).tolist() == pytest.approx(exact, rel=1e-12, abs=1e-300)


def test_smoothings_without_a_fast_way_are_scored_exactly():
    rows = segment_stats(["a b c d e", "a b", "c d e f g h"], [["a b c d e"], ["a c"], ["c d e f h"]], smooth="average")
    settings = SACREBLEU.replace(smooth="average")
    numpy, plain = (bootstrap_interval(rows, settings, samples=30, engine=engine) for engine in ("numpy", "python"))
    assert numpy.replicates == plain.replicates
    with pytest.raises(SettingsError, match="average"):
        bleu_values(np.array(rows), settings)
    with pytest.raises(StatisticsError, match="columns"):
        bootstrap_interval(rows)  # five orders were counted


def test_a_metric_object_brings_its_own_score():
    from bleu_lit.metric import metric

    texts, references = ["a b c d e", "a b", "c d e f g h"] * 5, [["a b c d e"], ["a c"], ["c d e f h"]] * 5
    bleu = metric("bleu")
    scored = bleu.score(texts, references)
    found = bootstrap_interval(scored, bleu, samples=100)  # an object with rows
    expected = bootstrap_interval(segment_stats(texts, references), samples=100)
    assert found.score == scored.value and found.signature.startswith("nrefs:?|bs:100|seed:12345|case:mixed|")
    assert bootstrap_interval(scored, score_function(bleu, nrefs=1), samples=100).signature == resample_signature(scored.signature, 12345, bs=100)
    assert found.replicates == pytest.approx(expected.replicates, rel=1e-12)


def test_the_score_must_be_one():
    for score in (3, [], object()):
        with pytest.raises(SettingsError, match="function"):
            score_function(score)
    with pytest.raises(UnknownNameError):
        score_function("bleu4")
    with pytest.raises(StatisticsError, match="finite"):
        bootstrap_interval(mean_rows([1, 2]), lambda sums: math.nan)


# ---- Intervals


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.1, math.nan, math.inf, None, "most", True])
def test_confidence_is_a_share(confidence):
    with pytest.raises(SettingsError, match="share"):
        bootstrap_interval(mean_rows([1, 2, 3]), mean_value, confidence=confidence)


@pytest.mark.parametrize("samples", [0, -1, 2.5, None, "1000", True])
def test_samples_are_a_number(samples):
    with pytest.raises(SettingsError, match="samples"):
        bootstrap_interval(mean_rows([1, 2, 3]), mean_value, samples=samples)


@given(st.integers(1, 3000), st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.975, 0.99]))
def test_percentiles_cut_whole_numbers(samples, confidence):
    cut = int(samples * (1 - Fraction(str(confidence))) / 2)
    low, high = percentile_bounds(random.Random(samples).sample(range(samples), samples), confidence)
    assert (low, high) == (cut, samples - 1 - cut)
    if confidence == 0.95:
        assert cut == samples // 40  # sacreBLEU's rule


SPATIAL = [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41]


@pytest.mark.parametrize("engine", ["numpy", "python"])
def test_the_spatial_data_of_efron_and_tibshirani(engine):
    """An Introduction to the Bootstrap (1993), table 14.2: the variance is 171.5; 90 % percentile (100.8, 233.9), BCa (115.8, 259.6), from 2000 samples."""
    rows = [(1, value, value * value) for value in SPATIAL]

    def variance(sums):
        return sums[2] / sums[0] - (sums[1] / sums[0]) ** 2

    percentile = bootstrap_interval(rows, variance, 2000, confidence=0.9, engine=engine)
    bca = bootstrap_interval(rows, variance, 2000, confidence=0.9, method="bca", engine=engine)
    assert percentile.score == pytest.approx(171.5, abs=0.05)
    assert (percentile.low, percentile.high) == pytest.approx((100.8, 233.9), abs=6)
    assert (bca.low, bca.high) == pytest.approx((115.8, 259.6), abs=8)
    values = leave_one_out(rows, variance, engine)
    mean = sum(values) / 26
    acceleration = sum((mean - v) ** 3 for v in values) / (6 * sum((mean - v) ** 2 for v in values) ** 1.5)
    assert acceleration == pytest.approx(0.061, abs=0.0005)  # the book's value


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-16, 3e-15])
def test_bca_takes_scores_that_differ_by_rounding_as_equal(noise):
    """Of 100 scores 40 lie below the estimate and 20 are equal to it, so half of them count as below: no bias, and with no skew the percentile interval."""
    values = [0.2 + k / 1000 for k in range(40)] + [0.5 + noise * (k % 3 - 1) for k in range(20)] + [0.7 + k / 1000 for k in range(40)]
    for left_out in ([0.4, 0.5, 0.6], [0.5, 0.5 + noise, 0.5 - noise / 2]):
        low, high = bca_bounds(0.5 + noise, values, left_out, 0.9)
        assert (low, high) == percentile_bounds(values, 0.9) == (values[5], values[94])


def test_engines_agree_on_bca_where_scores_tie():
    rows = [(10, 10, m, m - 2, m - 4, m - 5, 10, 9, 8, 7) for m in (6, 7, 8)] * 3
    for seed in range(20):
        for method in ("bca", "percentile"):
            one, other = (bootstrap_interval(rows, samples=200, seed=seed, method=method, engine=engine) for engine in ("numpy", "python"))
            assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12), (seed, method)


def test_no_spread_but_rounding_is_no_spread():
    third = 1 / 3
    low, high, notes = interval_bounds(third, [third, 1 - 2 * third, third + 1e-16], (), 0.95)
    assert low == high == third and "no spread" in notes[0]


def test_bca_without_bias_and_skew_is_the_percentile_interval():
    values = [float(value) for value in range(1, 1001)]
    assert bca_bounds(500.5, values, [1.0, 2.0, 3.0], 0.9) == percentile_bounds(values, 0.9)


def test_degenerate_rows_are_said():
    flat = bootstrap_interval([(3, 3, 3, 2, 1, 0, 3, 2, 1, 0)] * 5, samples=50, method="bca")
    assert flat.low == flat.high == flat.score and "no spread" in flat.notes[0]
    assert "too few" in bootstrap_interval(mean_rows([1, 2, 3]), mean_value, samples=10).notes[0]


def test_results_are_plain_values():
    found = bootstrap_interval(mean_rows([1, 2, 3]), mean_value, samples=40, seed=3)
    plain = json.loads(found.to_json())
    assert plain == found.to_dict() and plain["seed"] == 3 and plain["samples"] == 40 and "replicates" not in plain
    assert found.score in found and "mean" in str(found) and "**" in found._repr_markdown_()
    with pytest.raises(AttributeError):
        found.low = 0
    named = bootstrap_interval([(1, 1), (1, 2)], score_function(lambda sums: sums[1]), samples=9)
    assert "&lt;" not in named._repr_markdown_()  # "<lambda>" lost its brackets


def test_signatures_parse_back():
    rows = segment_stats(["a b c d", "a b"], [["a b c d"], ["a c"]])
    for method, said in (("percentile", "|bs:1000|seed:12345|"), ("bca", "|bs:1000[bca]|seed:12345|")):
        found = bootstrap_interval(rows, score_function(SACREBLEU, nrefs=4), method=method)
        assert said in found.signature and found.signature.startswith("nrefs:4|bs:") and parse_signature(found.signature) == SACREBLEU


@pytest.mark.parametrize("changes", [{"lowercase": True, "tokenize": "none"}, {"smooth": "floor"}, {"max_order": 2}, {"normalize": "NFC"}])
def test_no_signature_says_what_nobody_said(changes):
    """Rows that were counted otherwise than by default, with two references: without the settings nothing of that is signed; with them, the score's own."""
    texts, others, groups = ["A b c d e", "a b c"] * 4, ["a b c d f", "a b d"] * 4, [["a b c d e", "A b"], ["a b c", "b c"]] * 4
    score = corpus_bleu(texts, groups, **changes)
    pair = [segment_stats(side, groups, score.settings) for side in (texts, others)]

    def signatures(*function):
        yield bootstrap_interval(pair[0], *function, samples=9).signature
        for test in (paired_permutation, paired_randomization, paired_bootstrap, difference_interval):
            yield test(*pair, *function).signature
        for many in (against_baseline, all_pairs):
            found = many(dict(zip("ab", pair, strict=True)), score=function[0] if function else None, samples=9)
            yield from (found.signature, found.scores["a"].signature, found.differences[0].signature)

    if "max_order" not in changes:  # whose rows do not fit the usual score
        for said in signatures():
            parts = signature_parts(said)
            assert (parts["nrefs"], parts["case"], parts["tok"]) == ("?", "?", "?") and "norm" not in parts
    for said in signatures(score.settings):
        assert parse_signature(said) == score.settings and signature_parts(said)["nrefs"] == "?"
    for said in signatures(score_function(score.settings, score.nrefs)):
        parts = {key: value for key, value in signature_parts(said).items() if key not in ("bs", "ar", "seed")}
        assert parts == signature_parts(score.signature) and parts["nrefs"] == "2"


def test_groups():
    rows = [(1, value) for value in (1, 2, 3, 4)]
    assert grouped_rows(rows, list("abab")) == [(2, 4), (2, 6)]
    with pytest.raises(LengthMismatchError, match="labels"):
        grouped_rows(rows, [1, 2])
    with pytest.raises(StatisticsError, match="groups"):
        grouped_rows(rows, [1] * 4)


def test_without_numpy():
    """The interpreter is told that NumPy is not there, as in the browser."""
    program = (
        f"import sys; sys.path.insert(0, {str(simulation.OUTCOME.parent.parent)!r}); sys.modules['numpy'] = None\n"
        "from bleu_lit.resample import *; from bleu_lit.compare import *; from bleu_lit.systems import *; from bleu_lit.power import *\n"
        "from bleu_lit.core import MissingExtraError\n"
        "rows = [(10, 10, 5 + i % 4, 4 + i % 3, 2, i % 2, 10, 9, 8, 7) for i in range(30)]\n"
        "other = [(10, 10, 5 + i % 3, 4 + i % 2, 2, i % 2, 10, 9, 8, 7) for i in range(30)]\n"
        "print(bootstrap_interval(rows, method='bca').low, paired_bootstrap(rows, other).p_value, paired_randomization(rows, other, samples=99).p_value)\n"
        "print(paired_permutation(rows, other).p_exact, segments_needed(0.01, rows, other).segments)\n"
        "print(all_pairs({'a': rows, 'b': other}, samples=99))\n"
        "try: bootstrap_interval(rows, engine='numpy')\n"
        "except MissingExtraError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert run.returncode == 0, run.stderr
    assert "pip install '.[numpy]'" in run.stdout
    rows = [(10, 10, 5 + i % 4, 4 + i % 3, 2, i % 2, 10, 9, 8, 7) for i in range(30)]
    assert float(run.stdout.split()[0]) == pytest.approx(bootstrap_interval(rows, method="bca").low, rel=1e-12)


def test_a_missing_numpy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert find_numpy() is None
    with pytest.raises(MissingExtraError, match="numpy"):
        find_numpy("numpy")


# ---- Against sacreBLEU and the simulations


@needs_data
@pytest.mark.parametrize("system", ["LIUM-NMT.4900", "PROMT-Rule-based.4735"])
def test_intervals_are_sacrebleus(system):
    """sacreBLEU resamples in single precision: its mean and half width agree to a few millionths of a percent point."""
    sacrebleu = pytest.importorskip("sacrebleu")
    data = EvaluationSet(SHARED / "data" / "wmt17_ende_16sys")
    candidates, references = lines(data.systems[system]), lines(data.references[0])
    theirs = sacrebleu.metrics.BLEU().corpus_score(candidates, [references], n_bootstrap=1000)
    ours = bootstrap_interval(segment_stats(candidates, [[reference] for reference in references]))
    assert 100 * ours.score == pytest.approx(theirs.score, rel=1e-12)
    assert (100 * ours.mean, 100 * ours.half_width) == pytest.approx((theirs._mean, theirs._ci), abs=1e-4)


KEPT = json.loads(simulation.OUTCOME.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [case for case in simulation.CASES if case.startswith("coverage")])
def test_intervals_cover(case):
    """Nominal 95 % intervals hold the true score in 93 % to 97 % of 2000 test sets; the outcome is what `tests/resampling_simulation.py` kept."""
    assert KEPT[case]["trials"] == 2000 and 0.93 <= KEPT[case]["share"] <= 0.97


@pytest.mark.parametrize("case", [case for case in simulation.CASES if case.startswith("false")])
def test_false_positives(case):
    """Tests at 0.05 reject in 4 % to 6 % of 2000 test sets of equal systems; sacreBLEU's one-sided rule in about twice as many."""
    low, high = (0.08, 0.13) if case.endswith("sacrebleu") else (0.035, 0.06)
    assert KEPT[case]["trials"] == 2000 and low <= KEPT[case]["share"] <= high


@pytest.mark.slow
@pytest.mark.parametrize("case", simulation.CASES)
def test_the_kept_outcome_is_what_a_run_gives(case):
    """The first test sets of each simulation are drawn and judged anew."""
    assert simulation.count(case, KEPT[case]["first"]) == KEPT[case]["count_of_first"]
