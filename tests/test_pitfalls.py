"""Faults that other BLEU programs were seen to have, each as a test, and its whole kind with it.

`pitfall("sb-275")` marks the test of the case with that id in the list of known pitfalls; the inputs stand here, so nothing else is needed to run them.
Beside each case stand variations and properties of its kind: the one input is an accident, the rule is what must hold.
"""

import json
import math
import subprocess
import sys
import unicodedata
from collections import Counter
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import ClassVar
from unittest import mock

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from shared import SHARED

from bleu_lit.bleu import BleuStats, as_fraction, check_weights
from bleu_lit.brevity import brevity_exponent, brevity_penalty, reference_length
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    FlatReferencesError,
    LengthMismatchError,
    MissingReferenceError,
    MixedSegmentsError,
    SmoothingValueError,
    StringForListError,
    TransposedReferencesError,
    UnknownNameError,
    WeightsError,
    from_streams,
)
from bleu_lit.score import bleu_orders, corpus_bleu, corpus_stats, mean_sentence_bleu, score_from_stats, segment_stats, sentence_bleu
from bleu_lit.settings import MTEVAL, NLTK, PAPER, PRESETS, SACREBLEU, Settings
from bleu_lit.smoothing import SMOOTHING, smoothed_precisions
from bleu_lit.tokens import tokenize

COVERED: list[str] = []
PLAIN = PAPER.replace(lowercase=False)  # white space, case kept, nothing smoothed


def pitfall(*cases: str):
    """Mark the test of these cases; the id stands in the test's name."""
    COVERED.extend(cases)
    return pytest.mark.parametrize("case", cases)


WORDS = st.sampled_from("a b c d e the cat".split())
LINE = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
ANY_LINE = st.lists(WORDS, min_size=0, max_size=9).map(" ".join)
GROUP = st.lists(ANY_LINE, min_size=1, max_size=3)
CORPUS = st.lists(st.tuples(ANY_LINE, GROUP), min_size=1, max_size=5).map(lambda pairs: ([c for c, _ in pairs], [list(g) for _, g in pairs]))
METHODS = tuple(SMOOTHING)


# ---- The layout of references

DOG = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
DOG_REFERENCES = ["The dog bit the man.", "It was not unexpected.", "The man bit him first."]


@pitfall("sb-275")
def test_references_are_read_by_segment(case):
    score = corpus_bleu(DOG, [[reference] for reference in DOG_REFERENCES])
    assert round(score.percent, 2) == 45.07
    assert (score.candidate_length, score.reference_length) == (17, 17)
    assert corpus_bleu(DOG, from_streams(DOG_REFERENCES)) == score
    with pytest.raises(TransposedReferencesError, match="from_streams"):
        corpus_bleu(DOG, [DOG_REFERENCES])
    assert corpus_bleu(DOG, [[text] for text in DOG]).percent == 100.0


@given(st.lists(LINE, min_size=2, max_size=6), st.integers(1, 7))
def test_streams_are_refused_or_said_aloud(lines, annotators):
    streams = [lines] * annotators
    if annotators == len(lines):
        assert any("either way" in note for note in corpus_bleu(lines, streams).notes)
    else:
        with pytest.raises(TransposedReferencesError, match=rf"expected {len(lines)} lists .* got {annotators} of length {len(lines)}"):
            corpus_bleu(lines, streams)
    right = corpus_bleu(lines, from_streams(*streams))
    assert right == corpus_bleu(lines, [[line] * annotators for line in lines])
    assert right.matched == right.total


@given(CORPUS, st.sampled_from(list(PRESETS.values())))
def test_no_score_leaves_its_range(corpus, preset):
    score = corpus_bleu(*corpus, preset)
    assert 0.0 <= score.value <= 1.0
    assert 0.0 <= score.percent <= 100.0


@pitfall("ragas-2888")
def test_one_response_and_one_reference(case):
    response, reference = "The cat sat on the mat. Dogs barked.", "The cat sat on the mat. It was a sunny day."
    assert round(corpus_bleu([response], [[reference]]).percent, 2) == 48.94
    halves = ["The cat sat on the mat.", "Dogs barked."], [["The cat sat on the mat."], ["It was a sunny day."]]
    assert corpus_bleu(*halves).value < 1.0
    with pytest.raises(TransposedReferencesError):
        corpus_bleu(halves[0], [[halves[1][0][0], halves[1][1][0]]])


@pitfall("sb-272")
def test_flat_references_are_refused(case):
    lines = ["a b c d", "e f g h"]
    assert corpus_bleu(lines, [[line] for line in lines]).percent == 100.0
    with pytest.raises(FlatReferencesError, match=r"\[\[r\] for r in references\]"):
        corpus_bleu(lines, lines)


@pytest.mark.parametrize("score", [corpus_bleu, mean_sentence_bleu, corpus_stats, segment_stats, bleu_orders])
def test_a_text_is_never_taken_for_a_list(score):
    with pytest.raises(FlatReferencesError):
        score(["a b c d", "e f g h"], ["a b c d", "e f g h"])
    with pytest.raises(StringForListError):
        score("a b c d", [["a b c d"]])
    with pytest.raises(StringForListError):
        score(["a b c d"], "a b c d")
    with pytest.raises(BleuInputError):
        score(["a b c d"], [b"a b c d"])


@pitfall("sb-98")
def test_a_reference_that_is_a_text_is_refused(case):
    candidate = "Produc\u021bia de zah\u0103r prim\u0103 va fi exprimat\u0103 \u00een ceea ce prive\u0219te zah\u0103rul alb;"
    reference = "produc\u0163ia de zah\u0103r brut se exprim\u0103 \u00een zah\u0103r alb;"
    with pytest.raises(StringForListError, match=r"\[reference\]"):
        sentence_bleu(candidate, reference)
    assert round(sentence_bleu(candidate, [reference]).percent, 3) == 8.493
    for form in (None, "NFC", "NFKC"):  # a cedilla and a comma below are two letters in every normal form
        assert sentence_bleu("produc\u021bia", ["produc\u0163ia"], normalize=form).value == 0.0


@pitfall("nltk-1285")
def test_tokens_need_a_list_of_references(case):
    tokens = "it is a guide to action".split()
    assert sentence_bleu(tokens, [tokens]).value == 1.0
    with pytest.raises(BleuInputError):
        sentence_bleu(tokens, tokens)


@pitfall("cs224n-strings")
def test_texts_are_words_and_not_characters(case):
    candidate, references = "the love can always do", ["love can always find a way", "love makes anything possible"]
    expected = math.sqrt(3 / 5 * 2 / 4)
    assert math.isclose(sentence_bleu(candidate, references, NLTK, weights=[0.5, 0.5]).value, expected, rel_tol=1e-15)
    assert (
        sentence_bleu(candidate.split(), [text.split() for text in references], NLTK, weights=[0.5, 0.5]).value
        == sentence_bleu(candidate, references, NLTK, weights=[0.5, 0.5]).value
    )
    with pytest.raises(MixedSegmentsError):
        sentence_bleu(candidate.split(), references)
    with pytest.raises(MixedSegmentsError):
        sentence_bleu(candidate, [text.split() for text in references])


@pitfall("nltk-nref0")
def test_no_reference_at_all_is_named(case):
    with pytest.raises(MissingReferenceError, match=r"references\[0\]"):
        sentence_bleu(["a"], [])
    with pytest.raises(MissingReferenceError, match=r"references\[1\]"):
        corpus_bleu(["a", "b"], [["a"], []])
    with pytest.raises(MissingReferenceError, match=r"references\[1\]"):
        corpus_bleu(["a", "b"], [["a"], [None, None]])
    with pytest.raises(MissingReferenceError):
        reference_length(3, [])


@pitfall("sb-147")
def test_swapped_files_show_in_the_lengths(case):
    candidates, references = ["今天天气很好，我们去公园。", "他说了什么？"], ["今天天气真好，我们一起去公园散步。", "他说什么？"]
    right = corpus_bleu(candidates, [[text] for text in references], tokenize="zh")
    swapped = corpus_bleu(references, [[text] for text in candidates], tokenize="zh")
    assert (right.candidate_length, right.reference_length) == (swapped.reference_length, swapped.candidate_length)
    assert right.matched == swapped.matched
    for score in (right, swapped):
        assert f"c = {score.candidate_length} r = {score.reference_length}" in str(score)
        assert "tok:zh" in score.signature
        assert score.to_dict()["candidate_length"] == score.candidate_length


# ---- Numbers of lines


@pitfall("sb-160")
def test_unequal_lengths_are_refused_with_both_counts(case):
    with pytest.raises(LengthMismatchError, match="2 candidates and 1 lists"):
        corpus_bleu(["a b c d", "e f g h"], [["a b c d"]])


@given(st.lists(LINE, min_size=1, max_size=6), st.lists(LINE, min_size=1, max_size=6))
def test_nothing_is_cut_to_fit(candidates, references):
    assume(len(candidates) != len(references))
    groups = [[reference] for reference in references]
    for score in (corpus_bleu, mean_sentence_bleu, corpus_stats, segment_stats, bleu_orders):
        with pytest.raises(BleuInputError) as raised:
            score(candidates, groups)
        assert str(len(candidates)) in str(raised.value)
        assert str(len(references)) in str(raised.value)
    with pytest.raises(LengthMismatchError, match=f"{len(candidates)}, {len(references)}"):
        from_streams(candidates, references)


@pitfall("sb-emptylist")
def test_an_empty_corpus_is_named(case):
    for references in ([], [[]], [["a"]]):
        for score in (corpus_bleu, mean_sentence_bleu, corpus_stats, segment_stats, bleu_orders):
            with pytest.raises(EmptyCorpusError, match="at least one segment"):
                score([], references)
    with pytest.raises(EmptyCorpusError):
        corpus_bleu(iter(()), iter(()))


@pitfall("sb-None")
def test_none_is_absent_and_the_empty_text_is_empty(case):
    streams = ["a b c d", "e f g h"], ["a b c x", None]
    score = corpus_bleu(["a b c d", "e f g h"], from_streams(*streams))
    assert score.percent == 100.0
    assert "nrefs:var" in score.signature
    assert corpus_bleu(["a b"], [[None, "a b c d"]]).reference_length == 4
    assert corpus_bleu(["a b"], [["", "a b c d"]]).reference_length == 0


@given(CORPUS)
def test_absent_references_change_nothing_and_empty_ones_only_the_length(corpus):
    candidates, references = corpus
    plain = corpus_stats(candidates, references)
    assert corpus_stats(candidates, [[None, *group, None] for group in references]) == plain
    with_empty = corpus_stats(candidates, [["", *group] for group in references])
    assert (with_empty.matched, with_empty.total, with_empty.candidate_length) == (plain.matched, plain.total, plain.candidate_length)
    assert with_empty.reference_length <= plain.reference_length


# ---- Empty texts


@pitfall("sb-132")
def test_empty_candidates_are_segments(case):
    streams = DOG_REFERENCES, ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."]
    score = corpus_bleu(["", "", ""], from_streams(*streams))
    assert score.value == 0.0
    assert score.candidate_length == 0
    assert score.reference_length > 0
    assert score.brevity_penalty == 0.0
    assert "empty" in score.notes[0]


@pitfall("sltev-4")
def test_an_empty_candidate_adds_nothing_but_its_references_length(case):
    candidates = ["It is a guide to action which ensures that the military always".split(), []]
    references = [["It is a guide to action that ensures that the military will".split()], ["forever heed Party commands".split()]]
    score = corpus_bleu(candidates, references, NLTK)
    assert (score.matched, score.total) == ((10, 8, 6, 4), (12, 11, 10, 9))
    assert (score.candidate_length, score.reference_length) == (12, 16)
    assert math.isclose(score.brevity_penalty, 0.7165313105737893, rel_tol=1e-14)
    assert round(score.value, 6) == 0.454314


@pitfall("nmt-483", "formfeed")
def test_a_reference_without_tokens_does_not_crash(case):
    for blank in ("\f", "", " ", "\t \f", "\u2028", "\x85"):
        for tokenizer in ("none", "13a", "intl", "zh", "char"):
            score = corpus_bleu(["hello"], [[blank]], tokenize=tokenizer)
            assert (score.value, score.reference_length, score.brevity_penalty) == (0.0, 0, 1.0), (blank, tokenizer)


@given(
    st.sampled_from(METHODS),
    st.booleans(),
    st.sampled_from(["closest", "shortest", "average"]),
    st.sampled_from(["", "  ", "\f", "a b c"]),
    st.sampled_from(["", "\f", "a"]),
)
def test_empty_sides_never_crash(method, effective, rule, candidate, reference):
    score = corpus_bleu([candidate], [[reference]], smooth=method, effective_order=effective, reference_length=rule)
    if not candidate.strip() or not reference.strip():
        assert score.value == 0.0
        assert score.notes
    assert mean_sentence_bleu([candidate], [[reference]], smooth=method, effective_order=effective).value <= 1.0


# ---- Zeros and short sentences


@pitfall("sb-278")
def test_a_zero_says_which_orders_were_absent(case):
    score = corpus_bleu(["Zhongjian Plaza"], [["Zhongjian Plaza"]])
    assert score.value == 0.0
    assert "3, 4" in score.notes[0]
    assert corpus_bleu(["Zhongjian Plaza"], [["Zhongjian Plaza"]], effective_order=True).percent == 100.0
    assert sentence_bleu("Zhongjian Plaza", ["Zhongjian Plaza"]).percent == 100.0
    assert corpus_bleu(["four words or more"], [["four words or more"]]).percent == 100.0


@pitfall("sb-64")
def test_sentence_and_corpus_agree_under_the_same_settings(case):
    assert round(sentence_bleu("a b c x", ["a b c d"]).percent, 2) == 59.46
    assert round(corpus_bleu(["a b c x"], [["a b c d"]]).percent, 2) == 59.46


@given(ANY_LINE, GROUP, st.sampled_from(METHODS), st.booleans())
def test_one_segment_is_a_corpus_of_one(candidate, references, method, effective):
    settings = Settings(smooth=method, effective_order=effective)
    alone, corpus = sentence_bleu(candidate, references, settings), corpus_bleu([candidate], [references], settings)
    assert alone.value == corpus.value == mean_sentence_bleu([candidate], [references], settings).value
    assert alone.signature == corpus.signature


@pitfall("sb-141")
def test_no_matching_token_is_zero_under_every_smoothing(case):
    for method in METHODS:
        for effective in (False, True):
            score = sentence_bleu("this is a cat", ["okay thanks"], smooth=method, effective_order=effective)
            assert score.value == 0.0, method
            assert "none of the 4 tokens" in score.notes[0]


@pitfall("nltk-1838")
def test_an_order_without_match_is_not_dropped(case):
    assert sentence_bleu([5, 6, 8, 1], [[1, 2, 3, 4]], NLTK, weights=[0.5, 0.5]).value == 0.0
    assert sentence_bleu(["5", "6", "8", "1"], [["1", "2", "3", "4"]], NLTK, weights=[0.5, 0.5]).value == 0.0


@pitfall("nltk-tiny")
def test_zero_is_zero(case):
    score = sentence_bleu(["left", "right"], [["left", "right"]], NLTK)
    assert score.value == 0
    assert not score.value
    assert score.exact.is_zero
    assert sentence_bleu(["left", "right"], [["left", "right"]], NLTK, effective_order=True).value == 1.0


@given(CORPUS, st.sampled_from(METHODS))
def test_a_score_is_zero_or_no_tiny_number_and_a_zero_has_a_reason(corpus, method):
    score = corpus_bleu(*corpus, smooth=method)
    assert score.value == 0.0 or score.value > 1e-9
    if score.value == 0.0:
        assert score.notes[0].startswith("the score is 0 because")


@pitfall("nltk-1554")
def test_words_in_another_order(case):
    score = sentence_bleu(["let", "go", "it"], [["let", "it", "go"]], NLTK)
    assert score.value == 0.0
    assert (score.matched, score.total) == ((3, 0, 0, 0), (3, 2, 1, 0))


@pitfall("pytorchnlp-78")
def test_one_right_token_scores_zero_with_a_reason(case):
    score = sentence_bleu(["abc"], [["abc"]], NLTK)
    assert score.value == 0.0
    assert "2, 3, 4" in score.notes[0]


@pitfall("text-727")
def test_no_shared_four_words_is_zero(case):
    candidates, references = [["I", "ate", "the", "apple"], ["I", "did"]], [[["I", "ate", "it"], ["I", "ate", "apples"]], [["I", "did"]]]
    assert corpus_bleu(candidates, references, NLTK).value == 0.0


@pitfall("nltk-2838")
def test_one_token_under_method_4_does_not_crash(case):
    score = sentence_bleu(["too"], [["short", "skirts"], ["too", "expensive"]], NLTK, weights=[1, 0, 0, 0], smooth="length")
    assert math.isclose(score.value, math.exp(-1), rel_tol=1e-15)
    for method in METHODS:
        for length in range(1, 5):
            tokens = ["too", "few", "words", "here"][:length]
            assert 0.0 <= sentence_bleu(tokens, [["too", "expensive"]], smooth=method).value <= 1.0


@pitfall("nltk-1988")
def test_a_smoothing_is_a_name_and_a_wrong_object_is_named(case):
    class SmoothingFunction:
        def method1(self, p_n):
            return p_n

    for wrong in (SmoothingFunction.method1, SmoothingFunction().method1, SmoothingFunction, SmoothingFunction(), len, 1, None, ["floor"]):
        with pytest.raises(UnknownNameError, match="name of a smoothing"):
            sentence_bleu(["hi"], [["hi"]], smooth=wrong)
    with pytest.raises(UnknownNameError, match="'floor'"):
        sentence_bleu(["hi"], [["hi"]], smooth="method1")
    with pytest.raises(UnknownNameError, match="Did you mean 'floor'"):
        sentence_bleu(["hi"], [["hi"]], smooth="flor")
    with pytest.raises(BleuInputError):
        sentence_bleu([["hi"]], ["hi"])
    assert sentence_bleu("hi you", ["hi there"], smooth="floor", smooth_value=0.1).value > 0.0
    with pytest.raises(SmoothingValueError):
        sentence_bleu("hi you", ["hi there"], smooth="exp", smooth_value=0.1)


@pitfall("nltk-2676")
def test_smoothed_precisions_of_a_short_candidate(case):
    score = sentence_bleu(["a", "x"], [["a", "b", "c", "d"]], NLTK, smooth="length")
    assert all(p is None or 0 <= p <= 1 for p in score.smoothed_precisions)
    assert score.value == 0.0  # orders 3 and 4 do not exist


@given(ANY_LINE, GROUP, st.sampled_from(METHODS))
def test_smoothed_precisions_of_a_sentence_are_proportions(candidate, references, method):
    score = sentence_bleu(candidate, references, smooth=method)
    assert all(p is None or 0 <= p <= 1 for p in score.smoothed_precisions), (method, score.smoothed_precisions)
    assert score.value <= 1.0


@pitfall("nltk-method1-short")
def test_absent_orders_are_not_orders_without_a_match(case):
    assert sentence_bleu(["hi"], [["hi"]], NLTK, smooth="floor").value == 0.0
    assert sentence_bleu(["hi"], [["hi"]], NLTK, smooth="floor", effective_order=True).value == 1.0
    assert sentence_bleu("hi", ["hi"], smooth="floor", smooth_value=0.1).smoothed_precisions == (1, None, None, None)


@given(LINE, st.sampled_from(METHODS), st.lists(ANY_LINE, max_size=2))
def test_equal_to_a_reference_is_one_or_zero(line, method, others):
    if method in ("average", "average-length"):  # their formulas change every count, full ones too
        return
    references = [line, *others]
    length = len(line.split())
    score = sentence_bleu(line, references, smooth=method)
    assert score.value == 1.0, score
    strict = sentence_bleu(line, references, SACREBLEU, smooth=method)
    filled = method in ("add-k", "add-one-all")  # one n-gram more, and right, also where there is none
    assert strict.value == (1.0 if length >= 4 or filled else 0.0)


@pitfall("nltk-2489")
def test_add_k_leaves_the_unigrams(case):
    stats = BleuStats(18, 16, (11, 8, 6, 4), (18, 17, 16, 15))
    assert smoothed_precisions(stats, "add-k", 1) == (Fraction(11, 18), Fraction(9, 18), Fraction(7, 17), Fraction(5, 16))
    assert smoothed_precisions(stats, "add-one-all") == (Fraction(12, 19), Fraction(9, 18), Fraction(7, 17), Fraction(5, 16))
    assert "Lin" not in SMOOTHING["add-k"].meaning or "Och" in SMOOTHING["add-k"].meaning


@pitfall("nltk-2083")
def test_length_smoothing_takes_the_length_of_the_corpus(case):
    candidates, references = ["a b x", "c d e f g y h i j"], [["a b c"], ["c d e z g h u v w"]]
    score = corpus_bleu(candidates, references, NLTK, smooth="length")
    assert score.candidate_length == 12
    zero = next(n for n, m in enumerate(score.matched) if m == 0)
    assert math.isclose(score.smoothed_precisions[zero], math.log(12) / 5 / score.total[zero], rel_tol=1e-14)
    for order in permutations(range(2)):
        assert corpus_bleu([candidates[i] for i in order], [references[i] for i in order], NLTK, smooth="length").value == score.value


@given(CORPUS, st.sampled_from(METHODS), st.randoms(use_true_random=False))
def test_the_order_of_segments_and_references_never_matters(corpus, method, random):
    pairs = list(zip(*corpus, strict=True))
    shuffled = [(candidate, random.sample(group, len(group))) for candidate, group in random.sample(pairs, len(pairs))]
    before = corpus_bleu(*corpus, smooth=method)
    after = corpus_bleu([c for c, _ in shuffled], [g for _, g in shuffled], smooth=method)
    assert before.stats == after.stats
    assert before.value == after.value


@pitfall("tm-3504-smooth")
def test_smoothing_applies_where_it_is_needed(case):
    score = sentence_bleu("a x b y", ["a b"], smooth="add-k", max_order=2)
    assert math.isclose(score.value, math.sqrt(2 / 4 * (0 + 1) / (3 + 1)), rel_tol=1e-15)
    for method in set(METHODS) - {"none", "interpolate"}:  # interpolation starts at order 3
        assert sentence_bleu("a x b y", ["a b"], smooth=method, max_order=2).value > 0.0, method


@pitfall("sb-mutate")
def test_what_is_passed_in_stays_as_it_is(case):
    matched, total = [4, 2, 1, 0], [6, 5, 4, 3]
    score = score_from_stats(BleuStats(6, 8, matched, total), Settings(smooth="add-k", smooth_value=1))
    assert score.value > 0.0
    assert (matched, total) == ([4, 2, 1, 0], [6, 5, 4, 3])
    assert (score.matched, score.total) == ((4, 2, 1, 0), (6, 5, 4, 3))
    assert score.precisions == (Fraction(4, 6), Fraction(2, 5), Fraction(1, 4), 0)
    assert score.smoothed_precisions == (Fraction(4, 6), Fraction(3, 6), Fraction(2, 5), Fraction(1, 4))


@given(CORPUS, st.sampled_from(METHODS))
def test_scoring_twice_gives_the_same_and_changes_no_list(corpus, method):
    candidates, references = corpus
    copies = list(candidates), [list(group) for group in references]
    first, second = corpus_bleu(candidates, references, smooth=method), corpus_bleu(candidates, references, smooth=method)
    assert (candidates, references) == copies
    assert (first.value, first.stats, first.notes) == (second.value, second.stats, second.notes)


# ---- Lengths and the penalty


@pitfall("cs224n-solutions")
def test_the_closest_reference_by_hand(case):
    references = ["resources have to be sufficient and they have to be predictable".split(), "adequate and predictable resources are required".split()]
    one = sentence_bleu("there is a need for adequate and predictable resources".split(), references, NLTK, weights=[0.5, 0.5])
    assert one.reference_length == 11
    assert round(one.brevity_penalty, 4) == 0.8007
    assert round(one.value, 3) == 0.327
    two = sentence_bleu("resources be sufficient and predictable to".split(), references, NLTK, weights=[0.5, 0.5])
    assert two.precisions == (1, Fraction(3, 5))
    assert round(two.value, 3) == 0.775


@pitfall("nmt-450")
def test_a_short_reference_does_not_switch_the_penalty_off(case):
    candidate, references = ["I", "ate", "an", "apple"], [["Bye"], ["I", "ate", "an", "apple", "here"]]
    score = sentence_bleu(candidate, references, NLTK)
    assert score.reference_length == 5
    assert round(score.value, 4) == 0.7788
    shortest = sentence_bleu(candidate, references, NLTK, reference_length="shortest")
    assert shortest.value == 1.0
    assert "reflen:shortest" in shortest.signature


@pitfall("tm-3504-tie")
def test_a_tie_goes_to_the_shorter(case):
    for references in (["a b c d e", "a b c"], ["a b c", "a b c d e"]):
        assert sentence_bleu("a b c d", references).value == 1.0


@given(st.integers(0, 30), st.lists(st.integers(0, 30), min_size=1, max_size=6))
def test_the_reference_length_is_the_closest_and_then_the_shorter(c, lengths):
    chosen = {reference_length(c, list(order)) for order in list(permutations(lengths))[:24]}
    assert len(chosen) == 1
    best = min(abs(length - c) for length in lengths)
    assert chosen == {min(length for length in lengths if abs(length - c) == best)}


@pitfall("promptfoo-9717")
def test_the_penalty_is_of_r_over_c(case):
    assert round(brevity_penalty(5, 7), 4) == 0.6703
    score = score_from_stats(BleuStats(5, 7, (5, 4, 3, 2), (5, 4, 3, 2)), PLAIN)
    assert round(score.value, 4) == 0.6703


@pitfall("fastai-bp")
def test_the_penalty_is_positive(case):
    assert round(brevity_penalty(6, 7), 4) == 0.8465


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_the_penalty_is_a_factor(c, r):
    penalty = brevity_penalty(c, r)
    assert 0.0 <= penalty <= 1.0
    assert (penalty == 1.0) == (c >= r) or r - c < 1e-9 * c
    assert brevity_exponent(c, r) == min(Fraction(0), 1 - Fraction(r, c))
    if r:
        assert brevity_penalty(c + 1, r) >= penalty >= brevity_penalty(c, r + 1)


# ---- Weights


@pitfall("nltk-2793")
def test_weights_may_be_any_sequence(case):
    numpy = pytest.importorskip("numpy")
    expected = sentence_bleu("a b c d", ["a b x d"], PLAIN, weights=(0.2, 0.8)).value
    for weights in ([0.2, 0.8], numpy.array([0.2, 0.8]), (Fraction(1, 5), Fraction(4, 5)), ["0.2", "0.8"], iter([0.2, 0.8])):
        score = sentence_bleu("a b c d", ["a b x d"], PLAIN, weights=weights)
        assert score.value == expected
        assert score.settings.max_order == 2
    for several in ([[0.5, 0.5], [0.25] * 4], ((1.0,), (0.5, 0.5))):  # several vectors are several scores: ask for each
        with pytest.raises(WeightsError):
            sentence_bleu("a b c d", ["a b x d"], PLAIN, weights=several)
    scores = [sentence_bleu("a b c d", ["a b x d"], PLAIN, weights=weights).value for weights in ((1,), (0.5, 0.5), (0.2, 0.8))]
    assert scores[2] == expected
    assert {n: score.value for n, score in bleu_orders(["a b c d"], [["a b x d"]], PLAIN, max_order=2).items()} == {1: scores[0], 2: scores[1]}


@pytest.mark.parametrize(
    "weights", [[0.5, 0.6], [0.33] * 3, [1, 1], [1.5, -0.5], [math.nan, 1], [math.inf, 0], [], [0.5, None], ["a"], [Fraction(1, 3)] * 2, 0.5, "1"[:0]]
)
def test_weights_that_are_no_distribution_are_refused(weights):
    with pytest.raises(WeightsError):
        check_weights(weights)
    with pytest.raises(WeightsError):
        sentence_bleu("a b c d", ["a b c d"], weights=weights)


@pitfall("fastbleu-float")
def test_thirds_are_not_rounded_to_single_precision(case):
    numpy = pytest.importorskip("numpy")
    candidate = "It is a guide to action which ensures that the military always obeys the commands of the party".split()
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands".split(),
        "It is the guiding principle which guarantees the military forces always being under the command of the Party".split(),
        "It is the practical guide for the army always to heed the directions of the party".split(),
    ]
    expected = 0.6240726989348756
    single = numpy.array([1 / 3] * 3, dtype="float32")  # 0.33333334, the number of few bits that is nearest to a third
    for weights in ([0.3333333333333333] * 3, [Fraction(1, 3)] * 3, numpy.array([1 / 3] * 3), single):
        assert abs(sentence_bleu(candidate, references, NLTK, weights=weights).value - expected) < 1e-15
    assert abs(sentence_bleu(candidate, references, NLTK, max_order=3).value - expected) < 1e-15
    with pytest.raises(WeightsError, match=r"a sum of 1\.0000000"):
        sentence_bleu(candidate, references, NLTK, weights=[float(weight) for weight in single])  # the same rounding, as numbers of many bits


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), ANY_LINE, GROUP)
def test_weights_as_floats_and_as_fractions_agree(parts, candidate, references):
    exact = [Fraction(part, sum(parts)) for part in parts]
    one = sentence_bleu(candidate, references, PLAIN, weights=exact)
    other = sentence_bleu(candidate, references, PLAIN, weights=[float(w) for w in exact])
    assert math.isclose(one.value, other.value, rel_tol=1e-12)
    assert as_fraction(0.1) == Fraction(1, 10)


# ---- Text: normal forms, entities, white space, scripts


@pitfall("sb-224")
def test_normal_forms_are_noticed_and_a_setting(case):
    composed = "das ist f\u00fcr dich"
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    score = sentence_bleu(decomposed, [composed])
    assert round(score.percent, 2) == 35.36
    assert any("NFC" in note for note in score.notes)
    for form in ("NFC", "NFKC"):
        same = sentence_bleu(decomposed, [composed], normalize=form)
        assert same.percent == 100.0
        assert f"norm:{form}" in same.signature
    assert "norm" not in score.signature
    for texts in ([decomposed], [[composed]]), ([composed], [[decomposed]]):
        for noted in (corpus_bleu(*texts), mean_sentence_bleu(*texts), sentence_bleu(texts[0][0], texts[1][0])):
            assert any("NFC" in note for note in noted.notes)


@given(st.lists(st.text(st.characters(categories=["L", "M", "N"], max_codepoint=0x2FFF), min_size=1, max_size=6), min_size=1, max_size=6))
def test_under_a_normal_form_the_form_of_the_input_does_not_matter(words):
    text = " ".join(words)
    for form in ("NFC", "NFKC"):
        stats = {corpus_stats([unicodedata.normalize(given_form, text)], [[text]], normalize=form) for given_form in ("NFC", "NFD")}
        assert len(stats) == 1
        assert stats.pop() == corpus_stats([text], [[text]], normalize=form)


@pitfall("sb-15")
def test_four_entities_are_four_signs(case):
    assert tokenize("&quot; &amp; &lt; &gt;", "13a") == ['"', "&", "<", ">"]
    assert tokenize("x&quot;y&amp;z", "13a") == ["x", '"', "y", "&", "z"]
    assert "".join(tokenize("&apos; &#39;", "13a")).count("'") == 0  # four and no more
    for other in ("none", "intl"):
        assert "quot" in "".join(tokenize("&quot;", other))


@pitfall("sb-14")
def test_13a_knows_ascii_and_intl_unicode(case):
    assert tokenize("«Oui», dit-il…", "13a") == ["«Oui»", ",", "dit-il…"]
    assert tokenize("«Oui», dit-il…", "intl") == ["«", "Oui", "»", ",", "dit", "-", "il", "…"]


@pitfall("sb-zwsp")
def test_invisible_characters_are_noticed(case):
    score = sentence_bleu("ab\u200bcd ef gh ij", ["ab cd ef gh ij"])
    assert round(score.percent, 2) == 46.31
    assert any("U+200B" in note for note in score.notes)


@pytest.mark.parametrize("point", [0x200B, 0x2060, 0xFEFF, 0x00AD], ids="U+{:04X}".format)
def test_each_invisible_character_is_named(point):
    """On either side, in each kind of score. The joiners U+200C and U+200D are spelling in Persian and in Indian scripts, and not meant."""
    sign, seen = chr(point), f"U+{point:04X}"
    for candidate, reference in ((f"one{sign}two three", "one two three"), ("one two three", f"one{sign}two three")):
        for score in (sentence_bleu(candidate, [reference]), corpus_bleu([candidate], [[reference]]), mean_sentence_bleu([candidate], [[reference]])):
            assert any(seen in note for note in score.notes)


@pitfall("sb-24")
def test_a_carriage_return_at_the_end_is_white_space(case):
    files = pytest.importorskip("bleu_lit.files")
    for tokenizer in ("none", "13a", "intl", "zh", "char"):
        assert corpus_bleu(["a b c d\r"], [["a b c d"]], tokenize=tokenizer).percent == 100.0
    assert files.split_lines("a b c d\r\ne f\r\n")[0] == ["a b c d", "e f"]
    assert len(files.split_lines("a b\rc d\n")[0]) == 1


def test_lines_end_at_lf_alone(tmp_path):
    files = pytest.importorskip("bleu_lit.files")
    text = "a\u2028b\x85c\x0bd\x0ce\x1cf\u2029g\nsecond line\n"
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    read = files.read_lines(path)
    assert read.lines == text.split("\n")[:-1]
    assert any("BOM" in note for note in read.notes)


@pitfall("zh-13a")
def test_chinese_with_a_space_tokenizer(case):
    score = sentence_bleu("今天天气很好", ["今天天气真好"])
    assert score.value == 0.0
    assert any("zh" in note for note in score.notes)
    for tokenizer in ("zh", "char"):
        right = sentence_bleu("今天天气很好", ["今天天气真好"], tokenize=tokenizer)
        assert (right.matched, right.total) == ((5, 3, 2, 1), (6, 5, 4, 3))
        assert round(right.percent, 2) == 53.73
        assert not any("spaces" in note for note in right.notes)


@pytest.mark.parametrize("text", ["今日はとても良い天気ですね", "ฉันชอบกินข้าวผัดมาก", "ខ្ញុំចូលចិត្តអានសៀវភៅ", "ကျွန်တော်စာဖတ်ရတာကြိုက်တယ်", "ຂ້ອຍມັກອ່ານປຶ້ມຫຼາຍ"])
def test_scripts_without_spaces_are_noticed(text):
    for score in (sentence_bleu(text, [text]), corpus_bleu([text] * 3, [[text]] * 3)):
        assert any("no spaces between words" in note for note in score.notes)


@pitfall("tokenised-input")
def test_text_that_was_split_before(case):
    assert round(sentence_bleu("The dog bit the man .", ["The dog bit the man."], tokenize="none").percent, 2) == 50.81
    for texts in (["The dog bit the man ."], [["The dog bit the man."]]), (["The dog bit the man."], [["The dog bit the man ."]]):
        for score in (corpus_bleu(*texts), mean_sentence_bleu(*texts), sentence_bleu(texts[0][0], texts[1][0])):
            assert score.percent == 100.0
            assert any("tokenized" in note for note in score.notes)


@pitfall("ws")
def test_runs_of_spaces_make_no_tokens(case):
    candidate, references = "the cat the   cat on the mat ", ["the  cat is     on the mat ", "there is a   cat on the mat"]
    for tokenizer in ("none", "13a", "intl"):
        score = sentence_bleu(candidate, references, tokenize=tokenizer)
        assert round(score.percent, 2) == 46.71
        assert score.precisions == (Fraction(5, 7), Fraction(4, 6), Fraction(2, 5), Fraction(1, 4))


@given(
    st.lists(WORDS, min_size=1, max_size=8),
    st.lists(st.sampled_from([" ", "  ", "\t", " \u00a0", "\u3000", " \t "]), min_size=9, max_size=9),
    st.sampled_from(["none", "13a", "intl"]),
)
def test_white_space_of_any_kind_separates_and_is_no_token(words, gaps, tokenizer):
    text = gaps[0] + "".join(word + gap for word, gap in zip(words, gaps[1:], strict=False))
    assert tokenize(text, tokenizer) == words
    notes = sentence_bleu("a  b".split(" "), [["a", "b"]]).notes
    assert any("empty strings" in note for note in notes)


# ---- Scale and case are said


@pitfall("bigscience-119")
def test_the_scale_is_in_the_result(case):
    score = corpus_bleu(DOG, [[reference] for reference in DOG_REFERENCES])
    assert score.percent == 100 * score.value
    assert 0 < score.value < 1 < score.percent
    assert f"{score.percent:.2f} %" in str(score)
    said = score.to_dict()
    assert (said["value"], said["percent"]) == (score.value, score.percent)
    assert "%" in str(mean_sentence_bleu(DOG, [[reference] for reference in DOG_REFERENCES]))


@pitfall("mtce-5")
def test_case_is_in_the_signature(case):
    kept, folded = sentence_bleu("THE cat sat down", ["the cat sat down"]), sentence_bleu("THE cat sat down", ["the cat sat down"], lowercase=True)
    assert round(kept.percent, 2) == 59.46
    assert folded.percent == 100.0
    assert "case:mixed" in kept.signature
    assert "case:lc" in folded.signature
    assert "case:ascii" in sentence_bleu("THE cat sat down", ["the cat sat down"], MTEVAL).signature
    assert len({score.signature for score in (kept, folded)}) == 2


# ---- Self-BLEU, size, speed, and a miscount


@pitfall("diffuseq-69")
def test_self_bleu_holds_each_sentence_against_all_others(case):
    sentences = ["a b c d e f", "a b c d", "g h i j"]
    ahead, back = sentence_bleu(sentences[0], [sentences[1]], PLAIN).value, sentence_bleu(sentences[1], [sentences[0]], PLAIN).value
    assert (round(ahead, 3), round(back, 3)) == (0.508, 0.607)  # not symmetric: half of the pairs is not the whole
    others = [[other for j, other in enumerate(sentences) if j != i] for i in range(len(sentences))]
    self_bleu = mean_sentence_bleu(sentences, others, PLAIN)
    assert self_bleu.value == pytest.approx(sum(sentence_bleu(s, group, PLAIN).value for s, group in zip(sentences, others, strict=True)) / 3, rel=1e-15)
    for order in permutations(range(3)):
        texts = [sentences[i] for i in order]
        again = mean_sentence_bleu(texts, [[other for j, other in enumerate(texts) if j != i] for i in range(3)], PLAIN)
        assert again.value == pytest.approx(self_bleu.value, rel=1e-15)


@pitfall("fastbleu-3")
def test_many_references_are_no_danger(case):
    words = [f"w{i % 97}" for i in range(40_000)]
    references = [words[i : i + 100] for i in range(0, len(words), 100)]
    candidate = words[150:190]
    score = sentence_bleu(candidate, references, NLTK)
    assert score.matched == score.total == (40, 39, 38, 37)
    assert (score.candidate_length, score.reference_length) == (40, 100)
    assert sentence_bleu([*candidate, "new"], references, NLTK).matched == score.matched


class CountedToken:
    """A token that counts how often it is hashed or compared."""

    work: ClassVar[Counter] = Counter()

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        CountedToken.work["hash"] += 1
        return hash(self.name)

    def __eq__(self, other):
        CountedToken.work["compare"] += 1
        return self.name == other.name if isinstance(other, CountedToken) else NotImplemented


def work_of(size: int) -> int:
    """How much is done with the tokens of a corpus of so many segments."""
    CountedToken.work.clear()
    line = [CountedToken(f"w{i % 7}") for i in range(20)]
    segment_stats([list(line) for _ in range(size)], [[list(line), list(line[:15])] for _ in range(size)], NLTK)
    return sum(CountedToken.work.values())


def words_of(size: int) -> int:
    """How much is done with the tokens of one segment of so many tokens."""
    CountedToken.work.clear()
    line = [CountedToken(f"w{i}") for i in range(size)]
    segment_stats([line], [[list(line)]], NLTK)
    return sum(CountedToken.work.values())


@pitfall("nltk-slow")
def test_the_work_grows_with_the_number_of_tokens(case):
    assert work_of(200) <= 2.5 * work_of(100)
    assert words_of(2000) <= 2.5 * words_of(1000)
    with mock.patch("bleu_lit.score.sentence_bleu", side_effect=AssertionError("a score function was called for a sentence")):
        assert mean_sentence_bleu(["a b", "b c"], [["a b"], ["b d"]]).segments == 2  # one pass of the engine


@pitfall("kolena-doc")
def test_a_published_miscount(case):
    candidate = "kolena is an ml testing and debugging platform to find hidden model behaviors and demystify model development"
    reference = (
        "kolena is a comprehensive machine learning testing and debugging platform to surface hidden model behaviors "
        "and take the mystery out of model development"
    )
    score = sentence_bleu(candidate, [reference], PLAIN)
    assert [f"{m}/{t}" for m, t in zip(score.matched, score.total, strict=True)] == ["13/17", "9/16", "5/15", "3/14"]
    assert round(score.value, 3) == 0.294
    shuffled = " ".join(reversed(reference.split()))
    assert sentence_bleu(shuffled, [reference], PLAIN, max_order=1).value == 1.0
    for order in (2, 3, 4):
        assert sentence_bleu(shuffled, [reference], PLAIN, max_order=order).value < 1.0


# ---- The command


def command(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess:
    pytest.importorskip("bleu_lit.cli")
    return subprocess.run([sys.executable, "-m", "bleu_lit", *arguments], input=stdin, capture_output=True, check=False)


def written(folder: Path, **texts: bytes) -> list[str]:
    for name, data in texts.items():
        (folder / name).write_bytes(data)
    return [str(folder / name) for name in texts]


def test_the_command_reads_windows_files(tmp_path):
    candidate, reference = written(tmp_path, candidate=b"\xef\xbb\xbfa b c d\r\ne f g h\r\n", reference=b"a b c d\ne f g h\n")
    run = command("score", candidate, "-r", reference, "--format", "json")
    assert run.returncode == 0, run.stderr.decode()
    assert b"100.0" in run.stdout
    assert run.stderr  # the byte order mark and the line ends are said


@pytest.mark.parametrize(
    "texts", [(b"a b\nc d\n", b"a b\n"), (b"a b\n", b"a b\nc d\n"), (b"", b""), (b"", b"a\n")], ids=["fewer", "more", "empty", "no candidate"]
)
def test_the_command_refuses_files_that_do_not_fit(tmp_path, texts):
    candidate, reference = written(tmp_path, candidate=texts[0], reference=texts[1])
    run = command("score", candidate, "-r", reference)
    assert run.returncode == 2
    assert b"Traceback" not in run.stderr
    assert len(run.stderr.decode().strip().splitlines()) <= 2
    if texts[0] and texts[1]:
        assert b"1" in run.stderr
        assert b"2" in run.stderr


# ---- Nothing is left out


def test_every_known_pitfall_has_its_test():
    assert len(COVERED) == len(set(COVERED)) == 52
    path = SHARED / "known_pitfalls.jsonl"
    if path.is_file():
        assert {json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()} == set(COVERED)
