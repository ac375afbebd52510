"""How much longer a Python that imports from bleu_lit takes to start than a bare one: the package alone, and with `corpus_bleu`, which loads what scores.

    python benchmarks/import_time.py [ROUNDS]

Bare and importing interpreters take turns, so that a busy moment meets both; the figure is the median of the differences. The aim is under 60 ms.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AIM = 60.0
BARE = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
IMPORTING = ("import bleu_lit", "from bleu_lit import corpus_bleu")


def milliseconds(program: str) -> float:
    """How long a new interpreter takes to run the program."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", program], check=True, stdin=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    programs = [BARE, *(f"{BARE}; {statement}" for statement in IMPORTING)]
    for program in programs:  # the first starts write byte code and fill the disk's cache
        milliseconds(program)
    taken = [[milliseconds(program) for program in programs] for _ in range(rounds)]
    bare = statistics.median(times[0] for times in taken)
    print(f"Python {'.'.join(map(str, sys.version_info[:3]))}, {rounds} rounds, medians: bare {bare:.1f} ms")
    for i, statement in enumerate(IMPORTING, start=1):
        more = statistics.median(times[i] - times[0] for times in taken)
        print(f"`{statement}` costs {more:.1f} ms (aim: under {AIM:.0f} ms): {'ok' if more < AIM else 'too slow'}")


if __name__ == "__main__":
    main()
