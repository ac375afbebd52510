"""How fast bleu_lit is, beside sacreBLEU and NLTK, as a Markdown table.

    python benchmarks/run.py                 100 000 pairs, 7 rounds (about ten minutes)
    python benchmarks/run.py --quick         5 000 pairs, 3 rounds
    python benchmarks/run.py --n 20000 --rounds 5 --only corpus

The engines take turns in each round, so that a busy moment of the machine meets all of them. Times are CPU seconds of this process (user and system, all
threads), from lists of str to the score. Every store that an engine keeps between calls is emptied before each turn. All engines of a table must agree on the
score, or the run stops.

The texts come from the generator of the evaluation data (see tests/shared.py), written once to a folder in the system's temporary directory. Without these
data a smaller corpus is made from the bundled demo, and the table says so.
"""

import argparse
import gc
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
from shared import SHARED, lines  # noqa: E402

from bleu_lit import tokens  # noqa: E402
from bleu_lit.score import corpus_bleu, sentence_bleu  # noqa: E402

GENERATOR = SHARED / "data" / "perf" / "make_corpus.py"
CACHE = Path(os.environ.get("BLEU_LIT_BENCH") or Path(tempfile.gettempdir()) / "bleu_lit-benchmark")
Texts = tuple[list[str], list[list[str]]]


@dataclass(frozen=True)
class Engine:
    """One program under measurement; `run` returns a score in [0, 1] or a sum of scores."""

    name: str
    run: Callable[[list[str], list[list[str]]], float]


@dataclass(frozen=True)
class Scenario:
    """Engines that compute the same thing. The first one is bleu_lit."""

    name: str
    engines: list[Engine]
    references: int = 1
    part: float = 1.0  # share of --n
    unit: str = "s"  # or "µs a call"


# ---- texts


def generated(n: int, references: int) -> Texts:
    """Pairs by the generator of the evaluation data, made once."""
    folder = CACHE / f"en-{n}-{references}"
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            command = [sys.executable, str(GENERATOR), f"{scratch}/made", "--n", str(n), "--refs", str(references), "--systems", "1"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            os.rename(f"{scratch}/made", folder)
    return lines(folder / "hyp.sys1.txt"), [list(group) for group in zip(*(lines(folder / f"ref.{j}.txt") for j in range(references)), strict=True)]


def from_demo(n: int, references: int) -> Texts:
    """Pairs from the 30 segments of the demo; each round through them changes some long words, so that new ones keep coming."""
    demo = ROOT / "bleu_lit" / "data" / "demo"
    candidates, *groups = (lines(demo / name) for name in ("system_a.txt", *[f"ref_{'ab'[j % 2]}.txt" for j in range(references)]))

    def varied(text: str, turn: int) -> str:
        words = [word[::-1] + str(turn) if len(word) > 5 and (zlib.crc32(word.encode()) + turn) % 11 == 0 else word for word in text.split(" ")]
        return " ".join(words if turn else text.split(" "))

    places = [(i % len(candidates), i // len(candidates)) for i in range(n)]
    return [varied(candidates[i], turn) for i, turn in places], [[varied(group[i], turn) for group in groups] for i, turn in places]


def texts(n: int, references: int) -> Texts:
    return generated(n, references) if GENERATOR.exists() else from_demo(n, references)


# ---- engines


def ours(candidates, references, **changes):
    return corpus_bleu(candidates, references, **changes).value


def sacrebleu_corpus(candidates, references, tokenize="13a"):
    from sacrebleu.metrics import BLEU

    return BLEU(tokenize=tokenize, force=True).corpus_score(candidates, list(map(list, zip(*references, strict=True)))).score / 100


def nltk_corpus(candidates, references):
    from nltk.translate.bleu_score import corpus_bleu as bleu

    return bleu([[text.split() for text in group] for group in references], [text.split() for text in candidates])


def our_sentences(candidates, references, **changes):
    return sum(sentence_bleu(candidate, group, **changes).value for candidate, group in zip(candidates, references, strict=True))


def sacrebleu_objects(candidates, references):
    from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True)
    return sum(bleu.sentence_score(candidate, group).score for candidate, group in zip(candidates, references, strict=True)) / 100


def sacrebleu_sentences(candidates, references):
    from sacrebleu import sentence_bleu as bleu

    return sum(bleu(candidate, group).score for candidate, group in zip(candidates, references, strict=True)) / 100


def forget() -> None:
    """Empty what the engines remember of texts they have seen."""
    from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re

    tokens._fast.cache_clear()
    tokenizer_13a.Tokenizer13a.__call__.cache_clear()
    tokenizer_re.TokenizerRegexp.__call__.cache_clear()
    gc.collect()


SCENARIOS = {
    "corpus": Scenario("corpus BLEU, 13a, 1 reference", [Engine("bleu_lit", ours), Engine("sacreBLEU", sacrebleu_corpus)]),
    "none": Scenario(
        "corpus BLEU, tokens by white space, 1 reference",
        [
            Engine("bleu_lit", partial(ours, tokenize="none", smooth="none")),
            Engine("NLTK", nltk_corpus),
            Engine("sacreBLEU", partial(sacrebleu_corpus, tokenize="none")),
        ],
    ),
    "four": Scenario("corpus BLEU, 13a, 4 references", [Engine("bleu_lit", ours), Engine("sacreBLEU", sacrebleu_corpus)], references=4, part=0.2),
    "sentences": Scenario(
        "sentence BLEU, 13a, one call for each pair",
        [
            Engine("bleu_lit", our_sentences),
            Engine("sacreBLEU `BLEU.sentence_score`", sacrebleu_objects),
            Engine("sacreBLEU `sentence_bleu`", sacrebleu_sentences),
        ],
        part=0.05,
        unit="µs a call",
    ),
}


# ---- measuring


def measured(scenario: Scenario, n: int, rounds: int) -> dict[str, list[float]]:
    """CPU seconds of each engine in each round; stops if the scores differ."""
    candidates, references = texts(n, scenario.references)
    times: dict[str, list[float]] = {engine.name: [] for engine in scenario.engines}
    values: dict[str, float] = {}
    for turn in range(rounds):
        first = turn % len(scenario.engines)
        for engine in scenario.engines[first:] + scenario.engines[:first]:  # another one begins each time
            forget()
            started = time.process_time()
            values[engine.name] = engine.run(candidates, references)
            times[engine.name].append(time.process_time() - started)
        if sys.stderr.isatty():
            print(f"\r{scenario.name}: round {turn + 1} of {rounds}", end="\n" if turn + 1 == rounds else "", file=sys.stderr, flush=True)
    first = values["bleu_lit"]
    for name, value in values.items():
        allowed = 1e-3 if name == "NLTK" else 1e-9 * max(1, len(candidates))  # NLTK adds 1 to a denominator for each short segment
        if abs(value - first) > allowed:
            raise SystemExit(f"{scenario.name}: {name} gives {value!r}, bleu_lit {first!r}")
    return times


def table(scenario: Scenario, n: int, times: dict[str, list[float]]) -> str:
    """The times as Markdown."""
    scale = 1e6 / n if scenario.unit != "s" else 1
    own = statistics.median(times["bleu_lit"])
    rows = [f"| {scenario.name}, {n:,} pairs | median, {scenario.unit} | least to most | bleu_lit is faster by |", "|---|---:|---:|---:|"]
    for name, values in times.items():
        middle = statistics.median(values)
        ratio = "" if name == "bleu_lit" else f"{middle / own:.2f}x"
        rows.append(f"| {name} | {middle * scale:.2f} | {min(values) * scale:.2f} to {max(values) * scale:.2f} | {ratio} |")
    return "\n".join(rows)


def machine() -> str:
    """What was measured on what."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        processor = next((line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")), processor)
    packages = ", ".join(f"{name} {version(name)}" for name in ("sacrebleu", "nltk"))
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    return f"{processor}, {os.cpu_count()} cores{load}; {platform.system()}, Python {platform.python_version()}, {packages}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure bleu_lit beside sacreBLEU and NLTK.")
    parser.add_argument("--n", type=int, help="pairs (100000)")
    parser.add_argument("--rounds", type=int, help="rounds (7)")
    parser.add_argument("--quick", action="store_true", help="5000 pairs, 3 rounds, unless said otherwise")
    parser.add_argument("--only", choices=SCENARIOS, action="append", help="only this scenario (may be repeated)")
    options = parser.parse_args()
    n, rounds = options.n or (5_000 if options.quick else 100_000), options.rounds or (3 if options.quick else 7)
    if not GENERATOR.exists():
        n = min(n, 20_000)
        print(f"The generator of the evaluation data is not at {GENERATOR} (set BLEU_LIT_SHARED), so the texts are {n:,} variations of the bundled demo.\n")
    print(f"{machine()}. CPU time, {rounds} interleaved rounds.\n", flush=True)
    for key in options.only or SCENARIOS:
        scenario = SCENARIOS[key]
        size = max(100, round(n * scenario.part))
        print(table(scenario, size, measured(scenario, size, rounds)) + "\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
