"""How often intervals hold the true score, and how often tests call equal systems different: the simulations behind the notebooks on resampling.

    python tests/resampling_simulation.py             run all (2000 test sets for each case, some two minutes) and keep the outcome beside this file
    python tests/resampling_simulation.py --show      print the outcome that is kept

A population of 4000 segments with two systems is made up from a seed, so its true scores are known. Each case draws test sets from it, with the same
seeds every time.
For false positives a coin decides for each segment which of the two rows is the first system's: then the systems are equal by construction.
Needs NumPy.
"""

import json
import random
import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bleu_lit.compare import difference_interval, paired_bootstrap, paired_permutation, paired_randomization
from bleu_lit.resample import bootstrap_interval
from bleu_lit.sums import mean_rows, mean_value, score_function
from tools import book

OUTCOME = Path(__file__).with_suffix(".json")
TRIALS, SEGMENTS, FIRST = 2000, 300, 60
BLEU = score_function()


@cache
def population() -> list[tuple]:
    """4000 pairs of rows of two systems: sentences of 5 to 50 tokens, easy or hard for both, with luck of their own for each."""
    chance = random.Random(20261130)
    return [_pair(chance) for _ in range(4000)]


def _pair(chance: random.Random) -> tuple:
    """The rows of the two systems for one sentence."""
    tokens, ease = chance.randint(5, 50), chance.betavariate(6, 4)
    return _row(chance, tokens, ease), _row(chance, tokens, min(1.0, ease + 0.01))


def _row(chance: random.Random, tokens: int, ease: float) -> tuple:
    """One system's row: a run of right and wrong tokens, and the n-grams that are right throughout."""
    length = max(4, tokens + chance.randint(-3, 3))
    right, last = [], True
    for _ in range(length):
        last = chance.random() < (min(0.95, ease + 0.15) if last else max(0.05, ease - 0.15))
        right.append(last)
    matched = [sum(all(right[i : i + n]) for i in range(length - n + 1)) for n in range(1, 5)]
    return (length, tokens, *matched, *(length - n + 1 for n in range(1, 5)))


def total(rows: list[tuple]) -> tuple:
    return tuple(sum(column) for column in zip(*rows, strict=True))


@cache
def truth() -> tuple[float, float]:
    """The scores of the two systems on the whole population."""
    first, second = zip(*population(), strict=True)
    return BLEU.value(total(first)), BLEU.value(total(second))


def drawn(trial: int, segments: int = SEGMENTS, swap: bool = False) -> tuple[list, list]:
    """A test set: pairs of rows, with replacement; each pair in a random order if the systems are to be equal."""
    chance = random.Random(trial)
    pairs = chance.choices(population(), k=segments)
    if swap:
        pairs = [pair if chance.random() < 0.5 else pair[::-1] for pair in pairs]
    first, second = zip(*pairs, strict=True)
    return list(first), list(second)


def covers(method: str):
    return lambda trial: truth()[0] in bootstrap_interval(drawn(trial)[0], seed=trial, method=method)


def difference_covers(method: str):
    gap = truth()[1] - truth()[0]
    return lambda trial: gap in difference_interval(*drawn(trial)[::-1], seed=trial, method=method)


def mean_covers(method: str):
    """The mean of a skewed quantity (the square of the share of unigrams that match), from 100 segments."""

    def one(trial: int) -> bool:
        values = [(row[2] / row[0]) ** 2 for row, _ in population()]
        sample = random.Random(trial).choices(values, k=100)
        return sum(values) / len(values) in bootstrap_interval(mean_rows(sample), mean_value, seed=trial, method=method)

    return one


def rejects(test, **choices):
    return lambda trial: test(*drawn(trial, swap=True), seed=trial, **choices).significant(0.05)


def rejects_exactly(trial: int) -> bool:
    return paired_permutation(*drawn(trial, segments=10, swap=True)).significant(0.05)


CASES = {
    "coverage, BLEU, percentile": lambda: covers("percentile"),
    "coverage, BLEU, bca": lambda: covers("bca"),
    "coverage, BLEU difference, percentile": lambda: difference_covers("percentile"),
    "coverage, BLEU difference, bca": lambda: difference_covers("bca"),
    "coverage, mean of 100, percentile": lambda: mean_covers("percentile"),
    "coverage, mean of 100, bca": lambda: mean_covers("bca"),
    "false positives, approximate randomisation": lambda: rejects(paired_randomization, samples=999),
    "false positives, paired bootstrap, two-sided": lambda: rejects(paired_bootstrap, samples=999, rule="two-sided"),
    "false positives, paired bootstrap, sacrebleu": lambda: rejects(paired_bootstrap, samples=999),
    "false positives, exact permutation of 10 segments": lambda: rejects_exactly,
}


def count(case: str, trials: int) -> int:
    """In how many of the first test sets the interval held the truth, or the test rejected."""
    one = CASES[case]()
    return sum(one(trial) for trial in range(trials))


def main() -> None:
    if "--show" not in sys.argv[1:]:
        outcome = {}
        for case in CASES:
            one = CASES[case]()
            held = [one(trial) for trial in range(TRIALS)]
            outcome[case] = {"trials": TRIALS, "count": sum(held), "share": sum(held) / TRIALS, "count_of_first": sum(held[:FIRST]), "first": FIRST}
            print(f"{case}: {outcome[case]['share']:.2%}", flush=True)
        OUTCOME.write_text(json.dumps(outcome, indent=1) + "\n", encoding="utf-8")
    kept = json.loads(OUTCOME.read_text(encoding="utf-8"))
    book.say(f"{case:52} {found['count']:5} of {found['trials']}  {found['share']:.2%}" for case, found in kept.items())


if __name__ == "__main__":
    main()
