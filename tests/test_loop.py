"""The loop over sentences gives what `sentence_bleu` gives, and says the same of what is wrong."""

import random

import pytest

from bleu_lit import BleuInputError, sentence_bleu
from bleu_lit.loop import sentence_scorer

WORDS = ["the", "cat", "sat.", "3,5", "naïve", "日本", "<skipped>", "&amp;", "a-b", "\u3000", ""]
CHANGES = [{}, {"smooth": "none"}, {"smooth": "floor"}, {"smooth": "add-k", "effective_order": False}, {"max_order": 2, "lowercase": True}]
CHANGES += [{"tokenize": name} for name in ("none", "char", "intl", "zh")]
CHANGES += [{"reference_length": "average"}, {"reference_length": "shortest"}]
CHANGES += [{"weights": (0.5, 0.25, 0.25, 0)}, {"tokenize": str.split}, {"blank_references": "absent"}]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_equal_to_sentence_bleu(changes):
    draw, scorer = random.Random(5), sentence_scorer(**changes)
    for _ in range(300):
        candidate, *references = (" ".join(draw.choices(WORDS, k=draw.randrange(1, 15))) for _ in range(draw.randrange(2, 5)))
        if not any(map(str.strip, references)):
            continue
        assert scorer(candidate, references) == pytest.approx(sentence_bleu(candidate, references, **changes).value, rel=4e-15, abs=0)


def test_tokens_and_presets():
    assert sentence_scorer()(["a", "b"], [["a", "b"]]) == 1
    assert sentence_scorer("paper")("a b c d e", ["a b c d f"]) == pytest.approx(sentence_bleu("a b c d e", ["a b c d f"], "paper").value)


WRONG = [(None, ["a"]), (5, ["a"]), (b"a", ["a"]), ("a", []), ("a", [5]), ("a", "a"), ("a", None), ("a", [["a"]])]


@pytest.mark.parametrize(("candidate", "references"), WRONG)
def test_what_is_wrong_is_said(candidate, references):
    with pytest.raises(BleuInputError) as wrong:
        sentence_bleu(candidate, references)
    with pytest.raises(type(wrong.value)) as same:
        sentence_scorer()(candidate, references)
    assert str(same.value) == str(wrong.value)


def test_settings_are_refused_at_once():
    with pytest.raises(BleuInputError, match="smooth"):
        sentence_scorer(smooth="expo")


@pytest.mark.parametrize("given", [["the cat"], ("the cat", "a cat"), [["the", "cat"]]])
def test_references_in_place_of_settings_are_told_where_to_go(given):
    with pytest.raises(BleuInputError) as caught:
        sentence_scorer(given)
    assert "sentence_scorer()(candidate, references)" in str(caught.value)
    assert "corpus_bleu" not in str(caught.value)
