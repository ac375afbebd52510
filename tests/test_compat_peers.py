"""The doors beside the libraries that they stand for: the same numbers where the definitions agree, and each listed difference seen in both.

Every test here needs a package that development does not (the extra `peers`, and lm-eval), and is skipped with the reason where it is absent.
Numbers of torchmetrics have 32 bits, so they are compared to six digits.
"""

import importlib.util
import math
import multiprocessing
import random
import warnings

import pytest
from shared import SCRIPTS

from bleu_lit.bleu import BleuStats
from bleu_lit.compat import evaluate, lm_eval, torchmetrics
from bleu_lit.core import EmptyCorpusError
from bleu_lit.score import corpus_bleu

WORDS = "the cat sat on a mat . 3.5 x-y The 他们".split()


def needs(package: str, tried: str):
    """Skip where a package is absent; another version than the one the door was written for is tried all the same."""
    there = importlib.util.find_spec(package.replace("-", "_")) is not None
    return pytest.mark.skipif(not there, reason=f"{package} is not installed (this was seen with {tried})")


needs_torchmetrics = needs("torchmetrics", "1.9.0")
needs_evaluate = needs("evaluate", "0.4.6")
needs_lm_eval = needs("lm-eval", "0.4.13")


def corpora(count: int, seed: int = 7):
    """Random corpora of one to four segments, each with one to three references; many of them share words."""
    draw = random.Random(seed)
    for _ in range(count):
        preds = [" ".join(draw.choices(WORDS, k=draw.randint(0, 9))) for _ in range(draw.randint(1, 4))]
        groups = [[" ".join(draw.choices(WORDS, k=draw.randint(0, 9))) for _ in range(draw.randint(1, 3))] for _ in preds]
        yield preds, [[*group, text] if draw.random() < 0.4 else group for text, group in zip(preds, groups, strict=True)], draw


# ---- torchmetrics


def pair_of(draw, module) -> tuple:
    """The same metric of torchmetrics and of the door, with random choices."""
    n_gram, smooth = draw.randint(1, 5), draw.random() < 0.4
    parts = [draw.random() + 0.01 for _ in range(n_gram)]
    choices = {"n_gram": n_gram, "smooth": smooth, "weights": [part / sum(parts) for part in parts] if draw.random() < 0.3 else None}
    if draw.random() < 0.5:
        return module.BLEUScore(**choices), torchmetrics.BLEUScore(**choices)
    choices |= {"tokenize": draw.choice(["none", "char", "13a", "intl", "zh"]), "lowercase": draw.random() < 0.5}
    return module.SacreBLEUScore(**choices), torchmetrics.SacreBLEUScore(**choices)


@needs_torchmetrics
def test_torchmetrics_gives_the_same_numbers_where_the_definitions_agree():
    from torchmetrics import text as module

    agreeing = ties = smoothed = 0
    for preds, target, draw in corpora(600):
        theirs, ours = pair_of(draw, module)
        theirs.update(preds, target)
        ours.update(preds, target)
        stats = ours.stats
        assert (theirs.numerator.tolist(), theirs.denominator.tolist()) == ([*map(float, stats.matched)], [*map(float, stats.total)])
        assert float(theirs.preds_len) == stats.candidate_length
        if float(theirs.target_len) != stats.reference_length:
            ties += 1
            assert float(theirs.target_len) > stats.reference_length  # never the shorter one
        elif ours.settings.smooth != "none" and 0 in stats.matched:
            smoothed += 1
            assert float(theirs.compute()) == 0
        else:
            agreeing += 1
            assert math.isclose(float(theirs.compute()), ours.compute(), rel_tol=1e-5, abs_tol=1e-7)
    assert agreeing > 400 and ties and smoothed


@needs_torchmetrics
def test_every_difference_from_torchmetrics_that_is_listed_is_there():
    from torchmetrics.text import BLEUScore

    preds, target = ["a b c d e"], [["a b c d e f", "a b c d"]]
    assert float(BLEUScore(n_gram=1)(preds, target)) == pytest.approx(math.exp(1 - 6 / 5), rel=1e-6)
    assert torchmetrics.BLEUScore(n_gram=1)(preds, target) == 1.0
    stood = (["the cat sat"], [["the cat stood"]])
    assert float(BLEUScore(smooth=True)(*stood)) == 0 < torchmetrics.BLEUScore(smooth=True)(*stood)
    aside = {"n_gram": 2, "weights": [1.0, 0.0]}  # an order of weight 0 does not take part
    assert float(BLEUScore(**aside)(["a c"], [["a b"]])) == 0
    assert torchmetrics.BLEUScore(**aside)(["a c"], [["a b"]]) == 0.5
    long = BLEUScore(n_gram=1)
    long.preds_len += 2**24
    long.preds_len += 1
    assert int(long.preds_len) == 2**24
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert float(BLEUScore().compute()) == 0
    with pytest.raises(EmptyCorpusError):
        torchmetrics.BLEUScore().compute()


@needs_torchmetrics
def test_a_loop_written_for_torchmetrics_runs_with_the_door():
    """Update by batches, a call for a batch, reset, and the sums that are kept between."""
    from torchmetrics import text as module

    for preds, target, draw in corpora(60, seed=11):
        theirs, ours = pair_of(draw, module)
        if ours.settings.smooth != "none":
            continue
        for start in range(0, len(preds), 2):
            batch = preds[start : start + 2], target[start : start + 2]
            once = ours.__class__.__base__(ours.settings)
            once.update(*batch)
            same_length = all(len({abs(len(r.split()) - len(p.split())) for r in group}) == len(group) for p, group in zip(*batch, strict=True))
            found, expected = ours(*batch), float(theirs(*batch))
            assert found == once.compute()
            if same_length and ours.settings.tokenize == "none":
                assert found == pytest.approx(expected, rel=1e-5, abs=1e-7)
        assert ours.stats.total == tuple(int(total) for total in theirs.denominator.tolist())
        for metric in (theirs, ours):
            metric.reset()
        assert ours.stats == BleuStats.zero(ours.settings.max_order)


def reduced(rank: int, folder: str, shards: list, out) -> None:
    """What one of two processes does: its shard, then a sum over both, in torchmetrics and here."""
    import torch
    from torch import distributed
    from torchmetrics.text import BLEUScore

    distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=len(shards))
    try:
        theirs, ours = BLEUScore(), torchmetrics.BLEUScore()
        for metric in (theirs, ours):
            for preds, target in shards[rank]:
                metric.update(preds, target)
        row = torch.tensor(ours.stats.row, dtype=torch.int64)
        distributed.all_reduce(row)
        states = [None] * len(shards)
        distributed.all_gather_object(states, ours.state_dict())
        out.put((rank, row.tolist(), states, float(theirs.compute())))
    finally:
        distributed.destroy_process_group()


@needs_torchmetrics
def test_two_processes_reduce_by_sum_to_the_whole(tmp_path):
    draw = random.Random(5)
    batches = []
    for _ in range(30):
        group = [" ".join(draw.choices(WORDS, k=9)) for _ in range(4)]
        batches.append(([f"{text} {draw.choice(WORDS)}" for text in group], [[text] for text in group]))
    shards = [batches[:11], batches[11:]]
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    processes = [context.Process(target=reduced, args=(rank, str(tmp_path), shards, out)) for rank in range(2)]
    for process in processes:
        process.start()
    told = sorted(out.get(timeout=240) for _ in processes)
    for process in processes:
        process.join(timeout=60)
        assert process.exitcode == 0
    preds, target = [text for texts, _ in batches for text in texts], [group for _, groups in batches for group in groups]
    whole = corpus_bleu(preds, target, torchmetrics.BLEUScore().settings)
    for _, row, states, theirs in told:
        assert BleuStats.from_row(row) == whole.stats
        merged = torchmetrics.BLEUScore()
        for state in states:
            merged.merge_state(state)
        assert merged.score().stats == whole.stats
        assert merged.compute() == whole.value
        assert theirs == pytest.approx(whole.value, rel=1e-5)


# ---- evaluate

METRIC = SCRIPTS / "bleu"


@needs_evaluate
@pytest.mark.skipif(not METRIC.is_dir(), reason="the folder metrics/bleu of evaluate's repository is not there as bleu (set BLEU_LIT_SCRIPTS to its parent)")
def test_evaluate_gives_the_same_dictionaries_where_the_definitions_agree(tmp_path, monkeypatch):
    for variable in ("HF_HOME", "HF_MODULES_CACHE", "HF_EVALUATE_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path / "cache"))
    import evaluate as real

    from bleu_lit.libraries import _without_addresses

    theirs = real.load(str(_without_addresses(METRIC, tmp_path)))
    for preds, target, draw in corpora(60, seed=3):
        choices = {"max_order": draw.randint(1, 5), "smooth": draw.random() < 0.4}
        ours = evaluate.bleu_results(preds, target, **choices)
        if not ours["translation_length"] or not ours["reference_length"]:
            with pytest.raises(ZeroDivisionError):
                theirs.compute(predictions=preds, references=target, **choices)
            continue
        found = theirs.compute(predictions=preds, references=target, **choices)
        assert list(found) == list(ours)
        no_word = found["precisions"][0] == 0 or (choices["smooth"] and corpus_bleu(preds, target, max_order=1, smooth="none").value == 0)
        if no_word:
            assert ours["bleu"] == 0 <= found["bleu"]
        else:
            assert found["bleu"] == pytest.approx(ours["bleu"], rel=1e-12)
        for key in ("brevity_penalty", "length_ratio", "translation_length", "reference_length", *(() if no_word else ("precisions",))):
            assert found[key] == pytest.approx(ours[key], rel=1e-12), key


@needs_evaluate
def test_what_evaluate_refuses_and_the_door_does_not(tmp_path, monkeypatch):
    """evaluate's table of texts refuses texts of different number; the loaded script of the door never sees them."""
    for variable in ("HF_HOME", "HF_MODULES_CACHE", "HF_EVALUATE_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path / "cache"))
    import evaluate as real

    metric = real.load(evaluate.write_script("bleu", tmp_path / "metrics"))
    with pytest.raises(Exception, match=r"Mismatch|mismatch|number"):
        metric.compute(predictions=["a b", "c"], references=[["a b"]])
    assert metric.compute(predictions=[""], references=[["a b"]])["bleu"] == 0.0


# ---- lm-eval


@needs_lm_eval
def test_lm_eval_aggregates_to_the_same_number():
    from lm_eval.api import metrics

    draw = random.Random(2)
    items = []
    for _ in range(80):
        reference = " ".join(draw.choices(WORDS, k=draw.randint(4, 12)))
        items.append((reference, " ".join(word if draw.random() < 0.8 else draw.choice(WORDS) for word in reference.split())))
    assert lm_eval.bleu(items) == pytest.approx(metrics.bleu(items), rel=1e-12)
    assert lm_eval.bleu([([reference], [prediction]) for reference, prediction in items]) == pytest.approx(metrics.bleu(items), rel=1e-12)
    assert [lm_eval.bleu_fn(item) for item in items] == [metrics.bleu_fn(item) for item in items]


@needs_lm_eval
def test_a_task_of_lm_eval_runs_with_the_door(tmp_path):
    """A whole evaluation: a task with its data, a model that answers, and the door as metric and as aggregation."""
    import json

    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    texts = [("the cat sat on the mat", "the cat sat on a mat"), ("so it goes on and on", "so it goes on and on"), ("he read a book", "he read the book")]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps({"question": str(i), "answer": answer}) + "\n" for i, (answer, _) in enumerate(texts)))
    (tmp_path / "utils.py").write_text("from bleu_lit.compat.lm_eval import bleu, bleu_fn\n")
    (tmp_path / "door.yaml").write_text(
        f"""task: door
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
metric_list:
  - metric: !function utils.bleu_fn
    aggregation: !function utils.bleu
    higher_is_better: true
"""
    )

    class Answers(LM):
        def generate_until(self, requests, **options):
            return [texts[int(request.args[0])][1] for request in requests]

        def loglikelihood(self, requests, **options):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests, **options):
            raise NotImplementedError

    found = simple_evaluate(model=Answers(), tasks=["door"], task_manager=TaskManager(include_path=str(tmp_path)), bootstrap_iters=0)
    (value,) = [value for key, value in found["results"]["door"].items() if key.startswith("bleu_fn,")]
    assert value == pytest.approx(lm_eval.bleu(texts), rel=1e-12)
