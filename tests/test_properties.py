"""What holds for every text and every choice, tried on many by hypothesis."""

import configparser
import copy
import json
import math
import pickle
from collections import Counter
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import assume, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from shared import ROOT

import bleu_lit
from bleu_lit.bleu import BleuStats, ExactScore, bleu_from_stats, bleu_w, stats_of_corpus, stats_of_segment
from bleu_lit.core import from_streams
from bleu_lit.engine import count_row, python_rows, segment_rows
from bleu_lit.explain import explain
from bleu_lit.ngrams import ngram_counts, ngram_set, ngram_total, substring_count
from bleu_lit.precision import corpus_precision, matched_and_total, modified_precision, plain_precision
from bleu_lit.score import bleu_orders, corpus_bleu, corpus_stats, mean_sentence_bleu, score_from_stats, segment_stats, sentence_bleu, sum_rows
from bleu_lit.settings import PRESETS, SACREBLEU, SIGNATURE_VERSION, Settings, parse_signature, signature
from bleu_lit.smoothing import SMOOTHING, smoothed_precisions
from bleu_lit.stats import impossible
from bleu_lit.tokens import TOKENIZERS, Tokenizer, tokenize

# ---- texts and choices

BOUNDED = ["none", "floor", "add-k", "exp", "add-one-all"]  # the paper's other methods can exceed 1 in a corpus, by their formulas
LENGTHS = ["closest", "shortest", "average"]

token = st.sampled_from("aab")
sequence = st.lists(token, max_size=12) | st.lists(st.sampled_from("abcdefgh"), max_size=20)
group = st.lists(sequence, min_size=1, max_size=4)
pairs = st.lists(st.tuples(sequence, group), min_size=1, max_size=6)
order = st.integers(1, 6)
word = st.sampled_from(["The", "the", "cat", "mat", "sat.", "on,", "3.5", "1990-95", "&amp;", "naïve", "中文", "ภาษา", "“so”", "e\u0301", "-", "a"])
text = st.lists(word, max_size=9).map(" ".join) | st.text(max_size=12)
text_pairs = st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=4)


def by_hyphen(value):
    return value.replace("-", " ").split()


class Pairs:
    def __call__(self, value):
        return [value[i : i + 2] for i in range(0, len(value), 2)]


OWN = [by_hyphen, Pairs(), str.split, Tokenizer("my-13a", str.split), lambda value: value.split("a")]


@st.composite
def weightings(draw):
    """None, or weights of some form that sum to 1: fractions, floats, text, some of them 0."""
    parts = draw(st.lists(st.integers(0, 12), min_size=1, max_size=7).filter(any))
    exact = [Fraction(part, sum(parts)) for part in parts]
    return draw(st.sampled_from([None, exact, [float(w) for w in exact], [str(w) for w in exact], tuple(exact)]))


@st.composite
def all_settings(draw, tokenizers=(*TOKENIZERS, "given", *OWN), smoothings=tuple(SMOOTHING)):
    """Every setting, each over all its values."""
    smooth = draw(st.sampled_from(smoothings))
    values = {"": st.none(), "at least 0": st.fractions(0, 9), "above 0": st.fractions(Fraction(1, 100), 9), "from 0 to 1": st.fractions(0, 1)}
    floats = {"at least 0": st.floats(0, 100), "above 0": st.floats(1e-3, 100), "from 0 to 1": st.floats(0, 1)}
    allowed = SMOOTHING[smooth].values
    weights = draw(weightings())
    return Settings(
        max_order=draw(st.none() | st.integers(1, 9)) if weights is None else draw(st.sampled_from([None, len(weights)])),
        weights=weights,
        tokenize=draw(st.sampled_from(tokenizers)),
        lowercase=draw(st.sampled_from([False, True, "ascii"])),
        smooth=smooth,
        smooth_value=draw(st.none() | values[allowed] | floats.get(allowed, st.none())),
        effective_order=draw(st.booleans()),
        reference_length=draw(st.sampled_from(LENGTHS)),
        normalize=draw(st.sampled_from([None, "NFC", "NFKC"])),
        blank_references=draw(st.sampled_from(["empty", "absent"])),
    )


text_settings = all_settings(tokenizers=(*TOKENIZERS, *OWN))


def split(found: list[tuple]) -> tuple[list, list]:
    return [candidate for candidate, _ in found], [list(references) for _, references in found]


def stats_from(draw_pairs: list[tuple], settings: Settings) -> BleuStats:
    return stats_of_corpus(*split(draw_pairs), settings.counted_orders, settings.reference_length)


# ---- n-grams and precision


@given(sequence, st.integers(1, 9))
def test_set_with_counts_is_the_multiset(y, n):
    # claim: 000-04, 000-06, 000-08
    grams = ngram_set(y, n)
    counted = {gram: substring_count(gram, y) for gram in grams}
    assert counted == ngram_counts(y, n)
    assert sum(counted.values()) == ngram_total(len(y), n) == max(0, len(y) - n + 1)
    assert len(grams) <= max(0, len(y) - n + 1)


@given(sequence, group, order)
def test_sum_over_the_set_is_the_sum_over_positions(candidate, references, n):
    # claim: 000-08, 002-03, 003-01
    matched, total = matched_and_total(candidate, references, n)
    by_set = sum(min(substring_count(s, candidate), max(substring_count(s, reference) for reference in references)) for s in ngram_set(candidate, n))
    tables = [Counter(tuple(y[i : i + n]) for i in range(len(y) - n + 1)) for y in (candidate, *references)]
    highest = Counter()
    for table in tables[1:]:
        highest |= table
    assert matched == by_set == sum((tables[0] & highest).values())
    assert total == sum(tables[0].values())


@given(sequence, group, order)
def test_modified_precision_is_in_the_unit_interval(candidate, references, n):
    # claim: 000-14
    assert 0 <= modified_precision(candidate, references, n) <= plain_precision(candidate, references, n) <= 1


@given(sequence, sequence, order)
def test_modified_precision_is_0_exactly_if_no_ngram_is_shared(candidate, reference, n):
    # claim: 000-15
    shared = any(candidate[i : i + n] == reference[j : j + n] for i in range(len(candidate) - n + 1) for j in range(len(reference) - n + 1))
    assert (modified_precision(candidate, [reference], n) == 0) == (not shared)


@given(sequence, sequence, order)
def test_modified_precision_is_1_exactly_if_every_ngram_is_there_as_often(candidate, reference, n):
    # claim: 000-16
    grams = [tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1)]
    there = [tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)]
    enough = bool(grams) and all(there.count(gram) >= grams.count(gram) for gram in grams)
    assert (modified_precision(candidate, [reference], n) == 1) == enough


@given(sequence, sequence, st.integers(1, 12), st.randoms(use_true_random=False))
def test_all_ngrams_of_a_shuffled_reference_are_there(reference, more, n, random):
    """The direction of the claim that a random pair seldom meets: the n-grams are those of the reference, in another order."""
    # claim: 000-16
    candidate = (reference + more)[: len(reference)]
    shuffled = list(candidate)
    random.shuffle(shuffled)
    assume(candidate)
    assert modified_precision(shuffled, [candidate + more], 1) == 1
    if n <= len(candidate):
        assert modified_precision(candidate, [more + candidate], n) == 1


@given(sequence, sequence, sequence, order)
def test_a_substring_of_the_reference_has_modified_precision_1(before, candidate, after, n):
    # claim: 000-17
    assume(len(candidate) >= n)
    assert modified_precision(candidate, [before + candidate + after], n) == 1


@given(pairs, order)
def test_corpus_precision_of_one_pair_is_the_prototype(found, n):
    # claim: 000-09
    candidate, references = found[0]
    assert corpus_precision([candidate], [references], n) == modified_precision(candidate, references, n)
    counts = [matched_and_total(candidate, references, n) for candidate, references in found]
    assert corpus_precision(*split(found), n) == Fraction(sum(m for m, _ in counts), sum(t for _, t in counts) or 1)


# ---- statistics


@given(sequence, group, sequence, order)
def test_another_reference_never_lowers_what_is_matched(candidate, references, more, n):
    # claim: 001-01
    before, after = stats_of_segment(candidate, references, n), stats_of_segment(candidate, [*references, more], n)
    assert all(a >= b for a, b in zip(after.matched, before.matched, strict=True))
    assert after.total == before.total
    assert abs(after.reference_length - len(candidate)) <= abs(before.reference_length - len(candidate))


@given(pairs, st.randoms(use_true_random=False), st.sampled_from(LENGTHS))
def test_the_order_of_segments_and_references_changes_nothing(found, random, method):
    # claim: 002-28, 004-05
    stats = stats_of_corpus(*split(found), 4, method)
    turned = [(candidate, random.sample(references, len(references))) for candidate, references in random.sample(found, len(found))]
    assert stats_of_corpus(*split(turned), 4, method) == stats
    assert corpus_bleu(*split(turned), reference_length=method).value == corpus_bleu(*split(found), reference_length=method).value


@given(pairs, st.lists(st.integers(0, 5), max_size=3), st.randoms(use_true_random=False))
def test_statistics_add_in_any_order_and_grouping(found, cuts, random):
    # claim: 004-01
    whole = stats_of_corpus(*split(found))
    rows = [stats_of_segment(candidate, references).row for candidate, references in found]
    random.shuffle(rows)
    places = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    parts = [sum_rows(rows[a:b]) for a, b in zip(places, places[1:], strict=False)]
    assert sum(parts) == sum(parts[::-1], BleuStats.zero()) == whole
    assert BleuStats.from_row(whole.row) == whole == whole + BleuStats.zero() == pickle.loads(pickle.dumps(whole))


@given(st.lists(pairs, min_size=2, max_size=3), st.sampled_from(["none", "exp", "average"]))
def test_scores_add_as_their_corpora_do(corpora, smooth):
    scores = [corpus_bleu(*split(found), smooth=smooth) for found in corpora]
    together = corpus_bleu(*split([pair for found in corpora for pair in found]), smooth=smooth)
    assert (sum(scores).stats, sum(scores).value) == (together.stats, together.value)
    assert (scores[0] + scores[1]).value == (scores[1] + scores[0]).value


@given(pairs, order)
def test_matched_never_exceeds_total_and_falls_with_the_order(found, n):
    stats = stats_of_corpus(*split(found), n)
    assert all(0 <= m <= t for m, t in zip(stats.matched, stats.total, strict=True))
    assert list(stats.matched) == sorted(stats.matched, reverse=True)
    assert list(stats.total) == sorted(stats.total, reverse=True)


# ---- scores


@given(pairs, all_settings(tokenizers=("given",), smoothings=tuple(BOUNDED)))
def test_scores_are_in_the_unit_interval(found, settings):
    # claim: 002-01
    score = score_from_stats(stats_from(found, settings), settings)
    assert 0 <= score.value <= 1
    assert 0 <= score.percent <= 100
    assert 0 <= score.brevity_penalty <= 1
    assert all(0 <= p <= 1 for p in score.precisions)
    assert all(p is None or 0 <= p <= 1 for p in score.smoothed_precisions)
    assert json.loads(score.to_json())["value"] == score.value


@given(pairs, all_settings(tokenizers=("given",)))
def test_the_score_is_the_closed_form_to_the_last_digit(found, settings):
    """Another way to the same number: 60 digits of exp(sum of w ln p, and the exponent of the penalty), rounded once."""
    stats = stats_from(found, settings)
    score = score_from_stats(stats, settings)
    expected = sixty_digits(stats, settings)
    assert abs(Decimal(score.value) - expected) <= Decimal(math.ulp(float(expected)))
    if settings.smooth in BOUNDED:
        assert score.value <= 1.0


def sixty_digits(stats: BleuStats, settings: Settings) -> Decimal:
    """BLEU by its logarithms, from the smoothed precisions."""
    precisions = smoothed_precisions(stats, settings.smooth, settings.smooth_value, settings.max_order)
    weights = settings.order_weights
    with localcontext(Context(prec=60, Emin=-999999999, Emax=999999999)):
        used = [(p, w) for p, w in zip(precisions, weights, strict=True) if w]
        present = [(p, w) for p, w in used if p is not None]
        if settings.effective_order and present:
            share = sum(w for _, w in present)
            used = [(p, w / share) for p, w in present]
        c, r = stats.candidate_length, stats.reference_length
        if c == 0 or any(not p for p, _ in used):
            return Decimal(0)
        logs = [Decimal(w.numerator) / w.denominator * (Decimal(p.numerator) / p.denominator).ln() for p, w in used]
        exponent = min(Decimal(0), 1 - Decimal(Fraction(r).numerator) / Fraction(r).denominator / c)
        return (sum(logs, Decimal(0)) + exponent).exp()


@given(st.lists(st.tuples(st.fractions(Fraction(1, 10**6), 1), st.integers(1, 9)), min_size=1, max_size=5), st.fractions(-30, 0))
def test_the_float_of_a_closed_form_is_rounded_correctly(parts, exponent):
    total = sum(weight for _, weight in parts)
    exact = ExactScore(tuple((p, Fraction(weight, total)) for p, weight in parts), exponent)
    with localcontext(Context(prec=60)):
        logs = [Decimal(weight) / total * (Decimal(p.numerator) / p.denominator).ln() for p, weight in parts]
        expected = (sum(logs, Decimal(0)) + Decimal(exponent.numerator) / exponent.denominator).exp()
    assert abs(Decimal(float(exact)) - expected) <= Decimal(math.ulp(float(expected)))
    assert float(exact) <= 1.0


@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=4, max_size=15), min_size=1, max_size=5),
    group,
    st.sampled_from([*BOUNDED, "interpolate"]),
    st.booleans(),
    order,
)
def test_a_corpus_among_its_own_references_scores_exactly_1(texts, others, smooth, effective, n):
    # claim: 003-05
    texts = [*texts, list("abcdab")]
    score = corpus_bleu(texts, [[*others, text] for text in texts], smooth=smooth, effective_order=effective, max_order=n)
    assert (score.value, score.percent, score.brevity_penalty) == (1.0, 100.0, 1.0)
    assert str(score.exact) == "1"


@given(text.filter(str.strip), st.sampled_from(["none", "char", "13a", "intl", "zh"]))
def test_a_sentence_scores_exactly_1_against_itself(value, name):
    assume(tokenize(value, name))
    assert sentence_bleu(value, [value], tokenize=name).value == 1.0


@given(pairs, order)
def test_bleu_orders_and_weights_agree(found, n):
    # claim: 002-13
    candidates, references = split(found)
    members = bleu_orders(candidates, references, max_order=n, smooth="none")
    assert list(members) == list(range(1, n + 1))
    for k, member in members.items():
        weights = [Fraction(1, k)] * k + [Fraction(0)] * (n - k)
        assert member.value == corpus_bleu(candidates, references, weights=weights, smooth="none").value == float(bleu_w(candidates, references, weights))


@given(pairs)
def test_mean_of_sentences_is_the_mean(found):
    candidates, references = split(found)
    mean = mean_sentence_bleu(candidates, references)
    singles = [sentence_bleu(candidate, group).value for candidate, group in found]
    assert list(mean.scores) == singles
    assert mean.value == pytest.approx(sum(singles) / len(singles), rel=1e-15, abs=0)


# ---- the engine


@given(sequence, group, order, st.sampled_from(LENGTHS))
def test_the_engine_counts_as_the_definition(candidate, references, n, method):
    assert tuple(count_row(candidate, references, n, method)) == stats_of_segment(candidate, references, n, method).row


long_sequence = st.lists(st.sampled_from("ab"), min_size=90, max_size=130) | st.lists(st.integers(0, 40), min_size=90, max_size=130)


@given(long_sequence, st.lists(long_sequence, min_size=1, max_size=2))
@effort(max_examples=40)
def test_the_engine_counts_long_segments_as_the_definition(candidate, references):
    assert tuple(count_row(candidate, references, 4)) == stats_of_segment(candidate, references).row


mixed_token = st.sampled_from(["a", "b", 1, 2, (), ("a",), frozenset("a"), 2.5, True])


@given(st.lists(mixed_token, max_size=9), st.lists(st.lists(mixed_token, max_size=9), min_size=1, max_size=3), st.sampled_from([list, tuple]))
def test_the_engine_takes_tokens_of_any_kind(candidate, references, kind):
    row = count_row(kind(candidate), [kind(reference) for reference in references], 4)
    assert tuple(row) == stats_of_segment(candidate, references).row


@given(text_pairs, text_settings, st.integers(1, 3))
def test_rows_of_texts_are_those_of_their_tokens(found, settings, chunk):
    candidates, references = split(found)
    if settings.blank_references == "absent":
        references = [[*group, "not blank"] for group in references]
    rows = python_rows(candidates, references, settings, chunk=chunk)
    assert segment_rows(candidates, references, settings) == rows
    assert len(rows) == len(candidates)
    for row, candidate, group in zip(rows, candidates, references, strict=True):
        present = [value for value in group if value.strip() or settings.blank_references == "empty"]
        cut = [tokenize(value, settings.tokenize, settings.lowercase, settings.normalize) for value in (candidate, *present)]
        assert tuple(row) == stats_of_segment(cut[0], cut[1:], settings.counted_orders, settings.reference_length).row


@given(text_pairs, st.sampled_from(TOKENIZERS))
def test_text_and_its_tokens_score_the_same(found, name):
    candidates, references = split(found)
    cut = [tokenize(value, name) for value in candidates], [[tokenize(value, name) for value in group] for group in references]
    by_text, by_tokens = corpus_bleu(candidates, references, tokenize=name), corpus_bleu(*cut)
    assert (by_text.stats, by_text.value) == (by_tokens.stats, by_tokens.value)
    assert by_tokens.signature == by_text.signature.replace(f"tok:{name}", "tok:given")


@given(text_pairs)
def test_one_segment_is_a_corpus_of_one(found):
    candidate, references = found[0]
    alone, corpus = sentence_bleu(candidate, references, SACREBLEU), corpus_bleu([candidate], [references])
    assert (alone.stats, alone.value, alone.signature) == (corpus.stats, corpus.value, corpus.signature)


# ---- settings and signatures


@given(all_settings(), st.none() | st.integers(1, 99))
@effort(max_examples=300)
def test_a_signature_is_read_back_as_the_same_settings(settings, nrefs):
    # claim: 002-23, 002-34
    line = signature(settings, nrefs)
    own = [] if isinstance(settings.tokenize, str) else [settings.tokenize]
    found = parse_signature(line, tokenizers=own)
    assert found == settings
    assert hash(found) == hash(settings)
    assert signature(found, nrefs) == line
    assert "\n" not in line
    assert line.endswith(f"version:{SIGNATURE_VERSION}")


@given(all_settings(), all_settings())
def test_settings_with_one_signature_are_equal(one, other):
    assert (signature(one) == signature(other)) == (one == other)


@given(all_settings())
def test_replacing_nothing_changes_nothing(settings):
    assert settings.replace() == settings
    assert Settings(**{name: getattr(settings, name) for name in settings.__dataclass_fields__}) == settings


def test_version_is_that_of_the_package():
    config = configparser.ConfigParser(delimiters=["="], interpolation=None)
    config.read(ROOT / "settings.ini", encoding="utf-8")
    version = config["DEFAULT"]["version"]
    assert f"bleu_lit-{version}" == SIGNATURE_VERSION
    assert bleu_lit.__version__ == version


# ---- nothing that is given is changed


@given(text_pairs, st.sampled_from(sorted(PRESETS)), st.booleans())
def test_no_call_changes_what_it_is_given(found, preset, as_tokens):
    candidates, references = split(found)
    if as_tokens:
        candidates, references = [value.split() for value in candidates], [[value.split() for value in group] for group in references]
    kept = copy.deepcopy((candidates, references))
    settings = PRESETS[preset]
    score = corpus_bleu(candidates, references, settings)
    stats = copy.deepcopy(score.stats)
    for call in (corpus_stats, segment_stats, mean_sentence_bleu, bleu_orders):
        call(candidates, references, settings)
    sentence_bleu(candidates[0], references[0])
    explain(candidates[0], references[0]).text()
    from_streams(candidates, candidates)
    rows = segment_stats(candidates, references, settings)
    kept_rows = copy.deepcopy(rows)
    sum_rows(rows)
    for smooth in SMOOTHING:
        needed = SACREBLEU.replace(smooth=smooth, max_order=2)
        score_from_stats(stats.up_to(needed.counted_orders), needed).to_dict()
    assert (score + score).stats == stats + stats
    assert bleu_from_stats(stats) == bleu_from_stats(score.stats)
    assert (candidates, references) == kept
    assert rows == kept_rows
    assert score.stats == stats


@given(st.lists(text, min_size=1, max_size=4), st.lists(text, min_size=1, max_size=4))
def test_generators_and_tuples_are_taken_as_lists_are(one, other):
    size = min(len(one), len(other))
    candidates, references = one[:size], [[value] for value in other[:size]]
    expected = corpus_bleu(candidates, references)
    assert corpus_bleu(iter(candidates), (tuple(group) for group in references)).stats == expected.stats
    assert corpus_bleu(tuple(candidates), iter([iter(group) for group in references])).stats == expected.stats
    assert corpus_bleu(candidates, from_streams(other[:size])).stats == expected.stats


# ---- Statistics that no corpus has


@given(pairs, order)
def test_no_corpus_is_called_impossible(corpus, max_order):
    candidates, references = zip(*corpus, strict=True)
    stats = stats_of_corpus(candidates, references, max_order)
    assert impossible(stats) == ""
    assert not any("no corpus" in note for note in score_from_stats(stats, Settings(max_order=max_order, smooth="exp"), segments=len(corpus)).notes)
    for shorter in range(1, max_order):
        assert impossible(stats.up_to(shorter)) == ""
    assert impossible(stats + stats) == ""


@pytest.mark.parametrize("max_order", [1, 2, 3, 4])
def test_totals_are_possible_exactly_where_lengths_give_them(max_order):
    """Every way to cut c tokens into segments is tried; no other totals pass."""
    for c in range(8):
        lengths = [cut for parts in range(1, c + 1) for cut in combinations_with_replacement(range(1, c + 1), parts) if sum(cut) == c] or [()]
        there = {tuple(sum(max(0, length - n) for length in cut) for n in range(max_order)) for cut in lengths}
        tried = {(first,) for first in range(c + 2)}
        for _ in range(1, max_order):
            tried = {(*total, more) for total in tried for more in range(c + 2)}
        passed = {total for total in tried if not impossible(BleuStats(c, 3, (0,) * max_order, total))}
        assert passed == there


@pytest.mark.parametrize("letters", [2, 3, 4, 5])
def test_the_bound_on_matches_is_reached_by_references_of_one_pair_each(letters):
    """Each ordered pair of different letters is one reference, and all of them stand once in the candidate: m letters match, and m (m - 1) bigrams."""
    words = list(map(str, range(letters)))
    two = list(permutations(words, 2))
    candidate, way, left = [], ["0"], sorted(two)  # a circuit through all pairs, by Hierholzer's way: on while there is a pair, else back
    while way:
        there = next((pair for pair in left if pair[0] == way[-1]), None)
        if there:
            left.remove(there)
            way.append(there[1])
        else:
            candidate.append(way.pop())
    candidate.reverse()
    stats = stats_of_segment(candidate, two, 2)
    assert stats.matched == (letters, letters * (letters - 1)) and impossible(stats) == ""
    more = BleuStats(stats.candidate_length + 1, 2, (letters, letters * (letters - 1) + 1), (stats.total[0] + 1, stats.total[1] + 1))
    assert impossible(more).startswith(f"{letters * (letters - 1) + 1} matched of order 2")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ((11, 11, 9, 7, 5, 3, 10, 8, 6, 4), "10 1-grams for 11 tokens"),  # sacreBLEU, test/test_bleu.py: a score is there, and stays
        ((3, 3, 1, 0, 3, 4), "the total rises from 3 of order 1 to 4 of order 2"),
        ((9, 9, 2, 1, 0, 9, 8, 4), "by the totals 1 segments have 1 tokens or more, and 4 have 2 or more"),
        ((4, 4, 0, 1, 4, 3), "1 matched of order 2, each with two of order 1 at its ends, of which only 0 matched"),
    ],
)
def test_a_score_of_statistics_that_no_corpus_has_says_so(row, why):
    stats = BleuStats.from_row(row)
    score = score_from_stats(stats, Settings(max_order=stats.max_order, smooth="none"))
    assert [note for note in score.notes if note.startswith(f"no corpus has these statistics: {why}")]
