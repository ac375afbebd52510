"""Every ratio of speed that bleu_lit promises, measured in one run beside the peers that are installed.

    python benchmarks/table.py                     all rows (about a quarter of an hour)
    python benchmarks/table.py --quick             a tenth of the text, 3 rounds (under two minutes)
    python benchmarks/table.py --only lists --only mbr
    python benchmarks/table.py --store             write bleu_lit/data/speed.json, which the site shows

The programs of a row take turns in each round, so that a busy moment of the machine meets all of them; the figure is the median over the rounds of the ratio
within a round. Times are CPU seconds (user and system) of one thread unless the row says wall. What an engine remembers of texts is forgotten before each turn.
Where programs compute the same number, the run stops if they disagree. `pip install '.[peers]'` brings the peers; one that is absent leaves its cells empty.
"""

import argparse
import contextlib
import datetime
import io
import json
import os
import resource
import site
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

os.environ.setdefault("BLEU_LIT_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent))
from common import ROOT, forget, machine, nltk_corpus, ours, sacrebleu_corpus, texts

from bleu_lit.core import BleuInputError
from bleu_lit.engine import engine
from bleu_lit.loop import sentence_scorer
from bleu_lit.pairwise import mbr_select, self_bleu
from bleu_lit.score import score_from_stats, segment_stats
from bleu_lit.stream import stream_stats

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep), *site.getsitepackages()])}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has been compiled to bytecode, on both sides
STORE = ROOT / "bleu_lit" / "data" / "speed.json"


@dataclass
class Row:
    """A promise: bleu_lit against each peer, with the ratio to reach. `peers` maps a name to (what runs, ratio to reach)."""

    key: str
    what: str
    own: Callable[[], object]
    peers: dict[str, tuple[Callable[[], object] | None, float]]
    clock: Callable[[], float] = time.process_time
    same: float | None = 1e-6  # how far results may be apart; None where they are not the same number
    engine: str | None = None  # "python" for the plain one
    threads: int = 1
    times: dict[str, list[float]] = field(default_factory=dict)


def children() -> float:
    """CPU seconds of programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def installed(name: str) -> bool:
    return find_spec(name) is not None


# ---- peers


def bleuscore_corpus(candidates, references):
    import bleuscore

    return bleuscore.compute(references, candidates, max_order=4, smooth=False)["bleu"]


def bleuscore_sentences(candidates, references):
    import bleuscore

    for candidate, group in zip(candidates, references, strict=True):
        bleuscore.compute([group], [candidate], max_order=4, smooth=False)


def sacrebleu_sentences(candidates, references):
    from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True)
    return sum(bleu.sentence_score(candidate, group).score for candidate, group in zip(candidates, references, strict=True)) / 100


def sacrebleu_bootstrap(systems, references):
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    with contextlib.redirect_stderr(io.StringIO()):
        _, scores = PairedTest(list(systems.items()), {"BLEU": BLEU()}, [[group[0] for group in references]], test_type="bs", n_samples=1000)()
    return scores["BLEU"][1].p_value


def our_bootstrap(systems, references):
    from bleu_lit.compare import paired_bootstrap

    rows = [segment_stats(candidates, references) for candidates in systems.values()]
    return paired_bootstrap(rows[1], rows[0], samples=1000).p_value


def sacrebleu_mbr(candidates):
    from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True)
    means = [sum(bleu.sentence_score(one, [other]).score for other in candidates) / len(candidates) for one in candidates]
    return means.index(max(means))


def fast_self_bleu(tokens):
    from fast_bleu import SelfBLEU

    return SelfBLEU(tokens, {"4": (0.25, 0.25, 0.25, 0.25)}).get_score()["4"]


# ---- texts


@cache
def pairs(n: int, references: int = 1):
    return texts(n, references)


@cache
def paths(n: int) -> tuple[str, str]:
    """The pairs as files, which stay until the program ends."""
    candidates, references = pairs(n)
    folder = _FOLDERS.enter_context(tempfile.TemporaryDirectory())
    found = []
    for name, lines in (("system.txt", candidates), ("ref.txt", [group[0] for group in references])):
        found.append(os.path.join(folder, name))
        Path(found[-1]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tuple(found)


_FOLDERS = contextlib.ExitStack()


def file_score(n: int) -> float:
    system, reference = paths(n)
    return score_from_stats(stream_stats(system, [reference]).stats[0]).value


def word_count(n: int) -> None:
    subprocess.run(["wc", "-w", *paths(n)], check=True, stdout=subprocess.DEVNULL, env=os.environ | {"LC_ALL": "C.UTF-8"})


@cache
def python() -> str:
    """The Python of an empty virtual environment, told by `ENVIRONMENT` where the packages are.

    So neither side pays at each start for what an editable install, or anything else in this environment, hooks into the start.
    """
    folder = Path(_FOLDERS.enter_context(tempfile.TemporaryDirectory()))
    venv.create(folder, symlinks=os.name != "nt")
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def command(*words: str) -> float:
    done = subprocess.run([python(), *words], check=True, capture_output=True, text=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
    found = json.loads(done.stdout)
    return round(found["score"] if "sacrebleu" in words else found["systems"][0]["percent"], 6)


def own_command(n: int) -> float:
    system, reference = paths(n)
    return command("-m", "bleu_lit", "score", system, "-r", reference, "--format", "json", "--quiet")


def peer_command(n: int) -> float:
    system, reference = paths(n)
    return command("-m", "sacrebleu", reference, "-i", system, "-f", "json", "-w", "10")


def rows(scale: float) -> list[Row]:
    """The promises, on `scale` times the text."""
    many, few = round(100_000 * scale), 3_000
    sacre, score, fast, nltk = installed("sacrebleu"), installed("bleuscore"), installed("fast_bleu"), installed("nltk")

    def peer(there: bool, run: Callable, reach: float) -> tuple[Callable | None, float]:
        return (run if there else None), reach

    def own_sentences():
        candidates, references = pairs(round(many / 20))
        bleu = sentence_scorer()
        return sum(bleu(candidate, group) for candidate, group in zip(candidates, references, strict=True))

    @cache
    def two_systems():
        candidates, references = pairs(few)
        other = [text if i % 3 else " ".join(text.split()[:-1]) or text for i, text in enumerate(candidates)]
        return {"baseline": other, "system": candidates}, references

    @cache
    def samples(n: int):
        candidates, references = pairs(few)
        return [*candidates, *(group[0] for group in references)][:n]

    sentences = samples(1000)
    tokens = [text.split() for text in sentences]
    return [
        Row(
            "lists", f"corpus BLEU of {many:,} pairs from lists of str, 13a", lambda: ours(*pairs(many)),
            {"sacreBLEU": peer(sacre, lambda: sacrebleu_corpus(*pairs(many)), 100), "bleuscore": peer(score, lambda: bleuscore_corpus(*pairs(many)), 25)},
            same=5e-3,  # bleuscore takes the shortest reference and another tokenizer
        ),
        Row(
            "files", f"{many:,} pairs from files, beside `wc -w` on the same bytes", lambda: file_score(many),
            {"wc -w": (lambda: word_count(many), 1)}, same=None,
        ),
        Row(
            "threads", f"{many:,} pairs from files with two threads, wall, beside `wc -w`", lambda: file_score(many),
            {"wc -w": (lambda: word_count(many), 1 / 0.55)}, clock=time.perf_counter, same=None, threads=2,
        ),
        Row(
            "four", f"{many:,} pairs with 4 references, 13a", lambda: ours(*pairs(many, 4)),
            {"sacreBLEU": peer(sacre, lambda: sacrebleu_corpus(*pairs(many, 4)), 100), "bleuscore": peer(score, lambda: bleuscore_corpus(*pairs(many, 4)), 25)},
            same=2e-2,
        ),
        Row(
            "process", f"the whole command on {many:,} pairs", lambda: own_command(many),
            {"sacreBLEU's command": peer(sacre, lambda: peer_command(many), 80)}, clock=children,
        ),
        Row(
            "small process", f"the whole command on {few:,} pairs", lambda: own_command(few),
            {"sacreBLEU's command": peer(sacre, lambda: peer_command(few), 10)}, clock=children,
        ),
        Row(
            "plain", f"plain Python, {many:,} pairs, 13a", lambda: ours(*pairs(many)),
            {"sacreBLEU": peer(sacre, lambda: sacrebleu_corpus(*pairs(many)), 4)}, engine="python",
        ),
        Row(
            "plain, words", f"plain Python, {many:,} pairs, words between blanks", lambda: ours(*pairs(many), tokenize="none", smooth="none"),
            {"NLTK": peer(nltk, lambda: nltk_corpus(*pairs(many)), 2.5)}, engine="python", same=1e-3,
        ),
        Row(
            "sentences", f"sentence BLEU in a loop, {round(many / 20):,} calls", own_sentences,
            {
                "sacreBLEU `BLEU.sentence_score`": peer(sacre, lambda: sacrebleu_sentences(*pairs(round(many / 20))), 15),
                "bleuscore": peer(score, lambda: bleuscore_sentences(*pairs(round(many / 20))), 5),
            },
            same=None,
        ),
        Row(
            "bootstrap", f"paired bootstrap of two systems, 1000 samples of {few:,} pairs, with the counting", lambda: our_bootstrap(*two_systems()),
            {"sacreBLEU": peer(sacre, lambda: sacrebleu_bootstrap(*two_systems()), 50)}, same=1e-2,
        ),
        Row(
            "mbr", "minimum Bayes risk, 128 candidates against each other", lambda: mbr_select(samples(128)).index,
            {"sacreBLEU": peer(sacre, lambda: sacrebleu_mbr(samples(128)), 150)}, same=0.5,
        ),
        Row(
            "self", "Self-BLEU of 1000 sentences", lambda: self_bleu(sentences, tokenize="none", smooth="none").value,
            {"fast-bleu": peer(fast, lambda: fast_self_bleu(tokens), 20)}, same=None,
        ),
    ]


def measure(row: Row, rounds: int) -> None:
    """Fill in the times of a row; stops if results that must agree do not."""
    programs = {"bleu_lit": row.own} | {name: run for name, (run, _) in row.peers.items() if run is not None}
    row.times, results = {name: [] for name in programs}, {}
    engine(row.engine or ("native" if NATIVE else "python"))
    os.environ["BLEU_LIT_THREADS"] = str(row.threads)
    names = list(programs)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            forget()
            clock = children if name == "wc -w" and row.clock is time.process_time else row.clock
            started = clock()
            results[name] = programs[name]()
            row.times[name].append(clock() - started)
    if row.same is not None:
        for name, value in results.items():
            if abs(value - results["bleu_lit"]) > row.same * max(1, abs(value)):
                raise SystemExit(f"{row.what}: {name} gives {value!r}, bleu_lit {results['bleu_lit']!r}")


def told(row: Row) -> list[dict]:
    """A dict for each peer: medians, spreads, the ratio, and what it was to reach."""
    own, found = row.times["bleu_lit"], []
    for name, (_, reach) in row.peers.items():
        theirs = row.times.get(name)
        ratios = None if theirs is None else [b / a for a, b in zip(own, theirs, strict=True)]
        found.append(
            {
                "key": row.key, "what": row.what, "peer": name, "to_reach": reach, "ours": statistics.median(own), "ours_spread": [min(own), max(own)],
                "theirs": None if theirs is None else statistics.median(theirs),
                "ratio": None if ratios is None else statistics.median(ratios),
                "ratio_spread": None if ratios is None else [min(ratios), max(ratios)],
            }
        )
    return found


PROBE = """
import os, resource, sys, time
os.environ["BLEU_LIT_THREADS"] = "1"
from bleu_lit.stream import stream_stats
started = time.process_time()
stream_stats(sys.argv[1], [sys.argv[2]])
print(time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def growth(scale: float) -> list[dict]:
    """Memory for a file ten times as large, and how the time grows with the size."""
    import math

    sizes = [3_000, round(100_000 * scale), round(1_000_000 * scale)]
    seconds, peaks = [], []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            system, reference = paths(min(size, sizes[1]))
            names = [system, reference]
            if size > sizes[1]:
                for i, name in enumerate(names):
                    target = Path(folder) / f"big{i}"
                    target.write_bytes(Path(name).read_bytes() * round(size / sizes[1]))
                    names[i] = str(target)
            takes = []
            for _ in range(3):
                done = subprocess.run([python(), "-c", PROBE, *names], check=True, capture_output=True, text=True, env=ENVIRONMENT)
                takes.append(tuple(map(float, done.stdout.split())))
            seconds.append(min(take[0] for take in takes))
            peaks.append(statistics.median(take[1] for take in takes))
    exponent = math.log(seconds[2] / seconds[0]) / math.log(sizes[2] / sizes[0])
    memory = f"growth of peak memory from {sizes[1]:,} to {sizes[2]:,} pairs, from files"
    return [
        {"key": "memory", "what": memory, "value": peaks[2] / peaks[1] - 1, "at_most": 0.05, "unit": "share"},
        {"key": "exponent", "what": f"exponent of the time from {sizes[0]:,} to {sizes[2]:,} pairs", "value": exponent, "at_most": 1.05, "unit": "exponent"},
    ]


def worst_cases(scale: float) -> list[dict]:
    """Texts that a careless engine takes quadratic time for: seconds for half of each and for all of it, in turns."""
    size = round(10_000_000 * scale)
    cases = {
        "one line of many words": lambda n: (["the cat sat on a mat " * (n // 21)], [["the dog sat on a mat " * (n // 21)]], {}),
        "many empty lines": lambda n: ([""] * (n // 10), [["x"]] * (n // 10), {}),
        "one token again and again": lambda n: (["a " * (n // 2)], [["a " * (n // 3)]], {}),
        "all tokens different": lambda n: ([" ".join(map(str, range(n // 8)))], [[" ".join(map(str, range(5, n // 8)))]], {}),
        "one long token": lambda n: (["a" * n], [["a" * n]], {}),
        "order 16": lambda n: (["a b a c " * (n // 80)], [["a b a d a c " * (n // 120)]], {"max_order": 16}),
    }
    found = []
    for name, make in cases.items():
        texts = [make(size // 2), make(size)]
        takes: list[list[float]] = [[], []]
        for _ in range(5):
            for (candidates, references, changes), seconds in zip(texts, takes, strict=True):
                forget()
                started = time.process_time()
                segment_stats(candidates, references, **changes)
                seconds.append(time.process_time() - started)
        half, whole = map(min, takes)
        found.append({"case": name, "bytes": size, "seconds": whole, "twice_as_much": whole / max(half, 1e-9)})
    return found


def markdown(record: dict) -> str:
    """The record as tables."""
    lines = [f"{record['machine']}. {record['rounds']} interleaved rounds, engine {record['engine']}, {record['made']}.", ""]
    lines += ["| what | beside | bleu_lit, s | peer, s | faster by | to reach | |", "|---|---|---:|---:|---:|---:|---|"]
    for row in record["ratios"]:
        if row["ratio"] is None:
            lines.append(f"| {row['what']} | {row['peer']} | {row['ours']:.4f} | not installed | | {row['to_reach']:.3g}x | |")
            continue
        mark = "reached" if row["ratio"] >= row["to_reach"] else f"{row['ratio'] / row['to_reach']:.0%} of it"
        faster = f"{row['ratio']:.3g}x ({row['ratio_spread'][0]:.3g} to {row['ratio_spread'][1]:.3g})"
        lines.append(f"| {row['what']} | {row['peer']} | {row['ours']:.4f} | {row['theirs']:.4f} | {faster} | {row['to_reach']:.3g}x | {mark} |")
    if record["growth"]:
        lines += ["", "| what | measured | at most | |", "|---|---:|---:|---|"]
        for row in record["growth"]:
            shown = f"{row['value']:.1%}" if row["unit"] == "share" else f"{row['value']:.3f}"
            most = f"{row['at_most']:.0%}" if row["unit"] == "share" else f"{row['at_most']:.2f}"
            lines.append(f"| {row['what']} | {shown} | {most} | {'reached' if row['value'] <= row['at_most'] else 'not reached'} |")
    if record["worst"]:
        lines += ["", "| worst cases | bytes | seconds | against half as much |", "|---|---:|---:|---:|"]
        lines += [f"| {row['case']} | {row['bytes']:,} | {row['seconds']:.3f} | {row['twice_as_much']:.2f}x |" for row in record["worst"]]
    return "\n".join(lines)


def native() -> bool:
    try:
        return engine("native") == "native"
    except BleuInputError:
        return False


NATIVE = native()


def version_of(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure every ratio of speed that bleu_lit promises.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the text, 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds (7)")
    parser.add_argument("--only", action="append", help="the key of a row, such as lists, files, mbr; may be repeated")
    parser.add_argument("--store", action="store_true", help="write bleu_lit/data/speed.json")
    options = parser.parse_args()
    scale, rounds = (0.1 if options.quick else 1.0), options.rounds or (3 if options.quick else 7)
    wanted = [row for row in rows(scale) if not options.only or row.key in options.only]
    for row in wanted:
        print(f"measuring: {row.what}", file=sys.stderr, flush=True)
        measure(row, rounds)
    whole = not options.only
    engine("native" if NATIVE else "python")
    os.environ["BLEU_LIT_THREADS"] = "1"
    record = {
        "made": f"by `python benchmarks/table.py{' --quick' if options.quick else ''}` on {datetime.date.today()}",  # noqa: DTZ011
        "machine": machine() + "; " + ", ".join(version_of(name) for name in ("bleuscore", "fast-bleu")),
        "engine": engine(),
        "rounds": rounds,
        "ratios": [line for row in wanted for line in told(row)],
        "growth": growth(scale) if whole else [],
        "worst": worst_cases(scale) if whole else [],
    }
    _FOLDERS.close()
    print(markdown(record))
    if options.store:
        STORE.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
