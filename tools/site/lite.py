"""The notebooks in the reader's browser: JupyterLite with Pyodide, in `_docs/lite/`, from files that are all served from there.

What npm and PyPI give is kept in `.cache/site/` and must have the hashes of `lock.json`. Pyodide's own list of packages is cut down to what is served: a
package that is not there is then an ImportError, which the notebooks expect, and no request to another host.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tools import book
from tools.site import navigation, stage, wheel

CACHE = Path(os.environ.get("BLEU_LIT_SITE_CACHE") or book.ROOT / ".cache" / "site")
LOCK = Path(__file__).parent / "lock.json"
REGISTRY = "https://registry.npmjs.org"
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
PYODIDE_FILES = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs", "python_stdlib.zip")
LINK = stage.LITE
WELCOME = "welcome.ipynb"
WELCOMING = f'if (!/[?&](path|reset|clone)/.test(location.search)) history.replaceState(null, "", "?path={WELCOME}");'  # or the lab opens on nothing
EPOCH = "2026-01-01T00:00:00Z"


class UnreachableError(Exception):
    """A file can be had neither from the cache nor from its registry."""


@dataclass(frozen=True)
class Downloads:
    """Where the verified files lie."""

    pyodide: Path  # the folder of npm's package
    wheels: dict[str, Path]  # by the name that Pyodide's lock has


def sha256(path: Path) -> str:
    """The hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def locked() -> dict:
    """What may be downloaded, with versions and hashes."""
    return json.loads(LOCK.read_text(encoding="utf-8"))


def npm(name: str) -> Path:
    """The unpacked folder of a package of npm, from the cache or from the registry."""
    entry = locked()["npm"][name]
    archive = CACHE / f"{name}-{entry['version']}.tgz"
    if not archive.exists() or sha256(archive) != entry["sha256"]:
        fetch_npm(name, entry["version"], archive)
        if sha256(archive) != entry["sha256"]:
            found = sha256(archive)
            archive.unlink()
            raise UnreachableError(f"npm's {name} {entry['version']} has the hash {found}, and {LOCK.name} says {entry['sha256']}")
    folder = CACHE / f"{name}-{entry['version']}"
    stamp = folder / ".sha256"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != entry["sha256"]:
        shutil.rmtree(folder, ignore_errors=True)
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        stamp.write_text(entry["sha256"], encoding="utf-8")
    return folder / "package"


def fetch_npm(name: str, version: str, archive: Path) -> None:
    """Download a package by npm where there is npm, else from the registry."""
    CACHE.mkdir(parents=True, exist_ok=True)
    print(f"downloading {name} {version} from npm", flush=True)
    if shutil.which("npm"):
        command = ["npm", "pack", "--silent", f"{name}@{version}", "--pack-destination", str(CACHE)]
        run = subprocess.run(command, cwd=CACHE, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if run.returncode == 0 and archive.exists():
            return
        said = (run.stderr or run.stdout).strip().splitlines()
        reason = said[-1] if said else f"npm ended with status {run.returncode}"
    else:
        reason = "there is no npm"
    try:
        with urllib.request.urlopen(f"{REGISTRY}/{name}/-/{name}-{version}.tgz", timeout=60) as stream:
            archive.write_bytes(stream.read())
    except (urllib.error.URLError, OSError) as error:
        raise UnreachableError(f"{name} {version} cannot be had from npm ({reason}; {error}), and it is not in {CACHE}") from error


def wheels() -> dict[str, Path]:
    """The wheels that the kernel needs, from the cache or from PyPI."""
    entries, folder = locked()["wheels"], CACHE / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    missing = {name: entry for name, entry in entries.items() if not (folder / entry["file"]).exists() or sha256(folder / entry["file"]) != entry["sha256"]}
    if missing:
        print(f"downloading {len(missing)} wheels from PyPI", flush=True)
        wanted = CACHE / "wheels.txt"
        wanted.write_text("".join(f"{name}=={entry['version']} --hash=sha256:{entry['sha256']}\n" for name, entry in missing.items()), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps", "--require-hashes"]
        command += ["--only-binary", ":all:", "--python-version", "3.14", "--implementation", "py", "--abi", "none", "--platform", "any"]
        command += ["--dest", str(folder), "--requirement", str(wanted)]
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if run.returncode:
            said = [line for line in run.stderr.splitlines() if line.startswith("ERROR")]
            raise UnreachableError(f"wheels cannot be had from PyPI: {said[-1] if said else run.stderr.strip()[-300:]}")
    return {name: folder / entry["file"] for name, entry in entries.items()}


def downloads() -> Downloads:
    """Everything that JupyterLite needs beyond what pip has installed."""
    return Downloads(npm("pyodide"), wheels())


# ---- The site


def pyodide_lock(original: dict, served: dict[str, Path], own: Path) -> dict:
    """Pyodide's list of packages, cut down to the wheels that are served, with their hashes."""
    entries, packages = locked()["wheels"], {}
    for name, path in served.items():
        entry = entries[name]
        packages[name] = package(name, entry["version"], path, entry["depends"], entry["imports"])
    needs = ["ipywidgets"]  # the explorer asks for it, and the kernel loads only what a cell itself imports
    packages["bleu-lit"] = package("bleu-lit", own.name.split("-")[1], own, needs, ["bleu_lit"])
    return {"info": original["info"], "packages": packages}


def package(name: str, version: str, path: Path, depends: list[str], imports: list[str]) -> dict:
    """One entry of Pyodide's list."""
    return {
        "name": name, "version": version, "file_name": path.name, "sha256": sha256(path), "install_dir": "site", "package_type": "package",
        "unvendored_tests": False, "depends": depends, "imports": imports,
    }  # fmt: skip


def write_json(path: Path, content: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def build(out: Path, found: Downloads) -> None:
    """Build JupyterLite with the notebooks of nbs/; what stands already for the same versions is kept."""
    application(out)
    runtime(out / "static" / "pyodide", found)
    contents(out)


def application(out: Path) -> None:
    """The application's own files, made by `jupyter lite build`."""
    import jupyterlite_core
    import jupyterlite_pyodide_kernel

    state = json.dumps([jupyterlite_core.__version__, jupyterlite_pyodide_kernel.__version__, sha256(Path(__file__))])
    stamp = out / ".made-from.json"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
        return
    shutil.rmtree(out, ignore_errors=True)
    work = book.ROOT / "_proc" / "lite"
    shutil.rmtree(work, ignore_errors=True)
    kernel = {"pyodideUrl": "./static/pyodide/pyodide.mjs", "disablePyPIFallback": True}
    kernel["loadPyodideOptions"] = {"lockFileURL": "./static/pyodide/pyodide-lock.json"}
    data = {"appName": "bleu_lit", "litePluginSettings": {KERNEL: kernel}, "enableMemoryStorage": True, "contentsAllJsonFile": "all.json"}
    write_json(work / "jupyter-lite.json", {"jupyter-lite-schema-version": 0, "jupyter-config-data": data})
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(work), "--output-dir", str(out)]
    command += ["--apps", "lab", "--apps", "notebooks", "--apps", "tree", "--no-sourcemaps", "--no-unused-shared-packages"]
    run = subprocess.run(command, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode or not (out / "lab" / "index.html").exists():
        raise RuntimeError(f"jupyter lite build ended with status {run.returncode}:\n{run.stdout[-3000:]}{run.stderr[-3000:]}")
    for name in ("busy-1", "busy-2", "busy-3", "notebook", "file", "terminal"):
        (out / "static" / "favicons").mkdir(parents=True, exist_ok=True)
        shutil.copy(out / "lab" / "favicon.ico", out / "static" / "favicons" / f"favicon-{name}.ico")
    for path in out.rglob("index.html"):  # or the browser asks the host for an icon of its own
        icon = "../" * len(path.relative_to(out).parts) + "favicon.svg"
        page = path.read_text(encoding="utf-8")
        head = f'<head>\n    <link rel="icon" href="{icon}">' + (f"\n    <script>{WELCOMING}</script>" if path.parent.name == "lab" else "")
        path.write_text(page.replace("<head>", head, 1), encoding="utf-8")
    stamp.write_text(state, encoding="utf-8")


def runtime(folder: Path, found: Downloads) -> None:
    """Pyodide and the wheels."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in PYODIDE_FILES:
        shutil.copy(found.pyodide / name, folder)
    for path in found.wheels.values():
        shutil.copy(path, folder)
    original = json.loads((found.pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    write_json(folder / "pyodide-lock.json", pyodide_lock(original, found.wheels, wheel.build(folder)))


def copied(notebook: book.Notebook, known: stage.Book) -> dict:
    """A notebook for JupyterLite: every cell as it is, texts in one piece, the kernel's name there, and the numbers of equations in place of their anchors."""
    content = json.loads(json.dumps(notebook.raw))
    content["metadata"]["kernelspec"] = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
    for cell in content["cells"]:
        cell["source"] = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = numbered(cell["source"], known)
        for output in cell.get("outputs", []):
            if "text" in output:
                output["text"] = "".join(output["text"])
            output.update({"data": {kind: "".join(text) for kind, text in output["data"].items()}} if "data" in output else {})
    return content


def numbered(markdown: str, known: stage.Book) -> str:
    """Markdown whose equations have numbers, since JupyterLab knows no anchors."""

    def tagged(match: re.Match) -> str:
        equation = known.equations.get(match["anchor"] or "")
        return f"$${match['tex'].rstrip()} \\tag{{{equation.number}}}$$" if equation else match[0]

    def change(part: str) -> str:
        part = re.sub(stage.DISPLAY, tagged, part, flags=re.S)
        part = re.sub(r"\[([^\]]*)\]\([\w-]+\.qmd(?:#[^)]*)?\)", r"\1", part)  # a page of the site is no file of the lab
        part = re.sub(rf"@({stage.ANCHOR})", lambda match: f"Equation {known.equations[match[1]].number}", part)
        return re.sub(r"^(#{1,6} .+?)[ \t]*\{#[\w-]+\}[ \t]*$", r"\1", part, flags=re.M)

    return stage.outside_code(markdown, change)


def welcome(notebooks: list[book.Notebook]) -> dict:
    """The notebook that the lab opens on: what it is, a cell to try, and every other notebook by the sections of the site."""
    others = [notebook for notebook in notebooks if notebook.name != "index.ipynb"]
    groups = list(navigation.sections())
    named = set().union(*(names for _, names in groups))
    listing = navigation.listing([*groups, ("More", [notebook.name for notebook in others if notebook.name not in named])], others)
    cells = [
        ("markdown", "welcome", f"# Welcome to bleu_lit\n\n{HELLO}"),
        ("code", "try-it", TRY),
        ("markdown", "why", "Change the sentences and run the cell again. What you change stays in this browser, and nothing is sent anywhere."),
        ("markdown", "notebooks", listing.strip()),
    ]
    made = [{"cell_type": kind, "id": name, "metadata": {}, "source": text} for kind, name, text in cells]
    made = [cell | ({"execution_count": None, "outputs": []} if cell["cell_type"] == "code" else {}) for cell in made]
    kernel = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


HELLO = """\
Python runs in this page: nothing has to be installed. Click into the cell below and press **Shift+Enter**.
The first run takes some seconds, until Python is there.

Every notebook of the book is in the list on the left, and further down by subject. To run all of one: menu **Run**, then **Run All Cells**."""

TRY = """\
from bleu_lit import explain, sentence_bleu

candidate = "The cat sat on the mat."
references = ["The cat is on the mat.", "There is a cat on the mat."]

print(sentence_bleu(candidate, references))
explain(candidate, references)"""


def contents(out: Path) -> None:
    """The notebooks as JupyterLite's file browser lists them."""
    files = out / "files"
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir(parents=True)
    listed, notebooks = [], book.notebooks()
    known = stage.survey(notebooks, lite=True)
    for name, content in [(WELCOME, welcome(notebooks)), *((notebook.name, copied(notebook, known)) for notebook in notebooks)]:
        path = files / name
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        listed.append({
            "name": path.name, "path": path.name, "type": "notebook", "format": None, "mimetype": None, "content": None, "writable": True,
            "created": EPOCH, "last_modified": EPOCH, "size": path.stat().st_size,
        })  # fmt: skip
    folder = {"name": "", "path": "", "type": "directory", "format": "json", "mimetype": None, "writable": True, "size": None}
    folder |= {"created": EPOCH, "last_modified": EPOCH}
    write_json(out / "api" / "contents" / "all.json", folder | {"content": listed})
