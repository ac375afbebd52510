"""chrF and chrF++ against sacreBLEU, on its published figures, on real translations and on any text."""

import sys
import unicodedata
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fuzz import fuzz_lines
from shared import evaluation_sets, lines, needs_data

from bleu_lit.chrf import ChrF, chrf_row, chrf_value, chrf_words
from bleu_lit.core import from_streams
from bleu_lit.metric import summed

CHOICES = [{}, {"word_order": 2}, {"word_order": 1, "beta": 3, "whitespace": True}, {"eps_smoothing": True, "lowercase": True}]
each_choice = pytest.mark.parametrize("choices", CHOICES, ids=str)
LETTERS = st.text(st.sampled_from("ab c.é猫"), max_size=12)


@pytest.mark.parametrize(
    ("candidates", "references", "effective", "published"),
    [  # sacreBLEU's own tests, with beta 3
        (["abcdefg"], ["hijklmnop"], False, 0.0),
        ([""], ["reference"], False, 0.0),
        (["aa"], ["ab"], False, 8.3333),
        (["a", "b"], ["a", "c"], False, 8.3333),
        (["a"], ["a"], False, 16.6667),
        (["a b c"], ["abc"], False, 50.0),
        (["a"], ["a"], True, 100.0),
        (["a b c"], ["abc"], True, 100.0),
        (["a", "b"], ["a", "c"], True, 50.0),
        (["aa"], ["ab"], True, 25.0),
    ],
)
@pytest.mark.parametrize("by", ["plain", "sacrebleu"])
def test_published_figures(candidates, references, effective, published, by):
    if by == "sacrebleu":
        pytest.importorskip("sacrebleu")
    score = ChrF(beta=3, eps_smoothing=not effective, by=by).score(candidates, [[reference] for reference in references])
    assert abs(score.reported - published) < 1e-4


@needs_data
@each_choice
@pytest.mark.parametrize("data", evaluation_sets(), ids=lambda data: data.name)
def test_real_translations_as_sacrebleu(data, choices):
    # claim: 002-25
    metrics = pytest.importorskip("sacrebleu.metrics")
    candidates, streams = lines(next(iter(data.systems.values())))[:60], [lines(path)[:60] for path in data.references[:4]]
    references = from_streams(*streams)
    plain, counted = (ChrF(by=by, **choices).score(candidates, references) for by in ("plain", "sacrebleu"))
    assert (plain.rows, plain.value, plain.segment_values, plain.signature) == (counted.rows, counted.value, counted.segment_values, counted.signature)
    theirs = metrics.CHRF(**choices)
    assert abs(theirs.corpus_score(candidates, streams).score - plain.reported) < 1e-10
    single = [theirs.sentence_score(candidate, group).score / 100 for candidate, group in zip(candidates[:20], references, strict=False)]
    assert plain.segment_values[:20] == pytest.approx(single, abs=1e-12)


@given(LETTERS, st.lists(LETTERS, min_size=1, max_size=3), st.sampled_from(CHOICES))
def test_any_text_as_sacrebleu(candidate, group, choices):
    metrics = pytest.importorskip("sacrebleu.metrics")
    theirs = metrics.CHRF(**choices).sentence_score(candidate, group).score
    assert abs(ChrF(by="plain", **choices).score([candidate], [group]).reported - theirs) < 1e-10


def test_wild_text_as_sacrebleu():
    pytest.importorskip("sacrebleu")
    texts = list(fuzz_lines(7, 200))
    references = [[text] for text in [*texts[1:], texts[0]]]
    plain, counted = (ChrF(by=by, word_order=2).score(texts, references) for by in ("plain", "sacrebleu"))
    assert plain.rows == counted.rows


@given(LETTERS, LETTERS)
def test_value_is_a_fraction_between_0_and_1(candidate, reference):
    row = chrf_row(candidate, reference, 3, 1)
    value = chrf_value(row)
    assert isinstance(value, Fraction) and 0 <= value <= 1
    if "".join(candidate.split()) and candidate == reference:
        assert value == 1
    assert (value == 0) == (not any(row[2::3]))


@given(LETTERS, LETTERS)
def test_with_beta_1_both_sides_weigh_the_same(candidate, reference):
    assert chrf_value(chrf_row(candidate, reference, 3), beta=1) == chrf_value(chrf_row(reference, candidate, 3), beta=1)


@given(st.lists(st.tuples(LETTERS, LETTERS), min_size=2, max_size=4))
def test_rows_add(pairs):
    metric = ChrF(by="plain")
    score = metric.score([ours for ours, _ in pairs], [[theirs] for _, theirs in pairs])
    assert score.value == metric.value_of(summed(score.rows))


@settings(max_examples=50)
@given(LETTERS, LETTERS, LETTERS)
def test_one_more_reference_never_lowers_a_segment(candidate, one, other):
    metric = ChrF(by="plain")
    assert metric.score([candidate], [[one, other]]).value >= metric.score([candidate], [[one]]).value


def test_order_of_references_is_told():
    note = ChrF(by="plain").score(["a"], [["b", "cc"]]).notes[-1]
    assert "order" in note and not ChrF(by="plain").score(["a"], [["a"]]).notes


def test_words():
    assert chrf_words('"a" b') == ['"a', '"', "b"]  # one mark alone, the last one, as sacreBLEU does


def test_normal_forms_differ():
    text = "caf\u00e9"
    assert ChrF(by="plain").score([unicodedata.normalize("NFD", text)], [[text]]).value < 1
