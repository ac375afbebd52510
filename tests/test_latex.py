"""The LaTeX source of derivations is compiled for real, where a TeX is installed: nothing is refused, nothing is lost, nothing leaves the paper.

On Debian: apt-get install texlive-latex-recommended texlive-xetex texlive-luatex lmodern poppler-utils fonts-dejavu-core fonts-noto-cjk. What is not
installed is skipped.

What was found, and holds here: pdfLaTeX takes ASCII and the letters of Latin scripts with T1, and stops with an error at any other letter; XeLaTeX and
LuaLaTeX take every letter that the chosen fonts have, and say "Missing character" in the log, without an error, where they have none. XeLaTeX sets the
letters of a Hebrew word as they are read; LuaLaTeX needs `\\usepackage[bidi=basic]{babel}` for that.
"""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from bleu_lit import PAPER, explain, explain_corpus
from bleu_lit.explain import EXAMPLES
from bleu_lit.report import compare

DEMO = Path(__file__).resolve().parent.parent / "bleu_lit" / "data" / "demo"
HOSTILE = r"$ \ { } % # _ ^ ~ & < > | [ ] \" ` -- --- ?` !` ,, << >> $$ %% ^^41 \\ \end{itemize} \input{x} \verb|x| \begin{longtable} @ * § ß é".split()
LATIN = r"\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{amsmath,longtable}"
ANY = r"\usepackage{fontspec,amsmath,longtable}\setmainfont{DejaVu Serif}\setmonofont{%s}"


@cache
def fonts() -> str:
    """The families that are installed."""
    return subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=False).stdout if shutil.which("fc-list") else ""


def compiled(source: str, folder: Path, engine: str = "pdflatex", preamble: str = LATIN) -> tuple[int, str, str]:
    """The status, the log, and the text of the pages if there is a program that reads it."""
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    paper = "\n".join([r"\documentclass{article}", preamble, r"\begin{document}", source, r"\end{document}"])
    (folder / "paper.tex").write_text(paper, encoding="utf-8")
    for _ in range(2):  # a longtable learns its widths in the first run
        run = subprocess.run([engine, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=folder, capture_output=True, check=False)
        log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
        if missing := re.search(r"File `[^']+' not found|The font \"[^\"]+\" cannot be found", log):
            pytest.skip(f"{engine}: {missing[0]}")
        if run.returncode:
            return run.returncode, log, ""
    text = ""
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", "-enc", "UTF-8", "paper.pdf", "-"], cwd=folder, capture_output=True, check=True).stdout.decode("utf-8")
    return 0, log, text


def sound(status: int, log: str) -> None:
    """No error, no letter without a shape, and nothing beyond the edge: the paper ends 130 points from the text."""
    assert status == 0, log[log.find("\n!") :][:600]
    assert "Missing character" not in log, re.findall(r"Missing character.*", log)[:3]
    wide = [float(points) for points in re.findall(r"^Overfull \\hbox \(([\d.]+)pt", log, re.M)]
    assert max(wide, default=0) < 60, f"something stands {max(wide)} pt beyond the text"


def test_every_kind_of_derivation_in_one_paper(tmp_path):
    cat = ("the cat sat on a mat", ["the cat sat there on mat"])
    smoothed = [explain(*cat, smooth=name) for name in ("floor", "add-k", "exp", "length", "average", "interpolate", "average-length", "add-one-all")]
    zeros = [explain("the cat", ["a dog ran"], PAPER), explain("", ["a dog"], PAPER), explain("the cat", ["the cat"], PAPER)]
    found = [example.explain() for example in EXAMPLES.values()] + smoothed + zeros
    status, log, text = compiled("\n\\newpage\n".join(one.latex(full=True) for one in found), tmp_path)
    sound(status, log)
    assert not text or ("BLEU = 54.11 %" in text and text.count("6 Combine") == len(found) and "too short" in text)


def test_a_corpus(tmp_path):
    a, first, second = ((DEMO / name).read_text(encoding="utf-8").splitlines() for name in ("system_a.txt", "ref_a.txt", "ref_b.txt"))
    found = explain_corpus(a, [list(group) for group in zip(first, second, strict=True)])
    status, log, text = compiled(found.latex(full=True), tmp_path)
    sound(status, log)
    assert not text or all(word in text for word in ("7 Segments", "order 4", "Leipzig"))


def test_hostile_tokens_come_out_as_they_are(tmp_path):
    status, log, text = compiled(explain([*HOSTILE, "x"], [[*HOSTILE, "y"]], max_order=1).latex(full=True), tmp_path)
    sound(status, log)
    if not text:
        pytest.skip("pdftotext is not installed")
    shown = {line.split()[0] for line in text.split("3 Clip")[1].split("4 Precision")[0].splitlines() if len(line.split()) >= 6}
    assert set(HOSTILE) <= shown, f"not in the pages as they are: {set(HOSTILE) - shown}"


def test_quotes_and_dashes_keep_apart(tmp_path):
    """Two different tokens look different."""
    tokens = ["'", "\u2019", "\u2013", "--"]
    status, _, text = compiled(explain([*tokens, "x"], [[*tokens, "y"]], max_order=1).latex(full=True), tmp_path)
    assert status == 0
    shown = {line.split()[0] for line in text.split("3 Clip")[1].split("4 Precision")[0].splitlines() if len(line.split()) >= 6}
    assert set(tokens) <= shown


SCRIPTS = {
    "Bulgarian": ("DejaVu Sans Mono", "Котката седи на килима", "Котката седеше на килима"),
    "Greek": ("DejaVu Sans Mono", "η γάτα κάθεται", "η γάτα καθόταν"),
    "Hebrew": ("DejaVu Sans", "החתול ישב על השטיח", "החתול יושב על השטיח"),
    "Chinese": ("Noto Sans Mono CJK SC", "今天天气很好" * 12, "今天的天气很好" * 12),
    "Japanese": ("Noto Sans Mono CJK JP", "猫がマットの上に座った。", "猫はマットの上にいた。"),
    "combining marks": ("DejaVu Sans Mono", "e\u0301 \u0301x a\u202eb \u200b", "e\u0301 x"),
}


@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_other_letters_with_a_font_that_has_them(script, engine, tmp_path):
    font, candidate, reference = SCRIPTS[script]
    if font not in fonts() or "DejaVu Serif" not in fonts():
        pytest.skip(f"the font {font} is not installed")
    found = explain(candidate, [reference], tokenize="char" if script in ("Chinese", "Japanese") else "none", max_order=2)
    status, log, text = compiled(found.latex(), tmp_path, engine, ANY % font)
    sound(status, log)
    assert not text or script in ("Hebrew", "combining marks") or all(token in text for token in found.candidate)


def test_pdflatex_refuses_other_letters_aloud(tmp_path):
    """A letter that it has no shape for is an error, never a gap in the page."""
    status, log, _ = compiled(explain("猫 a", ["猫 b"], max_order=1).latex(), tmp_path)
    assert status and "Unicode character" in log


def test_a_report_in_a_paper(tmp_path):
    texts = {"new & old_1": ["the cat sat on the mat", "it rains"] * 3, "<b>100 %": ["a cat sat", "rain #1 {x}"] * 3}
    report = compare(texts, [["the cat is on the mat"], ["it rains"]] * 3, metrics=["chrf", "nist"], samples=20)
    status, log, text = compiled(report.latex(), tmp_path, preamble=LATIN + "\n\\usepackage{booktabs}")
    assert status == 0, log[log.find("\n!") :][:600]
    assert not text or all(said in re.sub(r"\s+", " ", text) for said in ("chrF2", "NIST", "percentile bootstrap, 1000 samples", "20 assignments"))
