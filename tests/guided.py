"""The compiled engine under a fuzzer that is guided by coverage, and under AddressSanitizer and UndefinedBehaviorSanitizer.

    python tests/guided.py [--seconds 600] [--corpus FOLDER]

libFuzzer, through the package `atheris`, changes texts so that they reach new places of the C code. Every text is counted as `fuzz.differing_rows` counts
it, on every family of processors, by places and by tables; and for one in four each its scores and its form as a buffer, the numbers of its n-grams, or
its lines are held against plain Python too. The first departure ends it, with the input and with what was expected.

Needs clang and atheris (`pip install atheris`); the status is 2 where they are not there. The C source is compiled into a copy of the package in a
temporary folder. With --corpus, inputs that reached something new are kept, and a later run begins with them.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from array import array
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
SANITIZERS = ["-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1", "-g"]
NEWS = b"\xff"  # stands between the candidate and its references: no byte of UTF-8
HIDDEN = "\u00ad\u200b\u200e\u200f\u2060\ufeff"
WORDS = ["&quot;", "&amp;", "&lt;", "&gt;", "<skipped>", "-\\x0a", "..5", "a.b", "5-"]  # as libFuzzer writes them
WORDS += ["\\xc2\\x85", "\\xe2\\x80\\xa8", "\\xe3\\x80\\x80", "\\xe4\\xb8\\xad", "\\xff"]


def text_of(data: bytes) -> str:
    """Bytes as a text, whatever they are: lone surrogates stand for themselves, or for bytes that are no UTF-8."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")


def scanned(data: bytes) -> tuple[list[int], int, tuple[int, list[int]] | None]:
    """What `scan` has to say of a buffer: starts of lines, the first fault, lines that end in CR, and how many hold what nobody sees, or are blank."""
    starts = [0, *(i + 1 for i, byte in enumerate(data) if byte == 10)]
    if data and not data.endswith(b"\n"):
        starts.append(len(data) + 1)
    try:
        lines = [data[a : b - 1].decode("utf-8") for a, b in zip(starts, starts[1:], strict=False)]
    except UnicodeDecodeError:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return starts, error.start, None
        raise
    counts = [sum(mark in line for line in lines) for mark in HIDDEN] + [sum(not line.strip() for line in lines)]
    return starts, -1, (sum(line.endswith("\r") for line in lines), counts)


def check_scan(data: bytes) -> None:
    """Hold `scan` and `line_starts` against Python."""
    from bleu_lit.threads import native

    starts, fault, counts = scanned(data)
    offsets, at, returns, found = native().scan(data)
    assert memoryview(offsets).cast("q").tolist() == memoryview(native().line_starts(data)).cast("q").tolist() == starts, (data, starts)
    assert at == fault, (data, at, fault)
    assert counts is None or counts == (returns, list(found)), (data, counts, returns, found)


def check_scores(candidate: str, group: list[str], changes: dict, parts: list[bytes]) -> None:
    """Hold the score of a segment, and the row of the same segment in buffers and of references that were cut before, against plain Python."""
    from fuzz import counter

    from bleu_lit.engine import python_rows
    from bleu_lit.engine_fast import _scoring, exact_value
    from bleu_lit.settings import Settings
    from bleu_lit.sources import _needs_python

    settings = Settings(**changes)
    if settings.reference_length == "average":
        return
    kernel, (row,) = counter(settings), python_rows([candidate], [group], settings)
    if _scoring(settings)[0] >= 0:
        score = kernel.score(candidate, group)
        assert score != score or score == exact_value(row, settings), (candidate, group, changes, score)
    assert kernel.rows([candidate], kernel.read([group]), 0, 1, 1, None) == [row], (candidate, group, changes)
    data = b"".join(parts)
    if len(group) == len(parts) - 1 and (data.isascii() or not _needs_python(settings)):
        sources = tuple((part, array("q", [0, len(part)]), 0) for part in parts)
        assert kernel.lines(sources, 0, 1, 1, None) == row, (candidate, group, changes)


def check_pairs(texts: list[list[str]]) -> None:
    """Hold the numbers of n-grams against counting."""
    from bleu_lit.pairs_fast import numbered_texts

    found, orders = numbered_texts(texts, 4), 4
    room = array("i", bytes(4 * orders * len(texts)))
    found.matched(0, 0, len(texts), room)
    counts = [[Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for n in range(1, orders + 1)] for text in texts]
    expected = [(counts[0][n] & other[n]).total() for other in counts for n in range(orders)]
    assert room.tolist() == expected, (texts, expected)
    found.shared(len(texts), room)
    common = [sum(min(text[n][gram] for text in counts) for gram in counts[0][n]) for n in range(orders)]
    assert room.tolist() == common * len(texts), (texts, common)


def run_one(data: bytes, choices: list[dict]) -> None:
    """One input: a choice of settings and of what is looked at besides the rows, a candidate, and its references."""
    from fuzz import differing_rows

    if not data:
        return
    besides, number = divmod(data[0], len(choices))
    changes, parts = choices[number], data[1:].split(NEWS)[:6]
    if len(parts) == 1:
        parts.append(parts[0][len(parts[0]) // 3 :])
    if changes.get("blank_references"):
        parts.append(b".")
    candidate, *group = texts = list(map(text_of, parts))
    found = differing_rows([candidate], [group], changes, threads=False)
    assert not found, "\n".join(found)
    if besides == 1:
        proper = not any("\ud800" <= character <= "\udfff" for text in texts for character in text)
        check_scores(candidate, group, changes, parts if proper else [])
    elif besides == 2:
        check_pairs([text.split() for text in texts])
    elif besides == 3:
        check_scan(data)


def inside(arguments: list[str]) -> None:
    """The fuzzer itself; the environment holds what it needs."""
    import atheris
    from fuzz import fuzz_segments

    choices = [fuzz_segments(seed, 0)[2] for seed in range(64)]
    atheris.Setup(["guided", *arguments], lambda data: run_one(data, choices), enable_python_coverage=False)
    atheris.Fuzz()


def seeds(folder: Path) -> None:
    """Texts of the fuzzer that is not guided, to begin with."""
    from fuzz import fuzz_segments

    for seed in range(20):
        texts, references, _ = fuzz_segments(seed, 20)
        for number, (text, group) in enumerate(zip(texts, references, strict=True)):
            data = NEWS.join(part.encode("utf-8", "surrogatepass") for part in (text, *group))
            (folder / f"seed-{seed}-{number}").write_bytes(bytes([seed + 64 * (number % 4)]) + data)


def build(folder: Path, clang: str) -> None:
    """A copy of the package with its compiled modules, instrumented."""
    shutil.copytree(HERE.parent / "bleu_lit", folder / "bleu_lit", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    command = [clang, "-std=c11", "-shared", "-fPIC", "-ffp-contract=off", "-pthread", f"-I{sysconfig.get_paths()['include']}", *SANITIZERS]
    for source in (folder / "bleu_lit").glob("_kernel*.c"):
        subprocess.run([*command, str(source), "-o", str(source.with_suffix(".abi3.so")), "-lm"], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="The compiled engine under a fuzzer that is guided by coverage.")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--corpus", type=Path, help="a folder to begin with and to keep new inputs in")
    parser.add_argument("--longest", type=int, default=600, help="bytes of an input")
    options = parser.parse_args()
    clang = next(filter(None, map(shutil.which, ("clang", *(f"clang-{version}" for version in range(21, 12, -1))))), None)
    found = importlib.util.find_spec("atheris")
    if not clang or not found:
        print(f"{'clang' if not clang else 'atheris (pip install atheris)'} is not here", file=sys.stderr)
        return 2
    library = Path(found.origin).parent.parent / "asan_with_fuzzer.so"
    with tempfile.TemporaryDirectory(prefix="bleu-lit-guided-") as place:
        folder = Path(place)
        build(folder, clang)
        corpus = options.corpus or folder / "corpus"
        corpus.mkdir(exist_ok=True)
        sys.path[:0] = [str(HERE)]
        (folder / "seeds").mkdir()
        seeds(folder / "seeds")
        (folder / "words").write_text("".join(f'"{word}"\n' for word in WORDS), encoding="ascii")
        environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(HERE))), "LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc"}
        environment |= {"ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1", "BLEU_LIT_ENGINE": "native", "PYTHONDONTWRITEBYTECODE": "1"}
        limits = [f"-max_total_time={options.seconds}", f"-max_len={options.longest}", f"-dict={folder / 'words'}", "-print_final_stats=1"]
        limits += [f"-artifact_prefix={corpus.resolve()}/"]
        program = "import bleu_lit._kernel as k, bleu_lit._kernel_pairs, guided, sys; assert k.__file__.startswith(sys.argv[1]); guided.inside(sys.argv[2:])"
        command = [sys.executable, "-c", program, str(folder), *limits, str(corpus.resolve()), str(folder / "seeds")]
        status = subprocess.run(command, env=environment, cwd=folder, check=False, stdin=subprocess.DEVNULL).returncode
        if status and not options.corpus:
            shutil.copytree(corpus, Path.cwd() / "guided-corpus", dirs_exist_ok=True)
            print("the input that ended it is in guided-corpus/", file=sys.stderr)
        return status


if __name__ == "__main__":
    sys.exit(main())
