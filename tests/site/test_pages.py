"""Every page: nothing fails, nothing comes from elsewhere, mathematics is drawn, a phone is wide enough, keyboard and screen readers reach everything."""

import json
import os
import re
import subprocess
import sys

import pytest
from guard import SHOTS

from tools import book
from tools.site import build, finish, lite, navigation, stage

PAGES = sorted(path.name for path in build.OUT.glob("*.html"))
DARK = {*PAGES[::3], "index.html", "documents.html", "plots.html", "view.html", "matrix.html"}  # all pages have one set of colours; a third shows each of them
each_page = pytest.mark.parametrize("name", PAGES)

MATHEMATICS = r"""() => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), raw = [];
  while (walker.nextNode()) {
    const text = walker.currentNode, parent = text.parentElement;
    if (parent.closest("pre, code, .katex, script, style, svg")) continue;
    if (/\$\$|\\\(|\\\[|\\frac\{|\\mathrm\{|\{#(eq|sec)-|@eq-|<!--/.test(text.data)) raw.push(text.data.trim().slice(0, 80));
  }
  const undrawn = [...document.querySelectorAll("span.math")].filter((span) => !span.querySelector(".katex"));
  const wrong = [...document.querySelectorAll(".katex-error")];
  return [...raw, ...undrawn.map((span) => "undrawn: " + span.textContent.slice(0, 80)), ...wrong.map((span) => "wrong: " + span.title)];
}"""

UNREACHABLE = """() => {
  const controls = document.querySelectorAll("a[href], button, input, select, textarea, summary, [onclick], [role=button], [data-bs-toggle], [tabindex]");
  const visible = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  return [...controls].filter(visible).filter((control) => control.tagName !== "MAIN").filter((control) => {
    if (control.tabIndex < 0) return !control.closest("h1, h2, h3, h4, h5, h6");
    control.focus({ preventScroll: true });
    return document.activeElement !== control;
  }).map((control) => control.outerHTML.slice(0, 140));
}"""

FOCUSED = """() => {
  const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
  const marked = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  return [e.outerHTML.slice(0, 100), marked, box.width > 0 && box.height > 0];
}"""

AXE = """async (only) => {
  const result = await axe.run(document, { resultTypes: ["violations"], ...(only ? { runOnly: { type: "rule", values: only } } : {}) });
  const bad = result.violations.filter((found) => ["serious", "critical"].includes(found.impact));
  const told = (node) => node.html.slice(0, 160) + " " + (node.any[0] || {}).message;
  return bad.map((found) => `${found.id} (${found.impact}): ` + found.nodes.slice(0, 4).map(told).join(" | "));
}"""

WIDE = """() => [...document.querySelectorAll("main *")].filter((e) => {
  const box = e.getBoundingClientRect();
  if (!box.width || box.right <= innerWidth + 1) return false;
  // Something around it may scroll or hide it, but for the frame of the page, which cuts off what is too wide.
  for (let p = e.parentElement; p && p.id !== "quarto-content"; p = p.parentElement) if (getComputedStyle(p).overflowX !== "visible") return false;
  return true;
}).slice(0, 5).map((e) => e.outerHTML.slice(0, 120))"""


CUT = """() => [...document.querySelectorAll("main pre")]
  .filter((pre) => pre.getClientRects().length && pre.scrollWidth > pre.clientWidth + 1)
  .filter((pre) => pre.classList.contains("sourceCode") || !pre.classList.contains("goes-on-right"))
  .map((pre) => pre.textContent.slice(0, 80))"""

SMALL = """() => [...document.querySelectorAll(".picture svg text")]
  .map((text) => text.getBoundingClientRect().height).filter((height) => height && height < 9)"""


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core."""
    return (lite.npm("axe-core") / "axe.min.js").read_text(encoding="utf-8")


def opened(page, watch, address: str):
    page.goto(address)
    watch.settle(page)


@each_page
def test_page(name, site, watched, axe):
    page, watch = watched(width=1400)
    opened(page, watch, site + name)
    page.evaluate(axe)
    watch.check(f"{name} as it loads")
    faults = page.evaluate(MATHEMATICS)
    assert not faults, f"{name}: mathematics that is not drawn: {faults}"
    faults = page.evaluate(UNREACHABLE)
    assert not faults, f"{name}: controls that the keyboard does not reach: {faults}"
    faults = page.evaluate(AXE)
    assert not faults, f"{name}, light:\n" + "\n".join(faults)
    if name in DARK:
        page.click(".quarto-color-scheme-toggle")
        page.wait_for_function("document.documentElement.classList.contains('quarto-dark') || document.body.classList.contains('quarto-dark')")
        faults = page.evaluate(AXE, ["color-contrast"])  # nothing but the colours has changed
        assert not faults, f"{name}, dark:\n" + "\n".join(faults)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(100)
    faults = page.evaluate(WIDE)
    assert not faults and page.evaluate("document.documentElement.scrollWidth") <= 390, f"{name} is wider than a phone: {faults}"
    watch.check(name)


def test_narrow_page_is_accessible(site, watched, axe):
    for scheme in ("light", "dark"):
        page, watch = watched(width=390, height=844, scheme=scheme)
        opened(page, watch, site + "brevity.html")
        page.evaluate(axe)
        faults = page.evaluate(AXE)
        assert not faults, f"brevity.html at 390 px, {scheme}:\n" + "\n".join(faults)
        page.click(".navbar-toggler")
        page.wait_for_selector("#navbarCollapse.show")
        page.fill("#quarto-search input", "clipping")
        page.wait_for_selector(".search-result")
        watch.check("the menu of a phone")


@pytest.mark.parametrize("name", ["index.html", "brevity.html", "cite.html"])
def test_panel_of_pages_on_a_phone(name, site, watched):
    """Its first link can be clicked, its last can be scrolled to and clicked, and it shows the page that is open."""
    page, watch = watched(width=390, height=800)
    opened(page, watch, site + name)
    page.click(".quarto-btn-toggle")
    page.wait_for_function("document.querySelector('#quarto-sidebar.show')?.getBoundingClientRect().left >= 0")
    panel = page.evaluate("(({ top, bottom }) => [top, bottom])(document.getElementById('quarto-sidebar').getBoundingClientRect())")
    assert panel[0] >= page.evaluate("document.getElementById('quarto-header').getBoundingClientRect().bottom") - 1, "the panel begins under the header"
    assert panel[1] <= 801, "the panel is taller than the window"
    active = page.evaluate("(({ top, bottom }) => [top, bottom])(document.querySelector('.sidebar-link.active').getBoundingClientRect())")
    assert panel[0] <= active[0] and active[1] <= panel[1], "the page that is open is not in sight"
    links = page.locator("#quarto-sidebar a.sidebar-link[href$='.html'], #quarto-sidebar a.sidebar-link[href*='.html#']")
    if not links.last.is_visible():  # its section is folded
        page.locator("#quarto-sidebar .sidebar-item-toggle").last.click()
        links.last.wait_for(state="visible")
    for link in (links.last, links.first):
        link.scroll_into_view_if_needed()
        link.click(trial=True, timeout=5_000)  # fails if something lies over it
    links.first.click()
    page.wait_for_url("**/index.html")
    watch.settle(page)
    watch.check("the panel of a phone")


def test_what_is_not_there_is_answered_by_a_page_that_leads_on(site, watched):
    page, _ = watched()
    answer = page.goto(f"{site}renamed.html")
    assert answer.status == 404
    assert "There is no page of this name" in page.inner_text("h1")
    page.click("main a[href$='questions.html']")
    page.wait_for_url("**/questions.html")


@pytest.mark.parametrize(("half", "first", "last"), [("book", "index.html", "cite.html"), ("workshop", "workshop.html", "verdict.html")])
def test_next_leads_through_one_half_of_the_site(half, first, last, site, watched):
    """From the first page of the book, and of the workshop, "next" comes by every page of that half, and by no other."""
    [sidebar] = [one for one in navigation.configuration()["website"]["sidebar"] if one["id"] == half]
    wanted = [name.replace(".qmd", ".html") for name in map(navigation.staged_name, navigation.in_order(sidebar["contents"]))]
    assert (wanted[0], wanted[-1]) == (first, last)
    seen = [first]
    while following := re.search(r'class="nav-page nav-page-next">\s*<a[^>]*href="(?:\./)?([^"]*)"', (build.OUT / seen[-1]).read_text("utf-8")):
        seen.append(following[1])
    assert seen == wanted


def test_links_and_anchors_exist():
    faults = finish.check_links(build.OUT)
    assert not faults, "\n".join(faults)


def test_tab_walks_through_the_page(site, watched):
    page, watch = watched()
    opened(page, watch, site + "brevity.html")

    def tab(times):
        seen = []
        for _ in range(times):
            page.keyboard.press("Tab")
            what, marked, visible = page.evaluate(FOCUSED)
            assert visible, f"the focus is on what cannot be seen: {what}"
            assert marked, f"nothing shows that the focus is on: {what}"
            seen.append(what)
        return seen

    seen = tab(30)
    assert "skip-link" in seen[0], "the first stop lets a reader skip the navigation"
    assert any('type="search"' in what for what in seen)
    assert any("sidebar-link" in what for what in seen)
    opened(page, watch, site + "brevity.html")
    tab(1)
    page.keyboard.press("Enter")
    seen = tab(20)
    assert any("action-run" in what for what in seen)
    assert any("<summary" in what for what in seen)
    assert any("equation-number" in what for what in seen)
    watch.check("walking by Tab")


def searched(page, query: str) -> list[str]:
    """The addresses that a search gives, best first."""
    page.fill(".smalldocs-search input", query)
    page.wait_for_function("(query) => document.querySelector('.smalldocs-search-results').dataset.query === query", arg=query)
    return [address.removeprefix("./") for address in page.eval_on_selector_all(".search-result", "all => all.map((a) => a.getAttribute('href'))")]


def test_search_by_keyboard(site, watched):
    page, watch = watched()
    opened(page, watch, site)
    page.keyboard.press("/")
    page.keyboard.type("brevity")
    page.wait_for_selector(".smalldocs-search-results[data-query='brevity'] .search-result")  # not those of its first letters
    found = page.eval_on_selector_all(".search-result", "all => all.map((a) => a.getAttribute('href'))")
    assert any("brevity.html" in address for address in found), found
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.get_attribute(".search-result.active", "href") == found[0]
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{found[0].removeprefix('./')}")
    watch.settle(page)
    page.keyboard.press("/")
    page.keyboard.type("clipping")
    page.keyboard.press("Enter")  # sooner than the list is there
    page.wait_for_url("**/*clipping*")
    watch.settle(page)
    watch.check("search by keyboard")


@pytest.mark.parametrize("width", [992, 1000, 1200, 1400])
def test_the_search_stays_in_the_window(width, site, watched):
    page, watch = watched(width=width)
    opened(page, watch, site)
    searched(page, "smoothing")
    page.wait_for_timeout(300)  # the field grows
    edges = "() => ['.smalldocs-search input', '.smalldocs-search-results'].map((name) => document.querySelector(name).getBoundingClientRect())"
    for box in page.evaluate(edges):
        assert box["left"] >= 0 and box["right"] <= width, f"{width} px: from {box['left']} to {box['right']}"
    watch.check("search")


def test_search_finds_what_is_meant(site, watched):
    """The best hit, or one of the first: questions, names of the reference, headings, terms of four languages."""
    page, watch = watched()
    opened(page, watch, site)
    for query, address, rank in [
        ("why is my score 0", "questions.html#sec-why-zero", 1),
        ("score zero", "questions.html#sec-why-zero", 1),
        ("why a score is 0", "result.html#why-a-score-is-0", 2),
        ("what is clipping", "questions.html#sec-what-is-clipping", 1),
        ("clipping", "terms.html#term-clipping", 2),
        ("how do I cite", "cite.html", 3),
        ("install", "install.html", 3),
        ("corpus_bleu", "reference.html#score.corpus_bleu", 1),
        ("explain", "reference.html#explain.explain", 1),
        ("clipped_counts", "reference.html#precision.clipped_counts", 1),
        ("effective order", "terms.html#term-effective-order", 1),
        ("exp", "smoothing_rules.html#sec-exp", 2),
        ("smoothing", "smoothing.html", 2),
        ("bootstrap", "compare.html#sec-paired-bootstrap", 3),
        ("p-value", "compare.html#what-a-test-asks", 2),
        ("confidence interval", "resample.html#sec-interval", 1),
        ("13a", "cut.html#western-punctuation-13a", 2),
        ("Kürzungsstrafe", "terms.html#term-brevity-penalty-bp", 1),
        ("наказание за краткост", "terms.html#term-brevity-penalty-bp", 1),
        ("penalizacion por brevedad", "terms.html#term-brevity-penalty-bp", 1),
    ]:
        found = searched(page, query)
        assert address in found[:rank], f"{query!r} gives {found[:5]}"
    watch.check("search")


def test_search_ranks_by_words_and_by_exactness(site, watched):
    page, watch = watched()
    opened(page, watch, site)
    entries = {
        entry["href"]: f"{entry['title']} {entry['section']} {entry['text']} {entry['code']}".lower()
        for entry in json.loads((build.OUT / "search.json").read_text("utf-8"))
    }
    found = searched(page, "brevity geometric quokka")  # any of the words will do, and more of them come first
    many = [sum(word in entries[address] for word in ("brevity", "geometric")) for address in found]
    assert many == sorted(many, reverse=True) and many[0] == 2, list(zip(found, many, strict=True))
    assert all("brevity" in entries[address] for address in searched(page, "brevity")), "a word that stands somewhere is taken as it is"
    assert any("brevity.html" in address for address in searched(page, "brevty")[:6]), "a word that stands nowhere is taken for its neighbour"
    assert searched(page, "quokka") == []
    assert "Nothing holds" in page.inner_text(".search-none")
    assert page.get_attribute(".search-none a", "href").endswith("terms.html")
    searched(page, "<b>&")
    watch.check("search")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(scheme, site, watched):
    page, watch = watched(scheme=scheme)
    opened(page, watch, site)
    is_dark = "document.documentElement.classList.contains('quarto-dark') || document.body.classList.contains('quarto-dark')"
    page.wait_for_timeout(200)
    assert page.evaluate(is_dark) == (scheme == "dark"), "the page does not begin as the reader's system asks for"
    page.focus(".quarto-color-scheme-toggle")
    page.keyboard.press("Enter")
    page.wait_for_function(f"({is_dark}) === {'false' if scheme == 'dark' else 'true'}")
    opened(page, watch, site + "bleu.html")
    page.wait_for_timeout(200)
    assert page.evaluate(is_dark) != (scheme == "dark"), "the choice is forgotten on the next page"
    watch.check("light and dark")


@pytest.mark.parametrize("notebook", book.notebooks(), ids=lambda notebook: notebook.name)
def test_notebook_has_a_page_that_runs(notebook):
    name = f"{stage.page_name(notebook.name)}.html"
    assert name in PAGES, f"nbs/{notebook.name} has no page {name}"
    links = [address for kind, address in finish.read_page(build.OUT / name).links if kind == "link"]
    wanted = lite.LINK + ("13_bleu.ipynb" if name == "index.html" else notebook.name)
    assert wanted in links, f"{name} has no link {wanted}"
    served = json.loads((build.OUT / "lite" / "files" / notebook.name).read_text(encoding="utf-8"))
    assert [cell["source"] for cell in served["cells"] if cell["cell_type"] == "code"] == [cell.source for cell in notebook.cells if cell.kind == "code"]


def test_equations_are_numbered_and_referred_to(site, watched):
    page, watch = watched()
    known = stage.survey(book.notebooks(), lite=False)
    opened(page, watch, site + "notation.html")
    shown = page.eval_on_selector_all("a.equation-number", "all => all.map((a) => [a.textContent, a.getAttribute('href')])")
    assert len({text for text, _ in shown}) == len(shown), "two equations have one number"
    assert shown == [[f"({equation.number})", equation.href] for equation in known.equations.values()]
    opened(page, watch, site + known.equations["eq-bp"].href)
    assert page.inner_text("#eq-bp .equation-number") == f"({known.equations['eq-bp'].number})"
    watch.check("equations")


ANSWERS = {  # what a newcomer asks; the link on the first page; words of the answer; where its whole story is linked
    "what clipping is": ("What is clipping?", "at most as often as one reference has it", "precision.html"),
    "why a sentence scored 0": ("Why is my score 0?", "no n-gram of orders 3, 4 is in a reference", "result.html#why-a-score-is-0"),
    "how to cite": ("How do I cite it?", "Papineni", "install.html"),
}


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("question", ANSWERS)
def test_a_newcomer_follows_links(question, width, site, watched):
    """From the address of the site alone, by links that can be seen: the answer is in sight after one click, and leads on."""
    link, words, more = ANSWERS[question]
    page, watch = watched(width=width, height=900)
    opened(page, watch, site)
    page.click(f"main a:text-is('{link}')")
    page.wait_for_url("**/*.html*")
    watch.settle(page)
    answer = page.locator("main").get_by_text(words).first
    assert " ".join(answer.inner_text().split()).count(words), question
    top = answer.evaluate("(e) => e.getBoundingClientRect().top")
    assert 0 <= top < 2 * 900, f"{question}: the answer is {top} px further down"
    page.click(f"main a[href='{more}'], main a[href='./{more}']")
    page.wait_for_url(f"**/{more}")
    watch.settle(page)
    watch.check(question)


def test_a_newcomer_asks_the_search(site, watched):
    page, watch = watched()
    for question, words in (
        ("what is clipping", "at most as often as one reference has it"),
        ("why is my score 0", "no n-gram of orders 3, 4 is in a reference"),
    ):
        opened(page, watch, site)
        page.keyboard.press("/")
        page.keyboard.type(question)
        page.wait_for_selector(".search-result")
        page.keyboard.press("Enter")
        page.wait_for_url("**/*.html*")
        watch.settle(page)
        assert words in " ".join(page.inner_text("main").split()), question
    watch.check("a newcomer's search")


def test_documents_lead_to_code(site, watched):
    """Each statement links to the section that tells it, and to the cell or test that shows it, with its code on the site."""
    page, watch = watched(width=390, height=844)
    opened(page, watch, site + "documents.html")
    for title in ("BLEU Score/es", "Bulgarian", "German"):
        assert title in page.inner_text("main")
    assert page.locator("#claim-000-19 .katex").count() == 1
    page.click("#claim-004-14 a[href*='#cell-']")
    page.wait_for_url("**/bleu.html#cell-*")
    watch.settle(page)
    assert page.evaluate("document.querySelector(':target pre') !== null"), "the link leads to no cell with code"
    opened(page, watch, site + "documents.html#claim-000-04")
    page.click("#claim-000-04 a[href^='tests.html#'], #claim-000-04 a[href^='./tests.html#']")
    page.wait_for_url("**/tests.html#*")
    watch.settle(page)
    assert "def test_set_with_counts_is_the_multiset" in page.inner_text("main")
    watch.check("documents")


def test_nothing_of_code_is_cut_off(site, watched):
    """Lines of code go on below, and what is printed wraps or can be scrolled, with a sign that it goes on."""
    page, watch = watched()
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("bleu.html", "cite.html", "questions.html", "plots.html"):
            opened(page, watch, site + name)
            cut = page.evaluate(CUT)
            assert not cut, f"{name} at {width} px: {cut}"
    small = page.evaluate(SMALL)
    assert not small, f"letters in pictures are {small} px high on a phone"
    watch.check("code and pictures")


def test_the_wheel_that_is_served_can_be_installed(tmp_path):
    """With nothing fetched from elsewhere: the package, its data and its command."""
    [wheel] = (build.OUT / "download").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    bin_ = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([bin_ / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", wheel], check=True, cwd=tmp_path)
    run = subprocess.run([bin_ / "bleu-lit", "explain", "--example", "german"], check=True, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert "0.5411" in run.stdout
    code = "from bleu_lit.conformance import vectors; import bleu_lit; print(len(list(vectors())) > 100, bleu_lit.__file__)"
    run = subprocess.run([bin_ / "python", "-I", "-c", code], check=True, cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout.startswith("True") and str(tmp_path) in run.stdout


def test_no_page_names_an_address_that_is_not_there():
    """The project has no public address yet, so no page shows one as a link or as a line to copy."""
    for path in build.OUT.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"github\.(?:com|io)/bleu-lit|bleu-lit\.github", text), f"{path.name} names an address that is not there"


def test_screenshots(site, watched):
    """A few pictures for people, outside git."""
    SHOTS.mkdir(exist_ok=True)
    for name, width, scheme in (("index.html", 1400, "light"), ("index.html", 390, "dark"), ("brevity.html", 1400, "dark"), ("brevity.html", 390, "light")):
        page, watch = watched(width=width, height=1000 if width > 600 else 844, scheme=scheme)
        opened(page, watch, site + name)
        page.screenshot(path=SHOTS / f"{name.removesuffix('.html')}-{width}-{scheme}.png")
