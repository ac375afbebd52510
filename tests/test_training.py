"""BLEU as an objective: rewards are sentence BLEU, losses have the gradients of their equations, surrogates equal BLEU on certain distributions."""

import math
import random

import pytest

from bleu_lit.core import BleuInputError, MissingExtraError, UnknownNameError
from bleu_lit.score import sentence_bleu
from bleu_lit.toy import OBJECTIVES, toy_curve, trained
from bleu_lit.training import REWARD, SURROGATES, bleu_rewards, distinct, policy_loss, risk_loss, surrogate_bleu


def test_rewards_are_sentence_bleu():
    samples, references = ["the cat", "a dog sat", "the end"], [["the cat sat"], ["a dog sat", "dogs sit"], ["nothing"]]
    rewards = bleu_rewards(samples, references)
    assert rewards == [sentence_bleu(sample, group, REWARD).value for sample, group in zip(samples, references, strict=True)]
    assert math.isclose(math.fsum(bleu_rewards(samples, references, baseline=True)), 0, abs_tol=1e-15)
    with pytest.raises(BleuInputError):
        bleu_rewards(samples, references[:2])


def test_the_record_is_of_a_run_that_learned():
    record = trained()
    assert set(record["curves"]) == set(record["milliseconds"]) == set(OBJECTIVES)
    for curve in record["curves"].values():
        assert curve[0][1] == record["curves"]["policy"][0][1] < curve[-1][1] <= 100  # one start for all


def test_distinct():
    assert distinct(["a", "b", "a"]) == [0, 1] and distinct([]) == []


def test_without_torch():
    if importlib_finds("torch"):
        pytest.skip("torch is installed")
    for call in (lambda: surrogate_bleu(None, [[1]]), lambda: policy_loss(None, []), lambda: risk_loss(None, []), lambda: toy_curve("policy")):
        with pytest.raises(MissingExtraError, match=r"'\.\[torch\]'"):
            call()


def importlib_finds(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="the extra `torch` is not installed")


@pytest.mark.parametrize("kind", SURROGATES)
@pytest.mark.parametrize("seed", range(5))
def test_surrogates_equal_bleu_on_certain_distributions(torch, kind, seed):
    draw = random.Random(seed)
    for _ in range(100):
        size, order = draw.randrange(1, 6), draw.randrange(1, 6)
        tokens = [draw.randrange(size) for _ in range(draw.randrange(1, 12))]
        references = [[draw.randrange(size) for _ in range(draw.randrange(1, 12))] for _ in range(draw.randrange(1, 4))]
        words = [[str(token) for token in sentence] for sentence in (tokens, *references)]
        exact = sentence_bleu(words[0], words[1:], REWARD, max_order=order).value
        assert abs(float(surrogate_bleu(torch.eye(size, dtype=torch.float64)[tokens], references, order, kind)) - exact) < 1e-12


@pytest.mark.parametrize("kind", SURROGATES)
def test_surrogates_have_their_gradient(torch, kind):
    torch.manual_seed(1)
    free = torch.rand(6, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda p: surrogate_bleu(torch.softmax(p, 1), [[0, 1, 2, 2, 4], [3, 1]], kind=kind), (free,))


def test_a_sequence_too_short_for_its_order_has_a_gradient_too(torch):
    p = torch.full((2, 3), 1 / 3, dtype=torch.float64, requires_grad=True)
    value = surrogate_bleu(p, [[0, 1, 2]], add=0)
    value.backward()
    assert float(value) == 0 and torch.isfinite(p.grad).all()


def test_losses_have_the_gradient_of_their_equation(torch):
    rewards = [0.2, 0.9, 0.4]
    logs = torch.tensor([-1.0, -2.0, -1.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: risk_loss(x, rewards, alpha=0.7), (logs,))
    weights = [math.exp(0.7 * x) for x in (-1.0, -2.0, -1.5)]
    expected = sum(w * (1 - r) for w, r in zip(weights, rewards, strict=True)) / sum(weights)
    assert math.isclose(float(risk_loss(logs, rewards, alpha=0.7)), expected)
    assert math.isclose(float(policy_loss(logs, rewards)), (0.2 + 1.8 + 0.6) / 3)


def test_bad_input(torch):
    logs = torch.tensor([-1.0, -2.0])
    for loss in (policy_loss, risk_loss):
        with pytest.raises(BleuInputError, match="one reward for each"):
            loss(logs, [1.0])
        with pytest.raises(BleuInputError, match="one reward for each"):
            loss(torch.zeros(0), [])
    for alpha in (0, -1, math.nan):
        with pytest.raises(BleuInputError, match="alpha"):
            risk_loss(logs, [1, 0], alpha)
    p = torch.full((2, 3), 1 / 3)
    for references in ([], [[]], [[0], []]):
        with pytest.raises(BleuInputError, match="at least one reference"):
            surrogate_bleu(p, references)
    with pytest.raises(BleuInputError, match="ids from 0 to 2, got 3"):
        surrogate_bleu(p, [[0, 3]])
    with pytest.raises(UnknownNameError, match="shared"):
        surrogate_bleu(p, [[0]], kind="share")
    for wrong in (p[0], p[None], p[:0], [[1.0]]):
        with pytest.raises(BleuInputError, match="one sentence at a time"):
            surrogate_bleu(wrong, [[0]])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_toy_learns_with_each_objective(torch, objective):
    curve = toy_curve(objective, steps=30, every=30)
    assert curve[-1][1] > curve[0][1] + 20
