"""The explorer in a real JupyterLab on this machine: type, slide, choose, and see numbers that were computed apart from it."""

import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from guard import ROOT, SHOTS

from bleu_lit.explain import EXAMPLES
from bleu_lit.score import sentence_bleu

CANDIDATE, REFERENCES = "The cat sat on the mat.", ["The cat is sitting on the mat.", "A cat sat on the mat."]
MISSING = [name for name in ("jupyterlab", "ipywidgets", "ipykernel") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed; make lab installs them")
NOTEBOOKS = ("73_widgets.ipynb", "73_corpus_explorer.ipynb")
SETTINGS = {  # every cell is drawn at once, and no news are asked for
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
}


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab that has nothing but these notebooks, and no settings of this machine's user."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "notebooks").mkdir()
    for name in NOTEBOOKS:
        shutil.copy(ROOT / "nbs" / name, folder / "notebooks")
    for name, values in SETTINGS.items():
        path = folder / "config" / "lab" / "user-settings" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    port = free_port()
    named = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython", "HOME": "home"}
    environment = os.environ | {key: str(folder / value) for key, value in named.items()} | {"PYTHONPATH": str(ROOT)}
    environment.pop("IN_TEST", None)
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder / 'notebooks'}"]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--LabApp.news_url=", *options]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{address}api/status", timeout=2).close()
                break
            except OSError:
                assert server.poll() is None, (folder / "log").read_text()
                time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


def run_all(lab, chromium, name: str):
    """A page with the notebook after `Run All Cells`, and its context."""
    context = chromium.new_context(viewport={"width": 1200, "height": 1000}, reduced_motion="reduce")
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"{lab}lab/tree/{name}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.locator("#jp-main-statusbar").get_by_text(re.compile(r"\| Idle$")).wait_for()  # before that, Run asks which kernel is meant
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    error = '[data-mime-type="application/vnd.jupyter.error"], [data-mime-type="application/vnd.jupyter.stderr"]'
    try:
        page.wait_for_selector(f".jp-OutputArea-output .jupyter-widgets, {error}")
    except Exception:
        SHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SHOTS / "jupyterlab-fault.png")
        raise
    page.wait_for_function("() => ![...document.querySelectorAll('.jp-InputPrompt')].some((e) => e.textContent.includes('*'))")
    failed = page.locator(error).all_inner_texts()
    assert not failed, failed
    return page, context


@pytest.fixture(scope="module")
def notebook(lab, chromium):
    """The explorer's notebook."""
    page, context = run_all(lab, chromium, NOTEBOOKS[0])
    yield page
    context.close()


@pytest.fixture(scope="module")
def corpus_notebook(lab, chromium):
    """The corpus explorer's notebook."""
    page, context = run_all(lab, chromium, NOTEBOOKS[1])
    yield page
    context.close()


@pytest.fixture
def explorer(notebook):
    """The part of the page that the explorer fills."""
    return notebook.locator(".jp-OutputArea-output", has=notebook.get_by_label("candidate", exact=True)).first


def shows(explorer, score) -> None:
    """Wait until the explorer shows the value and the signature of a score that was computed here."""
    explorer.locator(".bleu-value", has_text=re.compile(rf"^{re.escape(f'{score.percent:.2f} %')}$")).wait_for()
    explorer.get_by_text(score.signature, exact=True).first.wait_for()


def test_the_explorer_answers(notebook, explorer):
    shows(explorer, sentence_bleu(CANDIDATE, REFERENCES))

    # Typing
    box = explorer.get_by_label("candidate", exact=True)
    box.click()
    box.press("Control+End")
    box.press_sequentially(" <b>&amp;</b>")
    typed = f"{CANDIDATE} <b>&amp;</b>"
    shows(explorer, sentence_bleu(typed, REFERENCES))
    assert explorer.locator("td", has_text="<").count()
    box.fill("The cat sat on a mat.")
    shows(explorer, sentence_bleu("The cat sat on a mat.", REFERENCES))

    # A third reference, and one less
    explorer.get_by_role("button", name="add a reference").click()
    explorer.get_by_label("reference", exact=True).nth(2).fill("The cat sat on a mat.")
    shows(explorer, sentence_bleu("The cat sat on a mat.", [*REFERENCES, "The cat sat on a mat."]))
    explorer.get_by_role("button", name="remove").nth(2).click()
    shows(explorer, sentence_bleu("The cat sat on a mat.", REFERENCES))

    # Choices
    explorer.get_by_label("tokenizer", exact=True).select_option("none")
    explorer.get_by_label("smoothing", exact=True).select_option("floor")
    explorer.get_by_label("smoothing value", exact=True).fill("0.25")
    shows(explorer, sentence_bleu("The cat sat on a mat.", REFERENCES, tokenize="none", smooth="floor", smooth_value=0.25))
    explorer.get_by_label("smoothing value", exact=True).fill("2")
    explorer.get_by_text("This cannot be scored yet.").wait_for()
    explorer.get_by_label("smoothing value", exact=True).fill("0.25")

    # A slider: the weights keep their sum
    explorer.get_by_label("uniform weights").uncheck()
    slider = explorer.locator(".widget-slider", has_text="w1 (hundredths)")
    slider.locator(".noUi-target:not([disabled])").wait_for()  # the kernel lets the sliders go
    handle = slider.locator(".noUi-handle")
    handle.focus()
    for _ in range(5):
        handle.press("ArrowRight")
    sliders = "[...document.querySelectorAll('.widget-slider')].filter((e) => /hundredths/.test(e.textContent))"
    sums = f"() => {sliders}.map((e) => +e.querySelector('.widget-readout').textContent)"
    # The kernel answers each step in turn: wait for the last of them.
    notebook.wait_for_function(f"() => {{ const parts = ({sums})(); return parts[0] === 30 && parts.reduce((a, b) => a + b, 0) === 100; }}")
    weights = [f"{part}/100" for part in notebook.evaluate(sums)]
    assert weights[0] == "30/100"
    assert len(weights) == 4
    shows(explorer, sentence_bleu("The cat sat on a mat.", REFERENCES, tokenize="none", smooth="floor", smooth_value=0.25, weights=weights))

    # What can be taken away gives the same
    explorer.get_by_role("tab", name="copy as Python").click()
    explorer.get_by_label("program", exact=True).wait_for()
    notebook.wait_for_function("() => [...document.querySelectorAll('textarea')].some((e) => e.value.includes('print(derivation.text())'))")
    scope = {}
    exec(explorer.get_by_label("program", exact=True).input_value().replace("print", "str"), scope)
    shows(explorer, scope["derivation"].score)

    # An example of the gallery
    explorer.get_by_label("load", exact=True).select_option(index=1)
    shows(explorer, EXAMPLES["german"].explain().score)
    for name in ("pictures", "derivation", "n-grams"):
        explorer.get_by_role("tab", name=name).click()
        notebook.wait_for_timeout(300)
        shoot(explorer, f"explorer-{name}")


def test_the_explorer_fits_a_phone(notebook, explorer):
    before = notebook.viewport_size
    notebook.keyboard.press("Control+b")  # the panel with the files has no room beside a notebook there
    notebook.set_viewport_size({"width": 390, "height": 844})
    try:
        explorer.scroll_into_view_if_needed()
        notebook.wait_for_timeout(500)
        labels = explorer.locator(".bleu-tabs > .lm-TabBar .lm-TabBar-tabLabel")
        assert labels.all_inner_texts() == ["n-grams", "pictures", "derivation", "copy as Python", "copy as vector"]
        room = explorer.bounding_box()
        for label in labels.all():
            name, box = label.inner_text(), label.bounding_box()
            assert label.evaluate("e => e.scrollWidth <= Math.ceil(e.getBoundingClientRect().width)"), f"{name} is cut"
            assert box["x"] >= room["x"] and box["x"] + box["width"] <= room["x"] + room["width"], f"{name} stands outside"
            label.click()
            tab = notebook.locator(".bleu-tabs > .lm-TabBar .lm-mod-current", has_text=name)
            tab.wait_for()
        labels.first.click()
        for part, wide in (("narrow", 390), ("wide", 1200)):
            notebook.set_viewport_size({"width": wide, "height": 844})
            picture = explorer.locator(f".bleu-{part} svg")
            picture.wait_for()
            assert picture.evaluate("e => e.getBoundingClientRect().width <= e.closest('.bleu-ngrams').getBoundingClientRect().width"), f"{wide} px"
            shoot(explorer, f"explorer-{wide}px")
    finally:
        notebook.set_viewport_size(before)
        notebook.keyboard.press("Control+b")


def shoot(part, name: str) -> None:
    """A picture for people, outside the project's history."""
    SHOTS.mkdir(exist_ok=True)
    part.scroll_into_view_if_needed()
    part.screenshot(path=SHOTS / f"{name}.png")


def test_the_corpus_explorer_answers(corpus_notebook):
    corpus = corpus_notebook.locator(".jp-OutputArea-output", has=corpus_notebook.get_by_label("filter", exact=True)).first
    corpus.get_by_text("30 of 30 segments").wait_for()
    corpus.get_by_label("segment", exact=True).select_option(index=0)
    folder = ROOT / "bleu_lit" / "data" / "demo"
    texts = {path.stem: path.read_text(encoding="utf-8").splitlines() for path in folder.glob("*.txt")}
    i = int(corpus.get_by_label("segment", exact=True).locator("option").first.inner_text().split(":")[0])
    for n, system in enumerate(("system_a", "system_b")):
        score = sentence_bleu(texts[system][i], [texts["ref_a"][i], texts["ref_b"][i]])
        corpus.locator(".bleu-value").nth(n).wait_for()
        assert corpus.locator(".bleu-value").nth(n).inner_text() == f"{score.percent:.2f} %"
    corpus.get_by_label("filter", exact=True).fill("train")
    found = [j for j in range(30) if any("train" in texts[name][j].casefold() for name in ("system_a", "system_b", "ref_a", "ref_b"))]
    corpus.get_by_text(f"{len(found)} of 30 segments").wait_for()
    shoot(corpus, "corpus-explorer")
