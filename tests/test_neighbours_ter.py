"""TER against sacreBLEU: published figures, real translations, any words, and what any edit rate must obey."""

import random
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fuzz import fuzz_lines
from shared import evaluation_sets, lines, needs_data

from bleu_lit.core import from_streams
from bleu_lit.metric import summed
from bleu_lit.ter import Ter, edit_costs, edit_path, moved, ter_edits, tercom_tokenizer

WORDS = st.lists(st.sampled_from("abcde"), max_size=14)


@pytest.mark.parametrize(
    ("candidate", "reference", "edits", "words"),
    [  # sacreBLEU's own tests, and the example of Snover et al. (2006)
        ("aaaa bbbb cccc dddd", "aaaa bbbb cccc dddd", 0, 4),
        ("dddd eeee ffff", "aaaa bbbb cccc", 3, 3),
        ("", "a", 1, 1),
        ("d e f g h a b c", "a b c d e f g h", 1, 8),
        (
            "THIS WEEK THE SAUDIS denied information published in the new york times",
            "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times",
            *(4, 13),
        ),
    ],
)
@pytest.mark.parametrize("by", ["plain", "sacrebleu"])
def test_published_figures(candidate, reference, edits, words, by):
    # claim: 002-31
    if by == "sacrebleu":
        pytest.importorskip("sacrebleu")
    assert Ter(by=by).score([candidate], [[reference]]).rows == ((edits, words),)


@needs_data
@pytest.mark.parametrize("data", evaluation_sets(), ids=lambda data: data.name)
def test_real_translations_as_sacrebleu(data):
    metrics = pytest.importorskip("sacrebleu.metrics")
    candidates, streams = lines(next(iter(data.systems.values()))), [lines(path) for path in data.references[:2]]
    short = [i for i, text in enumerate(candidates) if len(text.split()) <= 40][:25]
    candidates, streams = [candidates[i] for i in short], [[stream[i] for i in short] for stream in streams]
    plain, searched = (Ter(by=by).score(candidates, from_streams(*streams)) for by in ("plain", "sacrebleu"))
    assert plain == searched and plain.rows == searched.rows
    assert abs(metrics.TER().corpus_score(candidates, streams).score - plain.reported) < 1e-9


@settings(max_examples=150, deadline=None)
@given(WORDS, WORDS)
def test_any_words_as_sacrebleu(candidate, reference):
    library = pytest.importorskip("sacrebleu.metrics.lib_ter")
    assert ter_edits(candidate, reference).edits == library.translation_edit_rate(candidate, reference)[0]


@pytest.mark.parametrize(("length", "other", "vocabulary"), [(90, 70, 60), (45, 45, 4), (120, 10, 8), (10, 120, 8), (3, 200, 5)])
def test_long_and_lopsided_pairs_as_sacrebleu(length, other, vocabulary):
    """Beyond the beam, beyond the longest way of a move, and beyond the 1000 moves that are tried."""
    library = pytest.importorskip("sacrebleu.metrics.lib_ter")
    draw = random.Random(length * other)
    candidate, reference = ([draw.randrange(vocabulary) for _ in range(size)] for size in (length, other))
    assert ter_edits(candidate, reference).edits == library.translation_edit_rate(candidate, reference)[0]


def test_wild_text_as_sacrebleu():
    metrics = pytest.importorskip("sacrebleu.metrics")
    texts = list(fuzz_lines(7, 100))
    turned = [*texts[1:], texts[0]]
    theirs = metrics.TER().corpus_score(texts, [turned]).score
    assert abs(Ter().score(texts, [[text] for text in turned]).reported - theirs) < 1e-9


@pytest.mark.parametrize("choices", [{"normalized": True}, {"no_punct": True, "normalized": False}, {"asian_support": True}], ids=str)
def test_tercoms_tokenizer_as_sacrebleu(choices):
    metrics = pytest.importorskip("sacrebleu.metrics")
    texts = ["The cat, it's said, sat on Mr. Mat's 3.5-m mat (\"old\").", "猫坐在垫子上。 ok!"]
    references = ["A cat, it was said, sat on the 3.5 m mat!", "猫躺在垫子上。 OK"]
    theirs = metrics.TER(**{"normalized": True} | choices).corpus_score(texts, [references]).score
    score = Ter(tokenize=tercom_tokenizer(**choices)).score(texts, [[text] for text in references])
    assert abs(score.reported - theirs) < 1e-9 and "tercom" in score.signature


TERCOM = [{}, {"asian_support": True}, {"no_punct": True}, {"no_punct": True, "asian_support": True}, {"normalized": False, "no_punct": True}]


@pytest.mark.parametrize("choices", TERCOM, ids=str)
def test_references_are_cut_twice_by_tercoms_rule_as_sacrebleu_does(choices):
    metrics = pytest.importorskip("sacrebleu.metrics")
    draw = random.Random(20)
    texts = ["".join(draw.choices(",.-'s &;!猫。2a\"", k=draw.randint(1, 12))) for _ in range(150)] + ["&amp;quot; x", ",,2", "it's's", "2--3"]
    turned = [*texts[1:], texts[0]]
    theirs, ours = metrics.TER(**{"normalized": True} | choices), Ter(tokenize=tercom_tokenizer(**choices))
    rows = ours.score(texts, [list(group) for group in zip(texts, turned, strict=True)]).rows
    expected = [theirs.sentence_score(text, list(group)) for text, *group in zip(texts, texts, turned, strict=True)]
    assert [tuple(row) for row in rows] == [(found.num_edits, found.ref_length) for found in expected]
    searched = Ter(tokenize=tercom_tokenizer(**choices), by="sacrebleu").score(texts, [list(group) for group in zip(texts, turned, strict=True)])
    assert searched.rows == rows


@needs_data
def test_a_real_set_with_tercoms_rule_as_sacrebleu():
    metrics = pytest.importorskip("sacrebleu.metrics")
    data = next(data for data in evaluation_sets() if data.name == "wmt21_hibn")
    candidates, references = lines(data.folder / "hyp.GTCOM.txt"), lines(data.references[0])
    cut = tercom_tokenizer()
    chosen = [i for i, text in enumerate(references) if cut(" ".join(cut(text))) != cut(text) or i % 40 == 0]
    assert 226 in chosen
    candidates, references = [candidates[i] for i in chosen], [references[i] for i in chosen]
    theirs, ours = metrics.TER(normalized=True), Ter(tokenize=cut).score(candidates, [[text] for text in references])
    assert abs(ours.reported - theirs.corpus_score(candidates, [references]).score) < 1e-9
    assert f"{100 * ours.segment_values[chosen.index(226)]:.2f}" == "55.88"  # sacreBLEU 2.6.0 of that segment
    assert (
        abs(theirs.sentence_score(candidates[chosen.index(226)], [references[chosen.index(226)]]).score - 100 * ours.segment_values[chosen.index(226)]) < 1e-9
    )


@given(WORDS, WORDS)
def test_edits_lie_between_their_bounds(candidate, reference):
    edits, distance = ter_edits(candidate, reference), edit_path(candidate, reference).distance
    assert abs(len(candidate) - len(reference)) <= edits.edits <= distance <= max(len(candidate), len(reference))
    assert edits.insertions - edits.deletions == len(reference) - len(candidate)
    assert (edits.edits == 0) == (candidate == reference)


def test_the_table_is_the_edit_distance():
    """Against the definition by recursion, for all words of up to four letters of two."""

    def distance(one, other):
        if not one or not other:
            return len(one) + len(other)
        return min(distance(one[1:], other[1:]) + (one[0] != other[0]), distance(one[1:], other) + 1, distance(one, other[1:]) + 1)

    texts = ["".join(letters) for size in range(5) for letters in product("ab", repeat=size)]
    for one in texts:
        for other in texts[::3]:
            assert edit_costs(one, other)[-1][-1] == distance(one, other) == edit_path(one, other).distance


@given(st.lists(st.integers(), min_size=1, max_size=8), st.data())
def test_a_move_keeps_every_word(words, data):
    start = data.draw(st.integers(0, len(words) - 1))
    length = data.draw(st.integers(1, len(words) - start))
    target = data.draw(st.integers(0, len(words)))
    after = moved(words, start, length, target)
    assert sorted(after) == sorted(words) and len(after) == len(words)


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=3))
def test_rows_add_and_references_have_no_order(pairs):
    candidates, references = [ours for ours, _ in pairs], [group for _, group in pairs]
    score = Ter().score(candidates, references)
    assert score.value == Ter().value_of(summed(score.rows))
    assert score.rows == Ter().score(candidates, [group[::-1] for group in references]).rows
