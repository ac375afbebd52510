"""The notebooks in the browser: two by hand in JupyterLite itself, all of them by JupyterLite's kernel in a page of its own."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

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


@pytest.fixture(scope="module")
def kernel(chromium, site):
    """A page with JupyterLite's kernel, and what it asked for."""
    from conftest import Watch

    context = chromium.new_context()
    watch = Watch(context, site)
    page = context.new_page()
    page.set_default_timeout(240_000)
    page.goto(site + "cite.html")
    names = sorted(path.name for path in WHEELS.glob("*.whl") if path.name.startswith(("ipykernel", "piplite", "pyodide_kernel")))
    version = page.evaluate(KERNEL, [site, names])
    assert version.startswith("3.")
    yield page, watch
    context.close()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_notebook_runs_in_the_browser(notebook, kernel):
    page, watch = kernel
    cells = [[cell.number, cell.source] for cell in notebook.cells if cell.executed]
    results = json.loads(page.evaluate("(cells) => window.runNotebook(cells)", json.dumps(cells)))
    number, status, said = results[-1]
    if status == "error":
        cell = notebook.cells[number]
        pytest.fail(f"{cell.place} fails in the browser: {said}\n{cell.source}")
    assert len(results) == len(cells)
    watch.check(notebook.name)


def test_the_package_alone_in_the_browser(kernel):
    page, watch = kernel
    code = "import bleu_lit\nprint(bleu_lit.corpus_bleu(['the cat sat on the mat'], [['the cat sat on the mat']]).percent)"
    assert json.loads(page.evaluate("(cells) => window.runNotebook(cells)", json.dumps([[0, code]]))) == [[0, "ok", "100.0\n"]]
    code = "import ipywidgets\nprint(ipywidgets.IntSlider(3).value)"
    assert json.loads(page.evaluate("(cells) => window.runNotebook(cells)", json.dumps([[0, code]])))[0][1:] == ["ok", "3\n"]
    watch.check("import bleu_lit, import ipywidgets")


def run_all(page, site: str, name: str) -> book.Notebook:
    """Follow the link of a notebook's page to JupyterLite, and run all cells by the menu, as a reader would."""
    page.goto(f"{site}{stage.page_name(name)}.html")
    page.click(".action-run")
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")
    page.wait_for_selector("text=Python (Pyodide)")
    notebook = next(found for found in NOTEBOOKS if found.name == name)
    count = sum(cell.kind == "code" for cell in notebook.cells)
    page.click(".lm-MenuBar-itemLabel:text-is('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    for _ in range(240):
        page.wait_for_timeout(500)
        prompts, errors = page.evaluate(PROMPTS), page.evaluate(ERRORS)
        if errors or (len(prompts) == count and all(prompt.isdigit() for prompt in prompts)):
            break
    assert not errors, f"{name} in JupyterLite: {errors}"
    assert [int(prompt) for prompt in prompts] == list(range(1, count + 1)), f"{name} in JupyterLite: the cells that ran are {prompts}"
    return notebook


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
    from conftest import SHOTS

    name = "13_bleu.ipynb"
    page, watch = watched(width=1300, height=950)
    notebook = run_all(page, site, name)
    shown = "\n".join(page.evaluate(TEXTS))
    for cell in notebook.cells:
        for output in book.outputs(cell):
            if output["output_type"] == "stream":
                assert book.output_text(output).strip() in shown, f"{cell.place}: the output in the browser is another"
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"lite-{name.removesuffix('.ipynb')}.png")
    watch.check(f"{name} in JupyterLite")
    assert stage.LITE in page.url


def test_explorer_in_jupyterlite(site, watched):
    """The explorer's controls are alive: typing and sliding give the scores that arithmetic gives."""
    from conftest import SHOTS

    page, watch = watched(width=1300, height=1400)
    run_all(page, site, "73_widgets.ipynb")
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
