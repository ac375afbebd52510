"""BLEU of the columns of a data frame, and of a Hugging Face dataset."""

import math
import sys

import pytest

from bleu_lit import BleuStats, corpus_bleu, mean_sentence_bleu, score_from_stats, segment_stats
from bleu_lit.core import BleuInputError, MissingExtraError, SettingsError

pandas = pytest.importorskip("pandas", reason="the extra `pandas` is not installed")
import bleu_lit.frames  # noqa: E402

TEXTS = ["the cat sat on the mat", "hi there you", "a dog barked", ""]
FIRST = ["the cat sat on a mat", "hello there", "a dog was barking", "nothing"]
SECOND = ["a cat was on the mat", None, math.nan, "there"]


@pytest.fixture
def frame():
    return pandas.DataFrame({"d": ["x", "y", "x", "y"], "e": [1, 1, 2, 2], "c": TEXTS, "a": FIRST, "b": SECOND}, index=[7, 3, 9, 1])


def test_scores_are_those_of_lists(frame):
    groups = [["the cat sat on a mat", "a cat was on the mat"], ["hello there", None], ["a dog was barking", None], ["nothing", "there"]]
    assert frame.bleu_lit.score("c", ["a", "b"]) == corpus_bleu(TEXTS, groups)
    assert frame.bleu_lit.score("c", "a", lowercase=True, smooth="none") == corpus_bleu(TEXTS, [[text] for text in FIRST], lowercase=True, smooth="none")
    assert frame.bleu_lit.mean("c", ["a", "b"]) == mean_sentence_bleu(TEXTS, groups)
    sentences = frame.bleu_lit.sentences("c", ["a", "b"])
    assert list(sentences.index) == [7, 3, 9, 1] and sentences.mean() / 100 == pytest.approx(mean_sentence_bleu(TEXTS, groups).value)
    assert frame.iloc[:0].bleu_lit.sentences("c", "a").empty


def test_groups(frame):
    found = frame.bleu_lit.score("c", "a", by="d")
    assert list(found.index) == ["x", "y"] and found.index.name == "d"
    part = frame[frame["d"] == "x"]
    assert found.loc["x", "bleu"] == part.bleu_lit.score("c", "a").percent and found.loc["x", "segments"] == 2
    assert list(frame.bleu_lit.mean("c", "a", by=["d", "e"]).index) == [("x", 1), ("x", 2), ("y", 1), ("y", 2)]


def test_bad_columns(frame):
    for call in (lambda: frame.bleu_lit.score("c", "z"), lambda: frame.bleu_lit.score("z", "a"), lambda: frame.bleu_lit.sentences("c", ["a", "z"])):
        with pytest.raises(SettingsError, match="no 'z' among"):
            call()
    with pytest.raises(SettingsError, match="no reference"):
        frame.bleu_lit.score("c", [])
    with pytest.raises(SettingsError, match="group by"):
        frame.bleu_lit.score("c", "a", by="z")
    with pytest.raises(BleuInputError):
        frame.bleu_lit.score("b", "a")  # a missing candidate
    with pytest.raises(BleuInputError):
        frame.bleu_lit.score("c", "b")  # a segment without any reference


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas.api.extensions", None)
    with pytest.raises(MissingExtraError, match=r"bleu_lit\[pandas\]"):
        bleu_lit.frames.register()


def test_datasets():
    datasets = pytest.importorskip("datasets", reason="the package datasets is not installed")
    data = datasets.Dataset.from_dict({"system": TEXTS, "reference": FIRST})
    rows = data.map(lambda batch: {"stats": segment_stats(batch["system"], [[text] for text in batch["reference"]])}, batched=True, batch_size=3)["stats"]
    score = score_from_stats(sum((BleuStats.from_row(tuple(row)) for row in rows), BleuStats.zero(4)))
    assert score.value == corpus_bleu(TEXTS, [[text] for text in FIRST]).value
