"""The package as a wheel, made from what lies here: the same bytes for the same files. The site serves it to be installed, and to its notebooks."""

import base64
import hashlib
import zipfile
from configparser import ConfigParser
from pathlib import Path

from tools import book

COMPILED = {".c", ".h", ".o", ".so", ".pyd", ".dll", ".dylib"}  # this wheel is for every machine, and the package does without


def config() -> dict[str, str]:
    """What settings.ini says."""
    parser = ConfigParser(delimiters=["="], interpolation=None)
    parser.read(book.ROOT / "settings.ini", encoding="utf-8")
    return dict(parser["DEFAULT"])


def extras(settings: dict[str, str]) -> dict[str, list[str]]:
    """The extras for those who use the package, with what each installs; those for people who change it are left out."""
    inner = {"notebooks", "test", "lab", "docs", "site", "peers"}
    found = {name.removesuffix("_requirements"): value.split() for name, value in settings.items() if name.endswith("_requirements")}
    return {name: wanted for name, wanted in found.items() if name not in inner and wanted}


def metadata(settings: dict[str, str]) -> str:
    """What pip reads."""
    lines = ["Metadata-Version: 2.1", f"Name: {settings['lib_name']}", f"Version: {settings['version']}", f"Summary: {settings['description']}"]
    lines += [f"Author: {settings['author']}", "License: MIT", f"Requires-Python: >={settings['min_python']}"]
    lines += [f"Requires-Dist: {wanted}" for wanted in settings["requirements"].split()]
    for name, wanted in extras(settings).items():
        lines += [f"Provides-Extra: {name}", *(f'Requires-Dist: {one}; extra == "{name}"' for one in wanted)]
    readme = (book.ROOT / "README.md").read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def entry_points(settings: dict[str, str]) -> str:
    """The command, and the plugin of pytest."""
    commands = "\n".join(line.replace("=", " = ", 1) for line in settings["console_scripts"].split())
    return f"[console_scripts]\n{commands}\n\n[pytest11]\nbleu_lit = bleu_lit.pytest_plugin\n"


def name() -> str:
    """The wheel's file name."""
    return f"bleu_lit-{config()['version']}-py3-none-any.whl"


def build(folder: Path) -> Path:
    """Write the wheel."""
    settings = config()
    info = f"bleu_lit-{settings['version']}.dist-info"
    paths = [path for path in sorted(book.PACKAGE.rglob("*")) if path.is_file() and "__pycache__" not in path.parts and path.suffix not in COMPILED]
    files = {path.relative_to(book.ROOT).as_posix(): path.read_bytes() for path in paths}
    files[f"{info}/METADATA"] = metadata(settings).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: bleu_lit\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = entry_points(settings).encode()
    files[f"{info}/LICENSE"] = (book.ROOT / "LICENSE").read_bytes()
    record = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data in files.items():
            archive.writestr(zipfile.ZipInfo(file, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return path
