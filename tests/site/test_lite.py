"""The notebooks in the browser: two by hand in JupyterLite itself, all of them by JupyterLite's kernel in a page of its own."""

import contextlib
import math
import re
import time
from fractions import Fraction
from pathlib import Path

import pytest
from guard import CELL, GUARD, ROOT, SHOTS

from tools import book
from tools.site import build, stage

NOTEBOOKS = book.notebooks()
KERNEL = Path(__file__).with_name("kernel.js").read_text(encoding="utf-8")
WHEELS = build.OUT / "lite" / "extensions" / "@jupyterlite" / "pyodide-kernel-extension" / "static" / "pypi"
PROMPTS = "() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map((e) => e.textContent.replace(/[^0-9*]/g, ''))"
ERRORS = """() => [...document.querySelectorAll('[data-mime-type="application/vnd.jupyter.stderr"], [data-mime-type="application/vnd.jupyter.error"]')]
  .map((e) => e.textContent.slice(0, 400))"""
TEXTS = "() => [...document.querySelectorAll('.jp-OutputArea-output')].map((e) => e.textContent)"
SHOWN = "(text) => [...document.querySelectorAll('.bleu-value')].some((e) => e.textContent.includes(text))"


class Kernel:
    """JupyterLite's kernel in a worker of a page, and what the page asked for; begun again where it was ended."""

    def __init__(self, chromium, site: str):
        self.chromium, self.site, self.page = chromium, site, None

    def begin(self) -> None:
        """A fresh namespace, in a worker that answers."""
        if self.page is None or self.page.is_closed():
            self.boot()
        assert self.page.evaluate("(question) => window.ask(...question)", [CELL, "reset"])[0] == "done"

    def boot(self) -> None:
        from conftest import Watch

        context = self.chromium.new_context(pictured=False)
        self.watch = Watch(context, self.site)
        self.page = context.new_page()
        self.page.goto(self.site + "cite.html")
        names = sorted(path.name for path in WHEELS.glob("*.whl") if path.name.startswith(("ipykernel", "piplite", "pyodide_kernel")))
        how, _, version = self.page.evaluate(KERNEL, [self.site, names])
        assert how == "done" and version.startswith("3."), f"Pyodide does not begin: {how} {version}"

    def run(self, place: str, source: str, limit: float = CELL) -> str:
        """Run a cell: what it printed. It fails the test where the cell raises an error, or has no end."""
        GUARD.step = place
        how, printed, said = self.page.evaluate("(question) => window.ask(...question)", [limit, "run", source])
        if how == "late":
            self.end()
            pytest.fail(f"{place} did not end in the browser within {limit:.0f} s. It had printed:\n{printed or 'nothing'}\nThe cell:\n{source}")
        if how == "fault" or said:
            pytest.fail(f"{place} fails in the browser: {said}\n{source}")
        return printed

    def end(self) -> None:
        with contextlib.suppress(Exception):
            self.page.context.close()
        self.page = None


@pytest.fixture(scope="module")
def one_kernel(chromium, site):
    found = Kernel(chromium, site)
    yield found
    found.end()


@pytest.fixture
def kernel(one_kernel):
    """The kernel, with nothing of an earlier notebook."""
    one_kernel.begin()
    return one_kernel


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_notebook_runs_in_the_browser(notebook, kernel):
    for cell in notebook.cells:
        if cell.executed:
            kernel.run(cell.place, cell.source)
    kernel.watch.check(notebook.name)


def test_the_package_alone_in_the_browser(kernel):
    code = "import bleu_lit\nprint(bleu_lit.corpus_bleu(['the cat sat on the mat'], [['the cat sat on the mat']]).percent)"
    assert kernel.run("bleu_lit alone", code) == "100.0\n"
    assert kernel.run("ipywidgets alone", "import ipywidgets\nprint(ipywidgets.IntSlider(3).value)") == "3\n"
    kernel.watch.check("import bleu_lit, import ipywidgets")


def test_a_cell_without_end_is_ended(kernel):
    """It is named with what it had printed, and the next notebook has a kernel."""
    with pytest.raises(pytest.fail.Exception, match=r"(?s)nb\[3\] did not end .* within 2 s.*as far as here.*while True"):
        kernel.run("nb[3]", "print('as far as here')\nwhile True: pass", limit=2)
    kernel.begin()
    assert kernel.run("nb[4]", "print(1 + 1)") == "2\n"


def opened(page, site: str, name: str) -> book.Notebook:
    """Follow the link of a notebook's page to JupyterLite, as a reader would."""
    page.goto(f"{site}{stage.page_name(name)}.html")
    page.click(".action-run")
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")
    page.wait_for_selector("text=Python (Pyodide)")
    GUARD.look(page)
    return next(found for found in NOTEBOOKS if found.name == name)


def run_all(page, notebook: book.Notebook, limit: float = CELL) -> None:
    """Run all cells by the menu; each of them has its time."""
    name = notebook.name
    page.click(".lm-MenuBar-itemLabel:text-is('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    code = [cell for cell in notebook.cells if cell.kind == "code"]
    count = len(code)
    prompts, errors, ended, last = [], [], -1, 0.0
    while not errors and not (len(prompts) == count and all(prompt.isdigit() for prompt in prompts)):
        if sum(prompt.isdigit() for prompt in prompts) > ended:
            ended, last = sum(prompt.isdigit() for prompt in prompts), time.monotonic()
        if time.monotonic() - last > (limit if ended else max(limit, CELL)):  # the first cell waits until Python is there
            at = code[ended]
            pytest.fail(f"{at.place} did not end in JupyterLite within {limit:.0f} s:\n{at.source}\n{GUARD.told()}")
        page.wait_for_timeout(500)
        prompts, errors = page.evaluate(PROMPTS), page.evaluate(ERRORS)
    assert not errors, f"{name} in JupyterLite: {errors}"
    assert [int(prompt) for prompt in prompts] == list(range(1, count + 1)), f"{name} in JupyterLite: the cells that ran are {prompts}"


def test_lab_opens_on_a_welcome(site, watched):
    """From the link at the top of every page: a cell that runs, and links that open notebooks."""
    page, watch = watched(width=1300, height=950)
    page.goto(site)
    watch.settle(page)
    page.click("nav >> text=Run it")
    page.wait_for_selector(".jp-NotebookPanel h1:has-text('Welcome to bleu_lit')")
    page.wait_for_selector("text=Python (Pyodide)")
    page.click(".jp-CodeCell .cm-content")
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".jp-OutputArea-output:has-text('sentence BLEU = 48.89 %')", timeout=120_000)
    page.click(".jp-RenderedMarkdown a:text-is('Brevity penalty')")
    page.wait_for_selector(".lm-TabBar-tabLabel:text-is('12_brevity.ipynb')")
    watch.check("the lab")
    page, watch = watched(width=1300, height=950)  # a page of its own: leaving the other would cut off the kernel that starts there
    page.goto(site + "lite/lab/index.html")  # as a reader may type it
    page.wait_for_selector(".jp-NotebookPanel h1:has-text('Welcome to bleu_lit')")
    watch.check("the lab by its bare address")


def test_notebook_in_jupyterlite(site, watched):
    """All cells of a notebook run, and their outputs are those that are kept."""
    name = "13_bleu.ipynb"
    page, watch = watched(width=1300, height=950)
    notebook = opened(page, site, name)
    run_all(page, notebook)
    shown = "\n".join(page.evaluate(TEXTS))
    for cell in notebook.cells:
        for output in book.outputs(cell):
            if output["output_type"] == "stream":
                assert book.output_text(output).strip() in shown, f"{cell.place}: the output in the browser is another"
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"lite-{name.removesuffix('.ipynb')}.png")
    watch.check(f"{name} in JupyterLite")
    assert stage.LITE in page.url


def test_a_cell_without_end_is_named_in_jupyterlite(site, watched):
    """The worker of JupyterLite is busy for ever, its page is not: the cell is named, and a picture of the page is kept."""
    page, _ = watched(width=1300, height=950)
    notebook = opened(page, site, "12_brevity.ipynb")
    page.locator(".jp-CodeCell .cm-content").nth(1).click()
    page.keyboard.press("Control+a")
    page.keyboard.type("while True: pass")
    with pytest.raises(pytest.fail.Exception) as found:
        run_all(page, notebook, limit=6)
    cell = [cell for cell in notebook.cells if cell.kind == "code"][1]
    assert str(found.value).startswith(f"{cell.place} did not end in JupyterLite within 6 s:")
    [kept] = re.findall(r"pictures: (\S+\.png)$", str(found.value))
    assert (ROOT / kept).stat().st_size > 10_000


def test_explorer_in_jupyterlite(site, watched):
    """The explorer's controls are alive: typing and sliding give the scores that arithmetic gives."""
    page, watch = watched(width=1300, height=1400)
    run_all(page, opened(page, site, "73_widgets.ipynb"))
    panel = page.locator(".jp-OutputArea-output:has(textarea):has(.bleu-value)").first
    panel.scroll_into_view_if_needed()
    value, candidate = panel.locator(".bleu-value").first, panel.locator("textarea").first
    candidate.fill("The cat is sitting on the mat.")  # the first reference, word for word
    page.wait_for_function(SHOWN, arg="100.00")
    assert "100.00" in value.inner_text()
    candidate.fill("cat The cat")  # against 8 and 7 tokens: p_1 = 2/3, p_2 = 1/2, and no trigram
    order = panel.locator("[role=slider], .noUi-handle").first
    order.focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expected = 100 * math.exp(1 - 7 / 3) * math.sqrt(Fraction(2, 3) * Fraction(1, 2))
    page.wait_for_function(SHOWN, arg=f"{expected:.2f}")
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / "lite-explorer.png")
    watch.check("the explorer in JupyterLite")
