"""How long the explorer takes to answer one letter: read the controls, explain, write the part that is open.

    python benchmarks/explorer.py

The candidate and each of three references have 60 tokens. Times are milliseconds of wall clock, the median of 21; the aim is 100 ms. The way to the browser and
back is not in them. It needs ipywidgets (`make lab` installs it).
"""

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bleu_lit.widgets import Explorer

WORDS = ("the", "cat", "sat", "on", "a", "mat", "and", "saw", "some", "dogs", "who", "ran", "away", "from", "it")
PARTS = ("n-grams", "pictures", "derivation", "Python", "vector")


def text(step: int) -> str:
    """Sixty tokens, other ones for each step."""
    return " ".join(WORDS[i * step % len(WORDS)] for i in range(60))


def milliseconds(panel, rounds: int = 21) -> float:
    """The median time of an answer to a change of the candidate's last word."""
    times = []
    for i in range(rounds):
        start = time.perf_counter()
        panel.controls["candidate"].value = f"{text(1)[:-3]} x{i}"
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def main() -> None:
    panel = Explorer(text(1), [text(2), text(4), text(7)]).panel
    for number, part in enumerate(PARTS):
        panel.answers.tabs.selected_index = number
        print(f"{part:12} {milliseconds(panel):6.1f} ms")


if __name__ == "__main__":
    main()
