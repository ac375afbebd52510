"""Build the source archive, and from it the two wheels: with the compiled engine (cp311-abi3) and without (py3-none-any); then try both.

    python tools/wheel.py [PYTHON …]

Each wheel is installed in a fresh environment of this Python, and of each PYTHON that is named (`3.12`, or the path of a program); there the package is
imported, the conformance suite runs, and a sample gets the score that sacreBLEU 2.6.0 gave it, and the same from both wheels. Everything
happens in a temporary folder; what passes is put into dist/. Needs the package `build`, and a C compiler.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import book, check

SAMPLE = 55.970675644444384  # sacrebleu 2.6.0: sacrebleu ref_a.txt ref_b.txt -i system_a.txt -w 15 -b
TRIAL = """
import importlib.util, json, subprocess, sys
from pathlib import Path
import bleu_lit

expected, sample = sys.argv[1], float(sys.argv[2])
package = Path(bleu_lit.__file__).parent
assert package.is_relative_to(sys.prefix), f"{package} is not in {sys.prefix}"
assert bleu_lit.engine() == expected, f"the engine is {bleu_lit.engine()}, not {expected}"
assert bool(importlib.util.find_spec("bleu_lit._kernel")) == (expected == "native")
assert not importlib.util.find_spec("tests"), "the wheel holds the tests"
command, demo = str(Path(sys.executable).with_name("bleu-lit")), package / "data" / "demo"
sample_of = [command, "score", "system_a.txt", "system_b.txt", "-r", "ref_a.txt", "-r", "ref_b.txt", "--format", "json"]
score = subprocess.run(sample_of, check=True, capture_output=True, text=True, cwd=demo).stdout
percent = 100 * json.loads(score)["systems"][0]["value"]
assert abs(percent - sample) < 1e-12 * sample, f"the sample has {percent}, and sacreBLEU gave it {sample}"
conform = subprocess.run([command, "conform", "--adapter", "bleu_lit", "--quiet"], capture_output=True, text=True)
assert conform.returncode == 0, conform.stdout + conform.stderr
print(score)
"""


def say(text: str) -> None:
    """Tell where we are."""
    print(f"== {text}", flush=True)


def run(*command: str, folder: Path, **variables: str) -> str:
    """What a program prints; if it fails, what it said is shown and we end. Nothing of this folder or of our settings is seen by it."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("BLEU_LIT", "PYTHON"))}
    done = subprocess.run(command, cwd=folder, env=kept | variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)[:200]} ended with status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def built(scratch: Path) -> list[Path]:
    """The source archive, the wheel with the compiled engine, and the one without."""
    made = scratch / "dist"
    sources = scratch / "sources"
    sources.mkdir()
    check.copy_tree(sources, commit=False)
    build = [sys.executable, "-m", "build", "--outdir", str(made)]
    say("the source archive")
    run(*build, "--sdist", str(sources), folder=scratch)
    (archive,) = made.glob("*.tar.gz")
    for name, pure in (("with the compiled engine", "0"), ("without it", "1")):
        say(f"the wheel {name}, from the source archive")
        folder = scratch / f"unpacked-{pure}"
        shutil.unpack_archive(archive, folder, filter="data")
        run(*build, "--wheel", str(next(folder.iterdir())), folder=scratch, BLEU_LIT_PURE=pure)
    compiled, pure = [*made.glob("*-cp311-abi3-*.whl")], [*made.glob("*-py3-none-any.whl")]
    if len(compiled) != 1 or len(pure) != 1:
        sys.exit(f"one wheel cp311-abi3 and one py3-none-any were expected, and there are {sorted(path.name for path in made.glob('*.whl'))}")
    return [archive, *compiled, *pure]


def tried(wheel: Path, python: str, scratch: Path) -> str:
    """Install a wheel in a fresh environment and use it there; the scores that it gave."""
    engine = "python" if "none-any" in wheel.name else "native"
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        folder = Path(place)
        run(python, "-m", "venv", str(folder / "env"), folder=folder)
        inside = next(path for path in (folder / "env/bin/python", folder / "env/Scripts/python.exe") if path.exists())
        run(str(inside), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", str(wheel), folder=folder)
        version = run(str(inside), "--version", folder=folder).strip()
        scores = run(str(inside), "-c", TRIAL, engine, repr(SAMPLE), folder=folder)
    say(f"{wheel.name} on {version}: the {engine} engine, the sample and the conformance suite are right")
    return scores


def program(name: str) -> str:
    """The Python of that name, as a path: `3.12` is python3.12 on the path, or pyenv's."""
    known = sorted(Path.home().glob(f".pyenv/versions/{name}.*/bin/python3")) if name[:1].isdigit() else []
    found = str(known[-1]) if known else shutil.which(f"python{name}" if name[:1].isdigit() else name)
    return found or sys.exit(f"there is no Python {name} here: leave it out, or name its program by its path")


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the source archive and both wheels, try the wheels, and put all into dist/.")
    parser.add_argument("python", nargs="*", help="further Pythons to try the wheels on, such as 3.12 or /path/to/python3")
    pythons = [sys.executable, *map(program, parser.parse_args().python)]
    with tempfile.TemporaryDirectory(prefix="bleu-lit-wheel-") as folder:
        scratch = Path(folder).resolve()
        made = built(scratch)
        scores = {tried(wheel, python, scratch) for python in pythons for wheel in made[1:]}
        if len(scores) > 1:
            sys.exit("the wheels do not give the same scores:\n" + "\n".join(sorted(scores)))
        target = book.ROOT / "dist"
        target.mkdir(exist_ok=True)
        for path in made:
            shutil.copy(path, target / path.name)
            say(f"dist/{path.name}, {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
