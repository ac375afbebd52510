"""Run the notebooks and keep their outputs, or check that the kept outputs are still what the cells give.

    python tools/notebooks.py run [NOTEBOOK…]     run, keep the outputs, clean
    python tools/notebooks.py check [NOTEBOOK…]   run, compare with the kept outputs, change nothing
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def notebooks(names: list[str]) -> list[Path]:
    """The notebooks named, or all of nbs/ in their order."""
    return [Path(name).resolve() for name in names] or sorted((ROOT / "nbs").glob("*.ipynb"))


def executed(path: Path):
    """The notebook after a run of every cell, stopping at the first error."""
    from execnb.nbio import read_nb
    from execnb.shell import CaptureShell

    os.environ["IN_TEST"] = "1"
    os.environ.setdefault("COLUMNS", "100")
    notebook = read_nb(path)
    shell = CaptureShell(path)
    os.chdir(path.parent)
    try:
        shell.run_all(notebook, exc_stop=True)
    except Exception:
        sys.exit(f"{path.name} stops with an error:\n{shell.prettytb(fname=path)}")
    return notebook


def outputs(notebook) -> list:
    """What the cells show, without the counters that change from run to run."""
    kept = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            kept.append([{key: value for key, value in dict(output).items() if key != "execution_count"} for output in cell.outputs])
    return json.loads(json.dumps(kept, default=list))


def run(path: Path) -> bool:
    """Run one notebook, store its outputs, clean it."""
    from execnb.nbio import write_nb
    from nbdev.clean import clean_nb

    notebook = executed(path)
    clean_nb(notebook)
    write_nb(notebook, path)
    print(f"ran {path.relative_to(ROOT)}")
    return True


def check(path: Path) -> bool:
    """Whether a fresh run of one notebook gives the outputs that are kept in it."""
    from execnb.nbio import read_nb
    from nbdev.clean import clean_nb

    fresh = executed(path)
    clean_nb(fresh)
    kept = read_nb(path)
    texts = [cell.source for cell in kept.cells if cell.cell_type == "code"]
    same = True
    for source, old, new in zip(texts, outputs(kept), outputs(fresh), strict=True):
        if old != new:
            same = False
            print(f"{path.name}: the kept output differs from a fresh run of this cell:\n{source}", file=sys.stderr)
            print(f"--- kept\n{old}\n--- fresh\n{new}\n", file=sys.stderr)
    return same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["run", "check"])
    parser.add_argument("notebooks", nargs="*")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="share the notebooks out among N processes")
    arguments = parser.parse_args()
    action = {"run": run, "check": check}[arguments.action]
    chosen = notebooks(arguments.notebooks)
    jobs = min(arguments.jobs, len(chosen))
    if jobs > 1:
        shares = [chosen[start::jobs] for start in range(jobs)]
        processes = [subprocess.Popen([sys.executable, __file__, arguments.action, *share]) for share in shares]
        return max([process.wait() for process in processes])
    results = [action(path) for path in chosen]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
