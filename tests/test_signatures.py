"""Signatures of others: sacreBLEU's own lines are read or named, and no part is dropped unsaid."""

import pytest

from bleu_lit.core import SignatureError
from bleu_lit.explain import EXAMPLES, words
from bleu_lit.functions import score_function
from bleu_lit.result import orders_of, score_from_stats
from bleu_lit.score import corpus_bleu, corpus_stats
from bleu_lit.settings import NO_SETTINGS, SACREBLEU, parse_signature, signature, signature_parts

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
    assert score_from_stats(stats, told.settings, told.nrefs) == told != bare
    assert score_from_stats(stats, told.settings).signature == told.signature.replace("nrefs:1", "nrefs:?")
    assert score_from_stats(stats, nrefs=3).signature.startswith("nrefs:3|case:?|")
    for score in (bare + bare, bare + score_from_stats(stats, "sacrebleu", 1), orders_of(bare)[4]):
        assert score.signature == bare.signature
    known = score_from_stats(stats, "sacrebleu", 2)
    assert (known + score_from_stats(stats, "sacrebleu")).signature.startswith("nrefs:?|case:mixed|")
    said = r"expected a signature that tells how its statistics were counted, got case:\? and tok:\?\. .*score_from_stats\(stats, settings"
    with pytest.raises(SignatureError, match=said):
        parse_signature(bare.signature)
    with pytest.raises(SignatureError, match=r"got tok:\?\."):
        parse_signature(told.signature.replace("tok:char", "tok:?"))
