"""How the time to score files falls with the number of workers, as a Markdown table.

    python benchmarks/scaling.py [--n 100000] [--workers 1,2] [--rounds 3]

Wall time of `distributed_stats` on a cluster of processes that is already up, beside `corpus_stats` in this process; the numbers of workers take turns in each
round. All must give the same integers, or the run stops. More workers than cores share them.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from common import machine, texts

from bleu_lit.distributed import cluster, distributed_stats
from bleu_lit.score import corpus_stats


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how distributed scoring scales on this machine.")
    parser.add_argument("--n", type=int, default=100_000, help="pairs (100000)")
    parser.add_argument("--workers", default=",".join(map(str, sorted({1, 2, os.cpu_count() or 1}))), help="numbers of processes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--block", type=int, default=1 << 20, help="bytes of the candidate file in a block (1 MB)")
    options = parser.parse_args()
    candidates, references = texts(options.n, 1)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "system.txt", Path(folder) / "ref.txt"]
        for path, lines in zip(files, (candidates, [group[0] for group in references]), strict=True):
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        numbers = [int(number) for number in options.workers.split(",")]
        times: dict[int, list[float]] = {number: [] for number in (0, *numbers)}
        for _ in range(options.rounds):
            started = time.perf_counter()
            expected = corpus_stats(candidates, references)
            times[0].append(time.perf_counter() - started)
            for number in numbers:
                with cluster(workers=number) as client:
                    distributed_stats(files[0], files[1:], client=client, block=options.block)  # workers import, and fill their stores
                    started = time.perf_counter()
                    stats = distributed_stats(files[0], files[1:], client=client, block=options.block)
                    times[number].append(time.perf_counter() - started)
                if stats != expected:
                    raise SystemExit(f"{number} workers give {stats.row}, one process {expected.row}")
    print(f"{machine()}. Wall time, {options.rounds} interleaved rounds, {options.n:,} pairs, blocks of {options.block:,} bytes.\n")
    print("| workers | median, s | least to most | against one worker |\n|---|---:|---:|---:|")
    one = statistics.median(times[numbers[0]])
    for number, values in times.items():
        middle = statistics.median(values)
        name = f"{number}" if number else "none: `corpus_stats` on lists"
        print(f"| {name} | {middle:.2f} | {min(values):.2f} to {max(values):.2f} | {one / middle:.2f}x |")


if __name__ == "__main__":
    main()
