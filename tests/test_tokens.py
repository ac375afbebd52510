"""The tokenizers against sacreBLEU 2.6.0, their fast forms against their definitions, and the notes."""

import json
import pickle
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu_lit
from bleu_lit import tokens as module
from bleu_lit.core import SegmentTypeError, SettingsError, UnknownNameError
from bleu_lit.metric import metric
from bleu_lit.text_notes import invisible_note, looks_tokenized, normal_form_note, script_note, text_notes
from bleu_lit.tokens import TOKENIZERS, UNICODE_VERSION, Tokenizer, fast_tokenizer, prepare, tokenize, tokenizer

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "oracles")]
from fuzz import departures, fuzz_lines  # noqa: E402
from sacrebleu_tokens import FUZZ, RULES, digests  # noqa: E402
from shared import evaluation_sets, lines, needs_data  # noqa: E402
from unicode_ranges import code_points, unicode_version  # noqa: E402

FROZEN = json.loads((HERE / "oracles" / "sacrebleu_tokens.json").read_text(encoding="utf-8"))


def fast_by(name, lowercase):
    fast = fast_tokenizer(name)
    return lambda text: fast(prepare(text, lowercase))


def plain_by(name, lowercase):
    return lambda text: tokenize(text, name, lowercase=lowercase)


# --- against sacreBLEU


@needs_data
@pytest.mark.parametrize("each", evaluation_sets(), ids=lambda each: each.name)
def test_every_line_of_every_file_has_sacrebleus_tokens(each):
    # claim: 002-02, 004-09
    for path in sorted(each.folder.glob("*.txt")):
        assert digests(lines(path), fast_by) == FROZEN["files"][f"{each.name}/{path.name}"], path.name


@needs_data
def test_the_digests_cover_every_file():
    found = {f"{each.name}/{path.name}" for each in evaluation_sets() for path in each.folder.glob("*.txt")}
    assert found == set(FROZEN["files"])


@pytest.mark.parametrize("by", [plain_by, fast_by])
def test_fuzzed_texts_have_the_digests_of_sacrebleus_tokens(by):
    rules = [rule for rule in RULES if "lowercase" not in rule]
    assert {**FUZZ, **digests(list(fuzz_lines(**FUZZ)), by, rules)} == FROZEN["fuzz"]


def test_fuzzed_texts_have_the_tokens_of_the_installed_sacrebleu():
    pytest.importorskip("sacrebleu")
    assert departures(list(fuzz_lines(seed=3, count=3000)), TOKENIZERS) == []


@needs_data
def test_real_lines_have_the_tokens_of_the_installed_sacrebleu():
    pytest.importorskip("sacrebleu")
    sample = [line for each in evaluation_sets() for path in sorted(each.folder.glob("*.txt")) for line in lines(path)[::499]]
    assert len(sample) > 400
    assert departures(sample, TOKENIZERS) == []


@given(st.text(st.characters(exclude_categories=())), st.sampled_from(TOKENIZERS))
def test_any_text_has_sacrebleus_tokens(text, name):
    pytest.importorskip("sacrebleu")
    assert departures([text], (name,)) == []


def test_every_code_point_in_its_context():
    """Code points alone, at the edges, and between letters, digits and periods, where the rules part."""
    pytest.importorskip("sacrebleu")
    texts = [f"{mark}a{mark}a 1{mark}1 a{mark}.1 {mark}" for mark in map(chr, [*range(0x300), *range(0x300, 0x3400, 3), *range(0x3400, 0x110000, 997)])]
    assert departures(texts, TOKENIZERS, cases=(False,)) == []


# --- the tables


def pairs(table):
    words = [word.split("-") for word in table.split()]
    return [(int(word[0], 16), int(word[-1], 16)) for word in words]


@pytest.mark.parametrize("category", ["P", "S", "N"])
def test_the_table_is_that_of_regex(category):
    pytest.importorskip("regex")
    if unicode_version() != UNICODE_VERSION:
        pytest.skip(f"regex has Unicode {unicode_version()}, the table {UNICODE_VERSION}")
    ours = [point for first, last in pairs(getattr(module, f"_{category}")) for point in range(first, last + 1)]
    assert ours == code_points(category)


@pytest.mark.parametrize("category", ["P", "S", "N"])
def test_the_table_agrees_with_python_on_what_python_knows(category):
    ranges = pairs(getattr(module, f"_{category}"))
    ours = {point for first, last in ranges for point in range(first, last + 1)}
    known = [point for point in range(0x110000) if unicodedata.category(chr(point)) != "Cn"]
    assert [point for point in known if (unicodedata.category(chr(point))[0] == category) != (point in ours)] == []


def test_chinese_is_what_sacrebleu_takes_for_it():
    sacrebleu_zh = pytest.importorskip("sacrebleu.tokenizers.tokenizer_zh")
    is_chinese = sacrebleu_zh.TokenizerZh._is_chinese_char.__wrapped__
    ours = module._chinese().match
    assert [point for point in range(0x110000) if is_chinese(chr(point)) != bool(ours(chr(point)))] == []


def test_words_of_letters_and_digits_hold_no_mark():
    """The short cut of 13a for such words."""
    assert not any(chr(point).isalnum() for point in range(128) if chr(point) in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


# --- fast and plain

TRAPS = st.lists(st.sampled_from([*" \n\t.,-5a'&;%“。中か€٣\u3000\u2028\u200b\ud800", "<skipped>", "&amp;", "&lt;", "-\n"]), max_size=14).map("".join)


@given(TRAPS | st.text(st.characters(exclude_categories=())), st.sampled_from(TOKENIZERS))
def test_fast_is_plain(text, name):
    assert fast_tokenizer(name)(text) == tokenize(text, name)


@given(TRAPS | st.text(st.characters(exclude_categories=())), st.sampled_from(TOKENIZERS))
def test_tokens_hold_no_white_space_and_cutting_keeps_the_rest(text, name):
    got = tokenize(text, name)
    assert all(token and token.split() == [token] for token in got)
    if name != "13a":
        assert "".join(got) == "".join(text.split())


def test_a_full_store_is_emptied_and_long_words_are_not_kept():
    store = module._Words(str.split, limit=3, longest=5)
    for word in ["a", "b", "c", "d", "abcdef", "a"]:
        assert store[word] == (word,)
    assert set(store) == {"d", "a"}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_one_long_word_and_many_empty_texts(name):
    assert fast_tokenizer(name)("") == tokenize("", name) == []
    long = "x" * 300_000
    expected = list(long) if name == "char" else [long]
    assert fast_tokenizer(name)(long) == tokenize(long, name) == expected


# --- names and callables


def test_names():
    assert TOKENIZERS == ("none", "char", "13a", "intl", "zh")
    for name in TOKENIZERS:
        assert tokenizer(name).name == name
        assert pickle.loads(pickle.dumps(tokenizer(name))) == tokenizer(name)
        assert repr(tokenizer(name)) == f"Tokenizer(name='{name}')"


NEAR = {"13A": "13a", "v13a": "13a", "chars": "char", "international": "intl", "ja_mecab": "ja-mecab", None: "none"}


@pytest.mark.parametrize(("wrong", "near"), NEAR.items())
def test_unknown_names_are_answered_with_the_nearest(wrong, near):
    with pytest.raises(UnknownNameError, match=f"Did you mean '{near}'"):
        tokenizer(wrong)
    with pytest.raises(UnknownNameError):
        tokenize("a", wrong)


def half(text):
    return [text[: len(text) // 2], text[len(text) // 2 :]]


class Upper:
    def __call__(self, text):
        return text.upper()


def test_any_callable_is_a_tokenizer():
    assert tokenizer(half).name == "half"
    assert tokenizer(half)("bleu ") == ["bl", "eu"]
    assert tokenizer(Upper()).name == "Upper"
    assert tokenizer(Upper())("a cat") == ["A", "CAT"]  # text is split
    assert tokenizer(lambda text: tuple(map(ord, text)))("ab") == [97, 98]  # tokens may be numbers
    assert fast_tokenizer(half)("bleu") == ["bl", "eu"]
    named = Tokenizer("mine", half)
    assert tokenizer(named) is named


def test_sacrebleus_own_tokenizers_can_be_given():
    tokenizer_13a = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a
    assert tokenizer(tokenizer_13a())("It's home.") == ["It's", "home", "."]


@pytest.mark.parametrize("result", [None, 7, b"a cat", [["a", "cat"]], {"a"}])
def test_the_result_of_a_callable_is_checked(result):
    with pytest.raises(SegmentTypeError, match="result of the tokenizer"):
        tokenizer(lambda text: result)("a cat")


def test_a_function_cannot_pass_for_a_known_rule():
    def zh(text):
        return list(text)

    zh.__qualname__ = "zh"
    for impostor in (zh, Tokenizer("13a", half), Tokenizer("ja-mecab", half)):
        with pytest.raises(SettingsError, match="my-"):
            tokenizer(impostor)
    for name in ("", "a b", "a|b", "a:b", None):
        with pytest.raises(SettingsError):
            Tokenizer(name, half)


# --- before the cut


def test_the_order_is_form_case_rule():
    assert tokenize("&AMP;lt;") == ["&", "AMP", ";", "lt", ";"]
    assert tokenize("&AMP;LT;", lowercase=True) == ["<"]
    assert tokenize("ÄA", lowercase="ascii") == ["Äa"]
    assert tokenize("ﬁ", normalize="NFKC") == ["fi"]
    assert tokenize("A\u0308", lowercase=True, normalize="NFC") == ["ä"]
    assert tokenize("！", normalize="NFKC") == ["!"]


@pytest.mark.parametrize("wrong", [None, 3, 2.5, b"a", ["a"], ("a", "b"), object()])
def test_only_text_is_tokenized(wrong):
    with pytest.raises(SegmentTypeError):
        tokenize(wrong)


@pytest.mark.parametrize("choice", [{"lowercase": "yes"}, {"lowercase": None}, {"lowercase": 1}, {"normalize": "nfc"}, {"normalize": True}])
def test_other_choices_are_refused(choice):
    with pytest.raises(SettingsError):
        tokenize("a", **choice)


# --- notes


@needs_data
def test_notes_on_real_texts():
    # claim: 003-09
    scripts = {"flores_test_enth": "Thai", "flores_test_enja": "Japanese", "kftt_enja": "Japanese", "wmt22_enzh": "Chinese"}
    tokenized = {"ted_sken_tok", "multeval_set1_4ref", "multeval_set2", "wmt14_fren_fairseq"}
    for each in evaluation_sets():
        if each.name == "didi_zh_charpair":  # one system, once as it is and once with blanks between characters
            continue
        for path in each.references:
            texts = lines(path)
            note = script_note(texts)
            assert (note is not None) == (each.name in scripts), (each.name, path.name, note)
            assert note is None or scripts[each.name] in note
            if each.name in tokenized:
                assert looks_tokenized(texts), each.name
            if "detok" in each.name or each.name.startswith("wmt2"):
                assert looks_tokenized(texts) is None, each.name


def test_notes_need_little_text():
    assert "Thai" in script_note(["สวัสดีครับผมชื่อสมชาย"])
    assert "zh" in script_note(["今天天气很好"])
    assert script_note(["今 天 天 气 很 好"]) is None
    assert script_note([]) is None
    assert script_note([""]) is None
    assert script_note(["a", 7, None, ("b",)]) is None
    assert script_note(text for text in ["今天天气很好"])
    assert script_note(["今天天气很好"], "zh") is None
    assert script_note(["今天天气很好"], "mine") is None
    assert looks_tokenized(["The dog bit the man ."])
    assert looks_tokenized([]) is None
    assert invisible_note(["ab\u200bcd"])
    assert invisible_note(["e\u0301", "क्\u200dष"]) is None  # joiners that belong to the script
    assert normal_form_note([], []) is None
    assert normal_form_note(["a\u0308"], ["ä"]) and normal_form_note(["ä"], ["a\u0308"])
    assert text_notes(["The cat."], ["A cat."]) == ()


# --- the module


def test_importing_compiles_no_pattern():
    names = "u._intl_steps, u._chinese, c._western_steps, n._script, t._fast"
    code = f"from bleu_lit import cut as c, cut_unicode as u, text_notes as n, tokens as t; print(*(f.cache_info().currsize for f in ({names})))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == ["0"] * 5


def first_of(text):
    """A tokenizer with a slip: a text that begins with STOP has no first token for `next`."""
    return next(iter([])) if text.upper().startswith("STOP") else text.split()


STOPS = ["a b c d e", "a b c d f", "STOP a b c", "q r s t u"]


@pytest.mark.parametrize("chosen", ["native", "python"])
@pytest.mark.parametrize(
    "score",
    [
        lambda: bleu_lit.corpus_bleu(["a b c d e"], [["x y a b", "STOP a b c d e"]], tokenize=first_of),
        lambda: bleu_lit.corpus_bleu(["STOP a b"], [["a b"]], tokenize=first_of),
        lambda: bleu_lit.corpus_bleu(["a b"], [["a b", "STOP"]], tokenize=first_of, blank_references="absent", lowercase=False),
        lambda: bleu_lit.corpus_bleu(["a b"], [["a b", "STOP"]], tokenize=first_of, normalize="NFC", reference_length="average"),
        lambda: bleu_lit.segment_stats(["a b"], [["a b", "STOP"]], tokenize=first_of),
        lambda: bleu_lit.segment_stats(["a b"], [["a b", "STOP"]], tokenize=first_of, form="memoryview"),
        lambda: bleu_lit.sentence_bleu("a b", ["a b", "STOP"], tokenize=first_of),
        lambda: bleu_lit.mean_sentence_bleu(["a b"], [["a b", "STOP"]], tokenize=first_of),
        lambda: bleu_lit.sentence_scorer(tokenize=first_of)("a b", ["a b", "STOP"]),
        lambda: bleu_lit.explain("a b", ["a b", "STOP"], tokenize=first_of).text(),
        lambda: bleu_lit.self_bleu(STOPS, tokenize=first_of),
        lambda: bleu_lit.pairwise_bleu(STOPS, STOPS, tokenize=first_of),
        lambda: metric("rouge2", tokenize=first_of).score(["a b"], [["a b", "STOP"]]),
        lambda: metric("ter", tokenize=first_of).score(["a b"], [["a b", "STOP"]]),
        lambda: metric("nist", tokenize=first_of).score(["a b"], [["a b", "STOP"]]),
    ],
)
def test_a_tokenizer_that_lets_stop_iteration_escape_loses_nothing_in_silence(chosen, score):
    if chosen == "native" and bleu_lit.engine() != "native":
        pytest.skip("the engine is not compiled")
    before = bleu_lit.engine()
    bleu_lit.engine(chosen)
    try:
        with pytest.raises(RuntimeError, match=r"the tokenizer first_of let StopIteration escape for '(?i:stop)"):
            score()
    finally:
        bleu_lit.engine(before)


def test_a_file_that_a_tokenizer_fails_for_is_not_counted_in_part(tmp_path):
    (tmp_path / "c").write_text("a b\nSTOP a b\n")
    with pytest.raises(RuntimeError, match="let StopIteration escape"):
        bleu_lit.stream_stats([tmp_path / "c"], [tmp_path / "c"], tokenize=first_of)


def test_the_mark_for_what_nobody_said_is_no_name():
    with pytest.raises(SettingsError, match=r"not [?], got"):
        Tokenizer("?", str.split)
