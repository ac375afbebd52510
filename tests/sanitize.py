"""The compiled engine under AddressSanitizer and UndefinedBehaviorSanitizer, and with memory that is refused.

    python tests/sanitize.py [--count 20000] [--seed 0]
    python tests/sanitize.py --quick

The C source is compiled twice into copies of the package in a temporary folder, which is removed afterwards:

- with -fsanitize=address,undefined: the tests of the compiled engine, `--count` fuzzed segments and as many of bytes that are no UTF-8 run in it;
- with every request for memory counted: each call of the kernel is repeated with its first request refused, its second, and so on until it succeeds.
  Every failure has to be a MemoryError, and all memory has to be given back.

Needs gcc with its sanitizers; its status is 2 where they are not there.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1", "-g"]
REFUSAL = """
import sys
from bleu_lit import _kernel
from bleu_lit.engine_fast import ids_of, kernel_of, kernel_of_ids
from bleu_lit.sources import lines_of
from bleu_lit.settings import SACREBLEU, Settings

make = kernel_of.__wrapped__
word = "internationalization"
texts = ["a b c " * 40 + word, "a &amp; b <skipped> c", "", "ein Ä " * 30, "x " * 300, " ".join(word + str(i) for i in range(200))] * 5
groups = [[text[3:], text[:40], text + " b &quot;"] for text in texts]
data = "\\n".join(texts).encode()
numbers = [list(map(ord, text)) for text in texts]
make_ids = kernel_of_ids.__wrapped__
SETTINGS = [SACREBLEU, Settings(tokenize="zh", max_order=20, smooth="floor", lowercase=True), Settings(tokenize="intl", blank_references="absent")]


def calls(kernel, width):
    count, ids = len(texts), make_ids(SACREBLEU.replace(tokenize="given"), 4)
    for threads in (1, 3):
        yield f"total {threads}", lambda threads=threads: kernel.total(texts, groups, 0, count, threads)
        yield f"rows {threads}", lambda threads=threads: kernel.rows(texts, groups, 0, count, threads, None)
        yield f"scores {threads}", lambda threads=threads: kernel.scores(texts, groups, 0, count, threads, None)
        yield f"lines {threads}", lambda threads=threads: kernel.lines((lines_of(data),) * 3, 0, count, threads, None)
        yield f"ids {threads}", lambda threads=threads: ids.lines((ids_of(numbers),) * 3, 0, count, threads, None)
        yield f"read and total {threads}", lambda threads=threads: kernel.total(texts, kernel.read(groups), 0, count, threads)
    yield "row", lambda: kernel.row(texts[1], groups[1])
    yield "scored", lambda: kernel.scored(texts[4], groups[4])
    yield "score of a row", lambda: kernel.score_row((9,) * width)
    yield "scan", lambda: _kernel.scan(data)
    yield "line starts", lambda: _kernel.line_starts(data)


refused = 0
for settings in SETTINGS:
    width = 2 + 2 * settings.max_order
    names = [name for name, _ in calls(make(settings), width)]
    for number, name in enumerate(names):
        held, k = _kernel.held(), 0
        while True:
            kernel = make(settings)
            call = list(calls(kernel, width))[number][1]
            _kernel.fail_after(k)
            try:
                result = call()
            except MemoryError:
                result = None
            finally:
                _kernel.fail_after(-1)
            done = result is not None or k > 400
            if done and result is None:
                sys.exit(f"{name} never succeeds")
            if done and name not in ("scan", "line starts") and number < 5:
                assert result == call(), name
            del result, kernel, call
            if _kernel.held() != held:
                sys.exit(f"{name} with request {k} refused: {_kernel.held() - held} pieces of memory were not given back")
            if done:
                break
            k, refused = k + 1, refused + 1
print(f"{refused} refusals of memory, each a MemoryError, and all memory was given back")
"""
INTERRUPT = """
import os, signal, threading
from bleu_lit import _kernel
from bleu_lit.engine_fast import ids_of, kernel_of, kernel_of_ids
from bleu_lit.settings import SACREBLEU

texts = ["a b c d e f g h " * 30] * 60_000
groups = [[text] for text in texts]


def stop(*_):
    raise KeyboardInterrupt


signal.signal(signal.SIGALRM, stop)
for threads in (1, 2, 4):
    held = _kernel.held()
    kernel = kernel_of.__wrapped__(SACREBLEU)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        while True:
            kernel.total(texts, groups, 0, len(texts), threads)
    except KeyboardInterrupt:
        pass
    del kernel
    assert _kernel.held() == held, (threads, _kernel.held() - held)
print("calls that were interrupted gave all memory back")
"""


def build(folder: Path, options: list[str]) -> dict[str, str]:
    """A copy of the package whose compiled modules are made with these options; the environment to use it."""
    shutil.copytree(ROOT / "bleu_lit", folder / "bleu_lit", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    command = ["gcc", "-std=c11", "-shared", "-fPIC", "-ffp-contract=off", "-pthread", f"-I{sysconfig.get_paths()['include']}", *options]
    for source in (folder / "bleu_lit").glob("_kernel*.c"):
        subprocess.run([*command, str(source), "-o", str(source.with_suffix(".abi3.so")), "-lm"], check=True)
    return os.environ | {"PYTHONPATH": str(folder), "BLEU_LIT_ENGINE": "native", "PYTHONDONTWRITEBYTECODE": "1"}


def sanitized(folder: Path, count: int, seed: int, quick: bool) -> int:
    """Run tests and fuzzed segments in a copy under the sanitizers."""
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True).stdout.strip()
    environment = build(folder, SANITIZERS) | {"LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", str(ROOT / "tests" / "test_engine_fast.py")]
    fuzz = [sys.executable, str(ROOT / "tests" / "fuzz.py"), "--rows", "--count", str(count), "--seed", str(seed)]
    bytes_too = [sys.executable, str(ROOT / "tests" / "fuzz.py"), "--bytes", "--count", str(count), "--seed", str(seed)]
    where = f"import bleu_lit._kernel as k, sys; sys.exit(not k.__file__.startswith({str(folder)!r}))"
    for command in ([sys.executable, "-c", where], fuzz, bytes_too, *([] if quick else [tests])):
        if status := subprocess.run(command, env=environment, cwd=folder, check=False, stdin=subprocess.DEVNULL).returncode:
            return status
    return 0


def refusing(folder: Path) -> int:
    """Run every call with each of its requests for memory refused, and interrupt some."""
    environment = build(folder, ["-O1", "-g", "-DBLEU_LIT_TEST_MEMORY"])
    programs = [[sys.executable, "-c", program] for program in (REFUSAL, INTERRUPT)]
    return max(subprocess.run(command, env=environment, cwd=folder, check=False, stdin=subprocess.DEVNULL).returncode for command in programs)


def main() -> int:
    parser = argparse.ArgumentParser(description="The compiled engine under sanitizers, and with memory that is refused.")
    parser.add_argument("--count", type=int, default=20_000, help="fuzzed segments")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a tenth of the segments, and no tests")
    options = parser.parse_args()
    count = options.count // 10 if options.quick else options.count
    if not shutil.which("gcc"):
        print("gcc is not here", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="bleu-lit-sanitize-") as scratch:
        (Path(scratch) / "one").mkdir()
        (Path(scratch) / "two").mkdir()
        return refusing(Path(scratch) / "one") or sanitized(Path(scratch) / "two", count, options.seed, options.quick)


if __name__ == "__main__":
    sys.exit(main())
