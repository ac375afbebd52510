"""The doors for evaluate, torchmetrics and harnesses: published figures, independent formulas, other processes, and evaluate itself where it is installed."""

import importlib
import math
import multiprocessing
import pickle
import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_lit.compat import DOORS, evaluate, lm_eval, sacrebleu, torchmetrics
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    LengthMismatchError,
    MissingReferenceError,
    MixedSegmentsError,
    SegmentTypeError,
    SettingsError,
    StatisticsError,
    UnknownNameError,
)
from bleu_lit.score import corpus_bleu
from bleu_lit.settings import PAPER, SACREBLEU

texts = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat.", "3.5", "x-y"]), max_size=8).map(" ".join)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=5)


def test_every_door_opens():
    for module in DOORS.values():
        assert importlib.import_module(module).__all__


# ---- evaluate

KENOBI = ["hello there general kenobi", "foo bar foobar"]
KENOBI_REFERENCES = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]
NMT_KEYS = ["bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"]
SACREBLEU_KEYS = ["score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"]


def nmt(predictions, references, max_order, smooth):
    """What the script of the nmt project computes from tokens, by its formulas; None where it divides by zero."""
    c, r = sum(map(len, predictions)), sum(min(map(len, group)) for group in references)
    precisions = []
    for n in range(1, max_order + 1):
        matched = total = 0
        for tokens, group in zip(predictions, references, strict=True):
            grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
            pools = [[tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)] for reference in group]
            matched += sum(min(grams.count(gram), max(pool.count(gram) for pool in pools)) for gram in set(grams))
            total += len(grams)
        precisions.append((matched + 1) / (total + 1) if smooth else matched / total if total else 0.0)
    if not c or not r:
        return None
    mean = math.exp(sum(math.log(p) / max_order for p in precisions)) if min(precisions) > 0 else 0.0
    penalty = 1.0 if c > r else math.exp(1 - r / c)
    return mean * penalty, precisions, penalty, c / r, c, r


@settings(max_examples=200)
@given(corpora, st.integers(1, 5), st.booleans())
def test_bleu_has_the_numbers_of_the_nmt_script(corpus, max_order, smooth):
    predictions, references = [text for text, _ in corpus], [group for _, group in corpus]
    found = evaluate.bleu_results(predictions, references, tokenizer=str.split, max_order=max_order, smooth=smooth)
    assert list(found) == NMT_KEYS
    expected = nmt([text.split() for text in predictions], [[text.split() for text in group] for group in references], max_order, smooth)
    if expected is None:  # a length of 0
        assert found["brevity_penalty"] == (1.0 if found["reference_length"] == 0 else 0.0)
    elif any(set(text.split()) & set(" ".join(group).split()) for text, group in corpus):
        assert found["bleu"] == pytest.approx(expected[0], rel=1e-12)
        assert found["precisions"] == pytest.approx(expected[1])
        assert list(found.values())[2:] == pytest.approx(expected[2:])
    else:
        assert found["bleu"] == 0  # no smoothing makes a score of nothing


def test_figures_of_evaluate():
    # huggingface/evaluate, metrics/bleu/README.md and metrics/sacrebleu/sacrebleu.py
    expected = [1.0, [1.0] * 4, 1.0, 1.1666666666666667, 7, 6]
    assert list(evaluate.load("bleu").compute(predictions=KENOBI, references=KENOBI_REFERENCES).values()) == expected
    single = evaluate.load("bleu").compute(predictions=KENOBI, references=[["hello there general kenobi"], ["foo bar foobar"]])
    assert single == dict(zip(NMT_KEYS, [1.0, [1.0] * 4, 1.0, 1.0, 7, 7], strict=True))
    flat = evaluate.load("bleu").compute(predictions=KENOBI, references=["hello there general kenobi", "foo bar foobar"])
    assert flat == single
    twice = evaluate.load("sacrebleu").compute(
        predictions=KENOBI, references=[["hello there general kenobi", "hello there !"], ["foo bar foobar", "foo bar foobar"]]
    )
    assert list(twice) == SACREBLEU_KEYS and twice["score"] == 100.0
    ankh = [["hello there general kenobi", "hello there !"], ["goodbye ankh morpork", "ankh morpork"]]
    assert round(evaluate.load("sacrebleu").compute(predictions=[KENOBI[0], "on our way to ankh morpork"], references=ankh)["score"], 1) == 39.8


@settings(max_examples=100)
@given(corpora, st.sampled_from(["exp", "floor", "add-k", "none"]), st.booleans(), st.booleans())
def test_sacrebleu_has_the_numbers_of_sacrebleu(corpus, smooth_method, lowercase, effective):
    theirs = pytest.importorskip("sacrebleu")
    predictions, references = [text for text, _ in corpus], [group for _, group in corpus]
    choices = {"smooth_method": smooth_method, "lowercase": lowercase, "use_effective_order": effective}
    found = evaluate.load("sacrebleu").compute(predictions=predictions, references=references, **choices)
    streams = [[group[i] if i < len(group) else None for group in references] for i in range(max(map(len, references)))]
    expected = theirs.corpus_bleu(predictions, streams, **choices)
    assert list(found) == SACREBLEU_KEYS
    for key, value in found.items():
        assert value == pytest.approx(getattr(expected, key), rel=1e-9), key


def test_collecting_and_computing():
    metric = evaluate.load("bleu")
    metric.add(prediction=KENOBI[0], reference=KENOBI_REFERENCES[0])
    metric.add_batch(predictions=KENOBI[1:], references=KENOBI_REFERENCES[1:])
    assert metric.compute() == evaluate.bleu_results(KENOBI, KENOBI_REFERENCES)
    metric.add(prediction=KENOBI[0], reference=KENOBI_REFERENCES[0])
    assert metric.compute(predictions=KENOBI[1:], references=KENOBI_REFERENCES[1:]) == evaluate.bleu_results(KENOBI, KENOBI_REFERENCES)
    texts = list(KENOBI)
    metric.compute(predictions=texts, references=KENOBI_REFERENCES)
    assert texts == KENOBI
    with pytest.raises(EmptyCorpusError):
        metric.compute()
    with pytest.raises(UnknownNameError):
        evaluate.load("chrf")


REFUSED = {  # what is wrong: the batch, the error
    "one reference too few": ((["x y z w", "a dog ran far away"], [["x y z w"]]), LengthMismatchError),
    "one reference too many": ((["x y z w"], [["a dog ran far away"], ["x y z w"]]), LengthMismatchError),
    "no list": ((["x y z w"], 5), SegmentTypeError),
    "no reference": ((["x y z w"], [[]]), MissingReferenceError),
    "a number": ((["x y z w", 5], [["x y z w"], ["x y z w"]]), SegmentTypeError),
    "tokens behind text": (([["x", "y"]], [[["x", "y"]]]), MixedSegmentsError),
}


@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.parametrize("name", ["bleu", "sacrebleu"])
def test_nothing_of_a_refused_batch_is_kept(name, why):
    """Every collected candidate equals its only reference, so that a pair out of place, and one of a refused batch, would lower the score from its maximum."""
    (predictions, references), error = REFUSED[why]
    metric, most = evaluate.load(name), {"bleu": ("bleu", 1.0), "sacrebleu": ("score", 100.0)}[name]
    groups = [["the cat sat on the mat"]]
    metric.add_batch(predictions=["the cat sat on the mat"], references=groups)
    groups[0][0] = "what the caller does with the list later"
    for refused in (metric.add_batch, metric.compute):
        with pytest.raises(error):
            refused(predictions=predictions, references=references)
    with pytest.raises(SegmentTypeError if why != "no list" else error):
        metric.add(prediction="x y z w", reference=5)
    metric.add(prediction="a dog ran far away", reference="a dog ran far away")
    for wrong in ({"tokenize": "12a"}, {"tokenizer": "12a"}, {"option": 1}):
        with pytest.raises((UnknownNameError, TypeError)):
            metric.compute(**wrong)
    found = metric.compute()
    assert found[most[0]] == pytest.approx(most[1]) and found[{"bleu": "translation_length", "sacrebleu": "sys_len"}[name]] == 11
    with pytest.raises(EmptyCorpusError):
        metric.compute()
    with pytest.raises(UnknownNameError):
        evaluate.write_script("chrf", "nowhere")
    with pytest.raises(LengthMismatchError):
        evaluate.load("bleu").compute(predictions=KENOBI, references=[["a"]])
    with pytest.raises(LengthMismatchError):
        evaluate.load("sacrebleu").compute(predictions=KENOBI, references=[["a"]])
    with pytest.raises(MissingReferenceError):
        evaluate.load("sacrebleu").compute(predictions=KENOBI, references=[["a"], []])


@pytest.mark.parametrize("name", ["bleu", "sacrebleu"])
def test_evaluate_itself_loads_the_script(name, tmp_path, monkeypatch):
    for variable in ("HF_HOME", "HF_MODULES_CACHE", "HF_EVALUATE_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path / "cache"))
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    theirs = pytest.importorskip("evaluate", reason="the package evaluate is not installed")
    metric = theirs.load(evaluate.write_script(name, tmp_path / "metrics"))
    expected = evaluate.load(name)
    assert metric.compute(predictions=KENOBI, references=KENOBI_REFERENCES) == expected.compute(predictions=KENOBI, references=KENOBI_REFERENCES)
    flat = ["hello there general kenobi", "foo bar"]
    assert metric.compute(predictions=KENOBI, references=flat) == expected.compute(predictions=KENOBI, references=flat)
    choice = {"smooth": True} if name == "bleu" else {"smooth_method": "floor", "lowercase": True}
    assert metric.compute(predictions=["a b c"], references=[["a b d"]], **choice) == expected.compute(predictions=["a b c"], references=[["a b d"]], **choice)


# ---- torchmetrics


def test_figures_of_torchmetrics():
    # torchmetrics 1.9, documentation of BLEUScore and SacreBLEUScore
    metric = torchmetrics.BLEUScore()
    assert round(metric(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]]), 4) == 0.7598
    sacre = torchmetrics.SacreBLEUScore()
    assert round(sacre(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]]), 4) == 0.7598


def collect(shard):
    """What one process does: collect its part in batches of 7, and send the metric back."""
    metric = torchmetrics.BleuMetric(SACREBLEU)
    for start in range(0, len(shard), 7):
        metric.update([text for text, _ in shard[start : start + 7]], [group for _, group in shard[start : start + 7]])
    return metric


def test_other_processes_collect_the_same_integers():
    draw = random.Random(7)
    words = "the cat sat on a mat and it was 3.5 years old , so it goes .".split()
    corpus = []
    for _ in range(200):
        group = [" ".join(draw.choices(words, k=9)) for _ in range(draw.randint(1, 3))]
        corpus.append((" ".join(draw.choices(words, k=draw.randint(0, 12))), group))
    shards = [corpus[:20], [], corpus[20:131], corpus[131:]]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        metrics = pool.map(collect, shards)
    whole = corpus_bleu([text for text, _ in corpus], [group for _, group in corpus])
    total = sum(metrics)
    assert total.score().stats == whole.stats
    assert total.compute() == whole.value
    assert total.score().signature == whole.signature
    assert total.segments == 200
    merged = torchmetrics.BleuMetric(SACREBLEU)
    for metric in reversed(metrics):
        merged.merge_state(metric.state_dict())
    assert merged.state_dict() == total.state_dict()


@settings(max_examples=100)
@given(corpora, st.lists(st.integers(0, 2), min_size=5, max_size=5), st.sampled_from([SACREBLEU, PAPER, SACREBLEU.replace(smooth="average", max_order=2)]))
def test_any_parting_gives_the_whole(corpus, parts, setting):
    shards = [torchmetrics.BleuMetric(setting) for _ in range(3)]
    for (text, group), part in zip(corpus, parts, strict=False):
        shards[part].update([text], [group])
    a, b, c = shards
    whole = corpus_bleu([text for text, _ in corpus], [group for _, group in corpus], setting)
    for total in ((a + b) + c, a + (b + c), c + a + b, sum(shards), pickle.loads(pickle.dumps(sum(shards)))):
        assert total.score() == whole.__class__(whole.stats, setting, whole.nrefs, "corpus", len(corpus))
        assert total.compute() == whole.value
    assert a.segments + b.segments + c.segments == len(corpus)


def test_a_metric_starts_again_and_stays_as_it_was_after_an_error():
    metric = torchmetrics.BLEUScore()
    metric.update("the cat", ["the cat"])
    before = metric.state_dict()
    for wrong in ((["a", "b"], [["a"]]), (["a"], [[]]), ([None], [["a"]])):
        with pytest.raises(BleuInputError):
            metric.update(*wrong)
        assert metric.state_dict() == before
    metric.reset()
    assert metric.state_dict() == torchmetrics.BLEUScore().state_dict()
    with pytest.raises(EmptyCorpusError):
        metric.compute()


TOKENS = ([["The", "cat", "sat", "on", "it"]], [[["the", "cat", "sat", "on", "it"]]])


@pytest.mark.parametrize("named", [{"tokenize": "intl"}, {"lowercase": True}, {"tokenize": "intl", "lowercase": True}])
def test_tokens_under_settings_for_text_get_the_error_of_corpus_bleu(named):
    errors = []
    for score in (lambda: corpus_bleu(*TOKENS, **named), lambda: torchmetrics.SacreBLEUScore(**named).update(*TOKENS)):
        with pytest.raises(SettingsError) as found:
            score()
        errors.append(str(found.value))
    assert errors[0] == errors[1]


@pytest.mark.parametrize("setting", [SACREBLEU, SACREBLEU.replace(tokenize="intl", lowercase=True), PAPER])
def test_tokens_are_signed_and_noted_as_corpus_bleu_does(setting):
    metric, whole = torchmetrics.BleuMetric(setting), corpus_bleu(*TOKENS, setting)
    metric.update(*TOKENS)
    metric.update([], [])
    again = torchmetrics.BleuMetric(setting)
    again.load_state_dict(metric.state_dict())
    for each in (metric, again, sum([metric]), pickle.loads(pickle.dumps(metric))):
        assert each.score() == whole
        assert each.score().signature == whole.signature
        assert each.score().notes == whole.notes


def test_text_and_tokens_have_no_score_in_common():
    text, tokens = torchmetrics.BleuMetric(), torchmetrics.BleuMetric()
    text.update(["a b c d e"], [["a b c d e"]])
    tokens.update(*TOKENS)
    for add in (lambda: text.update(*TOKENS), lambda: text(*TOKENS), lambda: text + tokens, lambda: tokens.merge_state(text.state_dict())):
        before = text.state_dict(), tokens.state_dict()
        with pytest.raises(MixedSegmentsError, match="Tokenize all batches or none"):
            add()
        assert (text.state_dict(), tokens.state_dict()) == before


def test_the_metric_keeps_the_notes_on_its_input_and_counts_references_as_the_settings_say():
    square = (["a b c d", "e f g h"], [["a b c d", "x"], ["e f g h", "y"]])
    metric = torchmetrics.BleuMetric()
    metric.update(*square)
    assert metric.score().notes == corpus_bleu(*square).notes
    assert any("could be read either way" in note for note in metric.score().notes)
    blank = (["a b c d e", "a b c d"], [["a b c d e", ""], ["a b c d", ""]])
    absent = torchmetrics.BleuMetric(SACREBLEU.replace(blank_references="absent"))
    absent.update(*blank)
    assert absent.score().nrefs == 1
    assert absent.score() == corpus_bleu(*blank, blank_references="absent")


def test_metrics_of_other_settings_do_not_mix():
    with pytest.raises(SettingsError):
        torchmetrics.BLEUScore() + torchmetrics.BLEUScore(smooth=True)
    with pytest.raises(SettingsError):
        torchmetrics.BLEUScore().merge_state(None)
    with pytest.raises(StatisticsError):
        torchmetrics.BLEUScore(n_gram=2).merge_state(torchmetrics.BLEUScore().state_dict())
    with pytest.raises(SettingsError):
        torchmetrics.BleuMetric("13a")


def test_tokens_are_taken_as_they_are():
    metric = torchmetrics.BLEUScore(n_gram=2)
    metric.update([["a", "b c"]], [[["a", "b c"]]])
    assert metric.compute() == 1.0 and metric.score().candidate_length == 2


# ---- Harnesses


@settings(max_examples=100)
@given(corpora)
def test_pairs_have_the_score_of_sacrebleu(corpus):
    theirs = pytest.importorskip("sacrebleu")
    streams = [[group[i] if i < len(group) else None for _, group in corpus] for i in range(max(len(group) for _, group in corpus))]
    expected = theirs.corpus_bleu([text for text, _ in corpus], streams).score
    assert lm_eval.bleu([lm_eval.bleu_fn((group, text)) for text, group in corpus]) == pytest.approx(expected, rel=1e-9)
    assert lm_eval.bleu([(group, [text]) for text, group in corpus]) == pytest.approx(expected, rel=1e-9)


def test_pairs():
    assert lm_eval.bleu([("a b c d", "a b c d")]) == 100.0
    assert lm_eval.score_pairs([("A b", "a b")], lowercase=True, max_order=2).value == 1.0
    for wrong in ([("a",)], [("a", "b", "c")], [("a", ["b", "c"])], [("a", None)], [("a", [1])]):
        with pytest.raises(BleuInputError):
            lm_eval.bleu(wrong)
    with pytest.raises(EmptyCorpusError):
        lm_eval.bleu([])
    with pytest.raises(SegmentTypeError, match="pair"):
        lm_eval.bleu([["a"]])
    assert sacrebleu.corpus_bleu(["a b c e"], [["a b c d"]]).score == lm_eval.bleu([("a b c d", "a b c e")])


def test_doors_load_none_of_the_libraries_they_stand_for():
    import subprocess

    names = [module for module in DOORS.values() if module]
    program = f"import sys, importlib; [importlib.import_module(name) for name in {names}]; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert not {"sacrebleu", "nltk", "evaluate", "torchmetrics", "lm_eval", "numpy", "datasets"} & set(run.stdout.split())


STATES = {
    "a dict with row, segments and nrefs": [None, {}, [], {"row": [0] * 10}],
    "list of numbers|one matched|whole numbers": [{"row": row, "segments": 0, "nrefs": []} for row in (None, ["a"] * 10)],
    "4 orders": [{"row": [0] * 8, "segments": 0, "nrefs": []}],
    "whole number of at least 0": [{"row": [0] * 10, "segments": segments, "nrefs": []} for segments in ("x", -5, None, True, 1.0)],
    "sums of 0 for 0 segments": [{"row": [1] * 10, "segments": 0, "nrefs": []}],
    "sums that a corpus can have": [{"row": row, "segments": 3, "nrefs": [1]} for row in ([5, 5, 3, 2, 1, 0, 4, 3, 2, 1], [4, 4, 1, 1, 0, 0, 4, 3, 2, 1])],
    "at least 4 segments": [{"row": [4, 4, 4, 0, 0, 0, 4, 0, 0, 0], "segments": 3, "nrefs": [1]}],
    "numbers of references that": [{"row": [0] * 10, "segments": 3, "nrefs": nrefs} for nrefs in (3, None, [], [1, 2, 3, 4], "123")],
    "whole number of at least 1": [{"row": [0] * 10, "segments": 3, "nrefs": nrefs} for nrefs in ([0], ["q"], [True], [None])],
    "True, False or None": [{"row": [0] * 10, "segments": 3, "nrefs": [1], "tokenized": "yes"}],
    "list of texts": [{"row": [0] * 10, "segments": 3, "nrefs": [1], "notes": notes} for notes in (None, 5, [5], "note")],
}


@pytest.mark.parametrize(("expected", "state"), [(expected, state) for expected, states in STATES.items() for state in states], ids=repr)
def test_a_state_that_is_none_is_refused_and_the_metric_is_as_it_was(expected, state):
    metric = torchmetrics.BleuMetric()
    metric.update(["a b c d"], [["a b c d"]])
    before = metric.state_dict()
    with pytest.raises(StatisticsError, match=expected) as caught:
        metric.load_state_dict(state)
    assert caught.value.where and metric.state_dict() == before
    if isinstance(state, dict):
        with pytest.raises(StatisticsError):
            metric.merge_state(state)
        assert metric.state_dict() == before
