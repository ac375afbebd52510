"""A corpus explained: the score of `corpus_bleu`, sums that are the sums of the segments, effects recomputed by leaving out."""

import json
import math
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_explain import NASTY, TEXT, balanced, code_elements, columns, well_formed

from bleu_lit.blocks import visible
from bleu_lit.core import BleuInputError, FlatReferencesError, StatisticsError, TransposedReferencesError
from bleu_lit.corpus import CorpusDerivation, explain_corpus, ngram_sums
from bleu_lit.explain import explain
from bleu_lit.score import corpus_bleu
from bleu_lit.settings import MTEVAL, NLTK, PAPER, SACREBLEU
from bleu_lit.smoothing import SMOOTHING

TOKENS = st.sampled_from(["a", "b", "c", "the", "<b>", "\u200f", "", 7])
SEGMENT = st.lists(TOKENS, max_size=7)
CHOICES = {
    "smooth": st.sampled_from(list(SMOOTHING)),
    "reference_length": st.sampled_from(["closest", "shortest", "average"]),
    "effective_order": st.booleans(),
    "weights": st.sampled_from([None, [1], [0.5, 0.5], ["1/3", "1/3", "1/3"], [0.2] * 5]),
}
DEMO = files("bleu_lit") / "data" / "demo"


def demo(name):
    return (DEMO / f"{name}.txt").read_text(encoding="utf-8").splitlines()


REFERENCES = [[a, b] for a, b in zip(demo("ref_a"), demo("ref_b"), strict=True)]


def check(found, candidates, references, preset, changes):
    """What must hold of every derivation of a corpus."""
    score = corpus_bleu(candidates, references, preset, **changes)
    assert (found.value, found.exact, found.signature, found.notes) == (score.value, score.exact, score.signature, score.notes)
    assert found.stats == score.stats and found.segments == len(candidates)
    assert tuple(map(sum, zip(*found.rows, strict=True))) == found.stats.row
    # the segments, explained one by one in the plain way, add up to the same sums
    single = [found.segment(i) for i in range(found.segments)]
    assert [d.stats.row for d in single] == list(found.rows)
    for n, order in enumerate(found.orders, 1):
        steps = [d.orders[n - 1] for d in single]
        for name in ("matched", "total", "plain_matched"):
            assert getattr(order, name) == sum(getattr(step, name) for step in steps)
        count, credited, missed = Counter(), Counter(), Counter()
        for step in steps:
            for s in step.ngrams:
                count[s.ngram] += s.count
                credited[s.ngram] += s.credited
                missed[s.ngram] += 0 if s.bound else s.count
        assert order.distinct == len(count) and order.losing == sum(count[g] > credited[g] for g in count)
        for s in order.ngrams:
            assert (s.count, s.credited, s.missed) == (count[s.ngram], credited[s.ngram], missed[s.ngram])
            assert s.segments == sum(any(s.ngram == other.ngram for other in step.ngrams) for step in steps)
        lost = [s.lost for s in order.ngrams]
        assert lost == sorted(lost, reverse=True) and len(lost) == (order.distinct if found.ngrams_kept is None else min(order.distinct, found.ngrams_kept))
    # the logarithm is the sum of its parts
    if found.value:
        assert sum(map(Fraction, (*found.logs.orders, found.logs.brevity))) == Fraction(found.logs.total)
        assert math.isclose(math.exp(found.logs.total), found.value, rel_tol=1e-14)
    # effects, by scoring the corpus without each segment
    assert len(found.effects) == (len(candidates) if len(candidates) > 1 else 0)
    for effect in found.effects:
        i = effect.index
        rest = corpus_bleu(candidates[:i] + candidates[i + 1 :], references[:i] + references[i + 1 :], preset, **changes).value
        assert effect.without == rest and effect.difference == found.value - rest
        assert (effect.parts is None) == (not rest or not found.value)
        if effect.parts:
            assert sum(map(Fraction, (*effect.parts.orders, effect.parts.brevity))) == Fraction(effect.log)
            assert math.isclose(effect.log, math.log(found.value) - math.log(rest), abs_tol=1e-12)
    assert found.unit == ("log" if all(effect.parts for effect in found.effects) else "score")
    gain = {e.index: e.log if found.unit == "log" else e.difference for e in found.effects}
    assert [gain[e.index] for e in found.lifting()] == sorted((g for g in gain.values() if g > 0), reverse=True)
    assert [gain[e.index] for e in found.lowering()] == sorted(g for g in gain.values() if g < 0)
    # every form, and back
    again = CorpusDerivation.from_json(found.to_json())
    assert again == found and again.to_json() == found.to_json()
    for width in (50, 100):
        lines = found.text(width, full=True).split("\n")
        assert all(columns(line) <= width for line in lines if line != visible(found.signature, " "))
        assert all(line.isprintable() for line in lines)
    well_formed(found.html(full=True))
    balanced(found.latex(full=True))
    assert all(line.isprintable() for line in found.markdown(full=True).split("\n"))


@settings(max_examples=40)
@given(st.lists(st.tuples(SEGMENT, st.lists(SEGMENT, min_size=1, max_size=2)), min_size=1, max_size=4), st.fixed_dictionaries({}, optional=CHOICES))
def test_tokens_agree_with_the_score(pairs, changes):
    candidates, references = [c for c, _ in pairs], [list(group) for _, group in pairs]
    check(explain_corpus(candidates, references, ngrams=None, **changes), candidates, references, None, changes)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=3, max_size=4),
    st.sampled_from([None, SACREBLEU, PAPER, NLTK, MTEVAL, "paper"]),
    st.fixed_dictionaries({}, optional=CHOICES),
    st.sampled_from([None, 0, 2]),
)
def test_text_agrees_with_the_score(triples, preset, changes, kept):
    candidates, references = [c for c, *_ in triples], [list(group) for _, *group in triples]
    check(explain_corpus(candidates, references, preset, ngrams=kept, **changes), candidates, references, preset, changes)


# ---- The demonstration corpus


def test_demo_line_by_line():
    lines = [line.strip() for line in explain_corpus(demo("system_b"), REFERENCES).text(120).splitlines()]
    expected = [
        "corpus BLEU = 23.27 %",
        "1 Normalise: 30 segments, 393 tokens in the candidates (tokenizer 13a)",
        "order 1: 393 n-grams, 240 distinct",
        "order 1: 297 of 393 credited",
        "29        24        4       1        18  the",
        "p_1 = 297/393 ≈ 0.7557   (plain 313/393)",
        "p_4 = 26/303 ≈ 0.0858   (plain 26/303)",
        "segments: 10 shorter than its reference length, 14 as long, 6 longer",
        "c = 393, r = 405",
        "BP = exp(1 - r/c) = exp(1 - 405/393) = exp(-4/131) ≈ 0.9699, since c < r (393 < 405)",
        "297/393  -0.280077  1/4     -0.070020  order 1",
        "-0.030534  brevity: ln BP",
        "-1.458074  sum: ln BLEU",
        "BLEU = exp(-1.458074) ≈ 0.2327",
        "BLEU = BP · G = exp(-4/131) · (17836/5385017)^(1/4) ≈ 0.2327",
        "7 Segments: what each does to the score: ln BLEU of all, less ln BLEU without it",
        "11 segments lift the score; the 5 that do so most",
        "19 segments lower the score; the 5 that do so most",
    ]
    places = [lines.index(line) for line in expected]
    assert places == sorted(places)


def test_printed_effects_add_up():
    found = explain_corpus(demo("system_b"), REFERENCES)
    rows = [line.split() for line in found.text(200).splitlines() if re.match(r" +\d+  \d+/\d+ .* [+-]0\.\d{4}  ", line)]
    assert len(rows) == 10
    for row in rows:
        total, *parts = map(Decimal, row[5:11])
        assert sum(parts) == total
        assert int(row[0]) - 1 in range(30)


def test_exact_split_is_that_of_the_definition():
    # an independent computation: logarithms of the counts themselves
    found = explain_corpus(demo("system_a"), REFERENCES)
    for n in range(4):
        assert math.isclose(found.logs.orders[n], math.log(found.score.matched[n] / found.score.total[n]) / 4, rel_tol=1e-13)
    assert found.logs.brevity == 0 and found.brevity_penalty == 1.0


# ---- Zeros, single segments, absent references


def test_zero_has_its_reason():
    found = explain_corpus(["x y", "z"], [["a b"], ["c"]])
    assert found.value == 0.0 and not found.logs.finite
    assert found.notes[0].startswith("the score is 0 because") and found.notes[0] in found.text(200)
    assert found.unit == "score" and found.lifting() == found.lowering() == ()
    assert "none changes it: without any one of them the score is the same" in found.text(100)


def test_score_that_rests_on_one_segment():
    found = explain_corpus(["a b c d", "a b x"], [["a b c d"], ["a b y"]], smooth="none")
    assert found.unit == "score" and found.effects[0].without == 0.0 and found.effects[0].parts is None
    assert [effect.index for effect in found.lifting()] == [0] and [effect.index for effect in found.lowering()] == [1]
    assert "in percentage points" in found.text(200)


def test_one_segment_has_no_effect():
    found = explain_corpus(["a b c d e"], [["a b c d f"]])
    assert found.effects == () and found.unit == "log" and "7 Segments" not in found.text(100)
    assert found.value == explain("a b c d e", ["a b c d f"], SACREBLEU).value


def test_empty_candidates():
    found = explain_corpus(["", ""], [["a"], ["b c"]])
    assert found.value == 0.0 and found.brevity_exponent is None
    assert "BP = 0, since the candidate is empty" in found.text(100)
    assert explain_corpus([""], [[""]]).brevity_exponent == 0


def test_absent_references():
    found = explain_corpus(["a b", "c"], [[None, "a b"], ["c", ""]], blank_references="absent")
    assert found.references == ((None, "a b"), ("c", ""))
    assert found.segment(0).positions == (1,) and found.value == corpus_bleu(["a b", "c"], [["a b"], ["c"]]).value
    assert CorpusDerivation.from_json(found.to_json()) == found


def test_generators():
    lists = explain_corpus(["a b", "c d"], [["a b"], ["c"]])
    assert explain_corpus(iter(["a b", "c d"]), (iter(group) for group in [["a b"], ["c"]])) == lists
    assert explain_corpus(("a b", "c d"), (("a b",), ("c",))) == lists


def test_bad_input():
    with pytest.raises(FlatReferencesError):
        explain_corpus(["a", "b"], ["a", "b"])
    with pytest.raises(TransposedReferencesError):
        explain_corpus(["a", "b", "c"], [["a", "b", "c"], ["a", "b", "c"]])
    for candidates, references in ([], []), (["a"], []), (["a"], [[]]), ("a", ["a"]), ([None], [["a"]]):
        with pytest.raises(BleuInputError):
            explain_corpus(candidates, references)


def test_it_is_a_value():
    one, other = (explain_corpus(["a b", "c d"], [["a b"], ["c"]]) for _ in range(2))
    assert one == other and "\n" not in repr(one)
    assert one.effects and one == other, "what is kept for later does not count"
    with pytest.raises(AttributeError):
        one.rows = ()
    assert str(one) == one.text() and one._repr_markdown_() == one.markdown()


# ---- There and back


def test_tokenizers_have_to_be_given():
    def words(text):
        return text.split()

    found = explain_corpus(["a b", "c d"], [["a b"], ["c"]], tokenize=words)
    assert CorpusDerivation.from_json(found.to_json(), [words]) == found
    with pytest.raises(StatisticsError, match="tokenizers="):
        CorpusDerivation.from_json(found.to_json())


def test_data_that_were_changed_are_refused():
    good = explain_corpus(["a b c x", "c d"], [["a b c y"], ["c"]]).to_dict()
    assert json.loads(json.dumps(good)) == good
    for change in (
        {"value": 0.1},
        {"rows": good["rows"][::-1]},
        {"candidates": ["a b c x", "c"]},
        {"kind": "sentence"},
        {"effects": []},
        {"signature": good["signature"].replace("exp", "none")},
    ):
        with pytest.raises(StatisticsError, match="follow from the segments"):
            CorpusDerivation.from_dict(good | change)
    for bad in ({}, [], None, good | {"candidates": 1}, good | {"references": [1]}, good | {"candidates": []}):
        with pytest.raises(BleuInputError):
            CorpusDerivation.from_dict(bad)


def test_remarks_come_back():
    found = explain_corpus([["a", "b"]], [[["a", "c"]]], MTEVAL)
    assert any("did not apply" in note for note in found.notes)
    assert CorpusDerivation.from_json(found.to_json()) == found


# ---- Tokens that would break a page


@pytest.mark.parametrize("name", NASTY)
def test_no_token_breaks_a_form(name):
    token = NASTY[name]
    found = explain_corpus([[token, "a", token], ["b"]], [[[token, "b"]], [["b"]]], max_order=2)
    assert all(line.isprintable() for line in found.text(100).split("\n"))
    reader = well_formed(found.html())
    assert visible(token) in "".join(reader.text)
    balanced(found.latex())
    assert visible(token) in code_elements(found.markdown())
    text = f"one {token} two"
    plain = explain_corpus([text, "b"], [[text], ["b"]], tokenize="none")
    well_formed(plain.html())
    balanced(plain.latex())


def test_long_candidates_are_cut_and_say_so():
    found = explain_corpus(["word " * 50, "a"], [["word " * 49], ["a"]])
    assert "…" in found.text(200)
    assert len(found.candidates[0]) == 250


def test_sums_of_one_ngram():
    (the,) = [s for s in ngram_sums([("the", "the"), ("the",)], [[("the",)], [("a",)]], 1) if s.ngram == ("the",)]
    assert (the.credited, the.clipped, the.missed, the.segments, the.count, the.lost) == (1, 1, 1, 2, 3, 2)
