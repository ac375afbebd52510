"""chrF and TER by sacreBLEU's names: the figures of its own tests, its numbers on random text, its ways to be imported; and what each module has not."""

import importlib
import inspect
import json
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_compat_sacrebleu import DOG, DOG_REFERENCES

import bleu_lit
import bleu_lit.compat.sacrebleu as ours
from bleu_lit.compat import DOORS, INSTEAD, evaluate, nltk, sacrebleu_metrics, torchmetrics
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    LengthMismatchError,
    MissingReferenceError,
    SegmentTypeError,
    SettingsError,
    StatisticsError,
    StringForListError,
    TransposedReferencesError,
    UnknownNameError,
)

RISK = " risk assessment must be made of those who are qualified and expertise in the sector - these are the scientists ."
RISK_REFERENCE = "risk assessment has to be undertaken by those who are qualified and expert in that area - that is the scientists ."
NETANYAHU = "Das Verhältnis zwischen Obama und Netanyahu ist nicht gerade freundschaftlich."

# sacreBLEU 2.6.0, test/test_chrf.py: hypotheses, references, choices, percent
CHRF_FIGURES = [
    (["abcdefg"], ["hijklmnop"], {"beta": 3, "eps_smoothing": True}, 0.0),
    (["aa"], ["ab"], {"beta": 3, "eps_smoothing": True}, 8.3333),
    (["a", "b"], ["a", "c"], {"beta": 3, "eps_smoothing": True}, 8.3333),
    (["a b c"], ["abc"], {"beta": 3, "eps_smoothing": True}, 50.0),
    ([RISK], [RISK_REFERENCE], {"beta": 3, "eps_smoothing": True}, 63.361730),
    (
        [" Die    Beziehung zwischen  Obama und Netanjahu ist nicht gerade  freundlich. "],
        [NETANYAHU],
        {"beta": 3, "eps_smoothing": True},
        64.1302698,
    ),
    (["a b c"], ["abc"], {"beta": 3}, 100.0),
    (["a", "b"], ["a", "c"], {"beta": 3}, 50.0),
    (["aa"], ["ab"], {"beta": 3}, 25.0),
    (["Die Beziehung zwischen Obama und Netanjahu ist nicht gerade freundlich."], [NETANYAHU], {"beta": 3, "remove_whitespace": False}, 67.3481606),
    ([RISK.strip()], [RISK_REFERENCE], {"beta": 3, "remove_whitespace": False}, 65.2414427),
]
# the same, of sentences
CHRF_SENTENCES = [
    (
        "Co nás nejvíc trápí, protože lékaři si vybírají, kdo bude žít a kdo zemře.",
        "Nejvíce smutní jsme z toho, že musíme rozhodovat o tom, kdo bude žít a kdo zemře.",
        39.14078509,
    ),
    (
        "Nebo prostě nemají vybavení, které by jim pomohlo, uvedli lékaři.",
        "A někdy nemáme ani potřebný materiál, abychom jim pomohli, popsali lékaři.",
        31.22557079,
    ),
]
# sacreBLEU 2.6.0, test/test_ter.py
TER_FIGURES = [
    ("aaaa bbbb cccc dddd", "aaaa bbbb cccc dddd", 0),
    ("dddd eeee ffff", "aaaa bbbb cccc", 1),
    ("", "a", 1),
    ("d e f g h a b c", "a b c d e f g h", 1 / 8),
]


@pytest.mark.parametrize(("hypotheses", "references", "choices", "percent"), CHRF_FIGURES)
def test_chrf_of_a_corpus_is_that_of_its_tests(hypotheses, references, choices, percent):
    assert abs(ours.corpus_chrf(hypotheses, [references], **choices).score - percent) < 1e-4


@pytest.mark.parametrize(("hypothesis", "reference", "percent"), CHRF_SENTENCES)
def test_chrf_of_a_sentence_is_that_of_its_tests(hypothesis, reference, percent):
    assert abs(ours.sentence_chrf(hypothesis, [reference], eps_smoothing=True).score - percent) < 1e-4


@pytest.mark.parametrize(("hypothesis", "reference", "rate"), TER_FIGURES)
def test_ter_is_that_of_its_tests(hypothesis, reference, rate):
    assert abs(ours.metrics.TER().corpus_score([hypothesis], [[reference]]).score - 100 * rate) < 1e-3
    assert abs(ours.sentence_ter(hypothesis, [reference]).score - 100 * rate) < 1e-3


# ---- sacreBLEU itself

words = st.lists(st.sampled_from(["the", "cat,", "sat", "Öl", "(on)", "3.5", "x-y", "!"]), max_size=7).map(" ".join)
streams = st.integers(1, 4).flatmap(
    lambda n: st.tuples(st.lists(words, min_size=n, max_size=n), st.lists(st.lists(words, min_size=n, max_size=n), min_size=1, max_size=3))
)
METRICS = [
    ("CHRF", {}),
    ("CHRF", {"word_order": 2, "lowercase": True}),
    ("CHRF", {"char_order": 4, "beta": 1, "whitespace": True, "eps_smoothing": True}),
    ("TER", {}),
    ("TER", {"case_sensitive": True}),
    ("TER", {"normalized": True, "no_punct": True, "asian_support": True}),
]


@pytest.mark.parametrize(("name", "choices"), METRICS)
@settings(max_examples=25, deadline=None)
@given(corpus=streams)
def test_the_metrics_give_the_numbers_the_text_and_the_signature_of_sacrebleu(name, choices, corpus):
    theirs = pytest.importorskip("sacrebleu").metrics
    mine, other = getattr(ours.metrics, name)(**choices), getattr(theirs, name)(**choices)
    if choices.get("eps_smoothing"):  # 1e-16 is 0 here, which decides between references that share nothing with an empty hypothesis
        corpus = (corpus[0], corpus[1][:1])
    if name == "CHRF":
        mine.metric = replace(mine.metric, by="plain")  # counted here, not by sacreBLEU
    one, two = (metric.corpus_score(*corpus) for metric in (mine, other))
    assert one.score == pytest.approx(two.score, abs=1e-9)
    assert str(one).partition(" = ")[0] == str(two).partition(" = ")[0]
    assert float(str(one).partition(" = ")[2]) == pytest.approx(float(str(two).partition(" = ")[2]), abs=0.0101)  # half of a hundredth, by floats
    assert vars(two).keys() <= vars(one).keys()
    for key, value in vars(two).items():
        assert vars(one)[key] == (value if isinstance(value, str) else pytest.approx(value, abs=1e-9))
    for short in (False, True):
        assert mine.get_signature().format(short).rpartition("|")[0] == other.get_signature().format(short).rpartition("|")[0]
    kept = getattr(ours.metrics, name)(**choices, references=corpus[1])
    assert kept.corpus_score(corpus[0], None).score == one.score
    alone = mine.sentence_score(corpus[0][0], [stream[0] for stream in corpus[1]])
    assert alone.score == pytest.approx(other.sentence_score(corpus[0][0], [stream[0] for stream in corpus[1]]).score, abs=1e-9)


@pytest.mark.parametrize("name", ["CHRF", "TER", "corpus_chrf", "sentence_chrf", "corpus_ter", "sentence_ter"])
def test_arguments_and_defaults_are_those_of_sacrebleu(name):
    theirs = inspect.signature(getattr(pytest.importorskip("sacrebleu"), name)).parameters.values()
    mine = inspect.signature(getattr(ours, name)).parameters.values()
    assert [(one.name, one.default) for one in mine] == [(one.name, one.default) for one in theirs]


@pytest.mark.parametrize(("name", "choices"), [("CHRF", {"word_order": 2}), ("TER", {})])
def test_an_interval_and_json_are_those_of_sacrebleu(name, choices, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    theirs = pytest.importorskip("sacrebleu").metrics
    mine, other = getattr(ours.metrics, name)(**choices), getattr(theirs, name)(**choices)
    one, two = (metric.corpus_score(DOG, DOG_REFERENCES, n_bootstrap=200) for metric in (mine, other))
    assert (one.mean, one.ci) == pytest.approx((two._mean, two._ci), abs=1e-4)  # sacreBLEU sums in float32
    assert mine.get_signature().format().startswith("nrefs:2|bs:200|seed:12345|")
    told, said = (json.loads(score.format(signature=str(metric.get_signature()), is_json=True)) for score, metric in ((one, mine), (two, other)))
    assert told.keys() == said.keys()
    assert one.format(score_only=True) == two.format(score_only=True)


def test_what_sacrebleu_cuts_is_an_error():
    for metric in (ours.metrics.CHRF(), ours.metrics.TER()):
        for wrong, error in (
            ((DOG, [DOG_REFERENCES[0][:2]]), LengthMismatchError),
            ((DOG, list(zip(*DOG_REFERENCES, strict=True))), TransposedReferencesError),
            (([], [[]]), EmptyCorpusError),
            ((DOG[0], DOG_REFERENCES), StringForListError),
            ((DOG, None), MissingReferenceError),
        ):
            with pytest.raises(error):
                metric.corpus_score(*wrong)
        with pytest.raises(StringForListError):
            metric.sentence_score(DOG[0], DOG_REFERENCES[0][0])
    with pytest.raises(BleuInputError, match="corpus_score first"):
        ours.metrics.TER().get_signature()


# ---- Ways to be imported

IMPORTS = [
    "import bleu_lit.compat.sacrebleu as sacrebleu; BLEU, CHRF = sacrebleu.metrics.BLEU, sacrebleu.metrics.CHRF",
    "from bleu_lit.compat.sacrebleu.metrics import BLEU, CHRF, TER",
    "from bleu_lit.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore, BLEUSignature; from bleu_lit.compat.sacrebleu.metrics.chrf import CHRF",
    "import bleu_lit.compat.sacrebleu.metrics.ter as ter; from bleu_lit.compat.sacrebleu import BLEU, CHRF, metrics; assert ter.TER is metrics.TER",
]


@pytest.mark.parametrize("line", IMPORTS)
def test_every_way_to_import_works_in_a_fresh_process(line):
    program = f"{line}\nimport pickle\nfor kind in (BLEU, CHRF):\n    score = kind().corpus_score(['a b c d'], [['a b c d']])\n"
    program += "    assert round(score.score, 9) == 100\n    print(pickle.dumps((kind(), score)).hex())"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    for dumped in run.stdout.split():
        metric, score = pickle.loads(bytes.fromhex(dumped))
        assert str(metric.corpus_score(["a b c d"], [["a b c d"]])) == str(score)


def test_the_other_metrics_are_loaded_when_they_are_asked_for():
    program = "import sys, bleu_lit.compat.sacrebleu; print([name for name in ('bleu_lit.chrf', 'bleu_lit.ter') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    assert ours.CHRF is ours.metrics.CHRF is sacrebleu_metrics.CHRF


# ---- What is not here


@pytest.mark.parametrize("library", DOORS)
def test_a_name_that_is_not_here_says_what_to_use(library):
    module = importlib.import_module(DOORS[library])
    advice = INSTEAD[DOORS[library].rpartition(".")[2]]
    for name, words in advice.items():
        with pytest.raises(AttributeError) as caught:
            getattr(module, name)
        assert str(caught.value) == f"{module.__name__}: expected a name that this module has, got {name!r}. {words}"
    near = module.__all__[0]
    with pytest.raises(AttributeError, match=f"Did you mean '{near}'"):
        getattr(module, near + "x")
    assert not hasattr(module, "_private")
    assert not hasattr(module, "__wrapped__")


@pytest.mark.parametrize("library", DOORS)
def test_an_import_of_what_is_not_here_says_what_to_use(library):
    door = DOORS[library]
    for name, words in INSTEAD[door.rpartition(".")[2]].items():
        said = f"{door}: expected a name that this module has, got {name!r}. {words}"
        for statement in (f"import {door}.{name}", f"from {door} import {name}", f"from {door}.{name} import anything", f"import {door}.{name}.inside"):
            with pytest.raises(ImportError) as caught:
                exec(statement, {})
            assert str(caught.value) == said, statement
    with pytest.raises(ImportError, match="has no attribute '_private'"):
        exec(f"from {door} import _private", {})
    for name in importlib.import_module(door).__all__:
        exec(f"from {door} import {name}", {})


def test_what_is_no_module_of_compat_is_told_as_python_tells_it():
    for statement in ("import bleu_lit.compat.sacrebleux", "import bleu_lit.nowhere", "import nowhere.compat"):
        with pytest.raises(ModuleNotFoundError, match=r"\ANo module named"):
            exec(statement, {})
    with pytest.raises(ImportError, match="Did you mean 'corpus_ter'"):
        from bleu_lit.compat.sacrebleu.metrics import corpus_terx  # noqa: F401


@pytest.mark.parametrize(("library", "path"), [("sacrebleu", "sacrebleu"), ("nltk", "nltk.translate")])
def test_every_name_of_the_library_is_here_or_told_of(library, path):
    if not find_spec(library):
        pytest.skip(f"{library} is not installed")
    theirs, module = importlib.import_module(path), importlib.import_module(f"bleu_lit.compat.{library}")
    metrics = [name for name in dir(theirs) if name.endswith(("_bleu", "_chrf", "_ter", "_score", "_nist", "_ribes", "_gleu"))]
    for name in metrics if library == "nltk" else theirs.__all__:
        assert hasattr(module, name) or name in INSTEAD[library] or name.startswith("_"), name


def test_what_is_told_to_use_exists():
    for advice in INSTEAD.values():
        for path in (found for words in advice.values() for found in re.findall(r"bleu_lit(?:\.\w+)+", words)):
            module, _, name = path.rpartition(".")
            assert hasattr(importlib.import_module(module), name), path


# ---- torchmetrics


def test_a_metric_moves_to_any_device_and_says_its_order():
    metric = torchmetrics.SacreBLEUScore(n_gram=3)
    assert metric.to("cuda:0") is metric
    assert metric.to(device="cpu", non_blocking=True) is metric
    assert (metric.n_gram, torchmetrics.BLEUScore().n_gram) == (3, 4)


# ---- Names of other libraries, given to the functions of this book


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("smooth_method", "floor", "sacreBLEU's smooth_method is smooth here"),
        ("use_effective_order", True, "sacreBLEU's use_effective_order is effective_order here"),
        ("max_ngram_order", 2, "sacreBLEU's max_ngram_order is max_order here"),
        ("trg_lang", "zh", "sacreBLEU's trg_lang is tokenize here"),
        ("force", True, "sacreBLEU's force is not needed here"),
        ("smoothing_function", None, "NLTK's smoothing_function is smooth here"),
        ("auto_reweigh", True, "NLTK's auto_reweigh is effective_order here"),
        ("n_gram", 2, "torchmetrics' n_gram is max_order here"),
    ],
)
def test_a_keyword_of_another_library_is_answered_by_its_name_here(name, value, told):
    calls = (
        lambda: bleu_lit.corpus_bleu(["a b"], [["a b"]], **{name: value}),
        lambda: bleu_lit.sentence_bleu("a b", ["a b"], **{name: value}),
        lambda: bleu_lit.SACREBLEU.replace(**{name: value}),
    )
    for call in calls:
        with pytest.raises(UnknownNameError) as caught:
            call()
        assert told in caught.value.fix
        assert "Did you mean" not in caught.value.fix
        assert "The names are: max_order, weights" in caught.value.fix


def test_every_keyword_of_sacrebleu_and_nltk_is_a_setting_or_answered():
    known = set(inspect.signature(bleu_lit.Settings).parameters) | {"hypotheses", "hypothesis", "references", "self"}
    functions = {"sacrebleu": ("corpus_bleu", "sentence_bleu"), "nltk.translate.bleu_score": ("corpus_bleu", "sentence_bleu")}
    for path, names in functions.items():
        module = pytest.importorskip(path)
        for name in {key for one in names for key in inspect.signature(getattr(module, one)).parameters} - known - {"list_of_references"}:
            with pytest.raises(UnknownNameError, match=f"'?s {name} is "):
                bleu_lit.SACREBLEU.replace(**{name: None})


# ---- Flags and counts, in every module that stands in for a library


def flag_calls():
    """(name of the argument, a call with it), for every argument of yes or no."""
    h, s = ["a b c d e"], [["a b c d f"]]
    score, chrf = ours.corpus_bleu(h, s), ours.corpus_chrf(h, s)
    made = [(name, lambda v, n=name: ours.TER(**{n: v})) for name in ("no_punct", "normalized", "asian_support", "case_sensitive")]
    made += [(name, lambda v, n=name: ours.CHRF(**{n: v})) for name in ("lowercase", "whitespace", "eps_smoothing")]
    made += [(name, lambda v, n=name: ours.BLEU(**{n: v})) for name in ("lowercase", "force", "effective_order")]
    made += [(name, lambda v, n=name: ours.corpus_chrf(h, s, **{n: v})) for name in ("remove_whitespace", "eps_smoothing")]
    made += [(name, lambda v, n=name: ours.sentence_ter(h[0], s[0], **{n: v})) for name in ("no_punct", "case_sensitive")]
    made += [(name, lambda v, n=name, t=told: t.format(**{n: v})) for told in (score, chrf) for name in ("score_only", "is_json")]
    metric = ours.BLEU()
    metric.corpus_score(h, s)
    made += [("short", lambda v: metric.get_signature().format(short=v)), ("smooth", lambda v: torchmetrics.BLEUScore(smooth=v))]
    made += [("lowercase", lambda v: torchmetrics.SacreBLEUScore(lowercase=v)), ("smooth", lambda v: evaluate.bleu_results(h, s, smooth=v))]
    made += [(name, lambda v, n=name: nltk.corpus_bleu([[["a"]]], [["a"]], **{n: v})) for name in ("auto_reweigh", "strict")]
    return made


@pytest.mark.parametrize("value", ["no", "False", "", "yes", b"no", 2, -1, 1.0, 0.5, [], [False], {"a": 1}], ids=repr)
def test_a_flag_is_no_text_and_no_other_number(value):
    for name, call in flag_calls():
        with pytest.raises(SettingsError) as caught:
            call(value)
        assert (caught.value.expected, caught.value.where) == ("True or False", name)
        assert caught.value.got == f"a {type(value).__name__}, {value!r}" and caught.value.fix


def test_a_flag_takes_what_programs_pass_for_yes_and_no():
    numpy = pytest.importorskip("numpy")
    h, s = ["A b c d"], [["a b c d"]]
    for yes, no in ((True, False), (1, 0), (numpy.True_, numpy.False_), (numpy.int64(1), numpy.int64(0)), (True, None)):
        assert ours.TER(case_sensitive=yes).corpus_score(h, s).score == 25.0  # one word of four differs
        assert ours.TER(case_sensitive=no).corpus_score(h, s).score == 0.0
        assert ours.BLEU(lowercase=yes, smooth_method="none").corpus_score(h, s).score == 100.0
        assert ours.BLEU(lowercase=no, smooth_method="none").corpus_score(h, s).score == 0.0  # no 4-gram matches
        assert ours.CHRF(lowercase=yes).corpus_score(h, s).score == 100.0 > ours.CHRF(lowercase=no).corpus_score(h, s).score


@pytest.mark.parametrize("count", [1e300, 10**30, 10**12, 10**5000], ids=["1e300", "10**30", "10**12", "10**5000"])
def test_resamples_without_end_are_refused_before_the_first(count):
    h, s = ["a b c d e", "a b c"], [["a b c d f", "a b c"]]
    for metric in (ours.BLEU(), ours.CHRF(), ours.CHRF(word_order=2), ours.TER()):
        with pytest.raises(SettingsError, match=r"^n_bootstrap: expected at most \d+ samples, got ") as caught:
            metric.corpus_score(h, s, n_bootstrap=count)
        assert metric.n_bootstrap is None and caught.value.fix
    with pytest.raises(SettingsError, match="word_order: expected a whole number from 0 to 1000"):
        ours.CHRFScore(50.0, 6, count, 2)
    for score in (ours.corpus_bleu(h, s), ours.corpus_chrf(h, s)):
        with pytest.raises(SettingsError, match="width: expected a whole number from 0 to 1000"):
            score.format(width=count)
        assert len(score.format(width=1000, score_only=True).partition(".")[2]) == 1000


def test_a_count_of_resamples_is_whole():
    for count in (True, "1000", 2.5, float("nan"), None):
        for metric in (ours.BLEU(), ours.TER()):
            with pytest.raises(StatisticsError, match="n_bootstrap: expected whole numbers"):
                metric.corpus_score(["a b"], [["a c"]], n_bootstrap=count)


def test_one_hypothesis_is_asked_for_in_the_same_words_by_all_metrics():
    for kind, hypothesis, references in ((SegmentTypeError, ["a b"], ["a b"]), (SegmentTypeError, None, ["a"]), (StringForListError, "a b", "a b")):
        told = set()
        for metric in (ours.BLEU(effective_order=True), ours.CHRF(), ours.TER()):
            with pytest.raises(kind) as caught:
                metric.sentence_score(hypothesis, references)
            told.add(str(caught.value))
        assert len(told) == 1, told


def test_a_repr_never_raises():
    """What a debugger shows of an object whose `__init__` did not come to its end."""
    for kind in (ours.BLEUScore, ours.BLEUSignature, ours.CHRFScore, ours.TERScore, ours.BLEU, ours.CHRF, ours.TER, torchmetrics.BleuMetric):
        said = repr(kind.__new__(kind))
        assert kind.__name__ in said and "\n" not in said
    score = ours.corpus_chrf(["a b"], [["a c"]])
    score.score = "fifty"
    assert repr(score) == "<CHRFScore: not made in full>"


@pytest.mark.parametrize("kind", [ours.BLEU, sacrebleu_metrics.CHRF, sacrebleu_metrics.TER])
def test_a_refused_score_leaves_the_signature_as_it_was(kind, monkeypatch):
    """The signature is that of the last score that there is."""
    metric, texts = kind(), ["a b c d", "e f g h"]
    metric.corpus_score(texts, [texts])
    before = str(metric.get_signature())
    monkeypatch.setenv("SACREBLEU_SEED", "no number")
    for references, resamples in (([texts, texts], "many"), ([texts, texts], 5), ([texts, texts[:1]], 1)):
        with pytest.raises(BleuInputError):
            metric.corpus_score(texts, references, resamples)
        assert str(metric.get_signature()) == before
