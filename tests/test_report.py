"""The report on several systems: what it says is what the functions below it compute, and it can be set in any form."""

import csv
import html
import io
import json
import re
import subprocess
import sys
from contextlib import contextmanager
from enum import Enum
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

import bleu_lit
from bleu_lit import plots
from bleu_lit.chrf import ChrF
from bleu_lit.cli import main
from bleu_lit.compare import difference_interval
from bleu_lit.core import BleuInputError, LengthMismatchError, SettingsError, UnknownNameError
from bleu_lit.corpus_explorer import CorpusExplorer, differences
from bleu_lit.frequency import digits_for, frequency_table
from bleu_lit.metric import Bleu, MetricScore
from bleu_lit.report import Report, compare, lines_as, metric_lines
from bleu_lit.report_forms import report_blocks
from bleu_lit.score import corpus_bleu, segment_stats, sentence_scores
from bleu_lit.settings import PAPER, signature
from bleu_lit.systems import check_systems
from bleu_lit.ter import Ter
from bleu_lit.tokens import tokenize

DEMO = Path(bleu_lit.__file__).parent / "data" / "demo"
SYSTEMS = {name: (DEMO / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("system_a", "system_b")}
GROUPS = list(zip(*((DEMO / f"ref_{x}.txt").read_text(encoding="utf-8").splitlines() for x in "ab"), strict=True))
HOSTILE = ["<script>alert(1)</script>", "a | b $x$ `y` \\z", "\u202eabc", "{curly} & % # _ ^ ~", ""]


@pytest.fixture(scope="module")
def report() -> Report:
    return compare(SYSTEMS, GROUPS, samples=200)


def test_numbers_are_those_of_the_functions(report):
    assert report.names == sorted(SYSTEMS, key=lambda name: -corpus_bleu(SYSTEMS[name], GROUPS).value)
    for line in report.lines:
        score = corpus_bleu(SYSTEMS[line["system"]], GROUPS)
        assert line["bleu"] == score.percent and line["brevity_penalty"] == score.brevity_penalty
        assert line["low"] <= line["bleu"] <= line["high"]
        assert (line["candidate_length"], line["reference_length"]) == (score.candidate_length, score.reference_length)
    one, other = (sentence_scores(SYSTEMS[name], GROUPS) for name in ("system_b", "system_a"))
    won, tied, lost = report.wins["system_b"]
    assert won == sum(a > b for a, b in zip(one, other, strict=True)) and won + tied + lost == 30
    gaps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    assert [row["segment"] - 1 for row in report.differing] == sorted(range(30), key=lambda i: -gaps[i])[:3]
    assert corpus_bleu(SYSTEMS["system_a"], GROUPS).signature.split("|")[0] in report.signature and "ar:200|seed:12345" in report.signature


def test_rounding_keeps_the_order():
    assert digits_for([1, 2]) == 2 and digits_for([]) == 2 and digits_for([0.001, 0.0011]) == 4
    assert digits_for([31.2, 31.2 + 1e-14]) == 2
    for values in ([0.123456, 0.123457, 0.2], [99.994, 99.996], [1e-9, 2e-9]):
        shown = [f"{value:.{digits_for(values)}f}" for value in values]
        assert len(set(shown)) == len(values)


def test_frequencies_by_hand():
    rows = frequency_table({"s": ["a a b", "c d"]}, [["a a a b"], ["c e"]], edges=(2,))
    assert [(row["from"], row["to"], row["tokens"], row["matched"]) for row in rows] == [(1, 1, 3, 2), (2, None, 3, 2)]  # b, c, e; a three times
    for edges in ((1,), (3, 2), (2, 2), (2.5,), (True,)):
        with pytest.raises(BleuInputError, match="edges"):
            frequency_table({"s": ["a"]}, [["a"]], edges=edges)


def test_forms(report):
    lines = list(csv.DictReader(io.StringIO(report.csv())))
    assert [float(line["bleu"]) for line in lines] == [line["bleu"] for line in report.lines]
    found = json.loads(report.json())
    assert found["systems"] == json.loads(json.dumps(report.lines)) and found["segments"] == 30 and found["baseline"] == "system_a"
    assert report.latex().count(r"\\") == 3 and r"\toprule" in report.latex() and r"system\_a" in report.latex()
    assert all(len(line) <= 80 for line in report.text(80).splitlines() if "nrefs:" not in line)
    assert "| system |" in report.markdown()


class Page(HTMLParser):
    """What a browser would make of a page: its tags, what it would load, and whether elements close."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.loads, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        outside = [value for name, value in attributes if name in ("src", "href", "srcset", "data", "action")]
        self.loads += [value for value in outside if not (value or "").startswith(("#", "data:"))]
        self.loads += [name for name, _ in attributes if name.startswith("on")]


def test_hostile_names_and_texts_are_shown_and_not_run():
    systems = {"<b>x</b>|$": HOSTILE, "plain": ["safe words here"] * 5}
    report = compare(systems, [[text, "another <img src=x onerror=alert(1)>"] for text in HOSTILE], samples=20, tokenize="none")
    page = Page(report.html())
    assert not {"script", "img", "b", "iframe", "link"} - {"link"} & set(page.tags) and not page.loads
    assert "&lt;script&gt;" in report.html() and "\u202e" not in report.html() + report.text() + report.markdown()
    assert "<script>" not in report.markdown() and not re.search(r"(?<!\\)[&#_]", re.sub(r"(?m)^%.*$| & ", "", report.latex()))


def test_signatures_can_be_copied_from_the_source_of_markdown():
    report = compare(SYSTEMS, GROUPS, samples=20, metrics=["chrf"])
    chrf = report.others["chrF2"].signature
    rows, _ = metric_lines(SYSTEMS, GROUPS, ["bleu", "chrf"])
    for page, lines in ((report.markdown(), (report.signature, chrf)), (lines_as(rows, "markdown"), [row["signature"] for row in rows])):
        assert all(f"\n\n`{line}`\n" in page for line in lines) and "&#58;" not in page
    assert chrf.startswith("metric:chrF2|nrefs:2|ar:20|seed:12345|")


def test_csv_and_json_have_the_signature_and_the_unit_of_each_metric():
    """What `score --metrics` says of each metric: its signature but for the part on the test, its unit and its value in that unit."""
    line = ("compare", "system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--metrics", "chrf,ter,nist", "--samples", "20", "--show", "0")
    (row, _), found = csv.DictReader(io.StringIO(command(*line, "--format", "csv").stdout)), json.loads(command(*line, "--format", "json").stdout)
    alone = json.loads(command("score", "system_a.txt", "-r", "ref_a.txt", "--metrics", "bleu,chrf,ter,nist", "--format", "json").stdout)
    units = {"%": "percent", "bits": "bits"}
    for one in alone["systems"][0]["metrics"]:
        name, key = one["metric"], one["metric"].lower()
        signature = row["signature" if name == "BLEU" else f"signature_{key}"]
        assert re.sub(r"\|ar:20\|seed:12345", "", signature) == one["signature"] and found["signatures"][name] == signature
        assert found["units"][key] == units[one["unit"]] and f"{key}: {units[one['unit']]}" in row["units"].split("; ")
        assert float(row[key]) == pytest.approx(one["reported"]) and found["systems"][0][key] == pytest.approx(one["reported"])
    assert list(row)[-4:] == ["signature", "signature_chrf2", "signature_ter", "signature_nist"] and found["signature"] == row["signature"]


def test_a_negative_number_in_latex_has_a_minus_sign():
    """As many minus signs as the rows of CSV have negative numbers; a hyphen is left in names alone."""
    report = compare({"a -1": SYSTEMS["system_a"], "b": SYSTEMS["system_b"]}, GROUPS, samples=20, metrics=["ter"])
    (other,) = [row for row in report.lines if row["difference"] is not None]
    negative = [value for name, value in other.items() if "difference" in name and value < 0]
    rows = "\n".join(re.findall(r"(?s)\\midrule\n(.*?)\\bottomrule", report.latex()))
    assert rows.count(r"\(-\)") == len(negative) == 3 and rows.count("a -1 &") == 2 and not re.search(r"-\d", rows.replace("a -1", ""))


HOW = "Intervals: {} %, percentile bootstrap, {} samples, seed 7. Test: {}. Correction of p: {}."  # what a sentence in a paper needs


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"test": "ar", "samples": 50}, ("95", 1000, "approximate randomisation, two-sided, 50 assignments, seed 7", "none, for one test")),
        ({"test": "bs", "samples": 60, "confidence": 0.9}, ("90", 60, "paired bootstrap, sacreBLEU's rule, 60 samples, seed 7", "none, for one test")),
        (
            {"test": "ar", "samples": 50, "third": True},
            ("95", 1000, "approximate randomisation, two-sided, 50 assignments, seed 7", "Holm's method for 2 tests"),
        ),
    ],
)
def test_every_form_says_how_it_was_made_and_shows_the_interval_of_the_difference(options, says):
    """The difference and its interval as `difference_interval` gives them, by every metric, in every form; and what was drawn, how often."""
    third = {"lower": [text.lower() for text in SYSTEMS["system_a"]]} if options.pop("third", False) else {}
    report = compare(SYSTEMS | third, GROUPS, seed=7, metrics=["ter"], **options)
    how, ter = HOW.format(*says), Ter()
    rows = {
        "BLEU": [segment_stats(SYSTEMS[name], GROUPS) for name in ("system_b", "system_a")],
        "TER": [ter.score(SYSTEMS[name], GROUPS).rows for name in ("system_b", "system_a")],
    }
    forms = {name: getattr(report, name)() for name in ("text", "markdown", "latex", "csv", "json", "html")}
    for form, shown in forms.items():
        plain = re.sub(r"\s+", " ", html.unescape(shown).replace(r"\%", "%").replace("\\'", "'"))
        assert how in plain, (form, plain)
    line = next(row for row in csv.DictReader(io.StringIO(forms["csv"])) if row["system"] == "system_b")
    plain = next(row for row in json.loads(forms["json"])["systems"] if row["system"] == "system_b")
    for metric, (key, score) in {"BLEU": ("", None), "TER": ("ter_", ter)}.items():
        gap = difference_interval(*rows[metric], score, samples=says[1], seed=7, confidence=options.get("confidence", 0.95))
        expected = [100 * gap.score, 100 * gap.low, 100 * gap.high]
        for row in (line, plain):
            assert [float(row[f"{key}difference{end}"]) for end in ("", "_low", "_high")] == pytest.approx(expected, rel=1e-12)
        for form in ("text", "markdown", "latex", "html"):
            assert f"{expected[1]:.2f} to {expected[2]:.2f}" in forms[form].replace(r"\(-\)", "-"), (form, metric)
    assert forms["latex"].count(r"\begin{tabular}") == 2 and forms["html"].count("with its intervals</title>") == 1


def test_the_sentence_for_a_paper_is_that_of_a_run():
    """The page on citing: each of its numbers is printed by the command that it names."""
    page = DEMO.parents[2] / "nbs" / "cite.qmd"
    if not page.exists():
        pytest.skip("the pages are not installed with the package")
    said = page.read_text(encoding="utf-8").partition("beside-every-difference")[2]
    line = re.search(r"`bleu-lit (compare system[^`]*)`", said)[1].split()
    sentence = re.search(r"^> (.*)$", said, re.M)[1]
    report = json.loads(command(*line, "--show", "0", "--format", "json").stdout)
    best, other = report["systems"]
    shown = re.sub(r"\s+", " ", command(*line, "--show", "0").stdout)
    assert f"A has {best['bleu']:.2f} BLEU and system B {other['bleu']:.2f}, a difference of {best['difference']:.2f} points" in sentence
    assert f"interval {best['difference_low']:.2f} to {best['difference_high']:.2f}" in sentence and "p < 0.0001" in sentence and best["p"] < 0.0001
    for words in (
        "percentile bootstrap, 1000 samples",
        "approximate randomisation, two-sided, 10000 assignments",
        "seed 12345",
        "30 segments",
        "55.97",
        "32.70",
    ):
        assert words in sentence and words in shown, words
    assert report["signature"].partition("|version")[0] in sentence


@pytest.mark.parametrize("names", [["system_a.txt", "system_b.txt"], ["system_b.txt"]])
def test_score_has_one_form_of_json_for_every_question(names):
    """The same keys, names of files, numbers of segments and units, whatever is asked; `value` is in [0, 1] and `percent` a hundred times that."""
    questions = {"corpus": [], "mean": ["--mean"], "orders": ["--orders"], "sentence": ["--sentence"], "metrics": ["--metrics", "bleu,chrf"]}
    found = {name: json.loads(command("score", *names, "-r", "ref_a.txt", *asked, "--format", "json").stdout) for name, asked in questions.items()}
    for question, document in found.items():
        assert set(document) - {"signature", "signatures"} == {"question", "segments", "references", "notes", "systems"} and document["question"] == question
        assert document["references"] == [str(DEMO / "ref_a.txt")] and document["segments"] == 30
        assert [system["system"] for system in document["systems"]] == [str(DEMO / name) for name in names]
        for system in document["systems"]:
            for row in system.get("orders", system.get("sentences", system.get("metrics", [system]))):
                assert 0 <= row["value"] <= 1 and row["percent"] == pytest.approx(100 * row["value"], rel=1e-12)
    assert found["metrics"]["systems"][0]["metrics"][0]["percent"] == found["corpus"]["systems"][0]["percent"]


def test_json_has_one_scale_under_a_name():
    """By length, one bucket alone has segments: its BLEU is that of the corpus, and recall in percent is 100 times matched over tokens."""
    short = {name: [texts[0]] * 3 for name, texts in SYSTEMS.items()}
    found = json.loads(compare(short, GROUPS[:1] * 3, samples=20).json())
    rows = {row["system"]: row["bleu"] for row in found["by_length"] if row["segments"]}
    assert rows == {row["system"]: row["bleu"] for row in found["systems"]} and rows["system_a"] == corpus_bleu(short["system_a"], GROUPS[:1] * 3).percent
    assert all(row["recall"] == pytest.approx(100 * row["matched"] / row["tokens"]) for row in found["by_frequency"] if row["tokens"])


def test_empty_buckets_are_named_and_not_drawn():
    short = {name: [texts[0]] * 3 for name, texts in SYSTEMS.items()}
    report = compare(short, GROUPS[:1] * 3, samples=20)
    empty = {f"{row['from']} to {row['to']} tokens" if row["to"] else f"{row['from']} tokens or more" for row in report.lengths if not row["segments"]}
    said = re.search(r"No segments: ([^.]*)\.", report.text(200))[1]
    assert set(said.split(", ")) == empty and len(empty) == 4
    assert "no segments" not in report.html() and said in report.html() and said in report.markdown()
    assert len(json.loads(report.json())["by_length"]) == 10  # five buckets of two systems: JSON keeps all


def test_blank_lines_are_told_with_whose_they_are():
    gaps = {"one": ["", *SYSTEMS["system_a"][1:]], "other": ["", "", *SYSTEMS["system_b"][2:]]}
    told = [note for note in compare(gaps, GROUPS, samples=20, metrics=["chrf"]).notes if "empty" in note]
    assert sorted(told) == ["one: 1 of 30 candidates is empty", "other: 2 of 30 candidates are empty"]
    assert sorted(note for note in metric_lines(gaps, GROUPS, ["bleu", "chrf"])[1] if "empty" in note) == sorted(told)
    alike = {"one": gaps["one"], "other": ["", *SYSTEMS["system_b"][1:]]}
    assert "all systems: 1 of 30 candidates is empty" in compare(alike, GROUPS, samples=20).notes
    blank = compare(SYSTEMS, [["", group[1]] if not i else group for i, group in enumerate(GROUPS)], samples=20).notes
    assert "1 of 60 references is empty" in blank
    alone = {"one": [""], "other": [""]}
    assert "all systems: 1 of 1 candidate is empty" in metric_lines(alone, [["a"]], ["bleu"])[1]


def test_a_page_in_a_browser_has_no_need_of_the_net(report):
    page = Page(report.html())
    assert not page.loads and page.tags.count("svg") >= 3 and report.html().count("<details><summary>Segment") == 3 and "default-src 'none'" in report.html()


def test_further_metrics():
    report = compare(SYSTEMS, GROUPS, samples=50, metrics=["chrf", "ter", "bleu"])
    assert list(report.others) == ["chrF2", "TER"] and any("lower is better" in note for note in report.notes)
    ter = report.others["TER"]
    assert ter.scores["system_a"].score < ter.scores["system_b"].score
    assert {"chrf2", "ter", "ter_p_adjusted"} <= report.lines[0].keys()


class Mean:
    """A metric whose corpus value is the mean of its segments' values."""

    name, direction, scale, needs, inputs = "words", "higher", 1, (), ("candidates", "references")

    def __init__(self, shift=0.0):
        self.shift = shift

    def signature(self, nrefs=1):
        return "metric:words"

    def score(self, candidates, references, sources=None):
        values = [float(len(text.split())) for text in candidates]
        return MetricScore("words", sum(values) / len(values) + self.shift, tuple(values), "metric:words", scale=1)


def test_metrics_without_sums():
    report = compare(SYSTEMS, GROUPS, samples=50, metrics=[Mean()])
    assert any("mean of its segments' values" in note for note in report.notes) and hasattr(report.others["words"], "tests")
    report = compare(SYSTEMS, GROUPS, samples=50, metrics=[Mean(1.0)])
    assert any("no interval and no test" in note for note in report.notes) and "words" in report.text() and report.html()
    assert report.lines[0]["words_p_adjusted"] is None


def test_tokens_can_be_given():
    tokens = {name: [text.split() for text in texts] for name, texts in SYSTEMS.items()}
    report = compare(tokens, [[text.split() for text in group] for group in GROUPS], samples=20)
    assert "tok:given" in report.signature and report.html() and report.text()


def test_bad_input():
    for wrong in ({}, {"a": SYSTEMS["system_a"]}, [SYSTEMS["system_a"]], "ab"):
        with pytest.raises(SettingsError, match="at least two systems"):
            compare(wrong, GROUPS)
    with pytest.raises(UnknownNameError, match="Did you mean 'system_b'"):
        compare(SYSTEMS, GROUPS, baseline="system_c")
    with pytest.raises(LengthMismatchError):
        compare(SYSTEMS | {"short": SYSTEMS["system_a"][:-1]}, GROUPS)
    for show in (-1, True, 1.5):
        with pytest.raises(SettingsError, match="show"):
            compare(SYSTEMS, GROUPS, show=show)
    for changes in ({"test": "t"}, {"correction": "bonferoni"}, {"metrics": ["chr"]}):
        with pytest.raises(UnknownNameError):
            compare(SYSTEMS, GROUPS, samples=10, **changes)


def test_lines_of_metrics():
    rows, _ = metric_lines(SYSTEMS, GROUPS, ["bleu", "chrf"])
    score = corpus_bleu(SYSTEMS["system_a"], GROUPS)
    assert (rows[0]["value"], rows[0]["percent"], rows[0]["reported"]) == (score.value, score.percent, score.percent)
    found = json.loads(lines_as(rows, "json", ["ref"], ["told"]))
    assert list(found) == ["question", "signatures", "segments", "references", "notes", "systems"] and found["segments"] == 30
    assert (found["references"], found["notes"], found["signatures"]["BLEU"]) == (["ref"], ["told"], score.signature)
    assert [one["system"] for one in found["systems"]] == ["system_a", "system_b"] and found["systems"][0]["metrics"][0]["value"] == score.value
    assert [row["system"] for row in csv.DictReader(io.StringIO(lines_as(rows, "csv")))] == ["system_a", "system_b"] * 2
    with pytest.raises(UnknownNameError):
        lines_as(rows, "html")


# ---- Names of systems


@pytest.mark.parametrize("name", ["n\x1b[31mX\x00\u202e", "n\ud800", "\udce4", "a\nb\rc", "\u0301accent", "=1+1", "zero\u200bwidth", "漢字"], ids=ascii)
def test_no_form_of_a_result_holds_what_a_terminal_obeys(name):
    """Every character is printable or a line break, every form can be encoded, and JSON gives the name back as it was."""
    texts, others, groups = ["the cat sat on the mat", "a b c d e"], ["the cat sat", "a b d e"], [["the cat sat on a mat"], ["a b c d f"]]
    report = compare({name: texts, "other": others}, groups, samples=20, metrics=["chrf"])
    rows, notes = metric_lines({name: texts, "other": others}, groups, ["bleu", "chrf"])
    forms = {form: getattr(report, form)() for form in ("text", "markdown", "latex", "csv", "json", "html", "_repr_markdown_")}
    forms |= {f"lines {form}": lines_as(rows, form, ["ref"], notes) for form in ("text", "json", "csv", "markdown")}
    forms |= {"comparison": str(report.comparison), "comparison json": report.comparison.to_json()}
    forms |= {"comparison markdown": report.comparison._repr_markdown_(), "test": str(report.comparison.tests[0]), "repr": repr(report)}
    for form, text in forms.items():
        assert all(c.isprintable() or c == "\n" for c in text), form
        assert text.encode("utf-8"), form
    assert json.loads(forms["json"])["baseline"] == name == json.loads(forms["lines json"])["systems"][0]["system"]
    assert name in json.loads(forms["comparison json"])["scores"]
    if name == "=1+1":
        assert "./=1+1," in forms["csv"]
    if name == "漢字":
        assert all(name in text for form, text in forms.items() if form != "repr")


# ---- The command


def command(*arguments):
    names = [str(DEMO / name) if name.endswith(".txt") and "/" not in name else name for name in arguments]
    return subprocess.run([sys.executable, "-m", "bleu_lit", *names], capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=False)


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json", "html"])
def test_compare_command(form, tmp_path):
    target = tmp_path / "report"
    done = command("compare", "system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--samples", "50", "--format", form, "-o", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "system" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["system_a.txt", "-r", "ref_a.txt"], "at least two systems"),
        (["system_a.txt", "system_a.txt", "-r", "ref_a.txt"], "each system once"),
        (["system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--baseline", "x"], "baseline"),
        (["system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--test", "t"], "test"),
        (["system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--samples", "0"], "samples"),
        (["system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--confidence", "2"], "confidence"),
        (["system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--format", "pdf"], "format"),
        (["system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--metrics", ","], "names of metrics"),
        (["system_a.txt", "/nowhere.txt", "-r", "ref_a.txt"], "no file of this name"),
    ],
)
def test_wrong_command_lines(arguments, says):
    done = command("compare", *arguments)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and says in done.stderr


def test_score_by_metrics():
    done = command("score", "system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--metrics", "bleu,chrf,ter", "--format", "json")
    systems = json.loads(done.stdout)["systems"]
    assert done.returncode == 0 and [[one["metric"] for one in system["metrics"]] for system in systems] == [["BLEU", "chrF2", "TER"]] * 2
    assert command("score", "system_a.txt", "-r", "ref_a.txt", "--metrics", "blue").stderr.count("\n") == 1
    assert main(["score", str(DEMO / "system_a.txt"), "-r", str(DEMO / "ref_a.txt"), "--metrics", "bleu", "--orders"]) == 2


# ---- What the report says, and to whom


ZERO = {"good": ["the cat sat on the mat", "it rains"], "bad": ["xxx yyy", "zzz"]}
ZERO_GROUPS = [["the cat sat on the mat"], ["it rains"]]


def test_a_score_of_zero_has_its_reason():
    report = compare(ZERO, ZERO_GROUPS, samples=50)
    said = corpus_bleu(ZERO["bad"], ZERO_GROUPS).notes[0]
    assert said.startswith("the score is 0 because") and f"bad: {said}" in report.notes
    assert f"bad: {said}" in json.loads(report.json())["notes"] and "the score is 0 because" in report.text(200) + report.markdown() + report.html()


def test_a_system_that_is_a_reference_is_told():
    mixed = {"mixed up": [group[1] for group in GROUPS], **SYSTEMS}
    assert [note for note in compare(mixed, GROUPS, samples=20).notes if "same text" in note] == ["mixed up: the same text as reference 2 in every segment"]
    assert not any("same text" in note for note in compare(SYSTEMS, GROUPS, samples=20).notes)
    _, notes = metric_lines(mixed, GROUPS, ["bleu"])
    assert "mixed up: the same text as reference 2 in every segment" in notes
    absent = [[None, "a"], ["b", "c"]]  # whose references have no common numbers once the absent one is gone
    assert not any("same text" in note for note in compare({"x": ["a", "b"], "y": ["a", "d"]}, absent, samples=20).notes)


@pytest.mark.parametrize(
    ("segments", "samples", "confidence", "few", "short"), [(29, 19, 0.95, True, False), (30, 18, 0.95, False, True), (30, 18, 0.9, False, False)]
)
def test_few_segments_and_few_samples_are_told(segments, samples, confidence, few, short):
    """With B samples the smallest p is 1/(B + 1): 1/20 reaches the level 0.05, 1/19 does not."""
    report = compare({name: texts[:segments] for name, texts in SYSTEMS.items()}, GROUPS[:segments], samples=samples, confidence=confidence)
    assert any("segments are few" in note for note in report.notes) == few
    assert any(f"with {samples} samples p cannot be below" in note for note in report.notes) == short
    assert min(test.p_value for test in report.comparison.tests) == pytest.approx(1 / (samples + 1))


def test_the_best_system_comes_first_in_every_table(report):
    third = {"system_b": SYSTEMS["system_b"], "lower": [text.lower() for text in SYSTEMS["system_a"]], "system_a": SYSTEMS["system_a"]}
    ordered = compare(third, GROUPS, samples=50, metrics=["ter"], show=1)
    best = sorted(third, key=lambda name: -corpus_bleu(third[name], GROUPS).value)
    assert ordered.names == best and list(ordered.wins) == [name for name in best if name != "system_b"]
    for block in report_blocks(ordered):
        if block.kind == "table":
            table = block.parts[0]
            found = table.heads if set(table.heads) == set(best) else [name for name, _ in table.rows]
            assert [name for name in best if name in found] == list(found)
    assert "the best BLEU comes first" in ordered.text(200) and "Segments that differ most from system_b" in ordered.text()
    heads = [block.parts[0].heads for block in report_blocks(ordered) if block.kind == "table" and "difference" in block.parts[0].heads]
    assert all("p (holm)" in row for row in heads) and len(heads) == 2
    for one in (compare(SYSTEMS, GROUPS, samples=50, metrics=["ter"]), compare(third, GROUPS, samples=50, metrics=["ter"], correction="none")):
        assert "p (" not in one.text() + one.latex() + one.markdown()


def test_a_segment_has_one_length_for_all_systems(report):
    firsts = [len(tokenize(group[0])) for group in GROUPS]
    for row in report.lengths:
        assert row["segments"] == sum(row["from"] <= length and (row["to"] is None or length <= row["to"]) for length in firsts)


def test_settings_reach_further_metrics_and_notes_say_which_they_have_not():
    report = compare(SYSTEMS, GROUPS, "paper", samples=20, metrics=["chrf", "ter"])
    assert (
        "|case:lc|" in report.others["chrF2"].signature and "chrF2 was computed without tokenize='none', smooth='none': it has no such choice" in report.notes
    )
    assert report.others["TER"].scores["system_a"].score == Ter("none", True).score(SYSTEMS["system_a"], GROUPS).value
    rows, notes = metric_lines(SYSTEMS, GROUPS, ["bleu", "chrf"], lowercase=True, smooth="floor")
    assert rows[0]["signature"] == corpus_bleu(SYSTEMS["system_a"], GROUPS, lowercase=True, smooth="floor").signature
    assert rows[2]["reported"] == ChrF(lowercase=True).score(SYSTEMS["system_a"], GROUPS).reported
    assert "chrF2 was computed without smooth='floor': it has no such choice" in notes
    assert json.loads(lines_as(rows, "json"))["systems"][0]["metrics"][1]["notes"][0] in notes
    assert metric_lines(SYSTEMS, GROUPS, [Bleu(PAPER)])[0][0]["signature"] == signature(PAPER, 2)


@pytest.mark.parametrize("wrong", [None, 5, [1], "chrf", [Bleu(PAPER)], [ChrF(), ChrF(lowercase=True)]])
def test_metrics_that_are_none(wrong):
    with pytest.raises(SettingsError, match="metrics"):
        compare(SYSTEMS, GROUPS, samples=10, metrics=wrong)


def test_odd_options_are_refused_by_name():
    odd = {
        "samples": (0, True, 2.5, "3"),
        "seed": (-1, True, "x", 1.5),
        "confidence": (0, 1, True, "x", float("nan")),
        "show": (-1, None, "3"),
        "test": (None, 3),
        "correction": (None, 1),
        "baseline": (3, ["system_a"]),
        "lowercase": ("yes", 1),
        "smoth": ("exp",),
        "settings": (5, "papre"),
    }
    for name, values in odd.items():
        for value in values:
            with pytest.raises(BleuInputError) as raised:
                compare(SYSTEMS, GROUPS, **{"samples": 10, name: value})
            assert raised.value.expected and raised.value.got, (name, value)


def test_lines_without_systems():
    for wrong in ({}, [], None):
        with pytest.raises(SettingsError, match="at least one system"):
            metric_lines(wrong, GROUPS, ["bleu"])


def test_no_system_is_lost_for_a_name_with_the_text_of_another():
    """Every function that takes a dict of systems, and one key that becomes the text of another."""
    texts = {1: ["a b"] * len(GROUPS), "1": ["a c"] * len(GROUPS)}
    rows = {name: bleu_lit.segment_stats(given, GROUPS) for name, given in texts.items()}
    calls = [
        lambda: compare(texts, GROUPS),
        lambda: metric_lines(texts, GROUPS, ["bleu"]),
        lambda: frequency_table(texts, GROUPS),
        lambda: CorpusExplorer(texts, GROUPS),
        lambda: differences(texts, GROUPS),
        lambda: plots.length_table(texts, GROUPS),
        lambda: plots.length_rows(rows, [1] * len(GROUPS)),
        lambda: plots.distribution_table(texts, GROUPS),
        lambda: plots.distribution_rows({1: [0.5], "1": [0.25]}),
        lambda: plots.interval_table({1: (0.5, None, None), "1": (0.25, None, None)}),
        lambda: plots.brevity_table({name: bleu_lit.corpus_bleu(given, GROUPS) for name, given in texts.items()}),
    ]
    for call in calls:
        with pytest.raises(SettingsError) as caught:
            call()
        assert (caught.value.expected, caught.value.got) == ("names that differ as text", "1 and '1'")
        assert caught.value.where in ("systems", "scores") and caught.value.fix == "Rename one of the two"
    assert list(compare({1: texts[1], 2: texts["1"]}, GROUPS, test="exact").scores) == ["1", "2"]


@pytest.mark.parametrize("names", [("BLEU",), ("Bleu",), ("mine", "Mine")])
def test_metrics_that_would_share_a_column_are_refused(names):
    metrics = [type("Mine", (ChrF,), {"name": name})() for name in names]
    with pytest.raises(SettingsError, match="metrics of different names"):
        compare({"a": ["a b"] * len(GROUPS), "b": ["a c"] * len(GROUPS)}, GROUPS, metrics=metrics, test="exact")


def test_progress_is_told_of_every_metric_and_system():
    told = []

    @contextmanager
    def progress(what, total):
        counts = []
        told.append((what, total, counts))
        yield counts.append if total else None

    compare(SYSTEMS, GROUPS, samples=20, metrics=["ter", "rougel"], progress=progress)
    assert [what for what, total, _ in told if total is None] == ["testing BLEU", "testing TER", "testing ROUGE-L"]
    assert [(what, total) for what, total, _ in told if total] == [
        (f"{metric} of {name}", 30) for metric in ("TER", "ROUGE-L") for name in ("system_a", "system_b")
    ]
    assert all(counts == list(range(1, 31)) for _, total, counts in told if total)


def test_metrics_on_the_command_line(tmp_path):
    packed = tmp_path / "packed.zst"
    packed.write_bytes(pytest.importorskip("zstandard").compress((DEMO / "system_a.txt").read_bytes()))
    plain, found = (
        json.loads(command("score", name, "-r", "ref_a.txt", "--metrics", "chrf,ter", "--format", "json").stdout) for name in ("system_a.txt", str(packed))
    )
    assert plain["systems"][0]["metrics"] == found["systems"][0]["metrics"] and len(plain["systems"][0]["metrics"]) == 2
    for question in (["--sentence"], ["--mean"], ["--format", "csv"]):
        one, other = (command("score", name, "-r", "ref_a.txt", *question).stdout for name in ("system_a.txt", str(packed)))
        assert one.replace(str(DEMO / "system_a.txt"), "x") == other.replace(str(packed), "x") and one
    assert "+0.00" in command("compare", "system_a.txt", str(packed), "-r", "ref_a.txt", "--samples", "20").stdout
    assert command("explain", "--corpus", str(packed), "-r", "ref_a.txt").stdout


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
def test_notes_name_the_option_in_every_form(form):
    done = command("score", "system_a.txt", "-r", "ref_a.txt", "--metrics", "bleu,chrf,CHRF", "--tokenize", "intl", "--weights", "1/3,2/3", "--format", form)
    note = "chrF2 was computed without --weights 1/3,2/3, --tokenize intl: it has no such choice"
    assert done.returncode == 0 and f"note: {note}" in done.stderr and "asked for more than once" in done.stderr
    if form == "json":
        found = json.loads(done.stdout)
        assert note in found["notes"] and note in found["systems"][0]["metrics"][1]["notes"] and found["references"] == [str(DEMO / "ref_a.txt")]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json", "html"])
def test_notes_of_a_report_are_in_it_or_beside_it(form):
    done = command("compare", "system_a.txt", "ref_a.txt", "-r", "ref_a.txt", "--metrics", "chrf", "--smooth", "floor", "--samples", "50", "--format", form)
    said = re.sub(r"\s+", " ", html.unescape(done.stdout + done.stderr)).replace("bleu-lit: note: ", "")
    assert "ref_a.txt: the same text as reference 1" in said and "without --smooth floor: it has no such choice" in said.replace("&#45;", "-"), said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["compare", "system_a.txt", str(DEMO / ".." / "demo" / "system_a.txt"), "-r", "ref_a.txt"], "which are one file"),
        (["score", "system_a.txt", str(DEMO / ".." / "demo" / "system_a.txt"), "-r", "ref_a.txt", "--metrics", "chrf"], "which are one file"),
        (["score", "system_a.txt", "-r", "ref_a.txt", "--metrics", "chrf", "--checkpoint", "x"], "--checkpoint"),
        (["score", "system_a.txt", "-r", "ref_a.txt", "--metrics", "chfr"], "Did you mean 'chrf'"),
    ],
)
def test_what_the_commands_refuse(arguments, says):
    done = command(*arguments)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and says in done.stderr


def test_the_engine_that_does_not_exist_is_refused_whatever_the_metric(monkeypatch):
    monkeypatch.setenv("BLEU_LIT_ENGINE", "none")
    for metrics in ("bleu", "chrf"):
        assert "none" in command("score", "system_a.txt", "-r", "ref_a.txt", "--metrics", metrics).stderr


def test_the_help_names_the_metrics():
    for name in ("score", "compare"):
        said = re.sub(r"\s+", " ", command(name, "--help").stdout)
        assert "bleu, chrf, chrf++, ter, nist, rouge1, rouge2, rougel, rougelsum, meteor" in said and "BLEU_LIT_ENGINE for BLEU alone" in said


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_no_name_is_a_formula_in_a_spreadsheet(sign):
    systems = {f"{sign}1+1": SYSTEMS["system_a"], "plain": SYSTEMS["system_b"]}
    for text in (compare(systems, GROUPS, samples=20).csv(), lines_as(metric_lines(systems, GROUPS, ["bleu"])[0], "csv")):
        assert [row["system"] for row in csv.DictReader(io.StringIO(text))] == [f"./{sign}1+1", "plain"]


def test_an_exact_test_that_is_too_long_names_the_other():
    with pytest.raises(BleuInputError, match="test='ar'"):
        compare(SYSTEMS, GROUPS, test="exact")
    done = command("compare", "system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--test", "exact")
    assert done.returncode == 2 and "--test ar" in done.stderr and done.stderr.count("\n") == 1


def test_work_that_does_not_tell_how_far_it_is_shows_the_seconds():
    from bleu_lit.commands_score import _tick

    waits, shown = iter([False, False, True]), []
    line = SimpleNamespace(what="testing TER", show=shown.append)
    _tick(line, SimpleNamespace(wait=lambda seconds: next(waits)))
    assert len(shown) == 2 and all(re.fullmatch(r"testing TER, \d+ s", text) for text in shown)


def test_names_are_shown_without_what_a_terminal_would_obey():
    report = compare({"a\x1b[31m": ["a b c d"] * 2, "b\u202e\r": ["a b c e"] * 2}, [["a b c d"]] * 2)
    assert not re.search("[\x1b\r\u202e]", report.text()) and report.text().count("a⟨U+001B⟩[31m") > 3


System = Enum("System", {"OLD": "old", "NEW": "new"}, type=str)


def test_names_that_are_members_of_an_enum_are_their_values():
    plain = {"old": ["it rains again", "the sun shines"], "new": ["it rains here today", "the sun comes out"]}
    references, given = [[text] for text in plain["new"]], {System(name): texts for name, texts in plain.items()}
    expected = compare(plain, references, baseline="new", test="exact").json()
    for base in (System.NEW, "new"):
        for systems in (given, plain):
            assert compare(systems, references, baseline=base, test="exact").json() == expected
    rows = {name: segment_stats(texts, references) for name, texts in plain.items()}
    for found in (check_systems({System(name): table for name, table in rows.items()}), check_systems(rows)):
        assert [(type(name), name) for name in found] == [(str, "old"), (str, "new")]


def test_progress_of_a_comparison_is_a_function_or_none():
    systems = {"old": ["it rains again"], "new": ["it rains here"]}
    for wrong in (5, False, [], "print"):
        for call in (compare, metric_lines):
            with pytest.raises(SettingsError) as caught:
                call(systems, [["it rains"]], metrics=["ter"], progress=wrong)
            assert caught.value.where == "progress"
    many = {name: texts * 2 for name, texts in systems.items()}
    for call in (compare, metric_lines):
        with pytest.raises(SettingsError, match=r"progress: expected a function .* got one that gives None"):
            call(many, [["it rains"]] * 2, metrics=["ter"], progress=lambda what, total: None)


def test_lists_that_change_during_a_comparison_change_nothing():
    systems, references = {"old": ["it rains again", "no"], "new": ["it rains here", "yes"]}, [["it rains here"], ["yes"]]
    plain = ({name: list(texts) for name, texts in systems.items()}, [list(group) for group in references])

    @contextmanager
    def change(what, number):
        references[0].append("x")
        systems["old"].append("y")
        yield lambda done: None

    expected = compare(*plain, metrics=["ter", "chrf"], samples=10).json()
    assert compare(systems, references, metrics=["ter", "chrf"], samples=10, progress=change).json() == expected
    systems["old"] = systems["old"][:2]
    assert metric_lines(systems, [list(group) for group in plain[1]], ["ter", "chrf"], progress=change) == metric_lines(*plain, ["ter", "chrf"])


def test_no_two_systems_share_a_name_in_csv():
    systems = {"c\nd": ["a b", "c"], "c\\nd": ["a", "c"], "=c": ["b", "c"], "./=c": ["c", "c"]}  # alike once they are shown
    report = compare(systems, [["a b"], ["c"]], samples=10, metrics=[])
    names = [row["system"] for row in csv.DictReader(io.StringIO(report.csv()))]
    assert len(set(names)) == len(systems) and not [name for name in names if name.startswith("=")]
