"""What Quarto's renderer makes of the staged pages, seen by the Pandoc that it is built on: the same words, structure, anchors and equations as the site has.

Pandoc 3 comes with `pypandoc_binary`. Quarto's own filters are not run here; what they look for is (its `crossref/equations.lua`, `qmd-reader.lua`).
"""

import json
import re
import subprocess
from collections import Counter
from functools import cache
from html.parser import HTMLParser

import pytest

from tools import book
from tools.site import build, stage

pandoc = pytest.importorskip("pypandoc", reason="pypandoc_binary is not installed; make test-site installs it")

NOTEBOOKS = book.notebooks()
PROSE = {one.name: "\n\n".join(cell.source for cell in one.cells if cell.kind == "markdown") for one in NOTEBOOKS}
READ = """
for line in io.lines() do
  local read = io.open(line, "r")
  local document = pandoc.read(read:read("a"), "markdown")
  local written = pandoc.write(document, "html5", { html_math_method = "katex", highlight_method = "none" })
  io.write(pandoc.write(document, "json"), "\\n", pandoc.write(pandoc.Pandoc({ pandoc.RawBlock("html", written) }), "json"), "\\n")
end
"""
QUARTO_NUMBERS = r"(?:fig|tbl|lst|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg|nte|wrn|tip|imp|cau|eq)-"  # anchors of divisions that Quarto would number
OURS = r"cb\d+(?:-\d+)?|term-.+|quarto-.*|TOC|toc-.*|title-block-.*"  # anchors that are given after either renderer: blocks of code, the terms
COUNTED = "h2 h3 h4 h5 h6 li ul ol table tr cell pre blockquote details summary dl dt dd em strong code".split()


@cache
def program() -> str:
    """The Pandoc that the wheel brings, whatever else is installed."""
    from importlib.resources import files

    path = str(files("pypandoc") / "files" / "pandoc")
    version = subprocess.run([path, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    assert int(version.split(".")[0]) >= 3, f"Quarto has Pandoc 3 or newer, and this is {version}"
    return path


def read(names) -> list[tuple[dict, str]]:
    """Files of Markdown as Pandoc's tree and as its HTML, all by one process."""
    script = build.PROC / "read.lua"
    script.write_text(READ, encoding="utf-8")
    listed = "".join(f"{name}\n" for name in names)
    run = subprocess.run([program(), "lua", script], input=listed, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert run.returncode == 0, run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return [(tree, html["blocks"][0]["c"][1]) for tree, html in zip(lines[::2], lines[1::2], strict=True)]


@pytest.fixture(scope="module")
def staged() -> dict[str, tuple[dict, str]]:
    """Each staged page by its name."""
    paths = sorted(build.PROC.glob("*.qmd"))
    assert {path.stem for path in paths} == {path.stem for path in build.OUT.glob("*.html")}
    return dict(zip([path.stem for path in paths], read(paths), strict=True))


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> dict[str, dict]:
    """The prose of each notebook as Quarto reads it from `nbs/`: its cells one after another."""
    folder, paths = tmp_path_factory.mktemp("prose"), []
    for name, prose in PROSE.items():
        paths.append(folder / f"{name}.md")
        paths[-1].write_text(prose, encoding="utf-8")
    return {path.stem: tree for path, (tree, _) in zip(paths, read(paths), strict=True)}


@cache
def rendered(name: str) -> str:
    """The text of a page of the site, without its title and its links to the next page."""
    page = (build.OUT / f"{name}.html").read_text(encoding="utf-8")
    return "<main" + page.partition("<main")[2].partition("</main>")[0]


def nodes(tree) -> list[dict]:
    """Every node of a tree, in its order."""
    found, ahead = [], [tree]
    while ahead:
        part = ahead.pop()
        if isinstance(part, dict):
            found += [part] if "t" in part else []
            ahead += reversed(part.values())
        elif isinstance(part, list):
            ahead += reversed(part)
    return found


def of_kind(tree, *kinds):
    return [node for node in nodes(tree) if node["t"] in kinds]


def words(tree) -> str:
    """The text of a part of a tree."""
    parts = {"Space": " ", "SoftBreak": " ", "LineBreak": " "}
    return "".join(node["c"] if node["t"] == "Str" else node["c"][1] if node["t"] in ("Code", "Math") else parts.get(node["t"], "") for node in nodes(tree))


@cache
def page(html: str) -> "Page":
    return Page(html)


class Page(HTMLParser):
    """The characters of a page without blanks, its elements, headings and anchors; what scripts draw and what leads to other pages is left out."""

    def __init__(self, text: str):
        super().__init__()
        self.left_out, self.parts, self.elements, self.headings, self.anchors = 0, [], Counter(), [], []
        self.feed(text)
        self.text = plain("".join(self.parts))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.left_out += tag in ("script", "style", "svg", "header", "button", "nav")
        if found.get("id") and not re.fullmatch(OURS, found["id"]):
            self.anchors.append(found["id"])
        if self.left_out:
            return
        self.elements["cell" if tag in ("td", "th") else tag] += 1
        if re.fullmatch("h[1-6]", tag):
            self.headings.append([int(tag[1]), found.get("id") or found.get("data-anchor-id"), len(self.parts), None])

    def handle_endtag(self, tag):
        self.left_out -= tag in ("script", "style", "svg", "header", "button", "nav")
        if re.fullmatch("h[1-6]", tag) and not self.left_out:
            self.headings[-1][2:] = [plain("".join(self.parts[self.headings[-1][2] :]))]

    def handle_data(self, data):
        if not self.left_out:
            self.parts.append(data)


def plain(text: str) -> str:
    """Text without blanks, with straight quotes, and without what stands around mathematics for a script."""
    return re.sub(r"\s|\\[()\[\]]", "", text.translate(str.maketrans("’‘“”", "''\"\"")))


def parted(ours: str, theirs: str) -> str:
    """Where two texts part."""
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    return f"…{ours[max(0, at - 40) : at + 40]}… is to Pandoc …{theirs[max(0, at - 40) : at + 40]}…"


def listed(faults) -> None:
    faults = list(faults)
    assert not faults, "\n".join(faults[:20])


def test_anchors_are_the_same(staged):
    """Links into a page lead to the same places, whichever of the two rendered it; no anchor is there twice."""
    faults = []
    for name, (_, html) in staged.items():
        ours, theirs = page(rendered(name)).anchors, page(html).anchors
        faults += [f"{name}: {anchor} is only {where}" for anchor, where in [(a, "on the site") for a in set(ours) - set(theirs)]]
        faults += [f"{name}: {anchor} is only Pandoc's" for anchor in set(theirs) - set(ours)]
        faults += [f"{name}: {anchor} is there {number} times" for anchor, number in Counter(theirs).items() if number > 1]
    listed(faults)


def test_words_and_structure_are_the_same(staged):
    """Every character of every page, and as many lists, items, tables, rows, cells, blocks of code, emphases."""
    faults = []
    for name, (_, html) in staged.items():
        ours, theirs = page(rendered(name)), page(html)
        if ours.text != theirs.text:
            faults.append(f"{name}: {parted(ours.text, theirs.text)}")
        counts = [(tag, ours.elements[tag], theirs.elements[tag]) for tag in COUNTED]
        faults += [f"{name}: {one} <{tag}> on the site, {other} by Pandoc" for tag, one, other in counts if one != other]
    listed(faults)


def test_headings_are_the_same(staged):
    """The same levels, anchors and words in the same order; the title is read as it is shown."""
    faults = []
    for name, (tree, html) in staged.items():
        ours, theirs = page(rendered(name)).headings, page(html).headings
        title = re.search(r'<h1 class="title[^>]*>(.*?)</h1>', (build.OUT / f"{name}.html").read_text("utf-8"), re.S)
        faults += [f"{name}: {one} on the site, {other} by Pandoc" for one, other in zip(ours, theirs, strict=False) if one != other]
        faults += [f"{name}: {len(ours)} headings on the site, {len(theirs)} by Pandoc"] if len(ours) != len(theirs) else []
        if title and Page(title[1]).text != plain(words(tree["meta"]["title"])):
            faults.append(f"{name}: the title {Page(title[1]).text} is {plain(words(tree['meta']['title']))} to Pandoc")
    listed(faults)


def test_equations_are_numbered_on_the_staged_pages(staged):
    """Each equation of the book is one paragraph of display mathematics between its anchor and its number, with its own formula."""
    known = stage.survey(NOTEBOOKS, lite=False)
    for name, (tree, _) in staged.items():
        found = []
        for before, block, after in zip(tree["blocks"], tree["blocks"][1:], tree["blocks"][2:], strict=False):
            anchor = re.fullmatch(rf'<div class="equation" id="({stage.ANCHOR})">', before["c"][1]) if before["t"] == "RawBlock" else None
            if anchor:
                formula = block["c"][0]
                assert [block["t"], *[part["t"] for part in block["c"]]] == ["Para", "Math"] and formula["c"][0]["t"] == "DisplayMath", f"{name}: {anchor[1]}"
                found.append((anchor[1], " ".join(formula["c"][1].split()), re.search(r">\(([\d.]+)\)</a></div>$", after["c"][1])[1]))
        assert found == [(one.anchor, " ".join(one.tex.split()), one.number) for one in known.equations.values() if one.page == name], name


def test_quarto_finds_the_equations_of_the_notebooks(sources):
    """Its filter takes display mathematics, blanks, and a label as the text after it; a label in another line, or one that Pandoc cuts up, it would print."""
    labels, faults = [], []
    for name, tree in sources.items():
        for paragraph in of_kind(tree, "Para", "Plain"):
            inlines = paragraph["c"]
            for i, one in enumerate(inlines):
                if one["t"] == "Math" and one["c"][0]["t"] == "DisplayMath":
                    after = next((other for other in inlines[i + 1 :] if other["t"] != "Space"), {"t": "nothing", "c": ""})
                    if after["t"] == "Str" and re.fullmatch(rf"\{{#{stage.ANCHOR}\}}", after["c"]):
                        labels.append(after["c"][2:-1])
                    else:
                        faults.append(f"{name}: after $${one['c'][1][:60]}$$ Quarto finds {after}, which is no label")
        alone = [node["c"] for node in of_kind(tree, "Str") if "{#" in node["c"] and node["c"][2:-1] not in labels]
        faults += [f"{name}: {text} stands alone, and Quarto would print it" for text in alone]
    faults += [f"{label} labels {number} equations" for label, number in Counter(labels).items() if number > 1]
    named = {node["c"][0][0]["citationId"]: name for name, tree in sources.items() for node in of_kind(tree, "Cite")}
    written = {label for prose in PROSE.values() for label in re.findall(rf"@({stage.ANCHOR})\b", book.without_code(prose))}
    faults += [f"@{label} is no reference to Pandoc" for label in written - set(named)]
    faults += [f"{name}: @{label} has no equation; Quarto would print ?@{label}" for label, name in named.items() if label not in labels]
    listed(faults)
    assert set(labels) == {label for prose in PROSE.values() for label in re.findall(rf"\{{#({stage.ANCHOR})\}}", book.without_code(prose))}
    assert len(labels) > 50 and len(named) > 10


def test_references_on_the_staged_pages_are_links(staged):
    """Numbers of equations are written out, since Quarto knows only those of the same page: nothing is left to look up, or to print as it stands."""
    faults = []
    for name, (tree, _) in staged.items():
        faults += [f"{name}: {node['c'][0][0]['citationId']} would be looked up" for node in of_kind(tree, "Cite")]
        faults += [f"{name}: {node['c']} would be printed" for node in of_kind(tree, "Str") if re.search(r":::|\{[#.%]|\{\{<|\$\$", node["c"])]
        faults += [f"{name}: {node['c'][0][0]} would be numbered" for node in of_kind(tree, "Div", "Span") if re.match(QUARTO_NUMBERS, node["c"][0][0])]
    listed(faults)


def test_divisions_and_code_are_what_was_staged(staged):
    """Every ::: is a division with its classes, every fence a block with its language and text; Quarto runs none, and takes no line for its own."""
    faults = []
    for name, (tree, _) in staged.items():
        text = (build.PROC / f"{name}.qmd").read_text(encoding="utf-8")
        fences = [(match[0].split("\n", 1)[0], match[0]) for match in re.finditer(stage.FENCED, text, re.M | re.S)]
        code = [(head, body.split("\n", 1)[1].rpartition("\n")[0]) for head, body in fences]
        divisions = re.findall(r"^:{3,}[ \t]*(\{.*\})[ \t]*$", re.sub(stage.FENCED, "", text, flags=re.M | re.S), re.M)
        ours = Counter(" ".join(re.findall(r"\.([\w-]+)", head)) for head in divisions)
        theirs = Counter(" ".join(node["c"][0][1]) for node in of_kind(tree["blocks"], "Div"))
        faults += [f"{name}: divisions {ours - theirs} are {theirs - ours} to Pandoc"] if ours != theirs else []
        ours = Counter((" ".join(re.findall(r"[\w-]+", head)), body) for head, body in code)
        theirs = Counter((" ".join(node["c"][0][1]), node["c"][1]) for node in of_kind(tree["blocks"], "CodeBlock"))
        theirs += Counter(tuple(node["c"]) for node in of_kind(tree["blocks"], "RawBlock"))  # and HTML that stands in no fence
        faults += [f"{name}: {list(ours - theirs)[:2]} is not what Pandoc has"] if ours - theirs else []
        faults += [f"{name}: to Pandoc {one} is code" for one in theirs - ours if one[0] != "html"]
        for head, body in code:
            if re.match(r"[`~]{3,}\s*\{[^.=]*\}", head):
                faults.append(f"{name}: Quarto would run {head}")
            if re.match(r"\s*(?:#|//|--|%%)\|", body) or re.search(r"#\s*<\d+>\s*$", body, re.M):
                faults.append(f"{name}: Quarto would take a line of this code for its own: {body[:80]}")
    listed(faults)


def test_links_lead_where_quarto_takes_them(staged, sources):
    """Quarto turns links to sources into links to pages: each source and anchor is there, on the staged pages and in the notebooks."""
    anchors = {name: set(page(html).anchors) for name, (_, html) in staged.items()}
    pages = {f"{name}.qmd": name for name in staged} | {notebook.name: stage.page_name(notebook.name) for notebook in NOTEBOOKS}
    trees = [(f"{name}.qmd", tree, ".qmd") for name, (tree, _) in staged.items()] + [(name, tree, (".ipynb", ".qmd")) for name, tree in sources.items()]
    faults, seen = [], 0
    for name, tree, endings in trees:
        for node in of_kind(tree["blocks"], "Link"):
            address, _, anchor = node["c"][2][0].partition("#")
            if re.match(r"[a-z]+:", address):
                continue
            target = pages.get(address, pages[name] if not address else None)
            seen += 1
            if target is None or (address and not address.endswith(endings)):
                faults.append(f"{name}: {address} is no source of a page")
            elif anchor and anchor not in anchors[target] and not re.fullmatch(OURS, anchor):
                faults.append(f"{name}: {address} has no anchor {anchor}")
    listed(faults)
    assert seen > 1000
