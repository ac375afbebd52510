"""Round-trip BLEU for any two functions: batches, what comes back from them, and the traps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    LengthMismatchError,
    OrderError,
    SegmentTypeError,
    SettingsError,
    StringForListError,
    UnknownNameError,
)
from bleu_lit.roundtrip import RoundTrip, in_batches, one_by_one, roundtrip_bleu
from bleu_lit.score import corpus_bleu, sentence_bleu

WORDS = st.lists(st.sampled_from("the cat sat on a mat .".split()), min_size=1, max_size=9).map(" ".join)
TEXTS = st.lists(WORDS, min_size=1, max_size=8)


def same(texts):
    return texts


@given(TEXTS, st.integers(1, 9))
def test_it_is_corpus_bleu_of_what_comes_back(texts, batch):
    swap = one_by_one(lambda text: text.replace("cat", "dog"))
    found = roundtrip_bleu(texts, swap, same, batch_size=batch)
    back = [text.replace("cat", "dog") for text in texts]
    assert found.back == tuple(back)
    assert found.score == corpus_bleu(back, [[text] for text in texts])
    assert found.sentence_scores == [sentence_bleu(b, [t]).value for b, t in zip(back, texts, strict=True)]
    assert float(found) == found.value
    assert isinstance(found, RoundTrip)


@given(TEXTS)
def test_any_pair_of_inverses_scores_one(texts):
    turn = one_by_one(lambda text: text[::-1])
    found = roundtrip_bleu(texts, turn, turn)
    assert found.value == (1 if any(len(text.split()) >= 4 for text in texts) else found.value)
    assert found.back == tuple(texts)


def test_batches_and_progress():
    sizes, heard = [], []

    def counting(texts):
        sizes.append(len(texts))
        return iter(texts)

    roundtrip_bleu(["a b c d"] * 7, counting, counting, batch_size=3, progress=lambda done, whole: heard.append((done, whole)))
    assert sizes == [3, 3, 1] * 2
    assert heard == [(3, 14), (6, 14), (7, 14), (10, 14), (13, 14), (14, 14)]


def test_a_translator_may_change_its_list():
    def greedy(texts):
        found = texts.copy()
        texts.clear()
        return found

    assert roundtrip_bleu(["a b c d", "e f g h"], greedy, greedy).value == 1


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (["a"], LengthMismatchError, "translate, texts 2 to 3: expected 2 texts, got 1"),
        (["a", "b", "c"], LengthMismatchError, "got 3"),
        (["a", None], SegmentTypeError, "translate, text 3: expected text (str), got None"),
        ([["a"], "b"], SegmentTypeError, "text 2"),
        ([b"a", "b"], SegmentTypeError, "text 2"),
        ([1.5, "b"], SegmentTypeError, "float"),
        ("ab", StringForListError, "one_by_one"),
        (b"ab", StringForListError, "one_by_one"),
        (None, SegmentTypeError, "NoneType"),
        ({"a": 1, "b": 2}, SegmentTypeError, "dict"),
        ({"a", "b"}, SegmentTypeError, "set"),
        (7, SegmentTypeError, "int"),
    ],
)
def test_bad_answers(answer, error, words):
    calls = []

    def translator(texts):
        calls.append(texts)
        return texts if len(calls) == 1 else answer

    with pytest.raises(error) as caught:
        roundtrip_bleu(["1", "2", "3", "4", "5"], translator, same, batch_size=2)
    assert words in str(caught.value)
    with pytest.raises(BleuInputError, match="translate_back"):
        roundtrip_bleu(["1", "2"], same, lambda texts: answer if answer != ["a", "b", "c"] else [])


def test_an_error_of_the_translator_comes_as_it_is():
    def breaks(texts):
        raise ZeroDivisionError("no model")

    with pytest.raises(ZeroDivisionError, match="no model") as caught:
        roundtrip_bleu(["a", "b"], same, breaks)
    assert caught.value.__notes__ == ["in translate_back, for texts 0 to 1"]


def test_bad_input():
    for texts, error in (([], EmptyCorpusError), ("a text", StringForListError), ([None], SegmentTypeError), ([["a"]], SegmentTypeError)):
        with pytest.raises(error):
            roundtrip_bleu(texts, same, same)
    for wrong in (None, "name", 3):
        with pytest.raises(SettingsError, match="translate"):
            roundtrip_bleu(["a"], wrong, same)
    for size in (0, -1, 2.0, True, None):
        with pytest.raises(OrderError, match="batch_size"):
            in_batches(same, ["a"], size)
    with pytest.raises(UnknownNameError, match="tokenize"):
        roundtrip_bleu(["a"], same, same, tokenise="13a")


def test_notes():
    texts = ["the cat sat on the mat", "a dog barks at it", "it rains in spain"]
    assert "3 of 3 texts came from the first translator unchanged" in roundtrip_bleu(texts, same, same).notes[0]
    nearly = one_by_one(lambda text: text.replace("the", "le").replace("a ", "un "))
    assert any("much like the texts" in note for note in roundtrip_bleu(["the cat sat on my mat today", *texts], nearly, same).notes)
    stock = roundtrip_bleu(texts, lambda batch: ["ja"] * len(batch), same)
    assert stock.notes == ("3 different texts became 1 different translations",)
    empty = roundtrip_bleu(texts, one_by_one(lambda text: text[::-1]), lambda batch: ["", *batch[1:]])
    assert "1 of 3 texts came from the second translator empty" in empty.notes
    assert roundtrip_bleu(texts, one_by_one(lambda text: text[::-1]), one_by_one(lambda text: text[::-1])).notes == ()


@pytest.mark.parametrize("single", [str.upper, lambda text: text.lower(), lambda text: text + "!", lambda text: f"<{text}>"])
def test_a_function_of_one_text_is_told_to_be_wrapped(single):
    for pair in ((single, same), (same, single)):
        with pytest.raises(BleuInputError, match=r"one_by_one.*bleu_lit\.roundtrip") as caught:
            roundtrip_bleu(["the cat", "sat"], *pair)
        assert ("translate_back" in str(caught.value)) == (pair[1] is single)


def test_an_error_of_the_translator_itself_comes_as_it_is():
    def broken(texts):
        return [text.no_such_method() for text in texts]

    with pytest.raises(AttributeError, match="no_such_method") as caught:
        roundtrip_bleu(["the cat"], broken, same)
    assert "translate" in caught.value.__notes__[0]
