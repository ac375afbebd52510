"""Matrices, Self-BLEU and minimum Bayes risk are what the plain definition gives, cell by cell, whatever the settings."""

import math
import os
import random
import subprocess
import sys
from array import array
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import evaluation_sets, lines, needs_data

from bleu_lit.bleu import BleuStats, stats_of_segment
from bleu_lit.brevity import reference_length
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    MissingReferenceError,
    MixedSegmentsError,
    OrderError,
    SegmentTypeError,
    SettingsError,
    StringForListError,
    UnknownNameError,
    WeightsError,
)
from bleu_lit.engine import engine
from bleu_lit.engine_fast import native
from bleu_lit.pairs_fast import native_pairs, numbered_texts
from bleu_lit.pairwise import SELF_BLEU, Occurrences, mbr_select, other_lengths, pairwise_bleu, pairwise_rows, pairwise_stats, row_scorer, self_bleu
from bleu_lit.score import SENTENCE, BleuScore, corpus_bleu, sentence_bleu
from bleu_lit.settings import Settings

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module", params=["native", "python"], autouse=True)
def both_engines(request):
    """Every test of this file runs with the compiled module, where it is there, and with plain Python."""
    before = engine()
    if request.param == "native" and not (native() and native_pairs()):
        pytest.skip("the compiled engine was not built")
    engine(request.param)
    yield
    engine(before)


TOKENS = st.lists(st.sampled_from("aab"), max_size=9)
TEXTS = st.lists(TOKENS, min_size=1, max_size=6)
CHOICES = st.sampled_from(
    [
        SENTENCE,
        Settings(),
        Settings(max_order=2, smooth="none"),
        Settings(max_order=7, effective_order=True),
        Settings(smooth="floor", smooth_value=0.1, reference_length="shortest"),
        Settings(smooth="floor", smooth_value=0, effective_order=True),
        Settings(smooth="add-k", effective_order=True, reference_length="average"),
        Settings(weights=(Fraction(1, 2), Fraction(1, 2), 0, 0), effective_order=True),
        Settings(smooth="average", max_order=3),
        Settings(max_order=20, effective_order=True),
    ]
)


@settings(max_examples=150)
@given(TEXTS, TEXTS, CHOICES, st.integers(1, 4))
def test_every_cell_is_by_definition(candidates, references, chosen, block):
    rows = list(pairwise_stats(candidates, references, chosen, block))
    matrix = pairwise_bleu(candidates, references, chosen, block)
    assert len(rows) == len(matrix) == len(candidates)
    for i, candidate in enumerate(candidates):
        for j, reference in enumerate(references):
            assert rows[i][j] == stats_of_segment(candidate, [reference], chosen.counted_orders).row
            assert math.isclose(matrix[i][j], sentence_bleu(candidate, [reference], chosen).value, rel_tol=1e-13)


@settings(max_examples=150)
@given(st.lists(TOKENS, min_size=2, max_size=7), CHOICES)
def test_self_bleu_is_by_definition(texts, chosen):
    others = [texts[:i] + texts[i + 1 :] for i in range(len(texts))]
    found = self_bleu(texts, chosen)
    plain = [sentence_bleu(text, group, chosen).value for text, group in zip(texts, others, strict=True)]
    assert found.scores == pytest.approx(plain, rel=1e-13)
    assert found.nrefs == len(texts) - 1
    corpus, whole = self_bleu(texts, chosen, "corpus"), corpus_bleu(texts, others, chosen)
    assert (corpus.stats, corpus.value, corpus.signature, corpus.segments) == (whole.stats, whole.value, whole.signature, len(texts))
    assert self_bleu(texts, chosen, "itself").scores == pytest.approx([sentence_bleu(text, texts, chosen).value for text in texts], rel=1e-13)
    for cap in (1, 2, 5):
        capped = self_bleu(texts, chosen, "capped", cap=cap).scores
        assert capped == pytest.approx([sentence_bleu(text, group[:cap], chosen).value for text, group in zip(texts, others, strict=True)], rel=1e-13)
    pairs = [sum(sentence_bleu(text, [other], chosen).value for other in group) / len(group) for text, group in zip(texts, others, strict=True)]
    assert self_bleu(texts, chosen, "pairs").scores == pytest.approx(pairs, rel=1e-9, abs=1e-13)


@given(st.lists(st.integers(0, 12), min_size=2, max_size=9), st.sampled_from(["closest", "shortest", "average"]))
def test_lengths_of_the_others(lengths, method):
    expected = [reference_length(length, lengths[:i] + lengths[i + 1 :], method) for i, length in enumerate(lengths)]
    assert other_lengths(lengths, method) == expected


def test_ties_of_length_go_to_the_shorter_one():
    texts = [list("abcde"), list("abcdefg"), list("abcdef")]
    assert self_bleu(texts).scores[2] == 1  # r = 5: not short, and all its n-grams stand in the sentence of 7
    assert other_lengths([5, 7, 6])[2] == other_lengths([7, 5, 6])[2] == 5


@given(TEXTS)
def test_occurrences_meet_as_clipped_counts(texts):
    occurrences = Occurrences(3)
    numbers = [occurrences.numbers(text) for text in texts]
    for text, mine in zip(texts, numbers, strict=True):
        for other, theirs in zip(texts, numbers, strict=True):
            stats = stats_of_segment(text, [other], 3)
            assert tuple(len({*a} & {*b}) for a, b in zip(mine, theirs, strict=True)) == stats.matched
            assert tuple(map(len, mine)) == stats.total


@settings(max_examples=300)
@given(st.integers(0, 60), st.integers(0, 80), st.lists(st.integers(0, 60), min_size=16, max_size=16), CHOICES)
def test_scores_of_rows(c, r, drawn, chosen):
    orders = chosen.counted_orders
    totals = [max(0, c - n) for n in range(orders)]
    matched = []
    for total, value in zip(totals, (drawn * 2)[:orders], strict=True):
        matched.append(min(total, value, matched[-1] if matched else total))
    stats = BleuStats(c, r, tuple(matched), tuple(totals))
    assert row_scorer(chosen)(stats.row) == pytest.approx(BleuScore(stats, chosen).value, rel=3e-14)


# ---- Minimum Bayes risk


@settings(max_examples=80)
@given(TEXTS, TEXTS)
def test_mbr_takes_the_first_of_the_best(candidates, references):
    choice = mbr_select(candidates, references)
    expected = [sum(sentence_bleu(c, [r]).value for r in references) / len(references) for c in candidates]
    assert choice.expected == pytest.approx(expected, rel=1e-12)
    assert choice.index == choice.expected.index(max(choice.expected))
    assert choice.candidate == candidates[choice.index]
    doubled = mbr_select([*candidates, *candidates], references)
    assert doubled.index == choice.index
    assert doubled.expected == choice.expected * 2


def test_mbr_with_weights():
    texts = ["a b c d", "a b c e", "x y z w"]
    assert mbr_select(texts, weights=[0, 0, 5]).index == 2
    assert mbr_select(texts, weights=["1/3", "1/3", "1/3"]).expected == pytest.approx(mbr_select(texts).expected)
    heard = []
    mbr_select(texts, progress=heard.append)
    assert heard == [1, 2, 3]
    for wrong in ([1, 2], [1, 2, -1], [0, 0, 0], [1, 2, None], [1, 2, float("nan")], [1, 2, "x"]):
        with pytest.raises(WeightsError):
            mbr_select(texts, weights=wrong)


# ---- Bad input


@pytest.mark.parametrize(
    ("call", "error", "word"),
    [
        (lambda: pairwise_bleu([], ["a"]), EmptyCorpusError, "candidates"),
        (lambda: pairwise_bleu(["a"], []), EmptyCorpusError, "references"),
        (lambda: pairwise_bleu("a", ["a"]), StringForListError, "candidates"),
        (lambda: pairwise_bleu(["a", None], ["a"]), SegmentTypeError, "candidates[1]"),
        (lambda: pairwise_bleu(["a"], ["a", 3.0]), SegmentTypeError, "references[1]"),
        (lambda: pairwise_bleu(["a"], [["a"]]), MixedSegmentsError, "both"),
        (lambda: pairwise_bleu([["a"]], [["a"]], tokenize="13a", lowercase=True), SettingsError, "tokens"),
        (lambda: pairwise_stats(["a"], ["b", ""], blank_references="absent"), MissingReferenceError, "references[1]"),
        (lambda: pairwise_rows(["a"], ["b"], block=True), BleuInputError, "block"),
        (lambda: self_bleu([]), EmptyCorpusError, "sentences"),
        (lambda: self_bleu(["a"]), EmptyCorpusError, "two sentences"),
        (lambda: self_bleu(["a", "b", "c"], first=1), EmptyCorpusError, "two sentences"),
        (lambda: self_bleu(["a", "b"], variant="other"), UnknownNameError, "others"),
        (lambda: self_bleu(["a", "b"], first=0), BleuInputError, "first"),
        (lambda: self_bleu(["a", "b"], variant="capped", cap=-1), BleuInputError, "cap"),
        (lambda: self_bleu(["a", b"b"]), SegmentTypeError, "sentences[1]"),
        (lambda: self_bleu(["a", ["b"]]), MixedSegmentsError, "both"),
        (lambda: mbr_select([]), EmptyCorpusError, "candidates"),
        (lambda: mbr_select(["a"], "b"), StringForListError, "[references]"),
        (lambda: mbr_select(["a"], weights=1), WeightsError, "a list of 1 numbers"),
        (lambda: mbr_select(["a"], weights={"a": 1}), WeightsError, "a list of 1 numbers"),
        (lambda: mbr_select(["a"], weights="1"), WeightsError, "a list of 1 numbers"),
        (lambda: mbr_select(["a", "b"], weights=[10**5000, 1]), WeightsError, "numbers of at least 0"),
        (lambda: self_bleu(["a", "b"], variant=None), UnknownNameError, "others"),
        (lambda: self_bleu(None), SegmentTypeError, "sentences"),
        (lambda: self_bleu(["a", "b"], 7), SettingsError, "Settings"),
        (lambda: other_lengths([5]), EmptyCorpusError, "two"),
        (lambda: other_lengths([5, 6], None), UnknownNameError, "closest"),
        (lambda: row_scorer(7), SettingsError, "Settings"),
        (lambda: Occurrences(0), OrderError, "from 1 to 10000"),
        (lambda: Occurrences(10**30), OrderError, "from 1 to 10000"),
        *((lambda odd=odd: self_bleu(["a", "b"], cap=odd), OrderError, "cap") for odd in (None, True, 0, 2.0, "5", [], 5j)),
        *((lambda odd=odd: self_bleu(["a", "b"], first=odd), OrderError, "first") for odd in (True, 0, 2.0, "5", [], 5j, -(10**5000))),
        *((lambda odd=odd: pairwise_bleu(["a"], ["b"], block=odd), OrderError, "block") for odd in (None, 0, 2.0, "5", [])),
    ],
)
def test_bad_input(call, error, word):
    with pytest.raises(error) as caught:
        call()
    assert word in str(caught.value)


def test_empty_texts():
    assert [list(row) for row in pairwise_bleu(["", "a"], ["", "a"])] == [[0, 0], [0, 1]]
    assert self_bleu(["", ""]).scores == (0, 0)
    assert mbr_select(["", "a", ""]).index == 1


# ---- Other implementations and real data


def test_self_bleu_of_texygen_is_that_of_nltk():
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    draw = random.Random(11)
    texts = [draw.choices("a b c d e f g the of".split(), k=draw.randrange(5, 15)) for _ in range(40)]
    smooth = bleu_score.SmoothingFunction().method1
    for order in (2, 3, 4, 5):
        plain = [bleu_score.sentence_bleu(texts[:i] + texts[i + 1 :], text, (1 / order,) * order, smooth) for i, text in enumerate(texts)]
        found = self_bleu(texts, Settings(max_order=order, tokenize="none", smooth="floor", smooth_value=0.1))
        assert found.scores == pytest.approx(plain, rel=1e-12)


def test_the_matrix_of_sacrebleu():
    metric = pytest.importorskip("sacrebleu").BLEU(effective_order=True)
    draw = random.Random(12)
    texts = [" ".join(draw.choices("a cat, the dog . 3.5 sat on (it) -".split(), k=draw.randrange(1, 20))) for _ in range(25)]
    matrix = pairwise_bleu(texts, texts[::-1])
    for i, candidate in enumerate(texts):
        for j, reference in enumerate(texts[::-1]):
            assert 100 * matrix[i][j] == pytest.approx(metric.sentence_score(candidate, [reference]).score, rel=1e-10, abs=1e-10)


@needs_data
def test_real_data():
    for found in evaluation_sets()[::6]:
        texts = lines(next(iter(found.systems.values())))[:30]
        others = [texts[:i] + texts[i + 1 :] for i in range(len(texts))]
        plain = [sentence_bleu(text, group).value for text, group in zip(texts, others, strict=True)]
        assert self_bleu(texts).scores == pytest.approx(plain, rel=1e-13), found.name


def test_many_texts_do_not_fill_memory():
    program = """
import random, resource
from bleu_lit.pairwise import pairwise_rows
def peak(n):
    draw = random.Random(1)
    texts = [[draw.randrange(3000) for _ in range(8)] for _ in range(n)]
    for row in pairwise_rows(texts[:150], texts):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
small = peak(500)
print(peak(20_000) - small)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert int(run.stdout) < 150_000  # KiB; the whole matrix of 20 000 texts would take 3 GiB


def test_variants_are_told_apart():
    texts = ["the cat sat on the mat", "the cat sat on a mat", "a dog barks at the cat", "it rains"]
    assert len({self_bleu(texts, variant=name, cap=1).value for name in SELF_BLEU}) == len(SELF_BLEU)


# ---- The compiled module


def in_engine(name, call):
    before = engine()
    engine(name)
    try:
        return call()
    finally:
        engine(before)


needs_pairs = pytest.mark.skipif(not (native() and native_pairs()), reason="the compiled engine was not built")


@needs_pairs
@settings(max_examples=150)
@given(st.integers(0, 10**9), CHOICES)
def test_both_engines_give_the_same_bits(seed, chosen):
    draw = random.Random(seed)
    texts = [[draw.randrange(draw.choice([2, 9, 300])) for _ in range(draw.choice([0, 1, 4, 20, 80]))] for _ in range(draw.randrange(2, 12))]
    others = [[draw.randrange(9) for _ in range(draw.choice([0, 3, 30]))] for _ in range(draw.randrange(1, 5))]
    for call in (
        lambda: pairwise_bleu(texts, others, chosen),
        lambda: pairwise_bleu(texts, texts, chosen),
        lambda: list(pairwise_stats(texts, others, chosen)),
        lambda: self_bleu(texts, chosen).scores,
        lambda: mbr_select(texts, others, chosen).expected,
    ):
        assert in_engine("native", call) == in_engine("python", call)


@needs_pairs
def test_long_products_are_the_same():
    draw = random.Random(4)
    texts = [[draw.randrange(3) for _ in range(400)] for _ in range(4)]
    for chosen in (Settings(max_order=16, effective_order=True), Settings(max_order=7), SENTENCE, Settings(max_order=16, smooth="floor", smooth_value=0.1)):
        assert in_engine("native", lambda chosen=chosen: pairwise_bleu(texts, texts, chosen)) == in_engine(
            "python", lambda chosen=chosen: pairwise_bleu(texts, texts, chosen)
        )


@needs_pairs
def test_the_compiled_module_checks_what_it_is_given():
    texts = native_pairs().Texts
    whole = array("i", [0, 1, 2]), array("i", [2, 1])
    assert numbered_texts([["a"]], 17) is None
    for tokens, lengths, orders in (
        (*whole, 0),
        (*whole, 17),
        (whole[0], array("i", [2]), 2),
        (whole[0], array("i", [4, -1]), 2),
        (array("i", [-1, 1, 2]), whole[1], 2),
    ):
        with pytest.raises(ValueError, match="int32"):
            texts(tokens, lengths, orders)
    with pytest.raises(ValueError, match="int32"):
        texts(b"abc", b"", 2)
    found = texts(*whole, 2)
    room = array("i", bytes(16))
    for candidate, first, last in ((2, 0, 2), (-1, 0, 2), (0, 1, 3), (0, 2, 1), (0, -1, 1), (0, 0, 1)):
        with pytest.raises(ValueError, match="room"):
            found.matched(candidate, first, last, room)
    found.matched(0, 0, 2, room)
    assert room.tolist() == [2, 1, 0, 0]
    with pytest.raises(ValueError, match="room"):
        found.shared(2, array("i", [0]))
    with pytest.raises((TypeError, BufferError)):
        found.shared(2, bytes(16))
    with pytest.raises(ValueError, match="room"):
        found.scores(0, 0, 2, array("d", [0]), 1, 0.0, 1.0, True)
    odd = memoryview(bytearray(40))[1:33]  # no address for a number
    with pytest.raises(ValueError, match="room"):
        found.scores(0, 0, 2, odd[:16], 1, 0.0, 1.0, True)
    with pytest.raises(ValueError, match="room"):
        found.shared(2, odd[:16])
    with pytest.raises(ValueError, match="int32"):
        texts(odd[:8], array("i", [2]), 2)
    assert texts(array("i"), array("i"), 4)
