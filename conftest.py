"""What pytest needs to know: each notebook of nbs/ is a test, and properties are not timed."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent

# test_nb writes the traceback of the cell that failed to standard error, and honours nbdev's flags (`#| eval: false`, tst_flags).
RUN_NOTEBOOK = """
import sys
from pathlib import Path
from nbdev.config import get_config
from nbdev.test import test_nb
passed, seconds = test_nb(Path(sys.argv[1]), skip_flags=get_config().tst_flags.split(), basepath=sys.argv[2])
sys.exit(0 if passed else 1)
"""


class NotebookFailedError(Exception):
    """A cell raised an error; the text is what the cell and the notebook said."""


class NotebookItem(pytest.Item):
    """One notebook, run from top to bottom.

    It runs in a Python of its own. `test_nb` sets IN_TEST (which would make a later nbdev_export do nothing in silence), extends sys.path, and a notebook
    may change the working folder, os.environ or a module; none of that may reach another test, and no test's changes may reach a notebook.
    """

    def runtest(self):
        environment = {key: value for key, value in os.environ.items() if key not in ("IN_TEST", "PYTHONWARNINGS")}
        environment |= {"PYTHONUTF8": "1", "COLUMNS": "100", "NO_COLOR": "1"}
        if not os.path.isdir(environment.get("BLEU_LIT_SHARED", "")):  # data that are not there are left out, and refused where somebody names them
            environment.pop("BLEU_LIT_SHARED", None)
        command = [sys.executable, "-c", RUN_NOTEBOOK, str(self.path), str(ROOT)]
        process = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
        if process.returncode:
            said = re.sub(r"\x1b\[[0-9;]*m", "", process.stdout + process.stderr).strip()
            raise NotebookFailedError(said or f"the notebook's process ended with status {process.returncode} and said nothing")

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, NotebookFailedError):
            hint = "nbdev is missing: make test installs it, or pip install -e '.[dev]'\n" if "No module named 'nbdev'" in str(excinfo.value) else ""
            return f"{hint}{self.path.relative_to(ROOT)} fails:\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, f"notebook {self.path.name}"


class NotebookFile(pytest.File):
    """A notebook's file; its one test is the whole notebook."""

    def collect(self):
        yield NotebookItem.from_parent(self, name="run")


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb" and file_path.parent == ROOT / "nbs":
        return NotebookFile.from_parent(parent, path=file_path)
    return None


def pytest_configure(config):
    """What holds for the whole run: Ctrl-C is heard, and hypothesis is not timed.

    A shell without job control starts its background programs deaf to Ctrl-C, and the programs that the tests start would inherit that. Hypothesis has no
    deadline (a busy machine is not a fault), and in CI the same examples each time, so that red means a change.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        from hypothesis import settings
    except ImportError:
        return
    settings.register_profile("local", deadline=None)
    settings.register_profile("ci", deadline=None, derandomize=True)
    settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_collection_modifyitems(items):
    """Tests are shared out among processes by their names, so a name that holds an address, new in each process, would stop the whole run."""
    odd = [item.nodeid for item in items if re.search(r"\b0x[0-9a-f]{8,}", item.nodeid)]
    if odd:
        raise pytest.UsageError(f"names of tests that hold an address: {', '.join(odd[:5])}. Give the parameters ids")
