"""What a number may be that a user gives: as whole number, as fraction, as share."""

import functools
import math
import operator
from decimal import Decimal
from fractions import Fraction

import pytest

from bleu_lit.amounts import OutsizeError, as_float, as_fraction, check_confidence, check_whole, is_truth_value, rounding_margin
from bleu_lit.bleu import BleuStats, bleu_w, check_weights, uniform_weights
from bleu_lit.brevity import brevity_exponent, brevity_penalty, reference_length
from bleu_lit.compare import paired_permutation
from bleu_lit.compat import evaluate, nltk, sacrebleu, torchmetrics
from bleu_lit.core import BleuInputError, OrderError, SettingsError, UnknownNameError, check_choice
from bleu_lit.draws import seed_words
from bleu_lit.ngrams import ngram_counts, ngram_total
from bleu_lit.pairwise import mbr_select
from bleu_lit.power import power_of, segments_needed
from bleu_lit.references import by_references
from bleu_lit.resample import bootstrap_interval
from bleu_lit.roundtrip import in_batches, roundtrip_bleu
from bleu_lit.score import corpus_bleu, score_from_stats
from bleu_lit.settings import Settings, parse_signature, signature
from bleu_lit.smoothing import smoothing_value
from bleu_lit.stages import as_number
from bleu_lit.stats import stats_of_corpus, stats_of_segment
from bleu_lit.sums import mean_value

ENDLESS = (
    "1e0000009999999999",
    "1e-9_9999999999",
    "1e0_0000009999999999",
    "１e９９９９９９９９９",
    "1E+0000061",
    Decimal("1e99999999"),
    Decimal("1e-99999999"),
)
NO_NUMBERS = (math.nan, math.inf, -math.inf, Decimal("nan"), Decimal("sNaN"), Decimal("inf"), "nan", "x" * 10_000, "1/0", "", None, True, b"1", object(), [1])
HUGE = (10**400, 10**5000, -(10**5000), Fraction(10**5000, 3), Fraction(1, 10**5000), "9" * 5000)


@pytest.mark.parametrize("value", [*ENDLESS, *NO_NUMBERS, *HUGE[1:]], ids=lambda value: type(value).__name__)
def test_a_fraction_is_made_of_numbers_of_ordinary_size_alone(value):
    with pytest.raises((TypeError, ValueError, ArithmeticError)) as caught:
        as_fraction(value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("call", [lambda value: smoothing_value("floor", value), lambda value: check_weights([value, 1]), check_confidence])
def test_a_number_that_is_too_long_is_not_said_to_be_none(call):
    """1e-400 is a number from 0 to 1, as is 0.000…01 of two thousand digits: what is wrong is the length, and the message says so."""
    for value in ("1e-400", "0." + "0" * 2000 + "1", Fraction(1, 10**2000)):
        assert 0 < Fraction(value) < 1  # by Python's own reading
        with pytest.raises(OutsizeError):
            as_fraction(value)
        with pytest.raises(BleuInputError, match="written out, with an exponent from -60 to 60 and at most 1000 digits") as caught:
            call(value)
        assert "from 0 to 1 for" not in str(caught.value) and len(str(caught.value)) < 300
    for value in ("one", math.nan):
        with pytest.raises(BleuInputError) as caught:
            call(value)
        assert "written out" not in str(caught.value)


@pytest.mark.parametrize(("text", "number"), [("1e0000000002", 100), ("1_000e-0_3", 1), ("2.5E+01", 25), ("1e60", 10**60), ("7", 7), ("-1/3", Fraction(-1, 3))])
def test_text_is_read_as_python_reads_it(text, number):
    assert as_fraction(text) == Fraction(number)


@pytest.mark.parametrize("value", [*ENDLESS, *NO_NUMBERS, *HUGE, 0, 1, 95, 1e308, "95%"], ids=lambda value: type(value).__name__)
def test_what_is_no_share_is_refused_in_a_line(value):
    with pytest.raises(SettingsError, match="share between 0 and 1") as caught:
        check_confidence(value, "alpha")
    assert caught.value.where == "alpha" and len(str(caught.value)) < 200


@pytest.mark.parametrize("value", [*ENDLESS, *NO_NUMBERS, HUGE[2], 0, 1.0, 1e308], ids=lambda value: type(value).__name__)
def test_what_is_no_whole_number_is_refused_in_a_line(value):
    with pytest.raises(BleuInputError, match="whole number of at least 1") as caught:
        check_whole("samples", value)
    assert len(str(caught.value)) < 200


def test_whole_numbers_of_numpy_are_whole_numbers():
    numpy = pytest.importorskip("numpy")
    assert check_whole("samples", numpy.int64(7)) == 7
    assert type(check_whole("samples", numpy.int64(7))) is int
    with pytest.raises(SettingsError):
        check_whole("samples", numpy.bool_(True))


@pytest.mark.parametrize("value", [*NO_NUMBERS, *HUGE[:4], "0.5"], ids=lambda value: type(value).__name__)
def test_no_float_for_what_a_float_cannot_hold(value):
    assert as_float(value) is None


def test_floats_of_numbers():
    assert [as_float(value) for value in (1, 0.5, Fraction(1, 4), Decimal("0.1"), Fraction(1, 10**5000))] == [1.0, 0.5, 0.25, 0.1, 0.0]


def test_a_name_that_is_a_number_or_a_book_is_quoted_in_short():
    for wrong in (10**5000, "x" * 10**6, None, 7.5):
        with pytest.raises(UnknownNameError) as caught:
            check_choice("tokenizer", wrong, ["none", "13a"])
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("what", "said"), [("engine", "an engine"), ("objective", "an objective"), ("metric", "a metric"), ("tokenizer", "a tokenizer")])
def test_the_article_is_that_of_the_word(what, said):
    with pytest.raises(UnknownNameError, match=f"the name of {said}, got"):
        check_choice(what, "x", ["y"])


def test_the_margin_lies_between_rounding_and_what_matters():
    third = [1 / 3] * 3000
    rounded = functools.reduce(operator.add, third)  # three thousand additions, each rounded; sum() rounds less often from Python 3.12 on
    assert 0 < abs(rounded - math.fsum(third)) < rounding_margin(1000.0) < 1e-6


STATS = BleuStats(6, 6, (5, 3, 2, 1), (6, 5, 4, 3))
ROWS = {"system": [(1, 1), (1, 2), (1, 3)], "baseline": [(1, 1), (1, 1), (1, 2)], "score": mean_value}
TAKERS = {
    "BleuStats, candidate_length": lambda odd: BleuStats(odd, 6, (1,), (1,)),
    "BleuStats, reference_length": lambda odd: BleuStats(6, odd, (1,), (1,)),
    "BleuStats, matched": lambda odd: BleuStats(6, 6, (odd,), (1,)),
    "BleuStats.from_row": lambda odd: BleuStats.from_row((6, 6, 1, odd)),
    "BleuStats.up_to": STATS.up_to,
    "brevity_penalty, c": lambda odd: brevity_penalty(odd, 3),
    "brevity_penalty, r": lambda odd: brevity_penalty(3, odd),
    "brevity_exponent": lambda odd: brevity_exponent(3, odd),
    "reference_length, c": lambda odd: reference_length(odd, [3, 4]),
    "reference_length, r": lambda odd: reference_length(3, [odd, 4], "average"),
    "ngram_counts": lambda odd: ngram_counts("abc", odd),
    "ngram_total, T": lambda odd: ngram_total(odd, 2),
    "ngram_total, n": lambda odd: ngram_total(5, odd),
    "smoothing_value": lambda odd: smoothing_value("floor", odd),
    "smoothing's name": smoothing_value,
    "weights of a function": lambda odd: bleu_w(["ab"], [["ab"]], lambda n: odd),
    "score_from_stats, segments": lambda odd: score_from_stats(STATS, segments=odd),
    "score_from_stats, nrefs": lambda odd: score_from_stats(STATS, nrefs=odd).signature,
    "score_from_stats, kind": lambda odd: score_from_stats(STATS, kind=odd),
    "preset": lambda odd: corpus_bleu(["a"], [["a"]], odd),
    "parse_signature": parse_signature,
    "signature's order": lambda odd: parse_signature(f"case:lc|eff:no|tok:13a|smooth:exp|order:{9 if odd is None else '9' * 5000}"),
    "by_references, limit": lambda odd: by_references(["a b"], [["a", "b"]], limit=odd),
    "roundtrip, batch_size": lambda odd: roundtrip_bleu(["a"], list, list, batch_size=odd),
    "seed": lambda odd: str(bootstrap_interval(ROWS["system"], mean_value, samples=9, seed=odd)),
    "permutation, limit": lambda odd: paired_permutation(**ROWS, limit=odd),
    "power_of": lambda odd: power_of(0.1, odd, **ROWS),
    "segments_needed": lambda odd: segments_needed(odd, **ROWS),
    **{f"Settings, {name}": lambda odd, name=name: signature(Settings(**{name: odd})) for name in Settings.__dataclass_fields__},
}


@pytest.mark.parametrize("taker", TAKERS)
def test_odd_numbers_are_taken_or_refused_in_words(taker):
    """Whatever comes, what is raised is our error, in a few lines, at once."""
    said = []
    for odd in (*ENDLESS, *NO_NUMBERS, *HUGE, 1e308, 5e-324, -1, 2.5):
        try:
            TAKERS[taker](odd)
        except BleuInputError as error:
            said.append(str(error))
    assert all(len(text) < 500 for text in said) and len(said) > 3


@pytest.mark.parametrize("odd", [True, 5, "print", {}, [], object()], ids=lambda odd: type(odd).__name__)
def test_progress_is_a_function(odd):
    calls = (
        lambda: corpus_bleu(["a"], [["a"]], progress=odd),
        lambda: mbr_select(["a"], progress=odd),
        lambda: roundtrip_bleu(["a"], list, list, progress=odd),
        lambda: in_batches(list, ["a"], progress=odd),
    )
    for call in calls:
        with pytest.raises(SettingsError, match="progress: expected a function"):
            call()


class OfAnotherLibrary:
    """A scalar that says what it holds, as those of PyTorch and TensorFlow do."""

    def __init__(self, number: float, dtype: str):
        self.number, self.dtype = number, dtype

    def __float__(self) -> float:
        return float(self.number)

    def __index__(self) -> int:
        return int(self.number)


def truth_values() -> list:
    numpy, pyarrow = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    others = [OfAnotherLibrary(True, word) for word in ("torch.bool", "<dtype: 'bool'>")]
    return [True, numpy.True_, numpy.array(True), pyarrow.scalar(True), *others]


def test_no_truth_value_of_any_library_is_a_number():
    for value in truth_values():
        assert is_truth_value(value) and as_float(value) is None and as_number(value) is None
        with pytest.raises(TypeError):
            as_fraction(value)
        for refused in (
            lambda value: check_whole("samples", value),
            check_confidence,
            lambda value: Settings(smooth="floor", smooth_value=value),
            lambda value: Settings(weights=[value]),
            lambda value: BleuStats.from_row([value] * 4),
            lambda value: bootstrap_interval([(value, 1)] * 3, mean_value, samples=9),
            lambda value: sacrebleu.BLEU.compute_bleu([value], [1], 1, 1, max_ngram_order=1),
            lambda value: mbr_select(["a", "b"], ["a b"], weights=[value]),
        ):
            with pytest.raises(BleuInputError) as caught:
                refused(value)
            assert caught.value.where


def test_a_float_of_few_bits_is_the_decimal_that_it_was_written_as():
    """The same numbers from text, which has no bits, are what is meant; NumPy does the rounding."""
    numpy = pytest.importorskip("numpy")
    for kind in (numpy.float16, numpy.float32, numpy.float64):
        for text in ("0.1", "0.25", "0.7", "0.99", "1/3", "2/7", "5", "0"):
            assert as_fraction(kind(float(Fraction(text)))) == Fraction(text), (kind, text)
    for number in numpy.random.default_rng(1).random(200, dtype="float32"):
        assert numpy.float32(float(as_fraction(number))) == number  # whatever is meant rounds to it
        assert Fraction(str(number)).denominator > 1000 or as_fraction(number) == Fraction(str(number))
    assert as_fraction(OfAnotherLibrary(0.10009765625, "torch.bfloat16")) == Fraction(1, 10)  # the bfloat16 next to one tenth
    assert numpy.float32(float(as_fraction(numpy.float32(1e-45)))) == numpy.float32(1e-45)  # the smallest of all


def test_settings_of_few_bits_are_those_of_the_same_decimals():
    numpy, pyarrow = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    assert Settings(smooth="floor", smooth_value=numpy.float32(0.1)) == Settings(smooth="floor", smooth_value=0.1)
    shares = [0.1, 0.2, 0.3, 0.4]
    for weights in (numpy.array(shares, dtype="float32"), list(numpy.array(shares, dtype="float16")), pyarrow.array(shares, pyarrow.float32())):
        assert Settings(weights=weights) == Settings(weights=shares)
        assert mbr_select(["a", "b"], ["a"] * 4, weights=weights) == mbr_select(["a", "b"], ["a"] * 4, weights=shares)


def test_yes_and_no_are_asked_for_in_one_way():
    numpy = pytest.importorskip("numpy")
    both = numpy.array([True, False])
    h, r = ["a b c d"], [["a b c d"]]
    calls = {
        "auto_reweigh": [lambda v, s=s: nltk.corpus_bleu([[["a"]]], [["a"]], auto_reweigh=v, strict=s) for s in (True, False)],
        "smooth": [lambda v: torchmetrics.BLEUScore(smooth=v), lambda v: evaluate.bleu_results(h, r, smooth=v)],
        "lowercase": [lambda v: torchmetrics.SacreBLEUScore(lowercase=v), lambda v: sacrebleu.corpus_bleu(h, r, lowercase=v)],
        "strict": [lambda v: nltk.corpus_bleu([[["a"]]], [["a"]], strict=v)],
        "score_only": [lambda v: sacrebleu.corpus_bleu(h, r).format(score_only=v)],
    }
    for name, given in calls.items():
        for call in given:
            with pytest.raises(SettingsError, match="True or False") as caught:
                call(both)
            assert caught.value.where == name and caught.value.fix


def test_what_helps_where_statistics_are_of_other_orders():
    """Each way that the message names is taken, and gives a score."""
    for orders, settings, ways in (
        (4, Settings(max_order=5), {"max_order=4": {"max_order": 4}}),
        (4, Settings(smooth="average"), {"max_order=3": {"max_order": 3}}),
        (4, Settings(max_order=2, smooth="average"), {"max_order=3": {"max_order": 3}, "stats.up_to(3)": {}}),
        (4, Settings(max_order=3), {"max_order=4": {"max_order": 4}, "stats.up_to(3)": {}}),
        (1, Settings(smooth="average"), {}),
    ):
        stats = BleuStats.from_row(STATS.row).up_to(orders)
        with pytest.raises(SettingsError, match=f"expected statistics of {settings.counted_orders} orders, got {orders}") as caught:
            score_from_stats(stats, settings)
        assert ("up_to" in caught.value.fix) == ("stats.up_to(3)" in ways) and ("max_order" in caught.value.fix) == any("max_order" in way for way in ways)
        for way, changes in ways.items():
            assert way in caught.value.fix
            score_from_stats(stats if changes else stats.up_to(3), settings.replace(**changes))


def test_a_sentence_is_one_segment():
    with pytest.raises(BleuInputError, match=r'segments: expected 1 segment for the score of a sentence, got 5.*kind="corpus"'):
        score_from_stats(STATS, "sacrebleu", 1, "sentence", 5)
    assert score_from_stats(STATS, "sacrebleu", 1, "sentence").segments == 1 and score_from_stats(STATS, segments=5).segments == 5


def test_decimals_of_few_digits_are_themselves_in_few_bits():
    """What NumPy prints of a number is its shortest decimal; a simple fraction takes its place only where it rounds to the same number."""
    numpy = pytest.importorskip("numpy")
    halves = [text for n in range(1, 10_000) if str(numpy.float16(text := f"{n / 10_000:.4f}".rstrip("0"))) == text]
    simple = {float(numpy.float16(n / d)) for d in range(1, 13) for n in range(d)}
    assert len(halves) > 3000 and {"0.1234", "0.1266"} < set(halves)
    for text in halves:
        assert as_fraction(numpy.float16(text)) == Fraction(text) or (len(text.lstrip("0.")) >= 4 and float(numpy.float16(text)) in simple), text
    for number in numpy.random.default_rng(5).integers(1, 10**6, 5000).tolist():
        for exact in (Fraction(number, 10**6), Fraction(number, 10**3)):
            assert as_fraction(numpy.float32(float(exact))) == exact
    for kind, denominators in ((numpy.float16, (3, 6, 7, 9)), (numpy.float32, (*range(3, 101), 997))):
        assert all(as_fraction(kind(1 / d)) == Fraction(1, d) for d in denominators)
    assert Settings(weights=numpy.array([0.1234, 0.1266, 0.75], dtype="f2")) == Settings(weights=["0.1234", "0.1266", "0.75"])


def test_complex_numbers_are_no_numbers_of_any_library():
    numpy = pytest.importorskip("numpy")
    for value in (0.1 + 5j, numpy.complex64(0.1 + 5j), numpy.complex128(0.1), numpy.array(0.1 + 0j), OfAnotherLibrary(0.1, "torch.complex64")):
        assert as_float(value) is None
        with pytest.raises(TypeError):
            as_fraction(value)
        for refused in (
            check_confidence,
            lambda value: Settings(smooth="floor", smooth_value=value),
            lambda value: Settings(weights=[value, 0.9]),
            lambda value: sacrebleu.BLEU(smooth_method="floor", smooth_value=value),
            lambda value: sacrebleu.sentence_bleu("a", ["a"], smooth_method="floor", smooth_value=value),
            lambda value: sacrebleu.BLEUScore(1.0, [1] * 4, [1] * 4, [1.0] * 4, 1.0, 4, 4).estimate_ci([value, 5]),
        ):
            with pytest.raises(BleuInputError):
                refused(value)


@pytest.mark.parametrize("much", [10**12, 10**30, 10**5000], ids=["10**12", "10**30", "10**5000"])
def test_orders_without_end_are_refused_before_the_first_is_counted(much):
    """As many orders as would fill the memory, or be counted for ever; one order however long is just one of which nothing is there."""
    for call in (uniform_weights, BleuStats.zero, lambda n: stats_of_segment("abc", ["abd"], n), lambda n: stats_of_corpus(["abc"], [["abd"]], n)):
        with pytest.raises(OrderError, match="n: expected an n-gram order, a whole number from 1 to 10000, got "):
            call(much)
    assert not ngram_counts("abc", much) and ngram_total(3, much) == 0
    with pytest.raises(SettingsError, match="count: expected a whole number from 1 to 1048576"):
        seed_words(1, much)
