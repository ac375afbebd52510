"""METEOR: published figures, the program METEOR 1.5, an alignment found by trying everything, and bad input.

Expected values come from the papers, from the program (tests/oracles/meteor_program.py), or from an independent computation here, never from bleu_lit.
"""

import json
import os
import random
import sys
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "oracles")]
from meteor_program import sentences  # noqa: E402
from shared import SHARED, lines, needs_data  # noqa: E402

from bleu_lit.alignment import Alignment, align, word_matches  # noqa: E402
from bleu_lit.core import (  # noqa: E402
    EmptyCorpusError,
    FileInputError,
    FlatReferencesError,
    LengthMismatchError,
    MissingExtraError,
    MissingReferenceError,
    MixedSegmentsError,
    SegmentTypeError,
    SettingsError,
    StringForListError,
    TransposedReferencesError,
    UnknownNameError,
)
from bleu_lit.lexicon import WordNet, exact_keys  # noqa: E402
from bleu_lit.meteor import PARAMETERS, Meteor, Parameters, meteor_row  # noqa: E402
from bleu_lit.metric import AdditiveMetric, metric, value_of_segments  # noqa: E402

PROGRAM = json.loads((HERE / "oracles" / "meteor_program.json").read_text(encoding="utf-8"))["scores"]
WORDNET = Path(os.environ.get("BLEU_LIT_WORDNET") or "/usr/share/wordnet")
needs_wordnet = pytest.mark.skipif(not (WORDNET / "index.noun").is_file(), reason=f"no WordNet 3.0 at {WORDNET} (set BLEU_LIT_WORDNET)")
PLAIN = Meteor(stem=False)
words = st.lists(st.sampled_from("abc"), max_size=6)


@pytest.fixture(scope="module", autouse=True)
def stemmer():
    pytest.importorskip("snowballstemmer", reason="the extra is not installed: pip install '.[neighbours]'")


# ---- Published figures


@pytest.mark.parametrize(
    ("parameters", "candidate", "expected"),
    [
        ("2005", "the cat sat on the mat", "0.9977"),
        ("2005", "the cat was sat on the mat", "0.9654"),
        ("2005-crossings", "on the mat sat the cat", "0.5000"),
        ("2005", "on the mat sat the cat", "0.9375"),
        ("1.5", "the cat was sat on the mat", "0.5120"),
        ("1.5", "the cat sat on the mat", "1.0000"),
    ],
)
def test_published_figures(parameters, candidate, expected):
    assert f"{Meteor(parameters).score([candidate], [['the cat sat on the mat']]).value:.4f}" == expected


def test_nltk_agrees_where_its_greedy_alignment_is_the_best():
    translate = pytest.importorskip("nltk.translate.meteor_score")
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class NoWordNet(WordNetCorpusReader):
        def __init__(self):
            pass

        def synsets(self, *_, **__):
            return []

    found = translate.single_meteor_score("the cat sat on the mat".split(), "the cat was sat on the mat".split(), wordnet=NoWordNet())
    assert Meteor("2005").score(["the cat was sat on the mat"], [["the cat sat on the mat"]]).value == pytest.approx(found, abs=1e-12)


# ---- The program METEOR 1.5


@pytest.mark.parametrize("setting", [name for name in PROGRAM if "synonym" not in name])
@pytest.mark.parametrize("parameters", ["1.5", "1.5-program"])
def test_the_program_gives_the_same(setting, parameters):
    candidates, references = sentences()
    count = int(setting.split(", ")[-1][0])
    score = Meteor(parameters, stem="stem" in setting, tokenize="none").score(candidates, [group[:count] for group in references])
    assert score.segment_values == pytest.approx(PROGRAM[setting]["segments"], abs=1e-12)
    assert score.value == pytest.approx(PROGRAM[setting]["corpus"], abs=1e-12)


@needs_wordnet
@pytest.mark.parametrize("setting", [name for name in PROGRAM if "synonym" in name])
def test_with_synonyms_the_program_never_does_better(setting):
    """By the program's own rule one segment of 120 is aligned better here (the program's search is a beam); by the paper's rule nine or ten."""
    candidates, references = sentences()
    groups = [group[: int(setting.split(", ")[-1][0])] for group in references]
    for parameters, most in (("1.5-program", 1), ("1.5", 10)):
        ours = Meteor(parameters, wordnet=WORDNET, tokenize="none").score(candidates, groups).segment_values
        differ = [(mine, theirs) for mine, theirs in zip(ours, PROGRAM[setting]["segments"], strict=True) if abs(mine - theirs) > 1e-9]
        assert len(differ) <= most and all(mine > theirs for mine, theirs in differ)


# ---- The alignment


def best_by_trying(matches, gains):
    """The first of all alignments in the order of the definition, as a value; by choosing sets of pairs, not by walking."""
    pairs, best = list(matches), None
    for count in range(len(pairs) + 1):
        for chosen in combinations(pairs, count):
            if len({i for i, _ in chosen}) == len({j for _, j in chosen}) == count:
                kept = set(chosen)
                chunks = sum((i - 1, j - 1) not in kept for i, j in chosen)
                value = (-sum(gains[matches[pair][0]] for pair in chosen), chunks, -count, sum(abs(i - j) for i, j in chosen))
                best = value if best is None else min(best, value)
    return best


def value_of(alignment, gains):
    pairs = alignment.pairs
    return -sum(gains[stage] for *_, stage in pairs), alignment.chunks, -len(pairs), sum(abs(i - j) for i, j, _ in pairs)


@given(st.lists(st.sampled_from(["a", "b", "ab", "ba"]), max_size=4), st.lists(st.sampled_from(["a", "b", "ab", "ba"]), max_size=4))
def test_alignment_is_the_best_there_is(candidate, reference):
    matches = word_matches(candidate, reference, [exact_keys, frozenset])
    for gains in ((2, 1), (10**8, 10**4), (1, 1)):
        found = align(matches, gains)
        assert found.exact and value_of(found, gains) == best_by_trying(matches, gains)


def test_alignment_of_permutations_has_the_fewest_chunks():
    """All the words of one sentence in every order: chunks are known by counting neighbours where no word repeats."""
    for order in permutations(range(6)):
        found = align(word_matches(order, range(6), [exact_keys]))
        assert found.chunks == 1 + sum(b != a + 1 for a, b in zip(order, order[1:], strict=False)) and len(found.pairs) == 6


@given(st.lists(st.sampled_from("abcd"), max_size=14), st.lists(st.sampled_from("abcd"), max_size=14))
def test_a_narrow_beam_is_never_better_than_an_exact_search(candidate, reference):
    matches = word_matches(candidate, reference, [exact_keys])
    exact, narrow = align(matches, beam=10**6), align(matches, beam=2)
    assert exact.exact and len(narrow.pairs) <= len(exact.pairs)
    assert value_of(exact, (2,)) <= value_of(narrow, (2,))
    if narrow.exact:
        assert value_of(exact, (2,)) == value_of(narrow, (2,))
    pairs = exact.pairs
    assert len({i for i, *_ in pairs}) == len({j for _, j, _ in pairs}) == len(pairs)
    assert len(pairs) == sum(min(candidate.count(word), reference.count(word)) for word in set(candidate))


@given(words, words)
def test_fewest_crossings(candidate, reference):
    matches = word_matches(candidate, reference, [exact_keys])
    found = align(matches, fewest="crossings")
    size, pairs = len(found.pairs), list(matches)
    if len(pairs) <= 12:
        options = [
            sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(chosen, 2))
            for chosen in combinations(pairs, size)
            if len({i for i, _ in chosen}) == len({j for _, j in chosen}) == size
        ]
        assert found.crossings == min(options)


def test_long_segments_are_aligned_in_bounded_work():
    chance = random.Random(3)
    candidate, reference = (chance.choices("the a of to and in , .".split() + [f"w{i}" for i in range(200)], k=400) for _ in range(2))
    found = align(word_matches(candidate, reference, [exact_keys]), beam=20)
    assert not found.exact
    assert len(found.pairs) == sum(min(candidate.count(word), reference.count(word)) for word in set(candidate))
    score = Meteor(stem=False, beam=20).score([" ".join(candidate)], [[" ".join(reference)]])
    assert any("beam 20" in note for note in score.notes)


# ---- The score


@given(words.filter(bool), words.filter(bool))
def test_score_lies_between_0_and_1(candidate, reference):
    for scorer in (PLAIN, Meteor("2005", stem=False)):
        score = scorer.score([candidate], [[reference]])
        assert 0 <= score.value <= 1 and (score.value > 0) == bool(set(candidate) & set(reference))
    assert PLAIN.score([candidate], [[candidate]]).value == 1


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=5))
def test_rows_add_and_references_have_no_order(corpus):
    candidates, groups = [one for one, _, _ in corpus], [[two, three] for _, two, three in corpus]
    score = PLAIN.score(candidates, groups)
    turned = PLAIN.score(candidates[::-1], [group[::-1] for group in groups[::-1]])
    assert turned.value == score.value and turned.segment_values == score.segment_values[::-1]
    assert value_of_segments(PLAIN, score, range(score.segments)) == score.value
    for i, (candidate, group) in enumerate(zip(candidates, groups, strict=True)):
        assert score.segment_values[i] == max(PLAIN.score([candidate], [[reference]]).value for reference in group)


def test_form_and_signature():
    assert isinstance(PLAIN, AdditiveMetric) and type(metric("meteor")) is Meteor
    line = Meteor().signature(2)
    assert line.startswith("metric:METEOR|nrefs:2|params:1.5|") and "|stem:english-" in line and "|syn:no|" in line and "|tok:13a|case:lc|" in line
    assert "|tok:given|case:mixed|" in PLAIN.score([["A"]], [[["A"]]]).signature
    german = Meteor(language="german")
    assert german.parameters is PARAMETERS["1.5-li"] and german.score(["die Häuser"], [["das Haus"]]).value > 0
    assert len({Meteor(Parameters("1.5", *numbers)).signature() for numbers in [(0.85, 0.2, 0.6), (0.85, 0.2, 0.5)]} | {Meteor().signature()}) == 3


def test_function_words_count_less():
    reference = "the cat sat on the mat"
    lost_function, lost_content = (PLAIN.score([text], [[reference]]).parts["recall"] for text in ("cat sat on the mat", "the sat on the mat"))
    assert lost_function == pytest.approx((3 * 0.75 + 2 * 0.25) / (3 * 0.75 + 3 * 0.25)) and lost_content == pytest.approx((2 * 0.75 + 3 * 0.25) / 3)
    own = Meteor(stem=False, function_words=["cat"]).score(["the sat on the mat"], [[reference]])
    assert own.parts["recall"] == pytest.approx(5 * 0.75 / (5 * 0.75 + 0.25))


def test_row_of_a_stage_counts_each_side_by_its_own_word():
    row = meteor_row(["was"], ["wasp"], Alignment(((0, 0, 1),)))
    assert row[:4] == (0, 1, 1, 0) and row[8:12] == (0, 1, 1, 0) and row[16:] == (1, 0)


# ---- Input


def test_bad_input_is_refused_as_for_bleu():
    for candidates, references, kind in [
        ([], [], EmptyCorpusError),
        ("text", [["text"]], StringForListError),
        (["a"], ["a"], FlatReferencesError),
        (["a", "b", "c"], [["a", "b", "c"]], TransposedReferencesError),
        (["a"], [["a"], ["b"]], LengthMismatchError),
        ([None], [["a"]], SegmentTypeError),
        ([b"a"], [["a"]], SegmentTypeError),
        (["a"], [[1]], SegmentTypeError),
        (["a"], [[]], MissingReferenceError),
        (["a"], [[["a"]]], MixedSegmentsError),
    ]:
        with pytest.raises(kind):
            PLAIN.score(candidates, references)


def test_empty_and_foreign_text():
    assert PLAIN.score(["", "a", "", "  "], [["a"], [""], [""], ["a"]]).segment_values == (0, 0, 0, 0)
    for text in ["猫が マットの 上に いる", "Кошка сидит на коврике", "القطة على الحصيرة", "👩‍👩‍👧 🐈"]:
        assert Meteor("1.5-li").score([text], [[text]]).value == 1
    assert Meteor(stem=False).score([(1, 2, 3)], [[(1, 2, 4)]]).parts["pairs"] == 2  # tokens need not be text


def test_stems_and_synonyms_of_tokens_that_are_no_text(tmp_path):
    with pytest.raises(SegmentTypeError, match="stem=False"):
        Meteor().score([(1, 2)], [[(1, 2)]])


def test_options_are_checked(tmp_path):
    for options, kind, part in [
        ({"parameters": "2004"}, UnknownNameError, "2005"),
        ({"language": "klingon"}, UnknownNameError, "english"),
        ({"wordnet": tmp_path}, FileInputError, "wordnet-base"),
        ({"wordnet": tmp_path, "language": "german"}, SettingsError, "English"),
        ({"parameters": "1.5", "language": "german"}, SettingsError, "function words"),
        ({"tokenize": "14a"}, UnknownNameError, "13a"),
        ({"lowercase": "upper"}, SettingsError, "ascii"),
        ({"normalize": "NFX"}, SettingsError, "NFC"),
        ({"beam": True}, SettingsError, "beam"),
    ]:
        with pytest.raises(kind, match=part):
            Meteor(**options)


def test_without_the_stemmer_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(MissingExtraError, match=r"'\.\[neighbours\]'"):
        Meteor()
    assert Meteor(stem=False).score(["a"], [["a"]]).value == 1


# ---- WordNet


@needs_wordnet
def test_synonyms_of_wordnet():
    wordnet = WordNet(WORDNET)
    for one, other in [("happy", "glad"), ("car", "auto"), ("cars", "automobile"), ("bought", "purchase"), ("geese", "goose"), ("began", "started")]:
        assert wordnet.synsets(one) & wordnet.synsets(other), (one, other)
    for one, other in [("happy", "beaming"), ("cat", "mat"), ("walk", "xyzzy")]:
        assert not wordnet.synsets(one) & wordnet.synsets(other), (one, other)
    found = Meteor(wordnet=WORDNET).score(["a glad man bought a car"], [["a happy man purchased an auto"]])
    assert found.rows[0][12] == 3  # three content words matched by meaning: NLTK finds none of these pairs once it has stemmed
    assert f"|syn:{wordnet.name}|" in found.signature


@needs_wordnet
def test_base_forms_are_those_of_nltk(tmp_path, monkeypatch):
    """NLTK's reader follows the same manual by its own code; it wants a file lexnames beside the others, of which it needs the numbers alone."""
    reader = pytest.importorskip("nltk.corpus.reader.wordnet").WordNetCorpusReader
    monkeypatch.setattr(reader, "map_wn", lambda *_: {})  # a table between versions of WordNet, for which it wants index.sense
    monkeypatch.setattr("nltk.data.path", [str(tmp_path)])  # it reads nothing outside its own path
    folder = tmp_path / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for path in WORDNET.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    if not (folder / "lexnames").exists():
        (folder / "lexnames").write_text("".join(f"{i:02}\tx.y\t1\n" for i in range(45)))
    theirs, ours = reader(str(folder), None), WordNet(WORDNET)
    forms = "walks walked hoped geese oxen boxes buses churches dishes quizzes men women flies flying better best larger largest ran has is fast cars"
    for form in [*forms.split(), "bought", "purchased", "wolves", "axes", "glasses", "news", "series", "happier", "leaves", "lying", "singing", "as"]:
        expected = {(synset.pos().replace("s", "a"), f"{synset.offset():08}") for synset in theirs.synsets(form)}
        short = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
        assert {(short[part], offset) for part, offset in ours.synsets(form)} == expected, form


# ---- Real data


@needs_data
def test_real_data_against_the_best_of_a_wider_beam():
    folder = SHARED / "data" / "wmt14_fren_fairseq"
    candidates, references = (lines(folder / name)[:150] for name in ("hyp.fairseq.txt", "ref.0.txt"))
    narrow, wide = (Meteor(beam=beam).score(candidates, [[text] for text in references]) for beam in (200, 2000))
    assert sum(a != b for a, b in zip(narrow.segment_values, wide.segment_values, strict=True)) <= 2
    assert narrow.value == pytest.approx(wide.value, abs=1e-3) and 0.25 < narrow.value < 0.45
