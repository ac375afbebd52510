"""ROUGE against rouge-score, on Lin's examples, on real translations and on any words."""

import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fuzz import fuzz_lines
from shared import evaluation_sets, lines, needs_data

from bleu_lit.core import from_streams
from bleu_lit.metric import summed
from bleu_lit.rouge import ROUGE_TOKENIZERS, Rouge, lcs_positions, lcs_rows, rouge_l, rouge_lsum, rouge_n

KINDS = ["1", "2", "3", "L", "Lsum"]
WORDS = st.lists(st.sampled_from("abcd"), max_size=9)
LINES = st.lists(WORDS, max_size=4).map(lambda sentences: "\n".join(" ".join(words) for words in sentences))


@pytest.mark.parametrize("by", ["plain", "rouge_score"])
def test_published_figures(by):
    # claim: 003-11
    pytest.importorskip("rouge_score")
    reference = [["police killed the gunman"]]
    for candidate, published in [("police kill the gunman", 0.75), ("the gunman kill police", 0.5), ("the gunman police killed", 0.5)]:
        assert Rouge("L", by=by).score([candidate], reference).value == published
    two = [Rouge("2", by=by).score([text], reference).value for text in ("police kill the gunman", "the gunman kill police", "the gunman police killed")]
    assert two[0] == two[1] < two[2]  # as Lin (2004), section 3.1, says
    union = Rouge("Lsum", "recall", by=by).score(["w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"], [["w1 w2 w3 w4 w5"]])
    assert union.value == 4 / 5


@needs_data
@pytest.mark.parametrize("data", evaluation_sets(), ids=lambda data: data.name)
def test_real_translations_as_rouge_score(data):
    scoring = pytest.importorskip("rouge_score.rouge_scorer")
    candidates, streams = lines(next(iter(data.systems.values()))), [lines(path) for path in data.references[:2]]
    short = [i for i, text in enumerate(candidates) if len(text) <= 200][:20]
    candidates, streams = [candidates[i] for i in short], [[stream[i] for i in short] for stream in streams]
    references = from_streams(*streams)
    theirs = scoring.RougeScorer([f"rouge{kind}" for kind in KINDS])
    found = [theirs.score_multi(group, candidate) for candidate, group in zip(candidates, references, strict=True)]
    for kind in KINDS:
        original = Rouge(kind, tokenize="rouge", by="plain").score(candidates, references)
        assert [row[:3] for row in original.rows] == [tuple(map(float, values[f"rouge{kind}"])) for values in found]
        for choices in ({}, {"tokenize": "char"}):
            plain, matched = (Rouge(kind, by=by, **choices).score(candidates, references) for by in ("plain", "rouge_score"))
            assert plain == matched and plain.rows == matched.rows


@settings(max_examples=60, deadline=None)
@given(LINES, LINES, st.sampled_from(KINDS))
def test_any_words_as_rouge_score(candidate, reference, kind):
    scoring = pytest.importorskip("rouge_score.rouge_scorer")
    theirs = scoring.RougeScorer([f"rouge{kind}"]).score(reference, candidate)[f"rouge{kind}"]
    assert Rouge(kind, by="plain").score([candidate], [[reference]]).rows[0][:3] == tuple(map(float, theirs))


def test_stems_as_rouge_score():
    scoring = pytest.importorskip("rouge_score.rouge_scorer")
    candidate, reference = "The committees were voting on the closures of schools.", "A committee voted to close the school, closing it in June."
    for kind in KINDS:
        theirs = scoring.RougeScorer([f"rouge{kind}"], use_stemmer=True).score(reference, candidate)[f"rouge{kind}"]
        for by in ("plain", "rouge_score"):
            assert Rouge(kind, stem=True, by=by).score([candidate], [[reference]]).rows[0][:3] == tuple(map(float, theirs))


@given(st.text(st.characters(max_codepoint=127), max_size=30))
def test_both_rules_agree_on_ascii(text):
    assert ROUGE_TOKENIZERS["words"](text) == ROUGE_TOKENIZERS["rouge"](text)


def test_the_original_rule_is_rouge_scores():
    tokenize = pytest.importorskip("rouge_score.tokenize").tokenize
    for text in fuzz_lines(7, 300):
        assert ROUGE_TOKENIZERS["rouge"](text) == tokenize(text, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("नमस्ते दुनिया।", ["नमस्ते", "दुनिया"]),
        ("Ça va, l’été?", ["ça", "va", "l", "été"]),
        ("مرحبا، يا عالم!", ["مرحبا", "يا", "عالم"]),
        ("今天。明天", ["今天", "明天"]),
        ("ΟΔΟΣ", ["οδος"]),
    ],
)
def test_words_of_other_scripts(text, words):
    found = ROUGE_TOKENIZERS["words"](text)
    assert [word.replace("ς", "σ") for word in found] == [word.replace("ς", "σ") for word in words]


@given(WORDS, WORDS)
def test_the_longest_common_subsequence_is_one(one, other):
    """Against all subsequences of the shorter side."""

    def within(part, whole):
        rest = iter(whole)
        return all(word in rest for word in part)

    length = max(size for size in range(len(one) + 1) if any(within(part, other) for part in combinations(one, size)))
    *_, last = lcs_rows(one, other)
    positions = lcs_positions(one, other)
    assert last[-1] == length == len(positions)
    assert within([one[i] for i in sorted(positions)], other)


@given(WORDS, WORDS)
def test_swapping_the_sides_swaps_precision_and_recall(one, other):
    for values in (rouge_l, lambda a, b: rouge_n(tuple(a), tuple(b), 2)):
        there, back = values(one, other), values(other, one)
        assert (there.precision, there.recall) == (back.recall, back.precision) and 0 <= there.f <= 1
    assert rouge_lsum([one], [other]) == rouge_l(one, other)


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=4), st.sampled_from(["f", "recall", "precision"]))
def test_rows_add(pairs, measure):
    metric = Rouge("L", measure, by="plain")
    score = metric.score([ours for ours, _ in pairs], [group for _, group in pairs])
    assert score.value == metric.value_of(summed(score.rows))
    assert score.value == pytest.approx(sum(score.segment_values) / len(pairs))
