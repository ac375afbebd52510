"""A message shows the value that it is about, whatever that value is: a number that Python does not write, or an object whose own `repr` fails."""

import functools
import inspect
import math
import pickle
from fractions import Fraction
from importlib import import_module

import pytest

import bleu_lit
from bleu_lit import corpus_stats, explain, explain_corpus, sentence_bleu, sentence_scorer
from bleu_lit.adapters import command_of
from bleu_lit.bleu import BleuStats, check_weights, uniform_weights, weighted_bleu
from bleu_lit.brevity import brevity_svg, reference_length
from bleu_lit.chrf import ChrF
from bleu_lit.compat.evaluate import write_script
from bleu_lit.compat.sacrebleu import BLEU, CHRFScore, corpus_chrf
from bleu_lit.core import BleuInputError
from bleu_lit.files import read_lines, read_parallel
from bleu_lit.metric_form import metric_signature
from bleu_lit.ngrams import ngram_counts, ngram_set
from bleu_lit.nist import Nist
from bleu_lit.plain_text import json_text
from bleu_lit.settings import SACREBLEU, parse_signature, signature
from bleu_lit.smoothing import smoothed_bleu
from bleu_lit.specification import rule_of
from bleu_lit.tokens import Tokenizer, tokenize
from bleu_lit.view import view, view_html, view_svg


class Mute:
    """An object that cannot be written."""

    def __repr__(self):
        raise RuntimeError("it cannot be written")

    __str__ = __repr__

    def __format__(self, spec):
        raise RuntimeError("it cannot be written")


def nested(depth: int) -> list:
    """A list in a list in a list …"""
    inner: list = []
    for _ in range(depth):
        inner = [inner]
    return inner


UNSPEAKABLE = {"huge": 10**5000, "-huge": -(10**5000), "mute": Mute(), "deep": nested(10_000), "[huge]": [10**5000], "(mute,)": (Mute(),)}

TEXTS, REFERENCES = ["the cat sat", "a b"], [["the cat sat on"], ["a b"]]
USUAL = {
    "candidate": TEXTS[0],
    "candidates": TEXTS,
    "references": REFERENCES,
    "predictions": TEXTS,
    "sources": TEXTS,
    "settings": SACREBLEU,
    "stats": corpus_stats(TEXTS, REFERENCES),
    "text": "the cat",
    "derivation": explain(TEXTS[0], REFERENCES[0]),
    "systems": {"x": TEXTS, "y": ["the cat", "a b"]},
    "name": "bleu",
    "samples": 10,
    "seed": 1,
    "client": None,
    "checkpoint": None,
}
MODULES = ("bleu_lit", "bleu_lit.compat.sacrebleu", "bleu_lit.compat.nltk", "bleu_lit.compat.evaluate", "bleu_lit.compat.lm_eval")


def public_calls():
    for module in map(import_module, MODULES):
        for name in getattr(module, "__all__", None) or dir(bleu_lit):
            call = getattr(module, name, None)
            if callable(call) and getattr(call, "__module__", "").startswith("bleu_lit") and not (isinstance(call, type) and issubclass(call, BaseException)):
                yield pytest.param(call, id=f"{module.__name__.removeprefix('bleu_lit.')}.{name}")


def fails_to_speak(error: BaseException) -> bool:
    """Whether an error came from writing a value."""
    try:
        said = str(error)
    except Exception:
        return True
    return isinstance(error, RecursionError) or "Exceeds the limit" in said or "it cannot be written" in said


@pytest.mark.parametrize("call", public_calls())
@pytest.mark.filterwarnings("ignore")
def test_every_message_can_be_written(call, capsys):
    parameters, silent = inspect.signature(call).parameters.values(), []
    for odd in parameters:
        if odd.kind is odd.VAR_POSITIONAL:
            continue
        for what, value in UNSPEAKABLE.items():
            given = {one.name: USUAL.get(one.name, value) for one in parameters if one.default is one.empty and one.kind is not one.VAR_POSITIONAL}
            given |= {odd.name: value}
            more = given.pop(odd.name) if odd.kind is odd.VAR_KEYWORD else None
            given = {name: one for name, one in given.items() if name not in {p.name for p in parameters if p.kind is p.VAR_KEYWORD}}
            try:
                call(**given, **({} if more is None else {"lowercase": more}))
            except Exception as error:
                silent += [f"{odd.name}={what}: {type(error).__name__}"] * fails_to_speak(error)
    assert not silent
    assert "Logging error" not in capsys.readouterr().err


# ---- What is told of values of the wrong kind, one by one


class Two:
    """What counts as 2 without being an int."""

    def __index__(self):
        return 2


class NoPath:
    """A path that is none."""

    def __fspath__(self):
        return 5


D = USUAL["derivation"]
CORPUS = explain_corpus(TEXTS, REFERENCES)
SIGNATURE = signature(SACREBLEU)
HUGE, MUTE = UNSPEAKABLE["huge"], UNSPEAKABLE["mute"]
TOLD = {
    "tokenize normalize": (lambda: tokenize("a", normalize=HUGE), "normalize: expected None"),
    "Tokenizer name": (lambda: Tokenizer(MUTE, str.split), "name of a tokenizer: expected a printable name"),
    "Tokenizer split": (lambda: Tokenizer("own", HUGE), "tokenizer own: expected a function"),
    "text width": (lambda: D.text(width=-HUGE), "width: expected a number of columns"),
    "corpus text width": (lambda: CORPUS.text(width=MUTE), "width: expected a number of columns"),
    "view order": (lambda: view(D, HUGE), "order: expected an order"),
    "view_svg width": (lambda: view_svg(D, 1, HUGE), "width: expected a whole number from 1"),
    "view_html name": (lambda: view_html(D, 1, MUTE), "name: expected text"),
    "smoothed_bleu order": (lambda: smoothed_bleu(USUAL["stats"], max_order=HUGE), "n: expected an n-gram order, a whole number from 1 to 10000"),
    "check_weights order": (lambda: check_weights([1], HUGE), "weights: expected <int> weights"),
    "zero": (lambda: BleuStats.zero(10**30), "n: expected an n-gram order, a whole number from 1 to 10000"),
    "uniform_weights": (lambda: uniform_weights(10**30), "n: expected an n-gram order, a whole number from 1 to 10000"),
    "weighted_bleu": (lambda: weighted_bleu(None, 3, 4), "precisions: expected a list"),
    "weighted_bleu part": (lambda: weighted_bleu([None], 3, 4), "precisions: expected a number of at least 0"),
    "reference_length": (lambda: reference_length(3, None), "reference_lengths: expected a list of lengths"),
    "brevity_svg": (lambda: brevity_svg(None), "points: expected pairs"),
    "brevity_svg point": (lambda: brevity_svg([(None, 3)]), "expected"),
    "brevity_svg width": (lambda: brevity_svg(width=None), "width: expected a whole number from 1"),
    "read_lines": (lambda: read_lines(None), "path: expected the path of a file"),
    "read_lines path": (lambda: read_lines(NoPath()), "path: expected the path of a file"),
    "read_parallel": (lambda: read_parallel(None), "paths: expected a list of paths"),
    "read_parallel text": (lambda: read_parallel("ref.txt"), "paths: expected a list of paths"),
    "read_parallel iterator": (lambda: read_parallel(iter(["a.txt", "b.txt"])), "paths: expected a list of paths"),
    "stream_stats": (lambda: bleu_lit.stream_stats(NoPath(), ["r"]), "path: expected the path of a file"),
    "json indent": (lambda: json_text({}, 1.5), "indent: expected a whole number from 0 to 100"),
    "to_json indent": (lambda: bleu_lit.corpus_bleu(TEXTS, REFERENCES).to_json(indent=1.5), "indent: expected a whole number"),
    "derivation indent": (lambda: D.to_json(indent=HUGE), "indent: expected a whole number"),
    "lifting": (lambda: CORPUS.lifting(math.nan), "most: expected a whole number of at least 0"),
    "lowering": (lambda: CORPUS.lowering("2"), "most: expected a whole number of at least 0"),
    "segment": (lambda: CORPUS.segment(None), "index: expected a whole number from 0 to 1"),
    "parse_signature": (lambda: parse_signature(SIGNATURE, tokenizers=True), "tokenizers: expected a list"),
    "parse_signature text": (lambda: parse_signature(MUTE), "signature: expected"),
}


@pytest.mark.parametrize(("call", "start"), TOLD.values(), ids=TOLD)
def test_a_value_of_the_wrong_kind_is_told(call, start):
    with pytest.raises(BleuInputError) as caught:
        call()
    assert start in str(caught.value) and ", got " in str(caught.value)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "latex"])
@pytest.mark.parametrize("found", [D, CORPUS], ids=["segment", "corpus"])
def test_full_is_yes_or_no(form, found):
    numpy = pytest.importorskip("numpy", reason="numpy is a development requirement")
    write = getattr(found, form)
    for odd in (numpy.array([True, False]), "no", Mute()):
        with pytest.raises(BleuInputError, match="full: expected True or False"):
            write(full=odd)
    assert write(full=numpy.bool_(True)) == write(full=True)


def test_what_counts_as_a_whole_number_is_one():
    assert ngram_set("abab", Two()) == {"ab", "ba"}
    assert ngram_counts("abab", Two()) == {"ab": 2, "ba": 1}
    assert weighted_bleu([Fraction(1), None], 4, 4, [1, 0]) == weighted_bleu([1], 4, 4)  # what weighs nothing need be no number
    assert json_text({"a": 1}, Two()) == '{\n  "a": 1\n}'


def test_numbers_of_other_kinds_are_counts():
    numpy = pytest.importorskip("numpy", reason="numpy is a development requirement")
    for two in (Two(), numpy.array(2), numpy.int64(2)):
        assert ChrF(char_order=two, word_order=two) == ChrF(char_order=2, word_order=2)
        assert ChrF(char_order=two, word_order=two).signature().startswith("metric:chrF2++|")
        assert str(corpus_chrf(["a b"], [["a b"]], word_order=two)).startswith("chrF2++ = 100.00")
        assert CHRFScore(1.0, 6, two, two).name == "chrF2++"


@pytest.mark.parametrize("position", [2, 3])
@pytest.mark.parametrize("length", [10**5000, 10**400], ids=["10**5000", "10**400"])
def test_lengths_that_no_float_holds_are_refused(position, length):
    given = [[1] * 4, [1] * 4, 4, 4]
    given[position] = length
    with pytest.raises(BleuInputError, match=r"(sys|ref)_len: expected a whole number from 0 to"):
        BLEU.compute_bleu(*given)


def test_a_script_needs_a_folder():
    with pytest.raises(BleuInputError, match="folder: expected the path of a folder, got None"):
        write_script("bleu", None)


def test_a_warning_can_be_written(caplog):
    BLEU(smooth_method="exp", smooth_value=HUGE)
    assert "smooth_value=<int> does nothing" in caplog.text


@pytest.mark.parametrize(
    ("candidate", "group", "told"), [("aa", ["b", "cc"], True), ("aa", ["b", "c"], False), ("ab", ["a", "abc"], False), ("aa", ["b"], False)]
)
@pytest.mark.parametrize("by", ["plain", None])
def test_a_note_on_the_order_of_references_is_about_this_text(candidate, group, told, by):
    chrf = ChrF(by=by)
    both = [chrf.score([candidate, "aaaa"], [turned, ["aaaa"]]) for turned in (group, group[::-1])]
    assert (both[0].value != both[1].value) == told  # it is said where it matters, and nowhere else
    assert [any("the order of the references" in note for note in one.notes) for one in both] == [told, told]


def test_what_cannot_be_pickled_has_a_stand_in_that_can():
    scorer = pickle.loads(pickle.dumps(functools.partial(sentence_bleu, settings=SACREBLEU)))  # as the docstring of sentence_scorer says
    assert scorer("the cat", ["the cat sat"]).value == sentence_scorer(SACREBLEU)("the cat", ["the cat sat"])


@pytest.mark.parametrize("what", UNSPEAKABLE)
def test_a_name_that_is_no_text_is_told(what):
    for call, start in ((lambda odd: rule_of(odd), "vector: expected the id of a vector"), (lambda odd: command_of("python", odd), "name: expected text")):
        with pytest.raises(BleuInputError) as caught:
            call(UNSPEAKABLE[what])
        assert str(caught.value).startswith(start)


def test_every_token_can_be_shown():
    for odd, said in ((Mute(), "<Mute>"), (HUGE, "<int>")):
        found = explain(["a", odd, "b"], [["a", odd, "c"]])
        corpus = explain_corpus([["a", odd, "b"]], [[["a", odd, "c"]]])
        for one in (found, corpus):
            assert said in one.text() and all(getattr(one, form)() for form in ("markdown", "html", "latex", "to_json"))
        assert view(found).svg().startswith("<svg") and said.replace("<", "&lt;").replace(">", "&gt;") in view(found).html()
        with pytest.raises(BleuInputError, match="tokens that JSON can hold"):
            type(found).from_json(found.to_json())
    assert explain([10**4000], [[10**4000]]).to_dict()["candidate"]["tokens"] == [10**4000]


@pytest.mark.parametrize("what", UNSPEAKABLE)
def test_a_signature_refuses_what_cannot_be_written(what):
    for call in (lambda odd: metric_signature("chrF", odd), lambda odd: metric_signature("chrF", model=odd), lambda odd: metric_signature(odd)):
        with pytest.raises(BleuInputError) as caught:
            call(UNSPEAKABLE[what])
        assert "signature of" in str(caught.value) or "nrefs" in str(caught.value)


def test_nist_takes_what_counts_as_a_whole_number():
    assert Nist(max_order=Two()) == Nist(max_order=2)


@pytest.mark.parametrize("what", UNSPEAKABLE)
def test_what_goes_with_a_score_is_told(what):
    for score in (BLEU().corpus_score(TEXTS, [["a", "b"]]), CHRFScore(1.0, 6, 0, 2)):
        with pytest.raises(BleuInputError, match="signature: expected what get_signature returns"):
            score.format(signature=UNSPEAKABLE[what])
    with pytest.raises(BleuInputError, match="better_than: expected scores with one signature"):
        ChrF().score(TEXTS, REFERENCES).better_than(UNSPEAKABLE[what])
