"""What the neighbours do with bad, empty, foreign and very long input: the same errors as BLEU, and values that are defined."""

import math
import pickle
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bleu_lit.core import (
    EmptyCorpusError,
    FlatReferencesError,
    LengthMismatchError,
    MissingReferenceError,
    MixedSegmentsError,
    SegmentTypeError,
    StringForListError,
    TransposedReferencesError,
)
from bleu_lit.metric import METRICS, AdditiveMetric, Metric, metric, value_of_segments

NAMES = ["bleu", "chrf", "chrf++", "ter", "nist", "rouge1", "rouge2", "rougel", "rougelsum"]
PLAIN = {name: {"by": "plain"} for name in NAMES if name not in ("bleu", "nist")}
each_metric = pytest.mark.parametrize("name", NAMES)


def plain(name):
    """The metric by our own functions, which need nothing."""
    return metric(name, **PLAIN.get(name, {}))


def random_text(length, seed):
    draw = random.Random(seed)
    return " ".join("".join(draw.choice("aeioubcdst") for _ in range(draw.randint(1, 4))) for _ in range(length))


@each_metric
@pytest.mark.parametrize(
    ("candidates", "references", "error"),
    [
        ([], [], EmptyCorpusError),
        (["a"], [["a"], ["b"]], LengthMismatchError),
        (["a", "b"], [["a"]], LengthMismatchError),
        (["a", "b"], ["a", "b"], FlatReferencesError),
        (["a", "b", "c"], [["a", "b", "c"]], TransposedReferencesError),
        (["a"], [[]], MissingReferenceError),
        (["a"], [[None]], MissingReferenceError),
        ("a", [["a"]], StringForListError),
        ([None], [["a"]], SegmentTypeError),
        ([b"a"], [["a"]], SegmentTypeError),
        ([float("nan")], [["a"]], SegmentTypeError),
        (["a", ["b"]], [["a"], ["b"]], MixedSegmentsError),
    ],
)
def test_the_same_errors_as_bleu(name, candidates, references, error):
    with pytest.raises(error) as raised:
        plain(name).score(candidates, references)
    assert raised.value.expected and raised.value.got


@each_metric
@pytest.mark.parametrize(("candidate", "reference"), [("", "a b c"), ("a b c", ""), ("", ""), (" \t", "a"), ("\n", "\u3000")])
def test_empty_sides_have_the_worst_value(name, candidate, reference):
    found = plain(name)
    score = found.score([candidate], [[reference]])
    if name == "ter":
        assert score.value == (1 if candidate.split() or reference.split() else 0)  # nothing to nothing needs no edit
    else:
        assert score.value == 0
    assert any("empty" in note or " 0 " in note for note in score.notes)


@each_metric
def test_an_empty_segment_among_others_stays_in_the_corpus(name):
    found = plain(name)
    text = "the cat sat on the mat today"
    score = found.score([text, ""], [[text], [text]])
    assert score.segments == 2
    whole = found.score([text], [[text]])
    assert score.value != whole.value or name == "nist"


@each_metric
@pytest.mark.parametrize(
    "text",
    [
        "Кошка сидит на старом коврике.",
        "猫 坐 在 旧 垫子 上 。",
        "القط يجلس على الحصيرة القديمة.",
        "बिल्ली पुरानी चटाई पर बैठी है।",
        "แมว นั่ง อยู่ บน เสื่อ เก่า",
        "👩‍👩‍👧 😀 😃 😄 😁 a",
        "na\u0308ive cafe\u0301s are not so far apart",
        "a\u200bb c\u00add e\ufefff g h",
        "\ud800 lone b c d e",
    ],
)
def test_a_text_equals_itself_in_every_script(name, text):
    found = plain(name)
    other = " ".join(reversed(text.split()))
    same, turned = found.score([text], [[text]]), found.score([other], [[text]])
    if name == "nist":
        assert same.value > 0
    else:
        assert same.value == (0 if name == "ter" else 1) or (name.startswith("rouge") and not any(letter.isalnum() for letter in text))
    assert not turned.better_than(same)


@each_metric
def test_very_long_segments_have_a_value(name):
    long = random_text(200 if name == "ter" else 1000, 1)
    other = random_text(200 if name == "ter" else 1000, 2)
    for candidate, reference in [(long, other), (long, "short"), ("short", long), ("x" * 30000, "x" * 29999)]:
        value = plain(name).score([candidate], [[reference]]).value
        assert math.isfinite(value) and value >= 0


@each_metric
def test_ragged_and_absent_references(name):
    found = plain(name)
    score = found.score(["the cat sat on a mat", "it rains"], [["the cat sat on the mat", None, "a cat sat there"], ["it rains"]])
    assert "nrefs:var" in score.signature
    alone = found.score(["the cat sat on a mat", "it rains"], [["the cat sat on the mat", "a cat sat there"], ["it rains"]])
    assert score.value == alone.value


@each_metric
def test_protocol_and_rows(name):
    found = plain(name)
    assert isinstance(found, Metric) and isinstance(found, AdditiveMetric)
    texts = ["the cat sat on a mat", "it rains all day", "yes"]
    score = found.score(texts, [["the cat sat on the mat"], ["it rained all day"], ["yes"]])
    assert value_of_segments(found, score, range(3)) == pytest.approx(score.value, abs=1e-15)
    assert score.direction == found.direction == ("lower" if name == "ter" else "higher")
    assert pickle.loads(pickle.dumps(found)) == found and pickle.loads(pickle.dumps(score)) == score
    assert found.score(texts, [[text] for text in texts]).better_than(score) or name == "nist"
    calls = []
    found.score(texts * 200, [["yes"]] * 600, progress=calls.append)
    assert calls == sorted(calls) and (not calls or calls[-1] <= 600)


@each_metric
def test_the_library_refuses_and_defines_the_same(name):
    """Empty and ragged input by the libraries too, where a metric has one."""
    if name in ("bleu", "nist"):
        pytest.skip("our own")
    by = "rouge_score" if name.startswith("rouge") else "sacrebleu"
    pytest.importorskip(by)
    candidates, references = ["", "a b", "c d e", "?"], [["a"], ["", "a c"], ["c d e", None], ["?!"]]
    theirs, ours = metric(name, by=by).score(candidates, references), plain(name).score(candidates, references)
    assert theirs == ours and theirs.rows == ours.rows


def test_every_name_has_a_class():
    assert set(NAMES) <= set(METRICS)
