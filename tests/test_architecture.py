"""What holds for every notebook and module, whatever it is about. Each failure says where and what to do."""

import ast
import graphlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import book, reading
from tools.site import navigation, stage

NOTEBOOKS = book.notebooks()
NUMBERED = [notebook for notebook in NOTEBOOKS if notebook.number is not None]
PATHS = [*sorted(book.PACKAGE.glob("*.py")), *sorted(book.PACKAGE.glob("compat/*.py"))]
MODULES = {".".join(path.relative_to(book.PACKAGE).with_suffix("").parts): path for path in PATHS if path.name != "_modidx.py"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
ANCHOR = r"eq-[a-z0-9]+(?:-[a-z0-9]+)*"

each_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
each_numbered = pytest.mark.parametrize("notebook", NUMBERED, ids=lambda notebook: notebook.name)
each_module = pytest.mark.parametrize("module", MODULES)


def module_tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def floors() -> dict[str, int]:
    """Module to the number of its notebook. The package's own `__init__` is the roof."""
    return {module: notebook.number for notebook in NUMBERED for module in notebook.modules}


def own_imports(module: str) -> list[tuple[str, int]]:
    """The modules of bleu_lit that a module imports anywhere, with the line; `__init__` for the package itself."""
    found = []
    for node in ast.walk(module_tree(module)):
        if isinstance(node, ast.ImportFrom):
            package = ["bleu_lit", *module.split(".")][: -node.level] if node.level else []
            path = ".".join([*package, *([node.module] if node.module else [])])
            if path.split(".")[0] == "bleu_lit":  # a module, or a name of one (the package's version is metadata, not code)
                names = [alias.name for alias in node.names if (path, alias.name) != ("bleu_lit", "__version__")]
                found += [(module_of(f"{path}.{name}"), node.lineno) for name in names]
        elif isinstance(node, ast.Import):
            found += [(module_of(alias.name), node.lineno) for alias in node.names if alias.name.split(".")[0] == "bleu_lit"]
    return found


def module_of(path: str) -> str:
    """The module that a dotted path under `bleu_lit` leads into: `core` for `bleu_lit.core.check_choice`, `__init__` where there is none."""
    parts = path.split(".")[1:]
    for length in range(len(parts), 0, -1):
        for name in (".".join(parts[:length]), ".".join([*parts[:length], "__init__"])):
            if name in MODULES:
                return name
    return "__init__"


# ---- Modules and notebooks belong together


@each_module
def test_module_has_a_notebook(module):
    assert module in floors(), f"bleu_lit/{module}.py: no notebook exports it. Write it in nbs/NN_{module}.ipynb with `#| default_exp {module}`"


@each_numbered
def test_notebook_is_named_for_its_module(notebook):
    expected = "__init__" if notebook.name == "95_api.ipynb" else notebook.path.stem.split("_", 1)[1]
    if expected.split("_")[0] == "compat":  # compat_nltk is the module nltk of the subpackage compat
        expected = f"compat.{expected.removeprefix('compat').removeprefix('_') or '__init__'}"
    assert notebook.module == expected, f"nbs/{notebook.name}: `#| default_exp {notebook.module}`; expected {expected}, as in the file's name"
    assert notebook.module in MODULES, f"bleu_lit/{notebook.module}.py is missing. Run nbdev_export"


@each_module
def test_imports_point_down(module):
    height = floors()
    for imported, line in own_imports(module):
        place = f"bleu_lit/{module}.py:{line} (notebook {height.get(module)}) imports {imported} (notebook {height.get(imported)})"
        assert imported in height, f"{place}. No notebook exports that module"
        lower = height[imported] < height[module] or (height[imported] == height[module] and imported != module)
        assert lower, f"{place}. Imports point down: move what is needed to a lower notebook"


def test_imports_never_go_in_a_circle():
    graph = {module: {imported for imported, _ in own_imports(module)} for module in floors()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        raise AssertionError(f"modules import each other in a circle: {' -> '.join(error.args[1])}") from None


@each_module
def test_module_level_imports_are_standard_library(module):
    tree = module_tree(module)
    inside = {id(child) for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) for child in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in inside or not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        roots = {alias.name.split(".")[0] for alias in node.names} if isinstance(node, ast.Import) else {(node.module or "").split(".")[0]}
        if isinstance(node, ast.ImportFrom) and node.level:
            continue
        foreign = roots - set(sys.stdlib_module_names) - {"bleu_lit"}
        assert not foreign, f"bleu_lit/{module}.py:{node.lineno} imports {foreign} at module level. Import it inside the function that needs it"


def test_import_loads_the_standard_library_alone():
    program = (
        f"import sys; sys.path.insert(0, {str(book.ROOT)!r}); before = set(sys.modules); import bleu_lit; "
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert run.returncode == 0, f"`import bleu_lit` fails:\n{run.stderr}"
    foreign = set(run.stdout.split()) - set(sys.stdlib_module_names) - {"bleu_lit"}
    advice = "Find the import with `python -X importtime -c 'import bleu_lit'`, and move it into a function"
    assert not foreign, f"`import bleu_lit` loads {sorted(foreign)}. {advice}"


def test_the_door_loads_no_module_of_the_package():
    program = f"import sys; sys.path.insert(0, {str(book.ROOT)!r}); import bleu_lit; print(*(name for name in sys.modules if name.startswith('bleu_lit.')))"
    run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert not run.stdout.split(), "a Ctrl-C during the import ends in a traceback unless the command is imported inside __main__.run"


def test_site_lists_every_notebook():
    pages = [name for sidebar in navigation.configuration()["website"]["sidebar"] for name in navigation.in_order(sidebar["contents"])]
    assert len(pages) == len(set(pages)), f"the sidebars name {sorted({name for name in pages if pages.count(name) > 1})} twice"
    listed, there = {name for name in pages if name.endswith(".ipynb")}, {notebook.name for notebook in NOTEBOOKS}
    assert listed == there, f"the sidebars of _quarto.yml name {sorted(listed - there)}, which do not exist, and lack {sorted(there - listed)}"


def test_no_section_of_the_book_is_too_long_to_be_read_at_a_glance():
    long = {section: len(names) for section, names in navigation.sections() if len(names) > 11}
    assert not long, f"split {long} in _quarto.yml"


# ---- Code cells


def star_imports(tree: ast.Module) -> list[int]:
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)]


def test_no_star_imports():
    found = []
    for notebook in NOTEBOOKS:
        found += [cell.place for cell in notebook.cells if cell.kind == "code" and star_imports(cell.tree)]
    for folder in ("bleu_lit", "tests", "tools", "benchmarks"):
        for path in sorted((book.ROOT / folder).rglob("*.py")):
            found += [f"{path.relative_to(book.ROOT)}:{line}" for line in star_imports(ast.parse(path.read_text(encoding="utf-8")))]
    assert not found, "star imports, name what is imported instead:\n" + "\n".join(found)


@each_notebook
def test_one_definition_per_exported_cell(notebook):
    faults = []
    for cell in notebook.cells:
        if not cell.exported:
            continue
        body = cell.tree.body
        definitions = [node.name for node in body if isinstance(node, DEFINITIONS)]
        imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
        constants = [ast.unparse(node) for node in body if isinstance(node, (ast.Assign, ast.AnnAssign))]
        if len(definitions) > 1:
            faults.append(f"{cell.place}: defines {', '.join(definitions)}. Give each a cell of its own")
        if definitions and (imports or constants):
            what = "imports" if imports else f"the constant {constants[0][:40]}"
            faults.append(f"{cell.place}: {what} beside the definition of {definitions[0]}. Give each a cell of its own")
        if imports and constants:
            faults.append(f"{cell.place}: imports and constants. Give the constants a cell of their own")
    assert not faults, "\n".join(faults)


def public_names(module: str) -> list[str]:
    """What the module's `__all__` names: nbdev's, or the one that follows it."""
    names = []
    for node in module_tree(module).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            names = ast.literal_eval(node.value)
    return names


def used_names(tree: ast.Module) -> set[str]:
    """The names that code mentions, as a variable, an attribute or an import."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)} | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


@each_numbered
def test_every_public_name_is_shown(notebook):
    examples = [cell for cell in notebook.cells if cell.executed and not cell.exported]
    shown = {name for cell in examples for name in used_names(cell.tree)}
    for module in sorted(notebook.modules & MODULES.keys()):
        missing = [name for name in public_names(module) if name not in shown]
        assert not missing, f"nbs/{notebook.name}: {', '.join(missing)} appear in no executed example. Add a cell that runs each, or make the name private"


# ---- Equations


def display_equations(cell: book.Cell) -> list[tuple[str, str]]:
    """Each display equation of a markdown cell as (start of its text, anchor or "")."""
    found = re.finditer(rf"\$\$(.+?)\$\$(?:[ \t]*\n?[ \t]*\{{#({ANCHOR})\}})?", book.without_code(cell.source), re.S)
    return [(" ".join(match[1].split())[:60], match[2] or "") for match in found]


def anchors() -> list[tuple[str, str]]:
    """Every equation's anchor in every notebook, with its place."""
    cells = [cell for notebook in NOTEBOOKS for cell in notebook.cells if cell.kind == "markdown"]
    return [(anchor, cell.place) for cell in cells for _, anchor in display_equations(cell) if anchor]


def docstring_anchors() -> dict[str, str]:
    """The anchors that docstrings of the modules name, each with one place."""
    found = {}
    for module in MODULES:
        for node in ast.walk(module_tree(module)):
            if isinstance(node, DEFINITIONS):
                for anchor in re.findall(rf"(?<![\w-]){ANCHOR}", ast.get_docstring(node) or ""):
                    found.setdefault(anchor, f"bleu_lit/{module}.py, docstring of {node.name}")
    return found


@each_notebook
def test_display_equations_have_anchors(notebook):
    cells = [cell for cell in notebook.cells if cell.kind == "markdown"]
    bare = [f"{cell.place}: $${text}…$$" for cell in cells for text, anchor in display_equations(cell) if not anchor]
    assert not bare, "display equations without an anchor; close with `$$ {#eq-name}`, or write it inline with $…$:\n" + "\n".join(bare)


def test_anchors_are_unique():
    places = {}
    for anchor, place in anchors():
        places.setdefault(anchor, []).append(place)
    twice = {anchor: found for anchor, found in places.items() if len(found) > 1}
    assert not twice, f"anchors used more than once, rename one of each: {twice}"


def test_every_equation_is_named_by_a_docstring():
    named = docstring_anchors()
    orphans = [f"{anchor} at {place}" for anchor, place in anchors() if anchor not in named]
    assert not orphans, "no docstring of an exported definition names these equations; name each in the one that computes it:\n" + "\n".join(orphans)


def test_docstrings_name_equations_that_exist():
    known = {anchor for anchor, _ in anchors()}
    unknown = [f"{anchor} in {place}" for anchor, place in docstring_anchors().items() if anchor not in known]
    assert not unknown, "docstrings name equations that no notebook has; write the equation or mend the name:\n" + "\n".join(unknown)


def test_references_to_equations_exist():
    known = {anchor for anchor, _ in anchors()}
    cells = [cell for notebook in NOTEBOOKS for cell in notebook.cells if cell.kind == "markdown"]
    unknown = [f"@{name} in {cell.place}" for cell in cells for name in re.findall(rf"@({ANCHOR})", book.without_code(cell.source)) if name not in known]
    assert not unknown, "references to equations that no notebook has:\n" + "\n".join(unknown)


# ---- Notebooks as files and as pages


@each_notebook
def test_notebook_format(notebook):
    raw = notebook.raw
    assert (raw["nbformat"], raw["nbformat_minor"]) == (4, 5), f"nbs/{notebook.name}: nbformat must be 4.5. Save it with JupyterLab 4 and run nbdev_clean"
    ids = [cell.id for cell in notebook.cells]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    assert all(ids), f"nbs/{notebook.name}: cells without an id"
    assert not twice, f"nbs/{notebook.name}: cell ids used twice: {twice}"
    for cell in notebook.cells:
        counts = [cell.raw.get("execution_count"), *(output.get("execution_count") for output in book.outputs(cell))]
        assert counts == [None] * len(counts), f"{cell.place}: it holds execution counts. Run nbdev_clean"


@each_notebook
def test_outputs_are_text_markdown_or_svg(notebook):
    allowed = {"text/plain", "text/markdown", "text/latex", "image/svg+xml"}
    for cell in notebook.cells:
        for output in book.outputs(cell):
            foreign = set(output.get("data", {})) - allowed
            assert not foreign, f"{cell.place}: an output of type {sorted(foreign)}. Kept outputs are text, Markdown or SVG"
            assert output["output_type"] != "error", f"{cell.place}: the kept output is an error. Mend the cell, or expect it with expect_error"


@each_numbered
def test_notebook_is_a_page(notebook):
    first, second = notebook.cells[0], notebook.cells[1]
    said = [line for line in first.source.splitlines() if line.strip()]
    opening = first.kind == "markdown" and len(said) > 1 and said[0].startswith("# ") and said[1].startswith("> ")
    assert opening, f"{first.place}: begin with `# Title` and one line of purpose, `> …`"
    assert "default_exp" in second.directives, f"{second.place}: the second cell is `#| default_exp {notebook.path.stem.split('_', 1)[1]}`"
    sections = [title for cell in notebook.cells if cell.kind == "markdown" for level, title in book.headings(cell.source) if level == 2]
    assert sections[-2:] == ["Summary", "Exercises"], f"nbs/{notebook.name}: it ends with {sections[-2:]}; expected the sections ## Summary and ## Exercises"
    tail = "".join(cell.source for cell in notebook.cells if cell.section == "Exercises" or "## Exercises" in cell.source)
    assert "<details>" in tail, f"nbs/{notebook.name}: the exercises have no answers. Put them into <details><summary>Answer</summary> … </details>"


def tracked_text() -> list[tuple[str, str]]:
    """Every text of the project that people read, with its name; a notebook's sources and kept outputs."""
    found = []
    for notebook in NOTEBOOKS:
        for cell in notebook.cells:
            shown = json.dumps(book.outputs(cell), ensure_ascii=False)
            found += [(cell.place, cell.source), (f"{cell.place}, output", shown)]
    patterns = ("*.md", "*.cff", "*.ini", "*.toml", "*.yml", "Makefile", ".ci/run", "*.py", "tools/*.py", "tests/*.py", "benchmarks/*.py")
    for pattern in (*patterns, "bleu_lit/*.py", "bleu_lit/compat/*.py"):
        found += [(str(path.relative_to(book.ROOT)), path.read_text(encoding="utf-8")) for path in sorted(book.ROOT.glob(pattern))]
    return found


def is_shown(cell: book.Cell) -> bool:
    """Whether a reader sees code; imports and helpers are folded, and need no words."""
    names = stage.defined_names(cell) if cell.exported else []
    folded = stage.is_imports(cell) or (names and all(name.startswith("_") for name in names))
    silent = stage.hidden(cell) or "hide_input" in cell.directives or cell.directives.get("echo") == "false"
    return bool(stage.visible_code(cell)) and not folded and not silent


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_no_section_begins_with_bare_code(notebook):
    """A reader is told what a cell is for before it comes."""
    section, told, bare = "the page", bool(re.sub(r"^[#>].*$", "", notebook.cells[0].source, flags=re.M).strip()), []
    for cell in notebook.cells[1:]:
        if cell.kind == "markdown":
            for piece in re.split(r"^(#{2,6} .*)$", cell.source, flags=re.M):
                if piece.startswith("##"):
                    section, told = piece, False
                elif piece.strip():
                    told = True
        elif is_shown(cell):
            bare += [] if told else [section]
            told = True
    assert not bare, f"say a sentence before the code of {bare}"


def test_no_section_of_the_sidebar_is_called_like_a_page():
    sections = set(re.findall(r"- section: (.+)", (book.ROOT / "_quarto.yml").read_text(encoding="utf-8")))
    titles = {re.match(r"# (.*?)(?: \{.*)?$", notebook.cells[0].source, re.M)[1] for notebook in NOTEBOOKS}
    assert len(sections) > 5
    assert not sections & titles, "the sidebar shows both, one below the other"


def test_no_text_names_a_place_on_one_machine():
    homes = "|".join(["home", "work", "tmp", "root", "Users"])
    path = re.compile(rf"(?<![\w.:/~)}}\]])/(?:{homes})/[\w.]|\b[A-Z]:\\\\?(?:{homes})\b")
    address = re.compile(r"\b0x[0-9a-f]{7,16}\b")
    found = [f"{place}: {match[0]!r}" for place, text in tracked_text() for match in path.finditer(text)]
    found += [f"{place}: {match[0]!r}" for place, text in tracked_text() if place.endswith("output") for match in address.finditer(text)]
    assert not found, "paths or addresses of one machine; write them relative to the project, or do not show them:\n" + "\n".join(found)


def test_commands_that_are_advised_can_be_followed():
    """The package is on no index, so that an extra is installed from its folder; the command of huggingface_hub is `hf`."""
    wrong = re.compile("bleu_" + r"lit\[\w+\]['\"`]|huggingface-" + "cli")
    pages = [(path.name, path.read_text(encoding="utf-8")) for path in book.NBS.glob("*.qmd")]
    found = [f"{place}: {match[0]}" for place, text in [*tracked_text(), *pages] for match in wrong.finditer(text)]
    assert not found, f"say pip install PACKAGE or pip install '.[EXTRA]' in the folder of bleu_lit, and hf download: {found}"


def test_relative_links_lead_to_files():
    pages = [*book.ROOT.glob("*.md"), *book.NBS.glob("*.qmd"), *book.NBS.glob("*.ipynb")]
    dead = []
    for path in pages:
        texts = [cell.source for cell in book.read(path).cells if cell.kind == "markdown"] if path.suffix == ".ipynb" else [path.read_text(encoding="utf-8")]
        for link in (link for text in texts for link in re.findall(r"\]\(([^)\s]+)\)", book.without_code(text, inline=True))):
            if not re.match(r"[a-z]+:|#", link) and not (path.parent / link.split("#")[0]).exists():
                dead.append(f"{path.name}: {link}")
    assert not dead, f"links to no file: {dead}"


@each_notebook
def test_a_page_takes_a_quarter_of_an_hour(notebook):
    minutes = reading.minutes(notebook)
    assert minutes <= 15, f"{notebook.name} takes {minutes:.1f} minutes to read, by tools/reading.py. Cut what is said twice, or split the page at a seam"
