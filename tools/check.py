"""Check that what is generated is what its source gives, in a copy: the tree itself is not touched.

    python tools/check.py             the files as they lie here
    python tools/check.py --commit    the files of the commit HEAD, whatever lies here

The steps: ruff; nbdev_export gives the modules that are there, and tools/kernel.py the C source; nbdev_clean finds nothing to clean; a fresh run gives the
kept outputs; README.md is what nbs/index.ipynb gives. Every step runs, and the status is 1 if one fails.
"""

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def git(*arguments: str) -> bytes:
    """What a git command prints; it must succeed."""
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout


def copy_tree(target: Path, commit: bool) -> None:
    """Copy the files of the commit, or the files here that git tracks or would add."""
    if commit:
        archive = git("archive", "--format=tar", "HEAD")
        subprocess.run(["tar", "-x", "-C", str(target)], input=archive, check=True)
        return
    for name in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").decode().split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes((ROOT / name).read_bytes())


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of the copy, caches left out."""
    skipped = {"__pycache__", ".ruff_cache", ".hypothesis"}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not skipped & set(path.parts))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def changes(before: dict[str, bytes], after: dict[str, bytes]) -> str:
    """What differs between two snapshots, as text for people."""
    told = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        told.append(f"{name}: {'is new' if old is None else 'is gone' if new is None else 'differs'}")
        lines = [(content or b"").decode("utf-8", "replace").splitlines() for content in (old, new)]
        told += list(difflib.unified_diff(*lines, f"kept {name}", f"fresh {name}", lineterm="", n=1))[:60]
    return "\n".join(told)


def environment(copy: Path) -> dict[str, str]:
    """The environment for programs that work on the copy: its own modules first, and nothing that silences nbdev_export."""
    kept = {key: value for key, value in os.environ.items() if key != "IN_TEST"}
    shared = Path(kept.pop("BLEU_LIT_SHARED", None) or ROOT.parent / "shared")
    return kept | {"PYTHONPATH": str(copy), "PYTHONUTF8": "1"} | ({"BLEU_LIT_SHARED": str(shared)} if shared.is_dir() else {})


def program(copy: Path, *command: str) -> str:
    """Run a program in the copy; what it said if it failed, else nothing."""
    run = subprocess.run(command, cwd=copy, env=environment(copy), capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    return f"{' '.join(command)} ended with status {run.returncode}\n{run.stdout}{run.stderr}".strip() if run.returncode else ""


def leaves_unchanged(copy: Path, advice: str, *command: str) -> str:
    """Run a program in the copy; what it changed there, else nothing."""
    before = snapshot(copy)
    if failed := program(copy, *command):
        return failed
    told = changes(before, snapshot(copy))
    return f"{told}\n{advice}" if told else ""


def steps(copy: Path) -> list[tuple[str, Callable[[], str]]]:
    """The checks in their order, each with its name; each gives what is wrong, or nothing."""
    python, scripts = sys.executable, Path(sys.executable).parent
    return [
        ("ruff finds nothing", lambda: program(copy, python, "-m", "ruff", "check", "--output-format", "concise", ".")),
        (
            "nbdev_export leaves the modules unchanged",
            lambda: leaves_unchanged(copy, "The modules are not what the notebooks give: run nbdev_export", str(scripts / "nbdev_export")),
        ),
        ("the C source is what the notebooks give", lambda: program(copy, python, "tools/kernel.py", "--check")),
        (
            "nbdev_clean leaves the notebooks unchanged",
            lambda: leaves_unchanged(copy, "Notebooks hold what should not be kept: run nbdev_clean", str(scripts / "nbdev_clean")),
        ),
        ("a fresh run gives the kept outputs", lambda: program(copy, python, "tools/notebooks.py", "check", "--jobs", str(os.cpu_count() or 1))),
        ("README.md is what nbs/index.ipynb gives", lambda: program(copy, python, "tools/readme.py", "--check")),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commit", action="store_true", help="check the commit HEAD instead of the files that lie here")
    arguments = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory(prefix="bleu-lit-check-") as folder:
        copy = Path(folder).resolve() / "bleu_lit"
        copy.mkdir()
        copy_tree(copy, arguments.commit)
        for name, step in steps(copy):
            started = time.monotonic()
            fault = step()
            print(f"{'FAILED' if fault else 'ok    '}  {name} ({time.monotonic() - started:.1f} s)", flush=True)
            if fault:
                failed.append(name)
                print(fault, flush=True)
    if failed:
        print(f"\n{len(failed)} checks failed: {'; '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
