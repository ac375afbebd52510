"""Train the toy of nbs/66_toy.ipynb with each objective, and store the curves with the package.

    python benchmarks/training.py            write bleu_lit/data/training.json
    python benchmarks/training.py --print    print it instead

Needs the extra `torch`. The time of a step is the median of single steps in turns, wall time on one thread.
"""

import argparse
import datetime
import json
import platform
import statistics
import sys
import time
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from bleu_lit.toy import OBJECTIVES, Toy, toy_curve, toy_loss  # noqa: E402


def milliseconds(rounds: int = 15) -> dict[str, float]:
    """How long a step of each objective takes: loss and gradient, 16 sentences."""
    toy, times = Toy(), {objective: [] for objective in OBJECTIVES}
    for _ in range(rounds):
        for objective in OBJECTIVES:
            started = time.perf_counter()
            toy_loss(toy, objective).backward()
            times[objective].append(1000 * (time.perf_counter() - started))
    return {objective: round(statistics.median(values), 1) for objective, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the toy with each objective.")
    parser.add_argument("--print", action="store_true", help="print the record, and store nothing")
    options = parser.parse_args()
    torch.set_num_threads(1)
    curves = {objective: [[step, round(percent, 2)] for step, percent in toy_curve(objective)] for objective in OBJECTIVES}
    made = f"by benchmarks/training.py on {datetime.date.today()}, torch {torch.__version__.split('+')[0]}, Python {platform.python_version()}, one thread"  # noqa: DTZ011
    record = json.dumps({"made": made, "milliseconds": milliseconds(), "curves": curves}, indent=1) + "\n"
    if options.print:
        print(record, end="")
    else:
        (ROOT / "bleu_lit" / "data" / "training.json").write_text(record, encoding="utf-8")


if __name__ == "__main__":
    main()
