"""Build the site: stage the pages, render them, finish them, add the notebooks that run in the browser."""

import contextlib
import io
import shutil
import subprocess
import time
from pathlib import Path

import yaml

from tools import book
from tools.site import finish, lite, navigation, pages, stage, wheel

OUT = book.ROOT / "_docs"
PROC = book.ROOT / "_proc"
RENDERED = PROC / "_site"
THEME = Path(__file__).parent / "theme"
ASSETS = ("site.css", "site.js", "search.js", "favicon.svg")


class SiteError(Exception):
    """The site cannot be built; the text says why and what to do."""


def staged_configuration(there: set[str], renderer: str, with_lite: bool) -> dict:
    """`_quarto.yml` for the folder of staged pages."""
    config = navigation.staged(there)
    site = config["website"]
    if with_lite:
        site["navbar"]["right"] = [{"text": "Run it", "href": stage.LAB}]
    site["favicon"] = "favicon.svg"
    options = config["format"]["html"]
    options["css"] = "site.css"
    options["toc-depth"] = 3
    config["project"] = {"type": "website", "output-dir": RENDERED.name, "resources": [*ASSETS]}
    options["include-after-body"] = {"text": '<script src="site.js" defer></script><script src="search.js" defer></script>'}
    if renderer == "quarto":
        config["project"]["render"] = sorted(there)
        options["html-math-method"] = {"method": "katex", "url": "katex/"}
        options["theme"] = {"light": ["default", "light.scss"], "dark": ["default", "dark.scss"]}
        options["respect-user-color-scheme"] = True  # as smalldocs does unasked
    else:
        options["theme"] = {"light": "light.css", "dark": "dark.css"}
        options.pop("html-math-method", None)
        config.pop("crossref", None)
    return config


def stage_site(renderer: str, with_lite: bool) -> None:
    """Write every page, and what pages need, to `_proc/`."""
    shutil.rmtree(PROC, ignore_errors=True)
    PROC.mkdir()
    notebooks = book.notebooks()
    known = stage.survey(notebooks, with_lite)
    texts = {}
    for notebook in notebooks:
        name = f"{stage.page_name(notebook.name)}.qmd"
        if name in texts:
            raise SiteError(f"two notebooks give the page {name}; rename nbs/{notebook.name}")
        texts[name] = front_page(notebook, known) if name == "index.qmd" else stage.page(notebook, known)
    for path in pages.sources():
        if path.name in texts:
            raise SiteError(f"nbs/{path.name} and a notebook give the same page; rename one of them")
        texts[path.name] = stage.links(pages.fill(path.read_text(encoding="utf-8"), known))
    for name, text in texts.items():
        (PROC / name).write_text(text, encoding="utf-8")
    config = staged_configuration(set(texts), renderer, with_lite)
    (PROC / "_quarto.yml").write_text(yaml.safe_dump(config, sort_keys=False, allow_unicode=True), encoding="utf-8")
    shutil.copytree(book.NBS / "katex", PROC / "katex")
    for name in ASSETS:
        shutil.copy(THEME / name, PROC)


def front_page(notebook: book.Notebook, known: stage.Book) -> str:
    """The index as the first page: its title and purpose, an example, three doors, then the notebook."""
    text = stage.page(notebook, known)
    doors = (THEME / "front.html").read_text(encoding="utf-8")
    run = f'<a class="door-more" href="{stage.LITE}13_bleu.ipynb">or run a notebook in this browser</a>' if known.lite else ""
    doors = doors.replace("<!-- example -->", pages.first_example()).replace("<!-- run -->", run)
    title, purpose = stage.title_and_purpose(notebook)
    head = stage.front(title, purpose)
    body = text.removeprefix(stage.front(title, purpose)).replace(stage.actions(notebook, known.lite), stage.raw(doors))
    return f"{head}\n{body}"


def dark_theme(bootstrap: str) -> str:
    """Bootstrap's style sheet with its own dark colours as the ones at the root."""
    return bootstrap.replace("[data-bs-theme=dark]", ":root").replace(":root,[data-bs-theme=light]", ":root")


def mended_dollarmath(parser, **options) -> None:
    """The plugin for `$…$`, which takes a `$` at the very beginning of a text for one behind a digit when the text ends in a digit."""
    mended_dollarmath.original(parser, **options)
    rule = next(found.fn for found in parser.inline.ruler.__rules__ if found.name == "math_inline")

    def mended(state, silent):
        text, at_start = state.src, state.pos == 0
        state.src = f"{text}\n" if at_start else text
        try:
            return rule(state, silent)
        finally:
            state.src = text

    parser.inline.ruler.at("math_inline", mended)


def render_by_smalldocs() -> None:
    """Render `_proc/` in this Python."""
    try:
        from smalldocs import layout, markdown, site
    except ImportError as error:
        raise SiteError(f"{error}. The site needs what the extra `docs` installs: pip install -e '.[docs]'") from error
    bootstrap = (Path(site.ASSETS) / "vendor" / "bootstrap" / "bootstrap.min.css").read_text(encoding="utf-8")
    for name, base in (("light.css", bootstrap), ("dark.css", dark_theme(bootstrap))):
        (PROC / name).write_text(f"{base}\n{(THEME / name).read_text(encoding='utf-8')}", encoding="utf-8")
    layout.KATEX = "katex"  # every page lies beside it
    if markdown.dollarmath_plugin is not mended_dollarmath:
        mended_dollarmath.original = markdown.dollarmath_plugin
        markdown.dollarmath_plugin = mended_dollarmath
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        built = site.build(PROC, quiet=True)
    for warning in built.warnings:
        if "broken link" not in warning:  # finish.check_links looks at the finished site, and knows the parts that are added later
            print(f"smalldocs: {warning}")


def render_by_quarto(quarto: str) -> None:
    """Render `_proc/` by Quarto."""
    for name, background, text in (("light", "#fdfcfa", "#23272e"), ("dark", "#15191e", "#d5dae0")):
        rules = (THEME / f"{name}.css").read_text(encoding="utf-8")
        scss = f"/*-- scss:defaults --*/\n$body-bg: {background};\n$body-color: {text};\n/*-- scss:rules --*/\n{rules}"
        (PROC / f"{name}.scss").write_text(scss, encoding="utf-8")
    run = subprocess.run([quarto, "render", str(PROC)], stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8")
    if run.returncode:
        raise SiteError(f"quarto render ended with status {run.returncode}:\n{run.stdout}{run.stderr}")


def empty(folder: Path, keep: set[str]) -> None:
    """Remove what an earlier build left, apart from what is kept."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.name not in keep:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def build(with_lite: bool = True, renderer: str | None = None) -> int:
    """Build everything; the number of pages."""
    started = time.monotonic()
    quarto = shutil.which("quarto")
    renderer = renderer or ("quarto" if quarto else "smalldocs")
    downloads = None
    if with_lite:
        try:
            downloads = lite.downloads()
        except lite.UnreachableError as error:
            print(f"note: the site is built without the notebooks that run in the browser: {error}")
    print(f"staging the pages for {renderer}", flush=True)
    stage_site(renderer, downloads is not None)
    render_by_quarto(quarto or "quarto") if renderer == "quarto" else render_by_smalldocs()
    shutil.copytree(book.NBS / "katex", RENDERED / "katex", dirs_exist_ok=True)
    (RENDERED / "notebooks").mkdir(exist_ok=True)
    for notebook in book.notebooks():
        shutil.copyfile(notebook.path, RENDERED / "notebooks" / notebook.name)
    wheel.build(RENDERED / "download")
    count = finish.finish(RENDERED)
    empty(OUT, keep={"lite"} if downloads else set())
    for path in RENDERED.iterdir():
        path.rename(OUT / path.name)
    print(f"{count} pages are rendered ({time.monotonic() - started:.0f} s)", flush=True)
    if downloads:
        lite.build(OUT / "lite", downloads)
        print(f"the notebooks run in the browser ({time.monotonic() - started:.0f} s)", flush=True)
    faults = finish.check_links(OUT)
    if faults:
        raise SiteError("links that lead nowhere:\n" + "\n".join(faults))
    files = sum(1 for path in OUT.rglob("*") if path.is_file())
    print(f"_docs/ is built: {count} pages, {files} files, {time.monotonic() - started:.0f} s. See it with: make docs-serve")
    return count
