"""What the benchmarks share: the texts that are scored, the peers' way to a corpus score, what is forgotten before a turn, and what machine this is.

The texts come from the generator of the evaluation data (see tests/shared.py), written once to a folder in the system's temporary directory. Without these
data a smaller corpus is made from the bundled demo.
"""

import gc
import os
import platform
import subprocess
import sys
import tempfile
import zlib
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
from shared import SHARED, lines  # noqa: E402

from bleu_lit import engine_fast, tokens  # noqa: E402
from bleu_lit.score import corpus_bleu  # noqa: E402

GENERATOR = SHARED / "data" / "perf" / "make_corpus.py"
CACHE = Path(os.environ.get("BLEU_LIT_BENCH") or Path(tempfile.gettempdir()) / "bleu_lit-benchmark")
Texts = tuple[list[str], list[list[str]]]


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


def forget() -> None:
    """Empty what the engines remember of texts they have seen."""
    from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re

    tokens._fast.cache_clear()
    engine_fast.kernel_of.cache_clear()
    tokenizer_13a.Tokenizer13a.__call__.cache_clear()
    tokenizer_re.TokenizerRegexp.__call__.cache_clear()
    gc.collect()


def machine() -> str:
    """What was measured on what."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        processor = next((line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")), processor)
    packages = ", ".join(f"{name} {version(name)}" for name in ("sacrebleu", "nltk"))
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    return f"{processor}, {os.cpu_count()} cores{load}; {platform.system()}, Python {platform.python_version()}, {packages}"
