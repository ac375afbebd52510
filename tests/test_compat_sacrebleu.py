"""bleu_lit.compat.sacrebleu against sacreBLEU: the figures of its own tests, its names and defaults, and its numbers on random text."""

import inspect
import json
import logging
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleu_lit.compat.sacrebleu as ours
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    FlatReferencesError,
    LengthMismatchError,
    MissingExtraError,
    MissingReferenceError,
    OrderError,
    SegmentTypeError,
    SettingsError,
    SignatureError,
    SmoothingValueError,
    StatisticsError,
    StringForListError,
    TransposedReferencesError,
    UnknownNameError,
)
from bleu_lit.settings import SIGNATURE_VERSION, parse_signature

# ---- The figures of sacreBLEU's tests

DOG = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
DOG_REFERENCES = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
    ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
]
ZAHAR = ("Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;", ["producţia de zahăr brut se exprimă în zahăr alb;"])

# sacreBLEU 2.6.0, test/test_bleu.py: hypotheses, references, choices, percent
CORPUS_FIGURES = [
    (DOG, DOG_REFERENCES, {}, 48.530827),
    (("", "", ""), DOG_REFERENCES, {}, 0.0),
    (DOG, DOG_REFERENCES, {"tokenize": "none"}, 49.1919566),
    (DOG, DOG_REFERENCES, {"tokenize": "13a"}, 48.530827),
    (DOG, DOG_REFERENCES, {"tokenize": "intl"}, 43.91623493),
    (DOG, DOG_REFERENCES, {"smooth_method": "none"}, 48.530827),
]
# the same: hypotheses, references, smooth_value of raw_corpus_bleu, a fraction
RAW_FIGURES = [
    (["this is a test", "another test"], [["ref1", "ref2"]], 0.01, 0.0),
    (["this is a test"], [["this is a test"]], 0.01, 1.0),
    (["this is a fest"], [["this is a test"]], 0.01, 0.223606797749979),
    (["test"], [["a test"]], 0.01, 0.3678794411714425),
    (["a test"], [["a test"]], 0.01, 1.0),
    (["a little test"], [["a test"]], 0.01, 0.03218297948685433),
    (["am I am a character sequence"], [["I am a symbol string sequence a a"]], 0.0, 0.0),
    (["am I am a character sequence"], [["I am a symbol string sequence a a"]], None, 0.1555722182),
    (["am I am a character sequence"], [["I am a symbol string sequence a a"]], 0.1, 0.1555722182),
]
ORDER_FIGURES = {1: "77.65", 2: "60.50", 3: "53.93", 4: "48.53", 5: "46.14", 6: "43.28"}
# the same: correct, total, sys_len, ref_len, choices, a fraction
STATISTICS_FIGURES = [
    ([9, 7, 5, 3], [10, 8, 6, 4], 11, 11, {}, 0.8375922397),
    ([0, 0, 0, 0], [4, 4, 2, 1], 0, 1, {"smooth_method": "floor", "smooth_value": 0.0}, 0.0),
    ([0, 0, 0, 0], [10, 11, 12, 0], 14, 10, {"smooth_method": "floor", "smooth_value": 0.0}, 0.0),
    ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0, {"smooth_method": "floor", "smooth_value": 0.0}, 0.0),
    ([6, 5, 4, 0], [6, 5, 4, 3], 6, 6, {"smooth_method": "floor", "smooth_value": 0.0}, 0.0),
    ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0, {"smooth_method": "floor", "smooth_value": 0.1}, 0.0),
    ([0, 0, 0, 0], [0, 0, 0, 0], 1, 5, {"smooth_method": "floor", "smooth_value": 0.01}, 0.0),
]
# sacreBLEU 2.6.0, test/test_sentence_bleu.py: smoothing, its value, lowercase, tokenizer, percent
SENTENCE_FIGURES = [
    ("exp", None, False, "13a", 8.493),
    ("none", None, False, "13a", 0.0),
    ("floor", None, False, "13a", 4.51688),
    ("floor", 0.1, False, "13a", 4.51688),
    ("floor", 0.5, False, "13a", 10.10),
    ("add-k", None, False, "13a", 14.882),
    ("add-k", 1, False, "13a", 14.882),
    ("add-k", 2, False, "13a", 21.389),
    ("exp", None, False, "none", 7.347),
    ("exp", None, False, "intl", 8.493),
    ("exp", None, False, "char", 40.8759),
    ("exp", None, True, "char", 42.0267),
]


@pytest.mark.parametrize(("hypotheses", "references", "choices", "percent"), CORPUS_FIGURES)
def test_corpus_figures(hypotheses, references, choices, percent):
    assert abs(ours.corpus_bleu(hypotheses, references, **choices).score - percent) < 1e-8


@pytest.mark.parametrize(("hypotheses", "references", "value", "fraction"), RAW_FIGURES)
def test_raw_figures(hypotheses, references, value, fraction):
    assert abs(ours.raw_corpus_bleu(hypotheses, references, value).score / 100 - fraction) < 1e-8


def test_raw_counts():
    score = ours.raw_corpus_bleu(["am I am a character sequence"], [["I am a symbol string sequence a a"]], 0.01)
    assert (score.counts, score.totals) == ([4, 2, 1, 0], [6, 5, 4, 3])


@pytest.mark.parametrize(("order", "percent"), ORDER_FIGURES.items())
def test_order_figures(order, percent):
    assert f"{ours.BLEU(max_ngram_order=order).corpus_score(DOG, DOG_REFERENCES).score:.2f}" == percent


@pytest.mark.parametrize(("correct", "total", "sys_len", "ref_len", "choices", "fraction"), STATISTICS_FIGURES)
def test_statistics_figures(correct, total, sys_len, ref_len, choices, fraction):
    assert abs(ours.BLEU.compute_bleu(correct, total, sys_len, ref_len, **choices).score / 100 - fraction) < 1e-8


@pytest.mark.parametrize(("method", "value", "lowercase", "tokenize", "percent"), SENTENCE_FIGURES)
def test_sentence_figures(method, value, lowercase, tokenize, percent):
    by_function = ours.sentence_bleu(*ZAHAR, smooth_method=method, smooth_value=value, lowercase=lowercase, tokenize=tokenize)
    metric = ours.metrics.BLEU(lowercase=lowercase, tokenize=tokenize, smooth_method=method, smooth_value=value, effective_order=True)
    assert abs(by_function.score - percent) < 1e-3
    assert metric.sentence_score(*ZAHAR).score == by_function.score


@pytest.mark.parametrize("method", ["exp", "none", "floor", "add-k"])
def test_no_match_is_zero(method):
    assert ours.sentence_bleu("this is a cat", ["okay thanks"], smooth_method=method).score == 0.0


# ---- The same as the installed sacreBLEU

WORDS = ["the", "The", "cat", "sat", "on", "mat", ".", "mat.", "3.5", "U.S.", "&amp;", "&quot;x", "-", "a-b", "é", "中文", "”", "2,", "<skipped>", "İ", "it's"]
texts = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
choices = st.fixed_dictionaries(
    {
        "tokenize": st.sampled_from(["13a", "none", "char", "intl", "zh"]),
        "lowercase": st.booleans(),
        "smooth": st.sampled_from([("exp", None), ("none", None), ("floor", None), ("floor", 0.01), ("add-k", None), ("add-k", 0.5), ("add-k", 2)]),
        "order": st.integers(1, 6),
        "effective": st.booleans(),
    }
)


few = settings(max_examples=150)


@st.composite
def corpora(draw, longest=4):
    """Hypotheses, and streams of references; a reference may be absent where another is there."""
    count, streams = draw(st.integers(1, longest)), draw(st.integers(1, 3))
    hypotheses = [draw(texts) for _ in range(count)]
    references = [[draw(texts) for _ in range(count)]]
    for _ in range(streams - 1):
        references.append([draw(st.none() | texts) for _ in range(count)])
    return hypotheses, references


def both(theirs, chosen, **more):
    """The same metric of the two."""
    method, value = chosen["smooth"]
    arguments = {"lowercase": chosen["lowercase"], "tokenize": chosen["tokenize"], "smooth_method": method, "smooth_value": value}
    arguments |= {"max_ngram_order": chosen["order"], "effective_order": chosen["effective"], **more}
    return ours.BLEU(**arguments), theirs.BLEU(**arguments)


def same(ours_score, their_score):
    """Every attribute and every form of a score."""
    for name in ("score", "bp", "ratio", "_mean", "_ci"):
        assert getattr(ours_score, name) == pytest.approx(getattr(their_score, name), rel=1e-9, abs=1e-9), name
    for name in ("counts", "totals"):
        assert [float(x) for x in getattr(ours_score, name)] == pytest.approx([float(x) for x in getattr(their_score, name)])
    assert ours_score.precisions == pytest.approx(their_score.precisions, rel=1e-12)
    assert (ours_score.name, ours_score.sys_len, ours_score.ref_len) == (their_score.name, their_score.sys_len, their_score.ref_len)
    if all(abs(p * 10 % 1 - 0.5) > 1e-6 for p in their_score.precisions) and abs(their_score.score * 100 % 1 - 0.5) > 1e-6:  # no digit on the edge
        assert ours_score.prec_str == their_score.prec_str
        assert str(ours_score) == str(their_score)
        for form in ({"width": 1}, {"score_only": True}, {"signature": "a:b|c:d", "width": 3}, {"signature": "nrefs:1", "is_json": True}):
            assert ours_score.format(**form) == their_score.format(**form)


@pytest.fixture(scope="module")
def theirs():
    return pytest.importorskip("sacrebleu")


@pytest.fixture(autouse=True)
def _quiet():
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    logging.getLogger("bleu_lit").setLevel(logging.ERROR)
    yield
    logging.getLogger("bleu_lit").setLevel(logging.NOTSET)


@few
@given(corpora(), choices)
def test_corpus_scores_are_those_of_sacrebleu(theirs, corpus, chosen):
    # claim: 002-21, 002-23
    ours_metric, their_metric = both(theirs, chosen)
    same(ours_metric.corpus_score(*corpus), their_metric.corpus_score(*corpus))
    ours_signature, their_signature = ours_metric.get_signature(), their_metric.get_signature()
    for short in (False, True):
        expected = their_signature.format(short).replace(theirs.__version__, SIGNATURE_VERSION)
        found = [part for part in ours_signature.format(short).split("|") if not part.startswith("order:")]
        assert "|".join(found) == expected
    assert parse_signature(str(ours_signature)) == ours_metric.settings
    assert ours_metric.num_refs == their_metric.num_refs


@few
@given(texts, st.lists(texts, min_size=1, max_size=3), choices)
def test_sentence_scores_are_those_of_sacrebleu(theirs, hypothesis, references, chosen):
    ours_metric, their_metric = both(theirs, chosen)
    same(ours_metric.sentence_score(hypothesis, references), their_metric.sentence_score(hypothesis, references))
    method, value = chosen["smooth"]
    arguments = {"smooth_method": method, "smooth_value": value, "lowercase": chosen["lowercase"], "tokenize": chosen["tokenize"]}
    arguments["use_effective_order"] = chosen["effective"]
    same(ours.sentence_bleu(hypothesis, references, **arguments), theirs.sentence_bleu(hypothesis, references, **arguments))


@few
@given(corpora(), choices)
def test_functions_are_those_of_sacrebleu(theirs, corpus, chosen):
    method, value = chosen["smooth"]
    arguments = {"smooth_method": method, "smooth_value": value, "lowercase": chosen["lowercase"], "tokenize": chosen["tokenize"]}
    arguments["use_effective_order"] = chosen["effective"]
    same(ours.corpus_bleu(*corpus, **arguments), theirs.corpus_bleu(*corpus, **arguments))
    same(ours.raw_corpus_bleu(*corpus, value and min(value, 1)), theirs.raw_corpus_bleu(*corpus, value and min(value, 1)))


@few
@given(corpora(), choices)
def test_kept_references_are_the_same(theirs, corpus, chosen):
    hypotheses, references = corpus
    ours_metric, their_metric = both(theirs, chosen, references=references)
    ours_metric = pickle.loads(pickle.dumps(ours_metric))
    same(ours_metric.corpus_score(hypotheses, None), their_metric.corpus_score(hypotheses, None))
    same(ours_metric.corpus_score(hypotheses[::-1], None), their_metric.corpus_score(hypotheses[::-1], None))
    assert str(ours_metric.get_signature()).split("|")[0] == str(their_metric.get_signature()).split("|")[0]


@few
@given(corpora(), choices)
def test_statistics_score_the_same(theirs, corpus, chosen):
    method, value = chosen["smooth"]
    row = ours.BLEU(max_ngram_order=chosen["order"], smooth_method="none").corpus_score(*corpus).detail.stats
    arguments = {"smooth_method": method, "smooth_value": value, "effective_order": chosen["effective"], "max_ngram_order": chosen["order"]}
    correct, total = list(row.matched), list(row.total)
    found = ours.BLEU.compute_bleu(correct, total, row.candidate_length, row.reference_length, **arguments)
    assert (correct, total) == (list(row.matched), list(row.total))
    same(found, theirs.BLEU.compute_bleu(correct, total, row.candidate_length, row.reference_length, **arguments))


@settings(max_examples=12)
@given(corpora(longest=12), choices, st.sampled_from([2, 39, 40, 101]), st.sampled_from([None, "1", "2026"]))
def test_intervals_are_those_of_sacrebleu(theirs, corpus, chosen, resamples, seed):
    pytest.importorskip("numpy")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SACREBLEU_SEED", raising=False)
        if seed:
            patch.setenv("SACREBLEU_SEED", seed)
        ours_metric, their_metric = both(theirs, chosen)
        found, expected = ours_metric.corpus_score(*corpus, n_bootstrap=resamples), their_metric.corpus_score(*corpus, n_bootstrap=resamples)
    assert found.mean == pytest.approx(expected._mean, abs=2e-5)  # percent; sacreBLEU divides numbers of 32 bits
    assert found.ci == pytest.approx(expected._ci, abs=2e-5)
    assert [ours_metric.n_bootstrap, ours_metric.seed] == [their_metric.n_bootstrap, their_metric.seed]
    assert f"bs:{resamples}|seed:{seed or 12345}" in str(ours_metric.get_signature())


def test_draws_in_parts_are_the_draws_at_once():
    numpy = pytest.importorskip("numpy")
    rows = [(number, 1) for number in range(50_000)]
    drawn = numpy.random.default_rng(12345).choice(len(rows), size=(45, len(rows)), replace=True)
    assert [row for row, _ in ours._resampled_rows(rows, 45, 12345)] == drawn.sum(1).tolist()


@pytest.mark.parametrize("name", ["corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "BLEU", "BLEU.corpus_score", "BLEU.sentence_score", "BLEU.compute_bleu"])
def test_arguments_have_the_names_order_and_defaults_of_sacrebleu(theirs, name):
    found, expected = ours, theirs
    for part in name.split("."):
        found, expected = getattr(found, part), getattr(expected, part)
    ours_parameters, their_parameters = (inspect.signature(function).parameters.values() for function in (found, expected))
    assert [(p.name, p.default) for p in ours_parameters] == [(p.name, p.default) for p in their_parameters]


def test_attributes_are_those_of_sacrebleu(theirs):
    ours_score, their_score = ours.corpus_bleu(DOG, DOG_REFERENCES), theirs.corpus_bleu(DOG, DOG_REFERENCES)
    assert vars(their_score).keys() <= vars(ours_score).keys()
    same(ours.BLEUScore(*[12.345, [1], [2], [50.0], 0.9, 5, 6]), theirs.metrics.BLEUScore(*[12.345, [1], [2], [50.0], 0.9, 5, 6]))
    assert ours.BLEU.SMOOTH_DEFAULTS == theirs.BLEU.SMOOTH_DEFAULTS
    assert set(theirs.BLEU.TOKENIZERS) <= set(ours.BLEU.TOKENIZERS)


def test_signature_can_be_changed_and_goes_into_the_score():
    metric = ours.BLEU()
    score = metric.corpus_score(DOG, DOG_REFERENCES)
    signature = metric.get_signature()
    signature.update("test", "wmt99")
    signature.update("flag", True)
    assert "|test:wmt99|flag:yes|version:" in str(signature)
    parsed = json.loads(score.format(signature=metric.get_signature(), is_json=True))
    assert parsed["tok"] == "13a" and parsed["score"] == 48.53
    assert json.loads(score.format(is_json=True))["signature"] == ""


def test_containers_of_any_kind():
    expected = ours.corpus_bleu(DOG, DOG_REFERENCES).score
    assert ours.corpus_bleu(tuple(DOG), tuple(map(tuple, DOG_REFERENCES))).score == expected
    assert ours.corpus_bleu(iter(DOG), map(iter, DOG_REFERENCES)).score == expected
    numpy = pytest.importorskip("numpy")
    assert ours.corpus_bleu(numpy.array(DOG), numpy.array(DOG_REFERENCES)).score == expected
    row = numpy.array([9, 7, 5, 3], dtype="float32"), numpy.array([10, 8, 6, 4])
    assert round(ours.BLEU.compute_bleu(*row, numpy.int64(11), numpy.float64(11)).score, 6) == 83.759224


# ---- Where it is safer

ERRORS = [
    (lambda: ours.corpus_bleu(DOG, [["The dog bit the man."]]), LengthMismatchError),
    (lambda: ours.corpus_bleu(DOG[:1], DOG_REFERENCES), LengthMismatchError),
    (lambda: ours.corpus_bleu(DOG, [DOG_REFERENCES[0], DOG_REFERENCES[1][:2]]), LengthMismatchError),
    (lambda: ours.corpus_bleu(DOG, list(zip(*DOG_REFERENCES, strict=True))), TransposedReferencesError),
    (lambda: ours.corpus_bleu(DOG[:1], [["The dog bit the man.", "A dog bit a man."]]), TransposedReferencesError),
    (lambda: ours.corpus_bleu(DOG, DOG_REFERENCES[0]), FlatReferencesError),
    (lambda: ours.corpus_bleu(DOG, DOG_REFERENCES[0][0]), StringForListError),
    (lambda: ours.corpus_bleu(DOG[0], [list(DOG[0])]), StringForListError),
    (lambda: ours.sentence_bleu(DOG[0], DOG[0]), StringForListError),
    (lambda: ours.sentence_bleu(DOG, DOG), SegmentTypeError),
    (lambda: ours.sentence_bleu(DOG[0], []), MissingReferenceError),
    (lambda: ours.sentence_bleu("", [None]), MissingReferenceError),
    (lambda: ours.corpus_bleu([None], [["a"]]), SegmentTypeError),
    (lambda: ours.corpus_bleu([b"a"], [["a"]]), SegmentTypeError),
    (lambda: ours.corpus_bleu([["a", "b"]], [[["a", "b"]]]), SegmentTypeError),
    (lambda: ours.corpus_bleu([""], [[None]]), MissingReferenceError),
    (lambda: ours.corpus_bleu(["a"], []), MissingReferenceError),
    (lambda: ours.corpus_bleu([], [[]]), EmptyCorpusError),
    (lambda: ours.BLEU(references=DOG_REFERENCES).corpus_score(DOG[:2], None), LengthMismatchError),
    (lambda: ours.BLEU(references=DOG_REFERENCES).corpus_score(DOG, []), MissingReferenceError),
    (lambda: ours.BLEU(references=DOG_REFERENCES[0]), FlatReferencesError),
    (lambda: ours.BLEU(references=[["a", "b"], ["c"]]), LengthMismatchError),
    (lambda: ours.BLEU(references=[["a", None]]), MissingReferenceError),
    (lambda: ours.BLEU().corpus_score(DOG, None), MissingReferenceError),
    (lambda: ours.BLEU().get_signature(), BleuInputError),
    (lambda: ours.BLEU(smooth_method="expo"), UnknownNameError),
    (lambda: ours.BLEU(smooth_method="average"), UnknownNameError),
    (lambda: ours.BLEU(tokenize="13b"), UnknownNameError),
    (lambda: ours.BLEU(max_ngram_order=0), OrderError),
    (lambda: ours.BLEU(smooth_method="floor", smooth_value=2), SmoothingValueError),
    (lambda: ours.BLEU(smooth_method="add-k", smooth_value=-1), SmoothingValueError),
    (lambda: ours.BLEU().corpus_score(DOG, DOG_REFERENCES, n_bootstrap=2.5), StatisticsError),
    (lambda: ours.BLEU.compute_bleu([1, 0, 0, 0], [1, 0, 0], 1, 1), StatisticsError),
    (lambda: ours.BLEU.compute_bleu([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], 1, 1), StatisticsError),
    (lambda: ours.BLEU.compute_bleu([2, 0, 0, 0], [1, 0, 0, 0], 1, 1), StatisticsError),
    (lambda: ours.BLEU.compute_bleu([0.5, 0, 0, 0], [1, 0, 0, 0], 1, 1), StatisticsError),
    (lambda: ours.BLEU.compute_bleu([float("nan"), 0, 0, 0], [1, 0, 0, 0], 1, 1), StatisticsError),
]


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_errors_instead_of_silence(call, error):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, ValueError)


def test_what_is_ignored_is_said(caplog):
    logging.getLogger("bleu_lit").setLevel(logging.WARNING)
    with_value, without = ours.sentence_bleu(*ZAHAR, smooth_value=0.5), ours.sentence_bleu(*ZAHAR)
    assert with_value.score == without.score
    assert "smooth_value=0.5 does nothing" in caplog.text
    ours.BLEU(trg_lang="zh", tokenize="intl")
    assert "consider 'zh'" in caplog.text
    assert ours.BLEU(trg_lang="zh").tokenizer_signature == "zh"
    ours.BLEU().sentence_score("a", ["a"])
    assert "effective_order" in caplog.text
    caplog.clear()
    ours.corpus_bleu(["a ."] * 100, [["a ."] * 100], force=True)
    assert not caplog.text
    ours.corpus_bleu(["a ."] * 100, [["a ."] * 100])
    assert "looks tokenized" in caplog.text


def test_signature_forgets_an_earlier_bootstrap():
    pytest.importorskip("numpy")
    metric = ours.BLEU()
    assert metric.corpus_score(DOG, DOG_REFERENCES, n_bootstrap=5).ci is not None
    score = metric.corpus_score(DOG, DOG_REFERENCES)
    assert score.ci is None and "bs:" not in str(metric.get_signature())


def test_seed_from_the_environment(monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = ours.BLEU()
    metric.corpus_score(DOG, DOG_REFERENCES, n_bootstrap=3)
    assert "seed:none" in str(metric.get_signature())
    monkeypatch.setenv("SACREBLEU_SEED", "x")
    with pytest.raises(SettingsError, match="SACREBLEU_SEED"):
        metric.corpus_score(DOG, DOG_REFERENCES, n_bootstrap=3)


def test_bootstrap_without_numpy_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(MissingExtraError, match=r"'\.\[numpy\]'"):
        ours.BLEU().corpus_score(DOG, DOG_REFERENCES, n_bootstrap=3)


def test_perfect_is_exactly_one_hundred(theirs):
    text = ["a b c d e f g"] * 3
    assert ours.corpus_bleu(text, [text]).score == 100.0
    assert theirs.corpus_bleu(text, [text]).score != 100.0


def test_square_input_is_noted():
    assert "could be read either way" in ours.corpus_bleu(["a", "b"], [["a", "b"], ["c", "d"]]).detail.notes[-1]
    assert not any("either way" in note for note in ours.corpus_bleu(DOG, DOG_REFERENCES).detail.notes)


def test_a_flag_is_one_yes_or_no():
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    texts, streams = ["a b c d e"], [["a b c d e f"]]
    for value in (numpy.array([1, 2]), pandas.NA, pandas.Series([True, False])):
        for name in ("force", "lowercase", "use_effective_order"):
            with pytest.raises(SettingsError, match=f"{name.removeprefix('use_')}: expected True or False"):
                ours.corpus_bleu(texts, streams, **{name: value})
        with pytest.raises(SettingsError, match="effective_order: expected True or False"):
            ours.BLEU.compute_bleu([5, 4, 3, 2], [5, 4, 3, 2], 5, 5, effective_order=value)
    assert ours.corpus_bleu(texts, streams, lowercase=numpy.bool_(True), force=numpy.array(True)).score == ours.corpus_bleu(texts, streams).score
    assert ours.BLEU(trg_lang=["zh"]).corpus_score(texts, streams).score == ours.corpus_bleu(texts, streams).score


def test_json_keeps_the_keys_of_a_signature_as_they_are_given():
    """sacreBLEU 2.6.0 cuts at | and :, and takes what stands there: `c` stays `c`."""
    score = ours.corpus_bleu(["a b c d e"], [["a b c d f"]])
    told = json.loads(score.format(is_json=True, signature="a:b|c:d"))
    assert list(told) == ["name", "score", "signature", "verbose_score", "a", "c"] and (told["a"], told["c"]) == ("b", "d")
    metric = ours.BLEU()
    metric.corpus_score(["a b c d e"], [["a b c d f"]])
    assert {"#", "c", "e", "tok", "s", "v"} <= json.loads(score.format(is_json=True, signature=metric.get_signature().format(short=True))).keys()
    theirs = pytest.importorskip("sacrebleu").corpus_bleu(["a b c d e"], [["a b c d f"]])
    for text in ("a:b|c:d", "#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6.0", "nrefs:1|case:lc"):
        assert json.loads(score.format(is_json=True, signature=text)) == json.loads(theirs.format(is_json=True, signature=text))
    with pytest.raises(SignatureError, match="key:value"):
        score.format(is_json=True, signature="a")


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", ""])
def test_a_seed_that_is_none_is_told_with_the_variable(seed, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    with pytest.raises(SettingsError, match=r"SACREBLEU_SEED: expected a whole number of at least 0, or None, got .*Unset") as caught:
        ours.BLEU().corpus_score(["a b", "c d"], [["a b", "c d"]], n_bootstrap=10)
    assert repr(seed) in caught.value.got


WRONG_COUNTS = {"correct": (None, [2], 3, 3), "total": ([2], 5, 3, 3), "sys_len": ([2], [2], None, 3), "ref_len": ([2], [2], 3, [1, 2])}


@pytest.mark.parametrize(("where", "given"), [*WRONG_COUNTS.items(), ("correct", (["2"], [2], 3, 3)), ("total", ([1], [True], 3, 3))])
def test_statistics_that_are_no_counts_are_told_with_their_name(where, given):
    with pytest.raises(StatisticsError) as caught:
        ours.BLEU.compute_bleu(*given, max_ngram_order=1)
    assert caught.value.where == where and caught.value.fix


@pytest.mark.parametrize("scores", [None, [], 5, "12", ["a"], [None], [float("nan")], [True], iter(())], ids=lambda value: type(value).__name__)
def test_an_interval_needs_scores(scores):
    score = ours.corpus_bleu(["a b"], [["a b"]])
    with pytest.raises(StatisticsError) as caught:
        score.estimate_ci(scores)
    assert caught.value.where == "scores" and caught.value.fix and score.mean is None


@pytest.mark.parametrize("width", [None, -1, "2", 1.5])
def test_a_width_is_a_number_of_digits(width):
    with pytest.raises(SettingsError, match="width"):
        ours.corpus_bleu(["a b"], [["a b"]]).format(width=width)
