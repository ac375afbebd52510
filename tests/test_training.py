"""BLEU as an objective: rewards are sentence BLEU, losses have the gradients of their equations, surrogates equal BLEU on certain distributions."""

import math
import random

import pytest

from bleu_lit import core
from bleu_lit.core import BleuInputError, FlatReferencesError, MissingExtraError, OrderError, SettingsError, UnknownNameError
from bleu_lit.score import sentence_bleu
from bleu_lit.tensors import check_distributions, token_ids
from bleu_lit.toy import OBJECTIVES, Toy, toy_curve, toy_loss, trained
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
    assert value.item() == 0 and torch.isfinite(p.grad).all()


def by_definition(table, references, order, kind, add):
    """The equation of the surrogates in plain Python, a list of lists in and a number out."""
    product, places = 1.0, len(table)
    for n in range(1, order + 1):
        bounds = {}
        for reference in references:
            for i in range(len(reference) - n + 1):
                gram = tuple(reference[i : i + n])
                count = sum(tuple(reference[k : k + n]) == gram for k in range(len(reference) - n + 1))
                bounds[gram] = max(bounds.get(gram, 0), count)
        matched = add if n > 1 else 0.0
        for gram, bound in bounds.items():
            chances = [math.prod(table[i + k][token] for k, token in enumerate(gram)) for i in range(places - n + 1)]
            expected = math.fsum(chances)
            matched += min(expected, bound) if kind == "expected" else math.fsum(p * min(1, bound / (1 + expected - p)) for p in chances)
        product *= matched / (max(0, places - n + 1) + (add if n > 1 else 0.0))
    r = min((abs(len(reference) - places), len(reference)) for reference in references)[1]
    return math.exp(min(0.0, 1 - r / places)) * product ** (1 / order)


@pytest.mark.parametrize("kind", SURROGATES)
@pytest.mark.parametrize("add", [1.0, 0.5, 0.0])
def test_surrogates_and_their_slopes_are_those_of_the_equation(torch, kind, add):
    draw = random.Random(f"{kind} {add}")
    for _ in range(8):
        places, size, order = draw.randrange(4, 7), draw.randrange(3, 6), draw.randrange(1, 5)
        references = [[draw.randrange(size) for _ in range(draw.randrange(4, 8))] for _ in range(2)]
        table = [[draw.random() ** 4 + 1e-3 for _ in range(size)] for _ in range(places)]
        table = [[value / math.fsum(row) for value in row] for row in table]
        p = torch.tensor(table, dtype=torch.float64, requires_grad=True)
        value = surrogate_bleu(p, references, order, kind, add)
        value.backward()
        assert value.item() == pytest.approx(by_definition(table, references, order, kind, add), rel=1e-12)
        for i, v in ((draw.randrange(places), draw.randrange(size)) for _ in range(3)):
            sides = []
            for change in (1e-6, -1e-6):
                moved = [[value + change * ((i, v) == (k, j)) for j, value in enumerate(row)] for k, row in enumerate(table)]
                sides.append(by_definition(moved, references, order, kind, add))
            assert p.grad[i, v].item() == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("kind", SURROGATES)
@pytest.mark.parametrize("chance", [1e-4, 1e-10, 1e-30])
def test_a_small_chance_has_the_slope_of_the_root(torch, kind, chance):
    """One place gives the token of a reference a small chance q: the score is (q / (4 * 4 * 3 * 2)) ** (1/4), and its slope that over 4 q."""
    table = torch.eye(6)[[0, 0, 0, 0]]
    table[0, 1] = chance
    table.requires_grad_()
    value = surrogate_bleu(table, [[1, 2, 3, 4]], kind=kind)
    value.backward()
    exact = (chance / 96) ** 0.25
    assert value.item() == pytest.approx(exact, rel=1e-4) and table.grad[0, 1].item() == pytest.approx(exact / 4 / chance, rel=1e-4)


@pytest.mark.parametrize("kind", SURROGATES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
def test_a_sure_wrong_prediction_has_a_finite_gradient(torch, kind, dtype):
    dtype = getattr(torch, dtype)
    masked = torch.zeros(4, 6, dtype=dtype)
    masked[:, 1:5] = -math.inf
    for logits in (torch.eye(6, dtype=dtype)[[0, 0, 0, 0]] * 2000, masked, torch.eye(6, dtype=dtype)[[0, 0, 0, 0]] * 12):
        for order, add in ((1, 1.0), (4, 1.0), (4, 0.0), (8, 1.0), (2, 0.25)):
            free = logits.clone().requires_grad_()
            p = free.softmax(-1)
            p.retain_grad()
            (1 - surrogate_bleu(p, [[1, 2, 3, 4]], order, kind, add)).backward()
            assert torch.isfinite(free.grad).all() and torch.isfinite(p.grad).all()


@pytest.mark.parametrize("kind", SURROGATES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
def test_the_gradient_of_a_score_of_0_leads_away_from_it(torch, kind, dtype):
    p = torch.eye(6, dtype=getattr(torch, dtype))[[0, 0, 0, 0]].requires_grad_()
    value = surrogate_bleu(p, [[1, 2, 3, 4]], kind=kind)
    value.backward()
    assert value.item() == 0
    slope = 2**10.5 / 96**0.25  # the line 2^(14 * 3/4) m, and the totals 4, 4, 3, 2 of the four orders under their root
    wanted = torch.zeros(4, 6)
    wanted[:, 1:5] = slope
    assert torch.allclose(p.grad.float(), wanted, rtol=0.05 if p.dtype.itemsize == 2 else 1e-5)
    with torch.no_grad():
        better = p + 1e-4 * p.grad
        better /= better.sum(1, keepdim=True)
    assert surrogate_bleu(better, [[1, 2, 3, 4]], kind=kind).item() > 0.1


def test_what_lies_below_the_smallest_number_of_half_precision_is_a_line(torch):
    """Below 2^-14 half precision has the line and not the root; both meet there."""
    for chance, root in ((2.0**-13, (2.0**-13 / 96) ** 0.25), (2.0**-14, (2.0**-14 / 96) ** 0.25), (2.0**-16, 2**10.5 * 2**-16 / 96**0.25)):
        table = torch.eye(6, dtype=torch.float16)[[0, 0, 0, 0]]
        table[0, 1] = chance
        assert surrogate_bleu(table, [[1, 2, 3, 4]]).item() == pytest.approx(root, rel=0.02)


def test_losses_have_the_gradient_of_their_equation(torch):
    rewards = [0.2, 0.9, 0.4]
    logs = torch.tensor([-1.0, -2.0, -1.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: risk_loss(x, rewards, alpha=0.7), (logs,))
    weights = [math.exp(0.7 * x) for x in (-1.0, -2.0, -1.5)]
    expected = sum(w * (1 - r) for w, r in zip(weights, rewards, strict=True)) / sum(weights)
    assert math.isclose(risk_loss(logs, rewards, alpha=0.7).item(), expected)
    assert math.isclose(policy_loss(logs, rewards).item(), (0.2 + 1.8 + 0.6) / 3)


def test_bad_input(torch):
    logs = torch.tensor([-1.0, -2.0])
    for loss in (policy_loss, risk_loss):
        with pytest.raises(BleuInputError, match="one reward for each"):
            loss(logs, [1.0])
        for wrong in (torch.zeros(0), torch.zeros(2, 2), torch.tensor([-1, -2]), None, [-1.0, -2.0]):
            with pytest.raises(BleuInputError, match=r"shape \(S,\), of floats") as caught:
                loss(wrong, [0.5, 0.5])
            assert caught.value.where == "log_probabilities" and caught.value.fix
        for wrong, shown in ((0.5, "0.5"), (math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf")):
            with pytest.raises(BleuInputError, match=f"got {shown}. Sum the log-softmax") as caught:
                loss(torch.tensor([-1.0, wrong]), [0.5, 0.5])
            assert caught.value.where == "log_probabilities[1]"
        for wrong, shown in ((34.5, "34.5"), (math.nan, "nan"), (math.inf, "inf"), (-2, "-2")):
            with pytest.raises(BleuInputError, match=f"to 1, got {shown}. Divide percent by 100") as caught:
                loss(logs, [0.5, wrong])
            assert caught.value.where == "rewards[1]"
        for wrong in (None, "ab", [None, 1.0], ["a", "b"], [[1.0], [1.0, 2.0]]):
            with pytest.raises(BleuInputError, match="S numbers"):
                loss(logs, wrong)
        assert loss(torch.zeros(1), [1.0]).item() == 0
    assert policy_loss(logs, [-1.0, -0.5]).item() == -1
    with pytest.raises(BleuInputError, match=r"a reward from 0 to 1, got -0\.5"):
        risk_loss(logs, [-0.5, 0.5])
    for alpha in (0, -1, math.nan, math.inf, None, "1"):
        with pytest.raises(BleuInputError, match="alpha"):
            risk_loss(logs, [1, 0], alpha)
    p = torch.full((2, 3), 1 / 3)
    for references in ([], [[]], [[0], []]):
        with pytest.raises(BleuInputError, match="at least one reference"):
            surrogate_bleu(p, references)
    with pytest.raises(BleuInputError, match="ids from 0 to 2, got 3"):
        surrogate_bleu(p, [[0, 3]])
    for references, kind in (
        ([0, 1], FlatReferencesError), (torch.tensor([0, 1]), FlatReferencesError), ([], core.MissingReferenceError), ([[0], []], core.MissingReferenceError),
        (None, core.SegmentTypeError), ([None], core.SegmentTypeError), (3, core.SegmentTypeError), ("ab", BleuInputError), (["ab"], BleuInputError),
        ([[0, 1.5]], BleuInputError), ([["0"]], BleuInputError), ([[-1]], BleuInputError), ([[[0]]], BleuInputError),
    ):  # fmt: skip
        with pytest.raises(kind) as caught:
            surrogate_bleu(p, references)
        assert isinstance(caught.value, BleuInputError) and caught.value.where.startswith("references") and caught.value.fix
    for wrong in (0, -1, None, 1.5, "4", True):
        with pytest.raises(OrderError, match="max_order"):
            surrogate_bleu(p, [[0]], wrong)
    for wrong in (-1, None, math.nan, math.inf, "1"):
        with pytest.raises(core.SmoothingValueError, match="add"):
            surrogate_bleu(p, [[0]], add=wrong)
    with pytest.raises(UnknownNameError, match="shared"):
        surrogate_bleu(p, [[0]], kind="share")
    for wrong in (p[0], p[None], p[:0]):
        with pytest.raises(BleuInputError, match="one sentence at a time"):
            surrogate_bleu(wrong, [[0]])
    for wrong in (None, [[0.5, 0.5]], torch.tensor([[0, 1]]), torch.tensor([[True, False]]), torch.tensor([[1 + 0j]]), "p"):
        with pytest.raises(BleuInputError, match="a torch tensor of floats"):
            surrogate_bleu(wrong, [[0]])


@pytest.mark.parametrize("kind", SURROGATES)
def test_what_is_no_distribution_is_refused(torch, kind):
    logits = torch.randn(4, 7, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16):
        good = logits.to(dtype).softmax(-1)
        assert 0 < surrogate_bleu(good, [[1, 2]], kind=kind).item() < 1
        wrong = {"softmax": logits, "exp()": logits.log_softmax(-1), "padding": torch.cat([good[:3], torch.zeros(1, 7)]), "NaN": logits.softmax(-1) / math.nan}
        wrong |= {"leave padding out": logits.softmax(-1) * 100, "over the whole vocabulary": logits.sigmoid()}
        for advice, table in wrong.items():
            with pytest.raises(BleuInputError) as caught:
                surrogate_bleu(table.to(dtype), [[1, 2]], kind=kind)
            assert advice in str(caught.value) and caught.value.where == ("probabilities[3]" if advice == "padding" else "probabilities[0]")
    one = logits.softmax(-1)
    one[2] = torch.tensor([1.5, -0.5, 0, 0, 0, 0, 0])  # the sum is 1
    with pytest.raises(BleuInputError, match=r"probabilities\[2\].*got -0.5 among them"):
        surrogate_bleu(one, [[1, 2]], kind=kind)


def test_distributions_that_were_rounded_are_taken(torch):
    """A softmax in a narrow type, over a large vocabulary, and handed on in a wide one."""
    logits = torch.randn(2, 100_000, generator=torch.Generator().manual_seed(2)) * 3
    for table in (logits, logits * 0, logits * 5):
        for narrow in (torch.float32, torch.bfloat16, torch.float16):
            check_distributions(table.softmax(1).to(narrow), torch)
        check_distributions(table.softmax(1).double(), torch)


def test_ids_come_in_any_list(torch):
    for references in ([[1, 2], [3]], ((1, 2), (3,)), [torch.tensor([1, 2]), torch.tensor([3])]):
        assert token_ids(references, 4) == [(1, 2), (3,)]
    assert token_ids(torch.tensor([[1, 2]]), 4) == [(1, 2)]


def test_a_toy_refuses_what_is_no_number_of_steps(torch):
    for wrong in ({"every": 0}, {"steps": -1}, {"steps": None}, {"every": 1.5}):
        with pytest.raises(SettingsError, match=next(iter(wrong))):
            toy_curve("policy", **wrong)
    for wrong in ({"batch": 0}, {"samples": 0}, {"batch": None}):
        with pytest.raises(SettingsError, match=next(iter(wrong))):
            toy_loss(Toy(), "policy", **wrong)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_toy_learns_with_each_objective(torch, objective):
    curve = toy_curve(objective, steps=30, every=30)
    assert curve[-1][1] > curve[0][1] + 20
