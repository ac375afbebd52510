"""BLEU of the columns of a data frame, and of a Hugging Face dataset."""

import math
import sys

import pytest

from bleu_lit import BleuStats, corpus_bleu, mean_sentence_bleu, score_from_stats, segment_stats
from bleu_lit.core import BleuInputError, EmptyCorpusError, MissingExtraError, SettingsError

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
    means = frame.bleu_lit.mean("c", "a", by="d")  # no column of it could be taken for corpus BLEU
    assert list(means.columns) == ["mean_sentence_bleu", "segments", "zeros", "signature", "notes"]
    assert means.loc["x", "mean_sentence_bleu"] == pytest.approx(part.bleu_lit.sentences("c", "a").mean())
    assert list(frame.bleu_lit.mean("c", "a", by=["d", "e"]).index) == [("x", 1), ("x", 2), ("y", 1), ("y", 2)]


def test_bad_columns(frame):
    for call in (lambda: frame.bleu_lit.score("c", "z"), lambda: frame.bleu_lit.score("z", "a"), lambda: frame.bleu_lit.sentences("c", ["a", "z"])):
        with pytest.raises(SettingsError, match="no 'z' among"):
            call()
    with pytest.raises(SettingsError, match=r"references: .*no column"):
        frame.bleu_lit.score("c", [])
    for call in (frame.bleu_lit.score, frame.bleu_lit.mean, frame.bleu_lit.sentences):
        with pytest.raises(SettingsError, match="references as a list"):
            call("c", "a", "b")
    with pytest.raises(SettingsError, match="by: expected columns"):
        frame.bleu_lit.score("c", "a", by="z")
    with pytest.raises(BleuInputError):
        frame.bleu_lit.score("b", "a")  # a missing candidate
    with pytest.raises(BleuInputError):
        frame.bleu_lit.score("c", "b")  # a segment without any reference


ODD = (None, 7, 2.5, {"d": "x"}, {"c"}, len, object(), b"c", [], [None], [["c"]], ["c", None], ("c", 7), math.nan, [{}], pandas.DataFrame(), pandas.NA)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_odd_arguments_are_said(frame, odd):
    calls = {"candidate": lambda: frame.bleu_lit.score(odd, "a"), "references": lambda: frame.bleu_lit.sentences("c", odd)}
    if odd is not None:  # no groups
        calls["by"] = lambda: frame.bleu_lit.mean("c", "a", by=odd)
    for where, call in calls.items():
        with pytest.raises(SettingsError) as caught:
            call()
        assert caught.value.where == where and "frame.bleu_lit.score" in caught.value.fix and len(str(caught.value)) < 400


def test_frames_with_nothing_in_them(frame):
    for by in (None, "d", ["d", "e"]):
        with pytest.raises(EmptyCorpusError):
            frame.iloc[:0].bleu_lit.score("c", "a", by=by)
        with pytest.raises(SettingsError, match="without columns"):
            pandas.DataFrame().bleu_lit.score("c", "a", by=by)


def test_any_label_is_a_name(frame):
    numbered = frame.set_axis([0, 1, 2, 3, ("b", 1)], axis=1)
    want = frame.bleu_lit.score("c", ["a", "b"])
    assert numbered.bleu_lit.score(2, [3, ("b", 1)]) == want == frame.bleu_lit.score("c", frame.columns[3:]) == frame.bleu_lit.score(["c"], ("a", "b"))
    assert list(numbered.bleu_lit.score(2, 3, by=0).index) == ["x", "y"]
    with pytest.raises(SettingsError, match="2 columns named 'a'"):
        frame.set_axis(["d", "a", "c", "a", "b"], axis=1).bleu_lit.score("c", "a")
    with pytest.raises(SettingsError, match="one column of candidates, got 2"):
        frame.bleu_lit.score(["c", "a"], "b")


def test_the_reason_of_a_zero_is_in_the_table(frame):
    """Of "hi there you" and "" against "hello there" and "nothing", one unigram matches and no bigram; without smoothing that is 0."""
    found = frame.bleu_lit.score("c", "a", by="d", smooth="none")
    assert found.loc["y", "bleu"] == 0 and "the score is 0 because" in found.loc["y", "notes"] and "order" in found.loc["y", "notes"]
    assert found.loc["y", "notes"] == "; ".join(frame[frame["d"] == "y"].bleu_lit.score("c", "a", smooth="none").notes)


def test_an_error_names_the_row_of_the_whole_frame(frame):
    frame.loc[1, "a"] = None
    for by in (None, "d"):
        with pytest.raises(BleuInputError, match=r"references\[3\]"):
            frame.bleu_lit.score("c", "a", by=by)


@pytest.mark.parametrize("value", [["x"], {"x"}, {"x": 1}, ("x", ["y"])], ids=str)
def test_a_group_has_a_name_that_can_be_looked_up(frame, value):
    frame["g"] = ["x", value, "x", "x"]
    for by in ("g", ["d", "g"]):
        with pytest.raises(SettingsError, match=r"by='g', row 1: expected a column of names of groups"):
            frame.bleu_lit.score("c", "a", by=by)


def test_a_group_may_be_a_tuple(frame):
    for groups in ([("x", 1), ("y",), ("x", 1), ("y",)], [("x", 1), "y", ("x", 1), "y"], [("x", 1), ("y", 1), ("x", 1), ("y", 1)]):
        frame["g"], frame["plain"] = groups, ["x", "y", "x", "y"]
        found, plain = (frame.bleu_lit.score("c", "a", by=by) for by in ("g", "plain"))
        assert {key[0] for key in found.index} == {"x", "y"} and found["bleu"].tolist() == plain["bleu"].tolist()


def test_labels_without_an_order_come_as_they_come_first(frame):
    for groups in ([b"x", 1.5, b"x", "a"], [2j, 1j, 2j, 3j], [pandas.Timestamp(0), "a", pandas.Timestamp(0), 3]):
        frame["g"], frame["plain"] = pandas.Series(groups, frame.index, dtype=object), ["0", "1", "0", "2"]
        for by, plain in (("g", "plain"), (["g", "d"], ["plain", "d"])):
            found, expected = (frame.bleu_lit.score("c", "a", by=names) for names in (by, plain))
            assert found.reset_index(drop=True).equals(expected.reset_index(drop=True))
        assert list(frame.bleu_lit.mean("c", "a", by="g").index) == list(dict.fromkeys(groups))


def test_labels_that_pandas_takes_for_one_are_told(frame):
    for one, other in ((1, True), (1, 1.0), (None, float("nan")), (pandas.NA, pandas.NaT)):
        frame["g"] = pandas.Series([one, "x", other, "x"], frame.index, dtype=object)
        for by in ("g", ["g", "e"]):
            for method in (frame.bleu_lit.score, frame.bleu_lit.mean):
                found = method("c", "a", by=by)
                told = [f"the labels {one!r}, {other!r} of 'g' are one group, as in pandas" in notes for notes in found["notes"]]
                assert sum(told) == (by == "g") and found["segments"].sum() == 4


def test_half_a_character_is_no_name_of_a_group(frame):
    frame["g"] = pandas.Series(["x", "\ud800", "x", "y"], frame.index, dtype=object)
    for by in ("g", ["d", "g"]):
        with pytest.raises(SettingsError, match=r"by='g', row 1: expected text that can be encoded"):
            frame.bleu_lit.score("c", "a", by=by)


def test_names_of_columns_come_in_any_container(frame):
    numpy = pytest.importorskip("numpy")
    plain = frame.bleu_lit.score("c", "a").value
    for names in (numpy.array("a"), numpy.array(["a"]), pandas.Index(["a"]), numpy.str_("a")):
        assert frame.bleu_lit.score("c", names).value == plain
    for names in (numpy.array([["a"]]), [numpy.array(["a"])], [pandas.NA, pandas.NA], (["a"],), [["a"]], pandas.NA):
        for call in (frame.bleu_lit.score, frame.bleu_lit.sentences):
            with pytest.raises(SettingsError, match="references: expected"):
                call("c", names)
        with pytest.raises(SettingsError, match="by: expected"):
            frame.bleu_lit.score("c", "a", by=names)


@pytest.mark.parametrize("options", [{"foo": 1}, {"tokenize": "zzz"}, {"max_order": 0}, {"settings": "zz"}], ids=str)
def test_options_are_checked_without_a_row_too(frame, options):
    said = []
    for rows in (frame, frame.iloc[:0]):
        with pytest.raises(BleuInputError) as error:
            rows.bleu_lit.sentences("c", "a", **options)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert frame.iloc[:0].bleu_lit.sentences("c", "a").tolist() == []


def test_a_frame_in_place_of_a_column_is_told_of_the_accessor(frame):
    for call in (lambda: corpus_bleu(frame, [["a"]] * 4), lambda: corpus_bleu(frame["c"], frame[["a", "b"]])):
        with pytest.raises(BleuInputError, match=r"import bleu_lit\.frames"):
            call()


def test_advice_leads_out():
    """Each error's advice, followed, ends at a score and not at the same error."""
    with pytest.raises(BleuInputError, match=r"candidates: .*Wrap it in a list: \[candidates\]"):
        corpus_bleu("a b", "a b")
    with pytest.raises(BleuInputError, match=r"references: .*Wrap it in two lists: \[\[references\]\]"):
        corpus_bleu(["a b"], "a b")
    assert corpus_bleu(["a b"], [["a b"]]).candidate_length == 2


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas.api.extensions", None)
    with pytest.raises(MissingExtraError, match=r"'\.\[pandas\]'"):
        bleu_lit.frames.register()


def test_datasets():
    datasets = pytest.importorskip("datasets", reason="the package datasets is not installed")
    data = datasets.Dataset.from_dict({"system": TEXTS, "reference": FIRST})
    rows = data.map(lambda batch: {"stats": segment_stats(batch["system"], [[text] for text in batch["reference"]])}, batched=True, batch_size=3)["stats"]
    score = score_from_stats(sum((BleuStats.from_row(tuple(row)) for row in rows), BleuStats.zero(4)), "sacrebleu", nrefs=1)
    whole = corpus_bleu(TEXTS, [[text] for text in FIRST])
    assert score.value == whole.value and score.signature == whole.signature
