"""How much longer a Python that imports bleu_lit takes to start than a bare one.

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
IMPORTING = f"{BARE}; import bleu_lit"


def milliseconds(program: str) -> float:
    """How long a new interpreter takes to run the program."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", program], check=True, stdin=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for program in (BARE, IMPORTING):  # the first starts write byte code and fill the disk's cache
        milliseconds(program)
    pairs = [(milliseconds(BARE), milliseconds(IMPORTING)) for _ in range(rounds)]
    bare, importing = (statistics.median(column) for column in zip(*pairs, strict=True))
    more = statistics.median(second - first for first, second in pairs)
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Python {version}, {rounds} rounds, medians: bare {bare:.1f} ms, with `import bleu_lit` {importing:.1f} ms")
    print(f"import bleu_lit costs {more:.1f} ms (aim: under {AIM:.0f} ms): {'ok' if more < AIM else 'too slow'}")


if __name__ == "__main__":
    main()
