"""The command, as a process of its own: what it prints, what it refuses, and the status it ends with."""

import contextlib
import csv
import gzip
import html
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bleu_lit.bleu import BleuStats
from bleu_lit.cli import COMMANDS, build_parser, main, options_of, parse_arguments, settings_of
from bleu_lit.files import read_lines
from bleu_lit.score import corpus_bleu, mean_sentence_bleu, sentence_bleu
from bleu_lit.settings import PRESETS, SACREBLEU, parse_signature

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "bleu_lit" / "data" / "demo"
COMMAND = (sys.executable, "-m", "bleu_lit")
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}


def environment(**variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONIOENCODING", "PYTHONUTF8", "COLUMNS")}
    return kept | {"PYTHONPATH": str(ROOT)} | variables


def run(*arguments: str | bytes, stdin: bytes = b"", cwd: Path = DEMO, **variables: str) -> subprocess.CompletedProcess:
    """The command in a process of its own; output as bytes."""
    done = subprocess.run([*COMMAND, *arguments], cwd=cwd, env=environment(**variables), input=stdin, capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
    return done


def fails(*arguments: str | bytes, status: int = 2, **options) -> str:
    """The one line on standard error of a command that must fail, without output."""
    done = run(*arguments, **options)
    said = done.stderr.decode("utf-8")
    assert done.returncode == status, (done.returncode, said)
    assert done.stdout == b""
    assert said.startswith("bleu-lit: ") and said.count("\n") == 1 and said.endswith("\n"), said
    return said


def here(*arguments: str, cwd: Path = DEMO) -> tuple[int, str, str]:
    """The command in this process: status, output, standard error."""
    with contextlib.chdir(cwd), contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = main(list(arguments))
    return status, out.getvalue(), err.getvalue()


def demo(name: str) -> list[str]:
    """The lines of a file of the demo corpus, read without the package."""
    return (DEMO / f"{name}.txt").read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def demo_references() -> list[list[str]]:
    return list(map(list, zip(demo("ref_a"), demo("ref_b"), strict=True)))


BOTH = ("system_a.txt", "system_b.txt", "-r", "ref_a.txt", "-r", "ref_b.txt")


def test_help_names_every_metric_and_every_tokenizer_that_an_error_names():
    told = re.sub(r"\s+", " ", run("score", "--help").stdout.decode())
    for option in ("--metrics", "--tokenize"):
        names = re.search(r"The names are: (.*)", fails("score", *BOTH, option, "no-such"))[1].split(", ")
        assert len(names) > 8
        place = told.rindex(f" {option} N")
        assert [name for name in names if not re.search(rf"[ (]{re.escape(name)}[ ,;)]", told[place : place + 1000])] == []


@pytest.mark.parametrize("command", ["score", "compare"])
def test_help_names_the_import_that_makes_metric_a_function(command):
    told = re.sub(r"\s+", " ", run(command, "--help").stdout.decode())
    line, call = re.search(r"(from \S+ import metric); (metric\('\w+', model='FOLDER'\))", told).groups()
    names = {}
    exec(line, names)
    assert callable(names["metric"]) and told.count("metric('") == 1 and call.startswith("metric('bertscore'")


def test_rouge_says_why_its_tokens_have_one_case_and_what_keeps_it():
    said = here("score", *BOTH, "--metrics", "ROUGE-L,chrF++", "--lowercase", "no")[2]
    assert "ROUGE-L was computed without --lowercase no: " in said
    assert "no such choice" not in said
    assert "--tokenize 13a" in said
    kept, _, quiet = here("score", *BOTH, "--metrics", "rouge-l", "--lowercase", "no", "--tokenize", "13a")
    assert (kept, "without" in quiet) == (0, False)


def test_help_tells_the_default_of_every_option_with_a_value():
    parser = build_parser()
    commands = next(action.choices for action in parser._actions if action.dest == "command")
    assert list(commands) == list(COMMANDS)
    for name, command in commands.items():
        required = [action.option_strings for group in command._mutually_exclusive_groups if group.required for action in group._group_actions]
        for action in command._actions:
            valued = action.option_strings and action.nargs != 0 and not action.required and action.option_strings not in required
            if valued and action.dest not in ("references", "line", "example", "metrics", "lowercase"):  # without it something else is done
                assert "(default: " in action.help, f"{name} {action.option_strings}"
                default = command.get_default(action.dest)
                if default not in (None, []):
                    assert f"(default: {default})" in action.help, f"{name} {action.option_strings}"
        assert "with --sentence" in command.format_help() or name != "score"


# ---- Scores


def test_one_system_is_one_line():
    done = run("score", "system_a.txt", "-r", "ref_a.txt", "-r", "ref_b.txt")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{corpus_bleu(demo('system_a'), demo_references())}\n"


def test_two_systems_are_a_table_of_the_scores_of_corpus_bleu():
    out = run("score", *BOTH).stdout.decode()
    head, signature, empty, columns, *rows = out.splitlines()
    assert head == "corpus BLEU in percent, 30 segments, 2 references each"
    assert parse_signature(signature) == SACREBLEU and empty == "" and columns.split()[:2] == ["system", "BLEU"]
    assert out.count(signature) == 1
    for name, row in zip(("system_a", "system_b"), rows, strict=True):
        score = corpus_bleu(demo(name), demo_references())
        cells = row.split()
        assert cells[:2] == [f"{name}.txt", f"{score.percent:.2f}"]
        assert cells[-2:] == [str(score.candidate_length), str(score.reference_length)]
    assert len({len(line) for line in (columns, *rows)}) == 1  # aligned


def test_json_holds_everything():
    document = json.loads(run("score", *BOTH, "--format", "json").stdout)
    assert (document["segments"], document["references"]) == (30, ["ref_a.txt", "ref_b.txt"])
    assert parse_signature(document["signature"]) == SACREBLEU
    for found in document["systems"]:
        score = corpus_bleu(demo(found["system"].removesuffix(".txt")), demo_references())
        assert (found["value"], found["percent"]) == (score.value, score.percent)
        assert (tuple(found["matched"]), tuple(found["total"])) == (score.matched, score.total)


def test_csv_reads_back():
    rows = list(csv.DictReader(io.StringIO(run("score", *BOTH, "--format", "csv").stdout.decode())))
    assert [row["system"] for row in rows] == ["system_a.txt", "system_b.txt"]
    score = corpus_bleu(demo("system_b"), demo_references())
    assert float(rows[1]["value"]) == score.value and int(rows[1]["matched_4"]) == score.matched[3]


def test_markdown_is_a_table_that_no_name_breaks(tmp_path):
    strange = tmp_path / "a|b<i>`_*.txt"
    strange.write_bytes((DEMO / "system_a.txt").read_bytes())
    out = run("score", str(strange), "system_b.txt", "-r", str(DEMO / "ref_a.txt"), "--format", "markdown").stdout.decode()
    table = [line for line in out.splitlines() if line.startswith("|")]
    assert len(table) == 4
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {10}
    assert "a&#124;b&#60;i&#62;&#96;&#95;&#42;.txt" in out


@pytest.mark.parametrize("form", ["text", "markdown", "html", "latex"])
def test_a_line_without_end_is_cut_as_it_is_printed_and_said_to_be(form, tmp_path):
    token, other = "ab" * 30_000, "ba" * 25_000
    files(tmp_path, c=f"{token} so".encode(), r=f"{other} so".encode(), many=b"w " * 6000 + b"v")
    asked = ("explain", "c.txt", "-r", "r.txt", "--line", "1", "--format", form)
    short, full = here(*asked, cwd=tmp_path)[1], here(*asked, "--full", cwd=tmp_path)[1]
    assert len(short) < 40_000 and token in re.sub(r"\n +|\\allowbreak\{\}", "", full)
    said = " ".join(html.unescape(re.sub(r"</?code>|\{\}", "", short)).split())
    assert "what is very long is cut here" in said and "--full prints all" in said and "very long" not in full
    if form == "text":  # where a long word is broken
        assert {f"…⟨+{len(word) - 500 - 250}⟩…" for word in (token, other)} == set(re.findall("…⟨.*?⟩…", re.sub(r"\n +", "", short)))
    many = here("explain", "many.txt", "-r", "r.txt", "--line", "1", "--format", form, cwd=tmp_path)[1]
    assert "candidate of 6001 tokens, its beginning" in many.replace("\n    ", " ")
    document = json.loads(here(*asked[:-1], "json", cwd=tmp_path)[1])
    assert document["candidate"]["tokens"] == [token, "so"]  # data are whole


@pytest.mark.parametrize(
    "line",
    ["score $x$.txt a|b.txt", "score $x$.txt a|b.txt --mean", "score $x$.txt a|b.txt --sentence", "score $x$.txt a|b.txt --metrics chrf",
     "compare $x$.txt a|b.txt --samples 50"],
)  # fmt: skip
def test_markdown_has_no_formula_and_no_cell_by_a_name(line, tmp_path):
    files(tmp_path, **{name: (DEMO / name).with_suffix(".txt").read_bytes() for name in ("system_a", "system_b", "ref_a")})
    for name, other in (("system_a.txt", "$x$.txt"), ("system_b.txt", "a|b.txt")):
        (tmp_path / name).rename(tmp_path / other)
    status, out, _ = here(*line.split(), "-r", "ref_a.txt", "--format", "markdown", cwd=tmp_path)
    outside = re.sub(r"(?s)<code>.*?</code>|`[^`]*`|\$\$.*?\$\$", "", out)  # where no typesetter looks, and formulas of ours
    assert status == 0 and "x" in out and "$" not in outside
    for table in re.findall(r"(?m)(?:^\|.*\n)+", out):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1, table


def test_a_note_names_settings_as_they_were_given(tmp_path):
    files(tmp_path, c=b"a b c d\n", r=b"a b c e\n")
    told = {
        "--metrics ter --smooth floor --weights 1/2,1/2": "TER was computed without --weights 1/2,1/2, --smooth floor: it has no such choice",
        "--metrics ter --max-order 2 --weights 0.5,0.5": "TER was computed without --max-order 2, --weights 0.5,0.5: it has no such choice",
        "--metrics chrf --smooth floor --smooth-value 0.1": "chrF2 was computed without --smooth floor, --smooth-value 0.1: it has no such choice",
        "--metrics chrf --smooth add-k --smooth-value 1/3": "chrF2 was computed without --smooth add-k, --smooth-value 1/3: it has no such choice",
    }
    for options, note in told.items():
        said = here("score", "c.txt", "-r", "r.txt", *options.split(), cwd=tmp_path)[2]
        assert f"bleu-lit: note: {note}\n" in said


# ---- Several metrics


def test_meteor_is_told_the_language_or_tells_which_one_it_took(tmp_path):
    """Häuser and Haus have one stem in German, and none in common in English: by stem 1 of 1 word with weight 1/2 in one chunk, so 50; and 0."""
    pytest.importorskip("snowballstemmer")
    files(tmp_path, c="Häuser\n".encode() * 2, r=b"Haus\n" * 2, other=b"Haus\n" * 2)
    taken = "METEOR was computed for English text, since no language was named; for another one give its name, such as --language german"
    for options, value, note in (("", 0, True), ("--language german", 50, False), ("--language German", 50, False), ("--language english", 0, False)):
        for line in ("score c.txt -r r.txt", "compare c.txt other.txt -r r.txt --samples 10"):
            status, out, said = here(*line.split(), "--metrics", "meteor", *options.split(), "--format", "json", cwd=tmp_path)
            document = json.loads(out)
            assert status == 0 and (f"note: {taken}\n" in said) == (taken in document["notes"]) == note
            systems = {system["system"]: system for system in document["systems"]}
            assert (systems["c.txt"]["metrics"][0]["percent"] if line.startswith("score") else systems["c.txt"]["meteor"]) == pytest.approx(value)
    for form in ("text", "markdown", "csv"):
        assert taken in here("score", "c.txt", "-r", "r.txt", "--metrics", "meteor", "--sentence", "--format", form, cwd=tmp_path)[2]


@pytest.mark.parametrize("options", ["", "--sentence", "--metrics bleu,chrf", "--metrics ter --sentence"])
def test_a_language_that_no_metric_takes_is_told(options):
    status, out, said = here("score", *BOTH, *options.split(), "--language", "german")
    assert status == 0 and out and said.count("--language german was not used") == 1


def test_each_sentence_by_several_metrics(tmp_path):
    """A sentence's value is that of a corpus of this one line; BLEU's is that of `--sentence` alone; NIST's information is that of all references."""
    lines = {name: demo(name)[:5] for name in ("system_a", "system_b", "ref_a")}
    files(tmp_path, **{name: "".join(f"{line}\n" for line in text).encode() for name, text in lines.items()})
    line = ("score", "system_a.txt", "system_b.txt", "-r", "ref_a.txt", "--sentence", "--metrics", "bleu,chrf,ter")
    names = [f"{system} {metric}" for metric in ("BLEU", "chrF2", "TER") for system in ("system_a.txt", "system_b.txt")]
    status, out, said = here(*line, cwd=tmp_path)
    head, *rows = (row.split("\t") for row in out.splitlines())
    assert status == 0 and head == names and len(rows) == 5
    alone = [row.split("\t") for row in here(*line[:-2], cwd=tmp_path)[1].splitlines()]
    assert alone[0] == ["system_a.txt", "system_b.txt"] and [row[:2] for row in rows] == alone[1:]
    for i, row in enumerate(rows):
        files(tmp_path, **{f"one_{name}": f"{text[i]}\n".encode() for name, text in lines.items()})
        single = "score one_system_a.txt one_system_b.txt -r one_ref_a.txt --metrics chrf,ter --format json"
        found = json.loads(here(*single.split(), cwd=tmp_path)[1])
        values = [[one["percent"] for one in system["metrics"]] for system in found["systems"]]
        assert row[2:] == [f"{values[system][metric]:.2f}" for metric in (0, 1) for system in (0, 1)]
    document = json.loads(here(*line, "--format", "json", cwd=tmp_path)[1])
    table = list(csv.DictReader(io.StringIO(here(*line, "--format", "csv", cwd=tmp_path)[1])))
    page = here(*line, "--format", "markdown", cwd=tmp_path)[1]
    for s, system in enumerate(document["systems"]):
        for m, one in enumerate(system["metrics"]):
            exact = [sentence["percent"] for sentence in one["sentences"]]
            assert [f"{value:.2f}" for value in exact] == [row[2 * m + s] for row in rows]
            assert [float(row[f"{system['system']} {one['metric']} %"]) for row in table] == exact and [row["line"] for row in table] == list("12345")
            assert f"`{one['signature']}`" in page and one["signature"] in said and document["signatures"][one["metric"]] == one["signature"]
    assert all(f"| {i} | {' | '.join(row)} |" in page for i, row in enumerate(rows, 1)) and "eff:yes" in document["signatures"]["BLEU"]
    assert "eff:no" in json.loads(here(*line, "--format", "json", "--no-effective-order", cwd=tmp_path)[1])["signatures"]["BLEU"]


def test_sentences_by_a_metric_say_nothing_of_a_corpus(tmp_path):
    files(tmp_path, c=b"x y\na b c d e\n", r=b"a b\na b c d f\n")
    _, out, said = here("score", "c.txt", "-r", "r.txt", "--sentence", "--metrics", "bleu", cwd=tmp_path)
    assert out == here("score", "c.txt", "-r", "r.txt", "--sentence", cwd=tmp_path)[1] and out.startswith("0.00\n")
    assert "1 of 2 sentences scores 0 because" in said and "corpus" not in said and "the score is 0" not in said
    files(tmp_path, c=b"x y\nz\n")
    assert "every sentence scores 0 because" in here("score", "c.txt", "-r", "r.txt", "--sentence", "--metrics", "chrf", cwd=tmp_path)[2]
    for question in ("--mean", "--orders"):
        assert f"{question} is for BLEU alone" in fails("score", *BOTH, question, "--metrics", "chrf")


@pytest.mark.parametrize(("name", "call"), [
    ("bertscore", "metric('bertscore', model='FOLDER').score(candidates, references)"),
    ("BLEURT", "metric('bleurt', model='FOLDER').score(candidates, references)"),
    ("comet", "metric('comet', model='FOLDER', encoder='FOLDER').score(candidates, references, sources)"),
])  # fmt: skip
def test_a_metric_that_needs_a_model_is_refused_before_anything_is_read(name, call, tmp_path):
    """With the packages that run models (here empty ones, which would fail if they were used), and without files to read."""
    for package in ("torch", "transformers", "tokenizers", "sentencepiece"):
        (tmp_path / f"{package}.py").write_text("raise RuntimeError('used')\n")
    for command in ("score", "compare"):
        said = fails(command, "no.txt", "such.txt", "-r", "file.txt", "--metrics", f"chrf,{name}", cwd=tmp_path, PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}")
        assert said.startswith("bleu-lit: --metrics: ") and call in said and "from bleu_lit.metric import metric" in said and "no.txt" not in said


@pytest.mark.parametrize("name", ["bertscore", "bleurt", "comet"])
def test_a_metric_whose_packages_are_missing_is_refused_with_the_lines_that_score_by_it(name, tmp_path):
    """The command has no way to give the model, so that a user who installs the package would only be refused again."""
    code = (
        "import importlib.util as u, sys\n"
        "real = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'torch' else real(name, *more)\n"
        "from bleu_lit.cli import main\n"
        f"sys.exit(main(['score', 'no.txt', '-r', 'no.txt', '--metrics', {name!r}]))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    said = ended.stderr
    assert ended.returncode and said.startswith("bleu-lit: --metrics: ") and "pip install torch" in said and "no.txt" not in said
    assert f"from bleu_lit.metric import metric; metric({name!r}, model='FOLDER'" in said and ").score(candidates, references" in said


def test_meteor_without_stems_names_what_a_user_of_the_command_can_do(tmp_path):
    """Before anything is read, and without an option that only Python has."""
    (tmp_path / "snowballstemmer.py").write_text("raise ImportError\n")
    for command in ("score", "compare"):
        said = fails(command, "no.txt", "such.txt", "-r", "file.txt", "--metrics", "chrf,METEOR", cwd=tmp_path, PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}")
        assert said.startswith("bleu-lit: --metrics METEOR needs the package snowballstemmer") and "stem=" not in said
        assert "pip install snowballstemmer" in said and "pip install '.[neighbours]'" in said


# ---- Names that look alike once they can be shown


ESCAPE, LITERAL = "\x1b.txt", "\\x1b.txt"  # a file whose name has a control character, and one that is named as it is shown
ALIKE = [LITERAL, f"{LITERAL} (2)"]


@pytest.fixture
def alike(tmp_path):
    """Two systems that look alike, the first with no word of the reference and the second with all."""
    files(tmp_path, r=b"a b c d\ne f g h\n", base=b"a b c d\ne f g x\n")
    for name, text in ((ESCAPE, "x y z\nq\n"), (LITERAL, "a b c d\ne f g h\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("metrics", [(), ("--metrics", "chrf"), ("--metrics", "bleu,chrf")])
def test_systems_whose_names_look_alike_are_scored_each(alike, metrics):
    line = ("score", ESCAPE, LITERAL, "-r", "r.txt", "-q", *metrics)
    for form in ("text", "markdown"):
        out = html.unescape(re.sub("</?code>", "", here(*line, "--format", form, cwd=alike)[1]))
        rows = [row for row in out.splitlines() if "x1b" in row]
        assert len(rows) == 2 * max(1, len(metrics) and len(metrics[1].split(","))) and sum(
            f"{LITERAL} (2)" in row.replace("\\\\", "\\") for row in rows
        ) * 2 == len(rows)
    table = list(csv.DictReader(io.StringIO(here(*line, "--format", "csv", cwd=alike)[1])))
    assert [(row["system"], float(row["value"])) for row in table][-2:] == [(ALIKE[0], 0), (ALIKE[1], 1)]
    found = json.loads(here(*line, "--format", "json", cwd=alike)[1])["systems"]
    assert [one["system"] for one in found] == [ESCAPE, LITERAL]
    assert [one["metrics"][-1]["value"] if metrics else one["value"] for one in found] == [0, 1]


def test_sentences_of_systems_whose_names_look_alike_have_a_column_each(alike):
    line = ("score", ESCAPE, LITERAL, "-r", "r.txt", "--sentence", "-q")
    for metrics, column in (((), ALIKE), (("--metrics", "chrf"), ALIKE)):
        rows = [row.split("\t") for row in here(*line, *metrics, cwd=alike)[1].splitlines()]
        assert rows == [column, ["0.00", "100.00"], ["0.00", "100.00"]]
    head, *rows = csv.reader(io.StringIO(here(*line, "--metrics", "chrf", "--format", "csv", cwd=alike)[1]))
    assert head == ["line", *(f"{name} chrF2 %" for name in ALIKE)] and [row[1:] for row in rows] == [["0.0", "100.0"]] * 2
    found = json.loads(here(*line, "--metrics", "chrf", "--format", "json", cwd=alike)[1])["systems"]
    assert [(one["system"], one["metrics"][0]["sentences"][0]["value"]) for one in found] == [(ESCAPE, 0), (LITERAL, 1)]


@pytest.mark.parametrize(("given", "baseline"), [
    ((), ALIKE[0]),
    (("--baseline", ESCAPE), ALIKE[0]),
    (("--baseline", LITERAL), ALIKE[1]),
    (("--baseline", f"./{LITERAL}"), ALIKE[1]),
    (("--baseline", ALIKE[1]), ALIKE[1]),
    (("--baseline", "base.txt"), "base.txt"),
])  # fmt: skip
def test_no_system_of_a_comparison_is_lost_for_its_name(alike, given, baseline):
    out = here("compare", ESCAPE, LITERAL, "base.txt", "-r", "r.txt", "--samples", "10", "--metrics", "chrf", "--format", "json", *given, cwd=alike)[1]
    found = json.loads(out)
    scores = {one["system"]: round(one["bleu"], 9) for one in found["systems"]}
    assert found["baseline"] == baseline and set(scores) == {*ALIKE, "base.txt"}
    assert (scores[ALIKE[0]], scores[ALIKE[1]]) == (0, 100)


def test_a_name_that_is_no_utf8_and_one_that_looks_like_it_are_two(alike):
    raw = os.fsencode(alike) + b"/\xff"
    try:
        Path(os.fsdecode(raw)).write_text("x y z\nq\n")
    except OSError:
        pytest.skip("the file system takes no such name")
    (alike / "\\xff").write_text("a b c d\ne f g h\n")
    out = run("score", b"\xff", "\\xff", "-r", "r.txt", "--metrics", "chrf", "--format", "json", cwd=alike).stdout
    assert [(one["system"], one["metrics"][0]["value"]) for one in json.loads(out)["systems"]] == [("\\xff", 0), ("\\xff (2)", 1)]


# ---- Formats by the name of the output


STARTS = {"json": r"\{\n", "csv": "system,", "markdown": r"[*A-Za-z0-9 ,-]+\n\n", "html": "<!(doctype|DOCTYPE) html>", "latex": "%", "text": " *[A-Za-z0-9]"}


@pytest.mark.parametrize(("line", "forms"), [
    ("score system_a.txt system_b.txt -r ref_a.txt", {".json": "json", ".csv": "csv", ".md": "markdown", ".txt": "text", ".JSON": "json", "": "text"}),
    ("score system_a.txt -r ref_a.txt --metrics chrf", {".json": "json", ".csv": "csv"}),
    ("compare system_a.txt system_b.txt -r ref_a.txt --samples 20 --show 0",
     {".json": "json", ".csv": "csv", ".html": "html", ".htm": "html", ".tex": "latex", ".txt": "text"}),
    ("explain ab -r ab", {".json": "json", ".html": "html", ".tex": "latex", ".txt": "text"}),
])  # fmt: skip
def test_the_suffix_of_the_output_says_the_format(line, forms, tmp_path):
    for suffix, form in forms.items():
        target = tmp_path / f"out{suffix}"
        status, out, said = here(*line.split(), "-o", str(target))
        assert (status, out) == (0, "") and "suffix" not in said and " gets " not in said
        assert target.read_text(encoding="utf-8") == here(*line.split(), "--format", form)[1], (suffix, form)
        assert re.match(STARTS[form], target.read_text(encoding="utf-8")), (suffix, form)


@pytest.mark.parametrize(("options", "form", "note"), [
    ("-o x.csv --format json", "json", "x.csv gets the format json: .csv is no suffix of it"),
    ("-o x.html", "text", "x.html gets the format text: the format html, which .html stands for, is not one of text, json, csv, markdown"),
    ("-o x.tex -q", "text", ""),
    ("-o x.json --format json", "json", ""),
    ("-o x.pdf", "text", "x.pdf gets the format text: .pdf names no format; these do: .txt, .md, .json, .csv"),
    ("-o x.pdf -q", "text", ""),
    ("-o x.scores --format text", "text", ""),
    ("-o scores", "text", ""),
])  # fmt: skip
def test_a_suffix_that_says_something_else_is_told(options, form, note, tmp_path):
    files(tmp_path, c=b"a b c d\n", r=b"a b c d\n")
    line = ("score", "c.txt", "-r", "r.txt")
    said = here(*line, *options.split(), cwd=tmp_path)[2]
    assert (f"note: {note}\n" in said) if note else " gets " not in said
    assert (tmp_path / options.split()[1]).read_text(encoding="utf-8") == here(*line, "--format", form, cwd=tmp_path)[1]


def test_a_view_is_a_page_and_a_report_for_junit_is_xml(tmp_path):
    assert "x.view gets the format view, a page of HTML" in here("explain", "a", "-r", "a", "--format", "view", "-o", str(tmp_path / "x.view"))[2]
    assert here("explain", "a", "-r", "a", "--format", "view", "-o", str(tmp_path / "x.html"))[2] == ""
    here("conform", "--adapter", "bleu_lit", "--clause", "precision", "-o", str(tmp_path / "x.xml"))
    assert (tmp_path / "x.xml").read_text(encoding="utf-8").startswith("<?xml")


def test_csv_of_orders_has_the_columns_of_the_highest_order_in_their_places():
    """The columns are those of the score of order 4, whatever orders stand above it, and the signature is the last of each table."""
    heads = {question: next(csv.reader(io.StringIO(here("score", *BOTH, "--format", "csv", *question.split())[1]))) for question in ("", "--orders", "--mean")}
    assert heads["--orders"] == heads[""] and [head[-1] for head in heads.values()] == ["signature"] * 3


def test_quoting_in_csv_and_json(tmp_path):
    strange = tmp_path / 'a,"b"\n.txt'
    strange.write_bytes((DEMO / "system_a.txt").read_bytes())
    rows = list(csv.DictReader(io.StringIO(run("score", str(strange), "-r", str(DEMO / "ref_a.txt"), "--format", "csv").stdout.decode(), newline="")))
    assert rows[0]["system"] == str(strange).replace("\n", "\\n")
    assert json.loads(run("score", str(strange), "-r", str(DEMO / "ref_a.txt"), "--format", "json").stdout)["systems"][0]["system"] == str(strange)


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
@pytest.mark.parametrize("question", [[], ["--orders"], ["--mean"], ["--sentence"]])
def test_every_question_in_every_format(question, form):
    status, out, _ = here("score", *BOTH, "--format", form, *question)
    assert status == 0 and out.endswith("\n")
    if form == "json":
        document = json.loads(out)
        assert [found["system"] for found in document["systems"]] == ["system_a.txt", "system_b.txt"]
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert len(rows) == {"": 2, "--orders": 8, "--mean": 2, "--sentence": 60}["".join(question)]
        assert None not in rows[0] and all(None not in row.values() for row in rows)


def test_sentence_has_a_line_for_a_line():
    done = run("score", *BOTH, "--sentence")
    lines = done.stdout.decode().split("\n")
    assert len(lines) == 32 and lines[-1] == "" and lines[0] == "system_a.txt\tsystem_b.txt"
    groups = demo_references()
    for i, line in enumerate(lines[1:-1]):
        expected = [f"{sentence_bleu(demo(name)[i], groups[i]).percent:.2f}" for name in ("system_a", "system_b")]
        assert line.split("\t") == expected
    assert b"sentence BLEU in percent" in done.stderr and b"eff:yes" in done.stderr
    assert run("score", *BOTH, "--sentence", "--quiet").stderr == b""


def test_one_system_has_numbers_alone():
    out = here("score", "system_a.txt", "-r", "ref_a.txt", "--sentence")[1]
    assert len(out.splitlines()) == 30 and re.fullmatch(r"(\d+\.\d\d\n){30}", out)


@pytest.mark.parametrize("question", [[], ["--orders"], ["--sentence"]])
def test_an_order_without_n_grams_has_an_empty_precision(question, tmp_path):
    files(tmp_path, system=b"one two\n", ref=b"one three\n")
    rows = list(csv.DictReader(io.StringIO(here("score", "system.txt", "-r", "ref.txt", "--format", "csv", *question, cwd=tmp_path)[1])))
    assert rows[-1]["precisions_1"] == "1/2" and rows[-1]["precisions_2"] == "0"  # the one pair does not match, and of three words there is none
    assert (rows[-1]["precisions_3"], rows[-1]["precisions_4"]) == ("", "") and (rows[-1]["total_3"], rows[-1]["matched_3"]) == ("0", "0")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no names for open files")
def test_a_substituted_process_has_a_whole_name(tmp_path):
    line = f"{' '.join(COMMAND)} score <(echo; echo hi) <(echo a; echo b) -r <(echo a; echo hi)"
    for question in ("", "--sentence"):
        done = subprocess.run(["bash", "-c", f"{line} {question}"], env=environment(), capture_output=True, text=True)
        first, second = re.findall(r"/dev/fd/\d+", done.stdout)
        assert done.returncode == 0 and first != second
        assert f"note: {first}: 1 line is blank" in done.stderr and not re.search(r"(?<!/dev/fd/)\b\d+: ", done.stderr)


def test_mean_and_orders_are_those_of_python():
    mean = json.loads(here("score", *BOTH, "--mean", "--format", "json")[1])["systems"][0]
    assert mean["value"] == mean_sentence_bleu(demo("system_a"), demo_references()).value
    orders = json.loads(here("score", *BOTH, "--orders", "--format", "json")[1])["systems"][0]["orders"]
    expected = [corpus_bleu(demo("system_a"), demo_references(), max_order=n).value for n in (1, 2, 3, 4)]
    assert [order["value"] for order in orders] == expected


def test_questions_exclude_each_other():
    assert "not allowed with" in fails("score", *BOTH, "--mean", "--orders")


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset):
    found = json.loads(here("score", *BOTH, "--preset", preset, "--format", "json", "--quiet")[1])
    assert parse_signature(found["signature"]) == PRESETS[preset]
    assert found["systems"][0]["value"] == corpus_bleu(demo("system_a"), demo_references(), preset).value


OPTIONS = {
    "--max-order 2": {"max_order": 2},
    "--weights 1/2,1/3,1/6": {"weights": ["1/2", "1/3", "1/6"]},
    "--tokenize intl": {"tokenize": "intl"},
    "--lowercase": {"lowercase": True},
    "--lowercase ascii": {"lowercase": "ascii"},
    "--lowercase=no": {},
    "--smooth floor --smooth-value 1/7": {"smooth": "floor", "smooth_value": "1/7"},
    "--smooth average": {"smooth": "average"},
    "--effective-order": {"effective_order": True},
    "--no-effective-order": {},
    "--reference-length average": {"reference_length": "average"},
    "--normalize nfkc": {"normalize": "NFKC"},
    "--blank-references absent": {"blank_references": "absent"},
}


@pytest.mark.parametrize("options", OPTIONS)
def test_every_setting_is_an_option(options):
    arguments = parse_arguments(["score", *BOTH, *options.split()])
    settings = settings_of(arguments)
    assert settings == SACREBLEU.replace(**OPTIONS[options])
    assert arguments.candidates == ["system_a.txt", "system_b.txt"]
    assert settings_of(parse_arguments(["score", *BOTH, *options_of(settings)])) == settings
    found = json.loads(here("score", *options.split(), *BOTH, "--format", "json", "--quiet")[1])
    assert found["systems"][1]["value"] == corpus_bleu(demo("system_b"), demo_references(), settings).value


def test_digits_of_sacrebleu():
    pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    theirs = [sys.executable, "-m", "sacrebleu", "ref_a.txt", "ref_b.txt", "-i", "system_a.txt", "-b", "-w", "4"]
    said = subprocess.run(theirs, cwd=DEMO, env=environment(PYTHONUTF8="1"), stdin=subprocess.DEVNULL, capture_output=True, check=True, text=True)
    ours = json.loads(run("score", "system_a.txt", "-r", "ref_a.txt", "-r", "ref_b.txt", "--format", "json").stdout)
    assert f"{ours['systems'][0]['percent']:.4f}" == said.stdout.strip()


def test_output_to_a_file(tmp_path):
    target = tmp_path / "scores.json"
    done = run("score", *BOTH, "--format", "json", "-o", str(target))
    assert (done.returncode, done.stdout) == (0, b"")
    assert json.loads(target.read_bytes())["segments"] == 30
    before = (DEMO / "ref_a.txt").read_bytes()
    assert "ref_a.txt" in fails("score", *BOTH, "-o", "ref_a.txt")
    assert (DEMO / "ref_a.txt").read_bytes() == before


@pytest.mark.parametrize("there", [b"old\n", None], ids=["there", "new"])
def test_an_output_is_whole_or_as_it_was(there, tmp_path):
    files(tmp_path, bad=b"one two\n" * 5000 + b"\xff\n", good=b"one, two\n" * 5000)
    target, link = tmp_path / "out.txt", tmp_path / "link.txt"
    link.symlink_to("out.txt")
    if there is not None:
        target.write_bytes(there)
        target.chmod(0o640)
    beside = sorted(os.listdir(tmp_path))
    assert "line 5001" in fails("tokenize", "bad.txt", "-o", "out.txt", cwd=tmp_path)
    assert sorted(os.listdir(tmp_path)) == beside and (there is None or target.read_bytes() == there)
    assert run("tokenize", "good.txt", "-o", "link.txt", cwd=tmp_path).returncode == 0
    assert link.is_symlink() and target.read_bytes() == b"one , two\n" * 5000
    assert target.stat().st_mode & 0o777 == (0o640 if there else 0o666 & ~umask())
    assert sorted(os.listdir(tmp_path)) == sorted({*beside, "out.txt"})


def umask() -> int:
    os.umask(now := os.umask(0))
    return now


def test_an_output_stopped_by_ctrl_c_is_as_it_was(tmp_path):
    (tmp_path / "out.txt").write_bytes(b"old\n")
    line = [sys.executable, "-m", "bleu_lit", "tokenize", "-o", "out.txt"]
    with subprocess.Popen(line, cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stderr=subprocess.PIPE) as going:
        with contextlib.suppress(BrokenPipeError):
            while not any(name.endswith(".new") for name in os.listdir(tmp_path)):
                going.stdin.write(b"one two\n" * 2000)
        going.send_signal(signal.SIGINT)
        going.communicate()
    assert going.returncode not in (0, None)
    assert os.listdir(tmp_path) == ["out.txt"] and (tmp_path / "out.txt").read_bytes() == b"old\n"


def test_an_output_that_is_no_file_is_written_as_it_is(tmp_path):
    assert run("tokenize", "-o", "/dev/stdout", stdin=b"one, two\n").stdout == b"one , two\n"
    os.mkfifo(tmp_path / "pipe")
    held = []
    reader = threading.Thread(target=lambda: held.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    assert run("tokenize", "-o", "pipe", stdin=b"one, two\n", cwd=tmp_path).returncode == 0
    reader.join(10)
    assert held == [b"one , two\n"] and os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize(
    ("line", "advice", "better"),
    [
        ("score {} -r {}", "written ./-x.txt.", "score ./-x.txt -r ./-x.txt"),
        ("score ./-x.txt -r -x.txt", "written ./-x.txt.", "score ./-x.txt -r ./-x.txt"),
        ("tokenize -x.txt", "written ./-x.txt.", "tokenize ./-x.txt"),
        ("score ./-x.txt -r ./-x.txt --smooth floor --smooth-value -1e-3", "as in --smooth-value=-1e-3.", ""),
        ("score ./-x.txt -r ./-x.txt --weights -1,2", "as in --weights=-1,2.", ""),
        ("score ./-x.txt -r ./-x.txt --lowercase maybe", "--lowercase, which takes yes, no or ascii", "score ./-x.txt -r ./-x.txt --lowercase ascii"),
    ],
)
def test_what_begins_with_a_dash_is_told_how_to_be_written(line, advice, better, tmp_path):
    (tmp_path / "-x.txt").write_bytes(b"one two three four\n")
    assert advice in fails(*line.replace("{}", "-x.txt").split(), cwd=tmp_path)
    assert not better or run(*better.split(), cwd=tmp_path).returncode == 0


def test_a_negative_weight_behind_the_sign_is_told_as_what_it_is(tmp_path):
    files(tmp_path, a=b"one\n")
    assert "expected weights in [0, 1], got w_1 = '-1'" in fails("score", "a.txt", "-r", "a.txt", "--weights=-1,2", cwd=tmp_path)
    assert "written" not in fails("score", "--max-order", "-3", "-r", "a.txt", cwd=tmp_path)  # a number that argparse takes as a value


# ---- Lines and bytes


def files(folder: Path, **contents: bytes) -> Path:
    for name, content in contents.items():
        (folder / f"{name}.txt").write_bytes(content)
    return folder


def value(*arguments: str, **options) -> float:
    done = run("score", *arguments, "--format", "json", "--quiet", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["systems"][0]["value"]


PAIR = ("system_a.txt", "-r", "ref_a.txt")


def test_gzip_by_its_bytes_and_standard_input(tmp_path):
    plain = value(*PAIR)
    data, ref = (DEMO / "system_a.txt").read_bytes(), str(DEMO / "ref_a.txt")
    (tmp_path / "packed.gz").write_bytes(gzip.compress(data))
    (tmp_path / "no-ending").write_bytes(gzip.compress(data[:100]) + gzip.compress(data[100:]))  # two members
    assert value("packed.gz", "-r", ref, cwd=tmp_path) == value("no-ending", "-r", ref, cwd=tmp_path) == plain
    assert value("-", "-r", ref, stdin=data) == value("-", "-r", ref, stdin=gzip.compress(data)) == plain
    assert value("system_a.txt", "-r", "-", stdin=(DEMO / "ref_a.txt").read_bytes()) == plain


def test_not_packed_in_spite_of_its_name(tmp_path):
    (tmp_path / "system.gz").write_bytes((DEMO / "system_a.txt").read_bytes())
    done = run("score", "system.gz", "-r", str(DEMO / "ref_a.txt"), cwd=tmp_path)
    assert done.returncode == 0 and b"not packed" in done.stderr


@pytest.mark.parametrize("cut", [-1, -8, -12, 12])
def test_gzip_that_is_cut_short(cut, tmp_path):
    (tmp_path / "cut.gz").write_bytes(gzip.compress((DEMO / "system_a.txt").read_bytes())[:cut])
    assert "cut.gz: expected gzip data that are whole" in fails("score", "cut.gz", "-r", str(DEMO / "ref_a.txt"), cwd=tmp_path)


def test_gzip_that_is_damaged(tmp_path):
    data = bytearray(gzip.compress((DEMO / "system_a.txt").read_bytes()))
    data[40] ^= 255
    (tmp_path / "bad.gz").write_bytes(data)
    assert "bad.gz: expected gzip data" in fails("score", "bad.gz", "-r", str(DEMO / "ref_a.txt"), cwd=tmp_path)


def test_bom_and_crlf_are_dropped_with_a_note(tmp_path):
    data = (DEMO / "system_a.txt").read_bytes()
    files(tmp_path, windows=b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), ref=(DEMO / "ref_a.txt").read_bytes())
    assert value("windows.txt", "-r", "ref.txt", "--tokenize", "char", cwd=tmp_path) == value(*PAIR, "--tokenize", "char")
    said = run("score", "windows.txt", "-r", "ref.txt", cwd=tmp_path).stderr.decode()
    assert "note: windows.txt: a byte order mark" in said and "30 of 30 lines ended in CR LF" in said


def test_lines_end_at_lf_alone(tmp_path):
    inside = "one\u2028two\x85three\x0bfour\x0cfive\x1csix\u2029seven\rnine\n\nlast"
    files(tmp_path, text=inside.encode())
    assert read_lines(tmp_path / "text.txt").lines == inside.split("\n")
    out = run("tokenize", "text.txt", cwd=tmp_path).stdout.decode()
    assert out == "one two three four five six seven nine\n\nlast\n"


def test_empty_lines_keep_their_place(tmp_path):
    files(tmp_path, system=b"\none two\n\n\n", ref=b"three\none two\n\nfour\n")
    done = run("score", "system.txt", "-r", "ref.txt", "--sentence", cwd=tmp_path)
    assert done.stdout == b"0.00\n100.00\n0.00\n0.00\n"
    assert b"3 lines are blank" in done.stderr


def test_last_line_without_lf_counts(tmp_path):
    files(tmp_path, system=b"one\ntwo", ref=b"one\ntwo\n")
    assert run("score", "system.txt", "-r", "ref.txt", "--sentence", cwd=tmp_path).stdout == b"100.00\n100.00\n"


def test_tokenize_writes_a_line_for_a_line():
    out = run("tokenize", "ref_a.txt").stdout.decode()
    assert out.count("\n") == 30 and out.startswith("Good morning , Dr . Lindner !\n")
    assert run("tokenize", stdin=b"").stdout == b""
    assert run("tokenize", "--tokenize", "zh", "--lowercase", stdin="Ä你好".encode()).stdout.decode() == "ä 你 好\n"


# ---- Whatever the locale


@pytest.mark.parametrize("variables", [PLAIN_C, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}], ids=str)
def test_utf8_whatever_the_locale(variables, tmp_path):
    files(tmp_path, system="Käse 你好\n".encode())
    assert run("tokenize", "system.txt", cwd=tmp_path, **variables).stdout.decode() == "Käse 你好\n"
    assert run("tokenize", stdin="Käse 你好\n".encode(), **variables).stdout.decode() == "Käse 你好\n"
    explained = run("explain", "Käse 你好", "-r", "Käse 你好", **variables)
    assert "Käse 你好" in explained.stdout.decode() and explained.stderr == b""
    name = "Ü你.txt".encode()
    with open(os.path.join(os.fsencode(tmp_path), name), "wb") as stream:
        stream.write(b"one\n")
    out = run("score", name, "-r", name, "--format", "json", cwd=tmp_path, **variables)
    assert json.loads(out.stdout)["systems"][0]["system"] == "Ü你.txt"
    assert "Ü你" in fails("score", "Ü你".encode(), "-r", "system.txt", cwd=tmp_path, **variables)
    assert "…" in run("score", "--help", **variables).stdout.decode()


def test_arguments_that_are_not_utf8():
    assert "expected UTF-8 text" in fails("explain", b"K\xe4se", "-r", "text")
    assert "\\xe4" in fails("score", b"K\xe4se.txt", "-r", "ref_a.txt")


# ---- Errors: one line, status 2


def test_missing_file_and_the_name_that_was_meant():
    assert "system_x.txt: expected a file, got no file of this name. Did you mean system_" in fails("score", "system_x.txt", "-r", "ref_a.txt")
    assert "nowhere" in fails("score", "nowhere/x.txt", "-r", "ref_a.txt")
    assert "got a folder" in fails("score", ".", "-r", "ref_a.txt")
    assert "'': expected a file, got an empty name" in fails("score", "", "-r", "ref_a.txt")
    assert "unexpected argument ''" in fails("score", "system_a.txt", "-r", "ref_a.txt", "")


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs a file that opens and fails to be read")
def test_file_that_fails_to_be_read():
    assert "/proc/self/mem: expected a file that can be read, got Input/output error" in fails("score", "/proc/self/mem", "-r", "ref_a.txt")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_file_without_permission(tmp_path):
    files(tmp_path, secret=b"one\n")
    (tmp_path / "secret.txt").chmod(0)
    assert "secret.txt: expected a file that can be read" in fails("score", "secret.txt", "-r", str(DEMO / "ref_a.txt"), cwd=tmp_path)


def test_unequal_counts_name_every_file(tmp_path):
    files(tmp_path, system=b"a\nb\n", ref=b"a\nb\n", other=b"a\nb\nc\n")
    said = fails("score", "system.txt", "-r", "ref.txt", "-r", "other.txt", cwd=tmp_path)
    assert "2 in system.txt, 2 in ref.txt, 3 in other.txt" in said


def test_empty_file_is_named(tmp_path):
    files(tmp_path, system=b"", ref=b"a\n")
    assert "system.txt: expected at least one line" in fails("score", "system.txt", "-r", "ref.txt", cwd=tmp_path)


BYTES = {
    "latin-1": ("one\nKäse\n".encode("latin-1"), "bad.txt, line 2: expected UTF-8 text, got the byte 0xE4 at byte 2 of the line (offset 5"),
    "cut": ("one\nKäse".encode()[:-3], "line 2"),
    "NUL": (b"one\ntwo\0\n", "line 2: expected UTF-8 text, got a NUL byte at byte 4"),
    "UTF-16": ("one\n".encode("utf-16"), "UTF-16"),
    "UTF-16LE": ("one two three\n".encode("utf-16-le"), "UTF-16LE"),
    "UTF-16BE": ("one two three\n".encode("utf-16-be"), "UTF-16BE"),
    "UTF-32": ("one\n".encode("utf-32"), "UTF-32"),
    "surrogate": (b"\xed\xa0\xbd\xed\xb8\x80\n", "line 1"),
    "zstd": (bytes.fromhex("28b52ffd045839000061"), "zstd"),
    "xz": (b"\xfd7zXZ\x00\x00\x04", "xz"),
    "zip": (b"PK\x03\x04\x14\x00\x00", "zip"),
    "binary": (bytes(range(256)), "binary"),
}


@pytest.mark.parametrize("kind", BYTES)
def test_bytes_that_are_no_text(kind, tmp_path):
    data, words = BYTES[kind]
    files(tmp_path, bad=data, ref=b"one\n")
    assert words in fails("score", "ref.txt", "-r", "bad.txt", cwd=tmp_path)


SIGNATURE = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"
WRONG = {
    "score system_a.txt": "-r/--reference",
    "scor system_a.txt -r ref_a.txt": "Did you mean 'score'?",
    "score system_a.txt -r ref_a.txt ref_b.txt": "put -r before each reference",
    "score system_a.txt -r ref_a.txt --tokenise 13a": "did you mean --tokenize?",
    "score system_a.txt -r ref_a.txt --tok 13a": "unknown option --tok",
    "score system_a.txt -r ref_a.txt --tokenize 13b": "Did you mean '13a'?",
    "score system_a.txt -r ref_a.txt --tokenize given": "--tokenize none",
    "score system_a.txt -r ref_a.txt --smooth epx": "Did you mean 'exp'?",
    "score system_a.txt -r ref_a.txt --smooth-value 3": "expected no value",
    "score system_a.txt -r ref_a.txt --preset sacrebleau": "Did you mean 'sacrebleu'?",
    "score system_a.txt -r ref_a.txt --format jason": "Did you mean 'json'?",
    "score system_a.txt -r ref_a.txt --reference-length closer": "Did you mean 'closest'?",
    "score system_a.txt -r ref_a.txt --blank-references abscent": "Did you mean 'absent'?",
    "score system_a.txt -r ref_a.txt --normalize NFX": '--normalize: expected "NFC" or "NFKC", got',
    "score system_a.txt -r ref_a.txt --lowercase=maybe": "yes",
    "score system_a.txt -r ref_a.txt --weights 0.5,0.6": "sum",
    "score system_a.txt -r ref_a.txt --weights 1,x": "--weights: expected numbers, one per order, got '1,x'. For example 0.5,0.5",
    "score system_a.txt -r ref_a.txt --weights 1e999999999,0": "--weights",
    "score system_a.txt -r ref_a.txt --weights 0.5,0.5 --max-order 3": "or set --max-order 2",
    "score system_a.txt -r ref_a.txt --weights=": "--weights",
    "score system_a.txt -r ref_a.txt --smooth floor --smooth-value 1e-99999": "--smooth-value",
    "score system_a.txt -r ref_a.txt --smooth floor --smooth-value 1/0": "--smooth-value",
    "score system_a.txt -r ref_a.txt --foo": "unknown option --foo. See: bleu-lit score --help",
    "score system_a.txt -r ref_a.txt --line 3": "unknown option --line. See: bleu-lit score --help",
    "score system_a.txt -r ref_a.txt --lower": "did you mean --lowercase?",
    "score system_a.txt -r ref_a.txt --preset=": "--preset",
    "score system_a.txt -r ref_a.txt --model=": "--model: expected the file of a SentencePiece model, got an empty name",
    "score system_a.txt -r ref_a.txt --model x --tokenize=": "--tokenize: expected a name for the tokenizer of the model, got an empty name",
    "score system_a.txt -r ref_a.txt --tokenize=": "--tokenize",
    "score system_a.txt -r ref_a.txt --output=": "--output: expected the name of a file, got an empty name",
    "score system_a.txt -r ref_a.txt --weights 1/0": "1/0",
    "score system_a.txt -r ref_a.txt --weights nan,1": "nan",
    "score system_a.txt -r ref_a.txt --max-order 0": "--max-order: expected an n-gram order, a whole number of at least 1, got 0",
    "score system_a.txt -r ref_a.txt --max-order two": "--max-order: expected a whole number, got 'two'",
    "score system_a.txt -r ref_a.txt --max-order 100000000": "at most 1000",
    "score system_a.txt -r ref_a.txt --orders --weights 1/4,3/4": "uniform",
    "score system_a.txt -r ref_a.txt --model none.model": "none.model",
    "score system_a.txt -r ref_a.txt --model none.model --tokenize 13a": "Leave out one",
    "score system_a.txt -r ref_a.txt --tokenize flores200": "SentencePiece model",
    "score system_a.txt -r ref_a.txt -o no/such/folder.txt": "no/such/folder.txt",
    "score - -r -": "standard input (-) once, got it 2 times",
    "explain": "give a candidate",
    "explain text": "give a candidate",
    "explain system_a.txt -r ref_a.txt --line 31": "a line from 1 to 30",
    "explain system_a.txt -r ref_a.txt --line 0": "a line from 1 to 30",
    "explain --example germn": "Did you mean 'german'?",
    "explain a -r b --format csv": "text, markdown, json, html, latex, view",
    "explain --corpus": "give a file of candidates",
    "explain --corpus system_a.txt": "give a file of candidates",
    "explain --corpus system_a.txt -r none.txt": "none.txt",
    "explain --corpus system_a.txt -r ref_a.txt --line 3": "not allowed with",
    "explain --corpus --example german": "not allowed with",
    "explain --corpus system_a.txt -r ref_a.txt --format view": "--line N",
    "explain --example german text -r text": "either --example NAME, or a candidate",
    "explain --example german -r text": "either --example NAME, or a candidate",
    "explain --example german --line 5": "not allowed with",
    "explain a -r= --blank-references absent": "-r: expected at least one reference",
    "tokenize no-such-file": "no-such-file",
    "signature nonsense": "key:value",
    "signature --nrefs 0": "--nrefs: expected a whole number of at least 1, or var",
    "signature --nrefs -5": "--nrefs",
    "signature --nrefs four": "--nrefs",
    f"signature {SIGNATURE} --lowercase": "--lowercase would be left out",
    f"signature {SIGNATURE} --no-effective-order": "--effective-order would be left out",
    f"signature {SIGNATURE} --preset paper": "--preset would be left out",
    f"signature {SIGNATURE} --nrefs 1": "--nrefs would be left out",
    f"signature {SIGNATURE.replace('13a', 'given')}": "expected settings that options can express, got tok:given",
    f"signature {SIGNATURE.replace('13a', 'mine')}": "The command cannot express a tokenizer of your own",
    f"signature {SIGNATURE}|order:1001": "at most 1000",
    f"signature {SIGNATURE}|order:999999999999999999999999": "order",
    f"signature {SIGNATURE.replace('exp', 'floor[1/0]')}": "1/0",
    f"signature {SIGNATURE.replace('exp', 'floor[1e-99999]')}": "signature: ",
    f"signature {SIGNATURE}|weights:1e999999999,0": "signature: ",
    f"signature {SIGNATURE}|norm:NFD": "signature: ",
    "--nothing": "unexpected --nothing: the name of a command comes first",
    "--sentence score system_a.txt -r ref_a.txt": "unexpected --sentence: the name of a command comes first",
    "-- score system_a.txt -r ref_a.txt": "the name of a command comes first",
    "score system_a.txt -r ref_a.txt --metrics foo": "--metrics: expected the name of a metric",
    "score system_a.txt -r ref_a.txt --checkpoint ref_a.txt": "--checkpoint: expected an output that is no input, got ref_a.txt, which is ref_a.txt",
    "score system_a.txt -r ref_a.txt --checkpoint no/such/c": "--checkpoint: expected a file that can be written, got no/such/c, which has no folder",
    "score system_a.txt -r ref_a.txt --checkpoint .": "--checkpoint: expected a file that can be written, got ., which is a folder",
    "score system_a.txt -r ref_a.txt --checkpoint=": "--checkpoint: expected the name of a file, got an empty name",
    "score system_a.txt -r ref_a.txt --checkpoint new -o ./new": "--output: expected another file than the checkpoint, got new",
    "score - -r ref_a.txt --checkpoint /dev/full": "/dev/full: expected a checkpoint of bleu_lit, got another file",
    "score system_a.txt -r ref_a.txt --metrics bleu --checkpoint new": "--checkpoint is for a score of the whole corpus",
    "score system_a.txt -r ref_a.txt --mean --checkpoint new": "--checkpoint is for a score of the whole corpus",
    "compare system_a.txt system_b.txt -r ref_a.txt --test exact --samples 9": "--samples would be left out: the exact test takes all",
    "compare system_a.txt system_b.txt -r ref_a.txt --format csv --show 2": "--show would be left out: the format csv shows no segments",
    "compare system_a.txt system_b.txt -r ref_a.txt --format latex --show 2": "--show would be left out",
    "compare system_a.txt system_b.txt -r ref_a.txt --confidence 95": "got 95.0. It is a share: --confidence 0.95",
    "compare system_a.txt system_b.txt -r ref_a.txt --confidence 0": "--confidence: expected a share between 0 and 1, both excluded",
    "compare system_a.txt system_b.txt -r ref_a.txt --confidence nan": "--confidence: expected a number, got 'nan'",
    "compare system_a.txt system_b.txt -r ref_a.txt --confidence 1e-400": "--confidence: expected a number that a float holds, 0 or from 5e-324 to 1e308",
    "compare system_a.txt system_b.txt -r ref_a.txt --confidence 1e400": "from 5e-324 to 1e308 in size, got '1e400'",
    "conform --adapter nltk --timeout 0.1e-3_99": "--timeout: expected a number that a float holds, 0 or from 5e-324 to 1e308 in size, got '0.1e-3_99'",
    "--version extra": "unexpected extra after --version, which stands alone. See: bleu-lit --help",
    "--version --help": "unexpected --help after --version",
    "--help score": "unexpected score after --help, which stands alone. bleu-lit score --help tells its options",
    "-h \x1b[2J": "unexpected \\x1b[2J after -h",
    "compare system_a.txt system_b.txt -r ref_a.txt --samples 0": "--samples: expected",
    "compare system_a.txt system_b.txt -r ref_a.txt --seed -1": "--seed: expected",
    "compare system_a.txt system_b.txt -r ref_a.txt --show -1": "--show: expected",
    "compare system_a.txt system_b.txt -r ref_a.txt --test permutation": "--test: expected",
    "compare system_a.txt system_b.txt -r ref_a.txt --correction bonferroni": "--correction: expected",
    "compare system_a.txt system_b.txt -r ref_a.txt --baseline system_c.txt": "--baseline: expected",
    "explain a -r b --full --format view": "--full would be left out: the format view shows every n-gram",
    "explain system_a.txt -r ref_a.txt": "command line: expected a text, and texts as references, got names of files: system_a.txt, ref_a.txt. For line 1",
    "conform --list --timeout 3": "--timeout would be left out: --list asks nothing",
    "conform --adapters --clause score": "--clause would be left out: --adapters asks nothing",
    "conform --new-adapter python --vector x": "--vector would be left out: --new-adapter asks nothing",
    "conform --list --format json": "--format would be left out",
    "conform --adapter nltk --full --format junit": "--full would be left out: the format junit tells every departure in full",
    "conform --adapter nltk --timeout 0": "--timeout",
    "conform --adapter nltk --timeout inf": "--timeout: expected a number, got 'inf'",
    "conform --adapter nltk --give-up many": "--give-up: expected a whole number, got 'many'",
    "conform --adapter nltk -o no/such/report.txt": "no/such/report.txt",
    "conform --adapter nltk --clause scor": "--clause: expected",
    "conform --adapter nltk --vector scor": "--vector: expected",
    "conform --adapter nlt": "--adapter: expected",
}
HUGE = "9" * 5000
NUMBERS = {
    "score system_a.txt -r ref_a.txt": ("max-order", "weights", "smooth floor --smooth-value"),
    "compare system_a.txt system_b.txt -r ref_a.txt": ("samples", "seed", "confidence", "show"),
    "explain system_a.txt -r ref_a.txt": ("line",),
    "signature": ("nrefs", "max-order"),
    "conform --adapter bleu_lit --vector bleu/wikipedia-de/statistics": ("timeout", "give-up"),
}


@pytest.mark.parametrize("number", [HUGE, f"-{HUGE}", f"1e{HUGE}", f"0.{HUGE}", f"1/{HUGE}", "9" * 99, "1e99999999", "nan", "-inf"], ids=lambda text: text[:9])
@pytest.mark.parametrize(("line", "option"), [(line, option) for line, options in NUMBERS.items() for option in options])
def test_numbers_that_nobody_means(line, option, number):
    status, out, said = here(*line.split(), *f"--{option}={number}".replace(" --smooth-value", "\0--smooth-value").replace("smooth ", "smooth=").split("\0"))
    if status == 0:  # a seed of 99 digits is as good as any, and so is a number below 1 with many digits
        assert option in ("seed", "show", "give-up") and number == "9" * 99
        return
    assert (status, out) == (2, "")
    assert said.startswith(f"bleu-lit: --{option.split('--')[-1]}: expected ") or "signature" in said or "--timeout, --give-up" in said, said
    assert said.count("\n") == 1 and len(said) < 700, said


@pytest.mark.parametrize("line", WRONG)
def test_wrong_command_lines(line):
    status, out, said = here(*line.split())
    assert (status, out) == (2, "")
    assert said.startswith("bleu-lit: ") and said.count("\n") == 1, said
    assert WRONG[line] in said
    assert not re.search(r"\w=\w|None|True|False|parse_signature|\[function\]", said.replace(line.split()[-1], "")), said  # no Python


def test_wrong_command_line_in_a_process():
    assert "did you mean --tokenize?" in fails("score", *BOTH, "--tokenise", "13a")


def test_alone_it_prints_help():
    done = run()
    assert done.returncode == 2 and b"COMMAND" in done.stderr
    helped = run("--help")
    assert helped.returncode == 0 and b"score" in helped.stdout and helped.stderr == b""
    assert run("--version").stdout.startswith(b"bleu-lit ")


def test_blank_references_absent_names_the_line(tmp_path):
    files(tmp_path, system=b"a\nb\n", ref=b"a\n \n", other=b"a\n\n")
    said = fails("score", "system.txt", "-r", "ref.txt", "-r", "other.txt", "--blank-references", "absent", cwd=tmp_path)
    assert "line 2 of the reference files" in said
    done = run("score", "system.txt", "-r", "system.txt", "-r", "other.txt", "--blank-references", "absent", "--format", "json", cwd=tmp_path)
    assert "nrefs:var" in json.loads(done.stdout)["signature"]


@pytest.mark.parametrize("wrong", ["foo", "-1", "100000"])
@pytest.mark.parametrize(
    "line",
    ["score system_a.txt -r ref_a.txt", "score system_a.txt -r ref_a.txt --mean", "score system_a.txt -r ref_a.txt --metrics ter", "explain a -r a",
     "compare system_a.txt system_b.txt -r ref_a.txt"],
)  # fmt: skip
def test_a_number_of_threads_that_is_none(line, wrong, monkeypatch):
    monkeypatch.setenv("BLEU_LIT_THREADS", wrong)
    status, out, said = here(*line.split())
    assert (status, out) == (2, "")
    assert said == f"bleu-lit: BLEU_LIT_THREADS: expected a number of threads from 1 to 1024, got {wrong!r}. Leave it out to have it chosen\n"


def test_texts_of_the_corpora_that_are_not_where_they_are_said_to_be(tmp_path, monkeypatch):
    asked = ["conform", "--python", "json:loads", "--vector", "bleu/nltk/*"]
    status, out, by_option = here(*asked, "--data", str(tmp_path / "none"))
    monkeypatch.setenv("BLEU_LIT_SHARED", str(tmp_path / "none"))
    assert (status, out) == (2, "") and here(*asked)[:2] == (2, "")
    by_variable = here(*asked)[2]
    expected = "expected a folder with the texts of the published corpora, got no folder of that name"
    assert by_option.startswith(f"bleu-lit: {tmp_path / 'none'}: {expected}")
    assert by_variable.startswith(f"bleu-lit: BLEU_LIT_SHARED: {expected}: {tmp_path / 'none'}")
    assert "BLEU_LIT_SHARED" not in here(*asked, "--data", str(tmp_path))[2]  # --data comes before it


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("line", ["tokenize latest.txt", "score latest.txt -r latest.txt", "score latest.txt -r latest.txt --sentence"])
def test_a_link_to_nothing(line, tmp_path):
    (tmp_path / "latest.txt").symlink_to("moved.txt")
    status, out, said = here(*line.split(), cwd=tmp_path)
    assert (status, out) == (2, "")
    assert said == "bleu-lit: latest.txt: expected a file, got a link to nothing: moved.txt. Make the link anew, or name another file\n"


def test_missing_package_is_one_line(tmp_path):
    (tmp_path / "MeCab.py").write_text("raise ImportError('none here', name='MeCab')\n")
    said = fails("score", *BOTH, "--tokenize", "ja-mecab", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert "pip install '.[tokenizers]'" in said


# ---- Notes


def test_notes_speak_of_options(tmp_path):
    files(tmp_path, one="Café\n".encode(), other="Cafe\u0301\n".encode(), thai=("สวัสดีครับผมชื่อสมชายและผมเป็นนักเรียน\n" * 3).encode())
    assert "use --normalize NFC\n" in run("score", "one.txt", "-r", "other.txt", cwd=tmp_path).stderr.decode()
    assert "use --normalize NFC\n" in run("explain", "Café", "-r", "Cafe\u0301").stdout.decode()
    assert "use --tokenize char; or segment the words first" in run("score", "thai.txt", "-r", "thai.txt", cwd=tmp_path).stderr.decode()


def test_high_orders_are_quick(tmp_path):
    lines = [" ".join(f"w{i * j % 701}" for j in range(500)) + "\n" for i in range(1, 4)]
    files(tmp_path, system="".join(lines).encode(), ref="".join(line.replace("w9 ", "v ") for line in lines).encode())
    done = run("score", "system.txt", "-r", "ref.txt", "--max-order", "400", "--format", "json", cwd=tmp_path)
    assert 0 <= json.loads(done.stdout)["systems"][0]["value"] < 1
    assert max(map(len, done.stdout.splitlines())) < 10_000
    assert b"from 1 to 1000" in run("score", "--help").stdout


@pytest.mark.skipif(os.name != "posix", reason="a folder in use can be removed")
@pytest.mark.parametrize("line", ["score x -r y", "tokenize --model x", "explain a -r b -o x"])
def test_working_folder_that_is_gone(line, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'rmdir "{gone}" && exec "{sys.executable}" -m bleu_lit {line}'
    done = subprocess.run(["sh", "-c", script], cwd=gone, env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"") and said.count("\n") == 1 and said.startswith("bleu-lit: x: expected a"), said


def test_what_looks_wrong_gets_a_note(tmp_path):
    text = b"one word\n" * 12
    files(tmp_path, long=text.replace(b"word", b"word and many more of them"), short=text, cut=b"It rained , I think .\n" * 12)
    said = run("score", "long.txt", "-r", "short.txt", cwd=tmp_path).stderr.decode()
    assert "are files swapped" in said
    assert "are files swapped" in run("score", "short.txt", "-r", "long.txt", cwd=tmp_path).stderr.decode()
    assert "the same lines as the reference" in run("score", "short.txt", "-r", "short.txt", cwd=tmp_path).stderr.decode()
    assert "a reference that comes twice" in run("score", "long.txt", "-r", "short.txt", "-r", "short.txt", cwd=tmp_path).stderr.decode()
    said = run("score", "cut.txt", "short.txt", "-r", "cut.txt", cwd=tmp_path).stderr.decode()
    assert "cut.txt: a period or comma" in said.replace("note: ", "") and "references: a period or comma" in said
    assert run("score", "long.txt", "-r", "short.txt", "-q", cwd=tmp_path).stderr == b""


def test_reason_of_a_zero_is_told(tmp_path):
    files(tmp_path, system=b"one two\n", other=b"three\n", ref=b"one two\n")
    done = run("score", "system.txt", "other.txt", "-r", "ref.txt", cwd=tmp_path)
    said = done.stderr.decode()
    assert "note: system.txt: the score is 0 because" in said and "note: other.txt: the score is 0 because" in said
    document = json.loads(run("score", "other.txt", "-r", "ref.txt", "--format", "json", cwd=tmp_path).stdout)
    assert document["systems"][0]["value"] == 0 and "the score is 0 because" in document["systems"][0]["notes"][0]


# ---- Explanations and signatures


def test_explain_texts_lines_and_examples():
    texts = json.loads(run("explain", demo("system_b")[4], "-r", demo("ref_a")[4], "-r", demo("ref_b")[4], "--format", "json").stdout)
    lines = json.loads(run("explain", "system_b.txt", "-r", "ref_a.txt", "-r", "ref_b.txt", "--line", "5", "--format", "json").stdout)
    assert texts == lines
    assert texts["value"] == sentence_bleu(demo("system_b")[4], demo_references()[4]).value
    german = run("explain", "--example", "german").stdout.decode()
    assert "(3/35)^(1/4)" in german and "0.5411" in german
    assert "$$" in run("explain", "--example", "german", "--format", "markdown").stdout.decode()
    changed = json.loads(run("explain", "--example", "german", "--max-order", "2", "--format", "json").stdout)
    assert len(changed["orders"]) == 2
    some = run("explain", "system_b.txt", "-r", "a text")
    assert some.stderr == b"bleu-lit: note: system_b.txt was taken for a text, not for the file of this name\n"


def test_explain_a_corpus():
    files = ("system_b.txt", "-r", "ref_a.txt", "-r", "ref_b.txt")
    document = json.loads(run("explain", "--corpus", *files, "--format", "json").stdout)
    assert document["value"] == corpus_bleu(demo("system_b"), demo_references()).value
    assert (document["kind"], len(document["rows"]), len(document["effects"])) == ("corpus", 30, 30)
    text = run("explain", "--corpus", *files).stdout.decode()
    assert text.startswith("corpus BLEU = 23.27 %\n") and "19 segments lower the score; the 5 that do so most" in text
    assert "the 5 that do so most" not in run("explain", "--corpus", *files, "--full").stdout.decode()
    changed = run("explain", "--corpus", *files, "--preset", "paper", "--max-order", "2").stdout.decode()
    assert "case:lc" in changed and "order:2" in changed


@pytest.mark.parametrize("form", ["html", "latex", "view"])
def test_explain_in_other_forms(form):
    text = run("explain", "a <b>", "-r", "a <i>", "--tokenize", "none", "--format", form).stdout.decode()
    assert text.endswith("\n") and "<script" not in text
    if form == "latex":
        assert text.startswith("% in the preamble") and r"\textless{}" in text
    else:
        assert text.startswith("<!doctype html>") and text.endswith("</html>\n") and "&lt;b&gt;" in text and 'charset="utf-8"' in text
    if form != "view":
        assert "corpus BLEU" in run("explain", "--corpus", "system_a.txt", "-r", "ref_a.txt", "--format", form).stdout.decode()


@pytest.mark.parametrize("form", ["text", "markdown", "html", "latex"])
@pytest.mark.parametrize("arguments", [("a b c d e f g h i j k l m n o p q r s", "-r", "a b"), ("--corpus", *PAIR)], ids=["texts", "corpus"])
def test_full_leaves_nothing_out_in_any_form(arguments, form):
    left_out = r"more\s+rows\s+are\s+left\s+out|more\s+distinct|that\s+do\s+so\s+most"
    short, full = here("explain", *arguments, "--format", form)[1], here("explain", *arguments, "--format", form, "--full")[1]
    assert re.search(left_out, short) and not re.search(left_out, full)
    assert len(full) > len(short) and "full=True" not in short
    if form == "text" and "--corpus" not in arguments:
        assert "--full lists all" in short
    if "--corpus" in arguments:
        orders = json.loads(here("explain", *arguments, "--format", "json", "--full")[1])["orders"]
        assert all(len(order["ngrams"]) == order["distinct"] for order in orders)


def test_signature_there_and_back():
    options = ["--tokenize", "intl", "--lowercase", "--weights", "1/3,2/3", "--reference-length", "shortest"]
    text = run("signature", *options, "--nrefs", "3").stdout.decode().strip()
    assert text.startswith("nrefs:3|")
    back = run("signature", text).stdout.decode().split()
    assert run("signature", *back, "--nrefs", "3").stdout.decode().strip() == text
    assert run("signature", "--nrefs", "var").stdout.startswith(b"nrefs:var|")


def test_a_signature_whose_options_are_few_says_that_the_rest_is_the_default():
    line = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0"
    unsaid = "bleu-lit: note: the order is taken as 4: sacreBLEU does not sign it\n"
    assert here("signature", line)[1:] == ("--no-effective-order\n", f"{unsaid}bleu-lit: note: this option gives it; everything else is the default\n")
    assert "sacreBLEU prints two decimals" in here("signature", line.replace("exp", "floor[0.10]"))[2]
    assert "two decimals" not in here("signature", line.replace("exp", "floor[0.10]").replace("2.0.0", "bleu_lit-0.1.0"))[2]
    assert here("signature", line, "-q")[1:] == ("--no-effective-order\n", "")


def test_the_signature_of_a_worked_example_is_answered_with_what_to_do():
    shown = here("explain", "--example", "german")[1].split()[-1]
    status, out, said = here("signature", shown)
    assert status == 2 and out == "" and "bleu-lit explain --example NAME explains with it" in said and "such as tok:none" in said
    assert here("signature", shown.replace("tok:words", "tok:none"), "-q")[0] == 0


@pytest.mark.parametrize("effective", ["yes", "no"])
@pytest.mark.parametrize("question", ["corpus", "sentence"])
def test_options_of_a_signature_mean_the_same_for_every_question(effective, question):
    text = f"nrefs:1|case:lc|eff:{effective}|tok:13a|smooth:floor[0.10]"
    options = here("signature", text)[1].split()
    ask = ["--sentence"] if question == "sentence" else []
    document = json.loads(here("score", "system_a.txt", "-r", "ref_a.txt", *ask, *options, "--format", "json")[1])
    assert parse_signature(document["signature"]) == parse_signature(text)
    assert parse_signature(json.loads(here("explain", "a", "-r", "b", *options, "--format", "json")[1])["signature"]) == parse_signature(text)


# ---- The output never replaces an input


@pytest.fixture
def folder(tmp_path):
    """A small corpus, a file that stands for a model, and links."""
    files(tmp_path, sys=b"one two\n", ref=b"one two three\n", model=b"a model\n")
    os.link(tmp_path / "ref.txt", tmp_path / "hard.txt")
    (tmp_path / "soft.txt").symlink_to("sys.txt")
    return tmp_path


REPLACING = [
    "score sys.txt -r ref.txt -o sys.txt",
    "score sys.txt -r ref.txt -o ./ref.txt",
    "score sys.txt -r ref.txt -o hard.txt",
    "score sys.txt -r ref.txt -o soft.txt",
    "score soft.txt -r ref.txt -o sys.txt",
    "score sys.txt -r ref.txt --model model.txt -o model.txt",
    "explain --line 1 sys.txt -r ref.txt -o ref.txt",
    "explain --corpus sys.txt -r ref.txt -o soft.txt",
    "explain sys.txt -r text -o sys.txt",
    "explain text -r ref.txt -o hard.txt",
    "explain a -r b --model model.txt -o model.txt",
    "tokenize sys.txt -o sys.txt",
    "tokenize sys.txt --model model.txt -o model.txt",
    "signature --model model.txt -o model.txt",
    "score - -r ref.txt -o sys.txt < sys.txt",
    "score sys.txt -r - -o hard.txt < ref.txt",
    "tokenize -o sys.txt < sys.txt",
    "score /dev/stdin -r ref.txt -o sys.txt < sys.txt",
]


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
@pytest.mark.parametrize("line", REPLACING)
def test_output_never_replaces_an_input(line, folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    words, _, stdin = line.partition(" < ")
    if stdin:
        with open(folder / stdin, "rb") as stream:
            done = subprocess.run([*COMMAND, *words.split()], cwd=folder, env=environment(), stdin=stream, capture_output=True, encoding="utf-8")
        status, out, said = done.returncode, done.stdout, done.stderr
    else:
        status, out, said = here(*words.split(), cwd=folder)
    assert (status, out, said.count("\n")) == (2, "", 1)
    assert "--output: expected an output that is no input" in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_output_beside_the_inputs_is_written(folder):
    assert run("explain", "new.txt", "-r", "text", "-o", "new.txt", cwd=folder).returncode == 0  # a text that names no file
    assert b"sentence BLEU" in (folder / "new.txt").read_bytes()
    assert run("score", "sys.txt", "-r", "ref.txt", "-o", os.devnull, cwd=folder).returncode == 0
    assert run("tokenize", os.devnull, "-o", os.devnull, cwd=folder).returncode == 0


# ---- What a terminal would obey or hide is shown as an escape


NASTY = "\x1b[2J\x07\r\n\t\x7f\x9b1m\u202e\u2066\u200b\u2028.txt"
UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e\u2066\ud800-\udfff]")


def nasty(folder: Path) -> bytes:
    """A file whose name would give orders to a terminal, with a byte that is not UTF-8."""
    name = b"\xe4" + NASTY.encode()
    with open(os.path.join(os.fsencode(folder), name), "wb") as stream:
        stream.write("\n".join(["One word , and more."] * 12).encode())
    return name


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX")
@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
@pytest.mark.parametrize("question", [[], ["--orders"], ["--mean"], ["--sentence"]])
def test_names_are_escaped_in_tables_and_notes(question, form, tmp_path):
    name = nasty(tmp_path)
    (tmp_path / "other.txt").write_bytes(b"word\n\n" * 6)
    status, out, said = here("score", os.fsdecode(name), "other.txt", "-r", os.fsdecode(name), "-r", "other.txt", "--format", form, *question, cwd=tmp_path)
    assert status == 0
    assert r"\x1b[2J\x07\r\n" in said and not UNSEEN.search(said)
    assert not UNSEEN.search(out.replace("\t", "") if question == ["--sentence"] and form == "text" else out)
    if form == "json":
        assert json.loads(out)["systems"][0]["system"] == "\\xe4" + NASTY


QUOTING = [  # command lines that quote what stands for the question mark
    *("score ?/x -r b", "score x? -r b", "explain --line 99 ? -r ?", "tokenize ?/x", "tokenize x?", "explain ? -r b --tokenize x", "explain --example ?"),
    *("signature ?", "signature --nrefs ?", "?", "?x", "--?", "score a -r b --foo?", "score a -r b ?", "score a -r b --lowercase=?", "score a -r b -q -o ?/"),
    *(f"score a -r b --{option} ?" for option in ("format", "tokenize", "smooth", "smooth-value", "weights", "max-order", "preset", "normalize", "model")),
    *(f"score a -r b --{option} ?" for option in ("reference-length", "blank-references", "effective-order")),
]


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX")
@pytest.mark.parametrize("line", QUOTING)
def test_arguments_are_escaped_in_errors(line, tmp_path):
    name = os.fsdecode(nasty(tmp_path))
    files(tmp_path, a=b"a\n", b=b"b\n")
    for given in (name, "9" * 100_000):
        status, out, said = here(*(word.replace("?", given) if "?" in word else f"{word}.txt" if word in "ab" else word for word in line.split()), cwd=tmp_path)
        assert (status, out) == (2, "") and said.count("\n") == 1
        assert not UNSEEN.search(said) and len(said) < 2500


def test_names_are_escaped_on_the_progress_line(large):
    name = nasty(large).decode("utf-8", "surrogateescape")
    (large / name).unlink()
    os.link(large / "system.txt", large / name)
    status, _, seen = on_a_terminal([*COMMAND, "score", name, "-r", "ref.txt"], large)
    assert status == 0 and rb"scoring \xe4\x1b[2J" in seen
    assert not UNSEEN.search(seen.decode("utf-8").replace("\r", ""))


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html", "latex", "view"])
def test_texts_are_escaped_in_explanations(form):
    text = "\x1b[2J \x9b1m \u202ex \u2066 Käse 你好"
    out = run("explain", text, "-r", text, "--tokenize", "none", "--format", form).stdout.decode("utf-8")
    assert not UNSEEN.search(out) and "Käse" in out and "你好" in out
    if form == "json":
        assert json.loads(out)["candidate"]["text"] == text


def test_spreadsheets_find_no_formula(tmp_path):
    for name in ("=1+1", "+x", "-x", "@x"):
        (tmp_path / name).write_bytes(b"one\n")
    out = run("score", "--format", "csv", "-r", "=1+1", "--", "=1+1", "+x", "-x", "@x", cwd=tmp_path).stdout.decode()
    names = [row["system"] for row in csv.DictReader(io.StringIO(out))]
    assert names == ["./=1+1", "./+x", "./-x", "./@x"]  # which still name the files
    assert all((tmp_path / name).exists() for name in names)


# ---- Pipes, signals, full disks, terminals


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Two files of 60 000 lines, and the folder they stand in."""
    folder = tmp_path_factory.mktemp("large")
    lines = [f"line {i} of a text that is long enough, and says {i * 7919 % 9973} things about {i % 97}.\n" for i in range(60_000)]
    (folder / "system.txt").write_text("".join(lines), encoding="utf-8")
    (folder / "ref.txt").write_text("".join(line.replace("long", "quite long") for line in lines), encoding="utf-8")
    return folder


CLOSED_EARLY = [
    "tokenize system.txt",
    *("--help", "--version", "score --help", "compare --help", "explain --help", "tokenize --help", "signature --help", "conform --help"),
    "score system_a.txt -r ref_a.txt",
    "score system_a.txt -r ref_a.txt --sentence --quiet",
    "score system_a.txt -r ref_a.txt --format json",
    "score system_a.txt -r ref_a.txt --metrics bleu",
    "compare system_a.txt system_b.txt -r ref_a.txt --samples 20",
    "compare system_a.txt system_b.txt -r ref_a.txt --samples 20 --format html",
    "explain a -r b",
    "explain --corpus system_a.txt -r ref_a.txt --format html",
    "signature",
    "signature -q nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp",
    "conform --list",
    "conform --adapters",
]


@pytest.mark.parametrize("line", CLOSED_EARLY)
def test_pipe_that_closes_early(line, large):
    folder = large if line.startswith("tokenize s") else DEMO
    with subprocess.Popen([*COMMAND, *line.split()], cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if folder == DEMO:
            process.stdout.close()  # before anything is written: what is left in the buffer fails at the end
        else:
            assert process.stdout.readline()
            process.stdout.close()
        said = process.stderr.read()
        assert process.wait(60) == 2
    assert said == b"bleu-lit: standard output was closed before everything was written\n"


def test_tokenize_reads_what_never_ends():
    with subprocess.Popen([*COMMAND, "tokenize"], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        line = process.stdout.readline
        feeder = threading.Thread(target=feed, args=(process.stdin, b"a dog, a cat\n" * 1000), daemon=True)
        feeder.start()
        assert {line() for _ in range(30_000)} == {b"a dog , a cat\n"}
        process.stdout.close()
        feeder.join(timeout=60)
        assert not feeder.is_alive() and process.wait(60) == 2


def feed(stream, data: bytes) -> None:
    """Write data again and again, until nobody reads."""
    with contextlib.suppress(BrokenPipeError), stream:
        while True:
            stream.write(data)


def test_standard_error_that_closes_early():
    with subprocess.Popen([*COMMAND, "score", "x", "-r", "y"], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stderr.close()
        assert process.wait(60) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", ["tokenize ref_a.txt", "score system_a.txt -r ref_a.txt", "--help", "--version", "score --help"])
def test_full_disk(line, unbuffered):
    with open("/dev/full", "wb") as full:
        variables = environment(PYTHONUNBUFFERED=unbuffered)
        done = subprocess.run([*COMMAND, *line.split()], cwd=DEMO, env=variables, stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("bleu-lit: ") and done.stderr.count(b"\n") == 1 and b"space" in done.stderr
    assert "/dev/full" in fails("score", *BOTH, "-o", "/dev/full")


@pytest.mark.skipif(os.name != "posix", reason="the shell closes descriptors")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_descriptors(closed):
    line = f'"{sys.executable}" -m bleu_lit tokenize - {closed}'
    done = subprocess.run(line, shell=True, cwd=DEMO, env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 2 and done.stderr.startswith(b"bleu-lit: ") and done.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of the size of a file")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", ["tokenize ref_a.txt", "score system_a.txt -r ref_a.txt --sentence -q", "conform --list", "--help"])
def test_a_result_that_is_cut_is_told(line, unbuffered, tmp_path):
    script = (
        "import resource, runpy, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); runpy.run_module('bleu_lit', run_name='__main__', alter_sys=True)"
    )
    with open(tmp_path / "out", "wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", script, *line.split()],
            cwd=DEMO,
            env=environment(PYTHONUNBUFFERED=unbuffered, PYTHONDONTWRITEBYTECODE="1"),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
        )
    assert (done.returncode, done.stderr) == (2, b"bleu-lit: standard output: File too large\n")
    assert run(*line.split()).stdout.startswith((tmp_path / "out").read_bytes())


@pytest.mark.skipif(os.name != "posix", reason="a pipe that is full")
def test_a_reader_that_stops_is_told_without_a_buffer(tmp_path):
    files(tmp_path, text=b"a b c d e f g h\n" * 50_000)  # several times what a pipe holds
    command = [*COMMAND, "tokenize", "text.txt"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment(PYTHONUNBUFFERED="1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(1000)
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (2, b"bleu-lit: standard output was closed before everything was written\n")
    assert run("tokenize", "text.txt", cwd=tmp_path, PYTHONUNBUFFERED="1").stdout == b"a b c d e f g h\n" * 50_000


def wait_for_reading(process: subprocess.Popen, stream) -> None:
    """Until the child reads: a write to the pipe goes through and is taken."""
    stream.write(b"one\n" * 20_000)  # more than a pipe holds, so the child has begun to read
    stream.flush()
    assert process.poll() is None


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_while_reading():
    with subprocess.Popen(
        [*COMMAND, "score", "-", "-r", "ref_a.txt"], cwd=DEMO, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        wait_for_reading(process, process.stdin)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    assert (process.returncode, out, said) == (2, b"", b"bleu-lit: interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "stopped by SIGTERM")])
def test_a_stopped_run_goes_on_from_its_checkpoint(tmp_path, number, said):
    text = b"one\n" * 400_000
    (tmp_path / "ref.txt").write_bytes(text)
    command = [*COMMAND, "score", "-", "-r", "ref.txt"]
    for kept, more in (([], ""), (["--checkpoint", "c.state"], "; the state is kept in c.state, and the same command goes on from there")):
        with subprocess.Popen(
            [*command, *kept], cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            for _ in range(10):  # several blocks
                wait_for_reading(process, process.stdin)
            process.send_signal(number)
            out, told = process.communicate(timeout=60)
        assert (process.returncode, out, told.decode()) == (2, b"", f"bleu-lit: {said}{more}\n")
    assert json.loads((tmp_path / "c.state").read_text())["state"]["segments"] <= 200_000
    goes_on = subprocess.run([*command, *kept], cwd=tmp_path, env=environment(), input=text, capture_output=True)
    afresh = subprocess.run(command, cwd=tmp_path, env=environment(), input=text, capture_output=True)
    assert (goes_on.returncode, goes_on.stdout, goes_on.stderr) == (0, afresh.stdout, afresh.stderr)
    assert not (tmp_path / "c.state").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_main_sets_no_handler_of_its_own(monkeypatch):
    heard = []

    def term(given):
        os.kill(os.getpid(), signal.SIGTERM)
        return 0

    monkeypatch.setattr("bleu_lit.commands_explain.signature_command", term)
    before = signal.signal(signal.SIGTERM, lambda *given: heard.append(given))
    try:
        assert main(["signature"]) == 0 and len(heard) == 1
    finally:
        signal.signal(signal.SIGTERM, before)
    elsewhere = threading.Thread(target=lambda: heard.append(main(["--version"])))  # where no handler can be set
    elsewhere.start()
    elsewhere.join()
    assert heard[1:] == [0]


SIGNALS = """
import os, signal, sys
import bleu_lit.cli as cli, bleu_lit.commands_explain as commands
from bleu_lit.__main__ import run
first, *more = (getattr(signal, name) for name in sys.argv.pop().split())
send, said = lambda numbers: [os.kill(os.getpid(), number) for number in numbers], cli.say
def stopped(given):
    try:
        send([first])
    finally:
        send(more)  # while the state is written
def told(text):
    send(more)
    said(text)
    send(more)
commands.signature_command, cli.say = stopped, told
usual = cli.in_utf8().__class__.__exit__
cli.in_utf8().__class__.__exit__ = lambda *given: (usual(*given), send(more))[0]  # when main is done
status = run()
send(more)
sys.exit(status)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("numbers", ["SIGINT SIGINT", "SIGTERM SIGTERM", "SIGINT SIGTERM SIGINT", "SIGTERM SIGINT SIGTERM"])
def test_one_line_however_many_signals_come(numbers):
    done = subprocess.run([sys.executable, "-c", SIGNALS, "signature", numbers], env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    said = b"interrupted" if numbers.startswith("SIGINT") else b"stopped by SIGTERM"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"bleu-lit: " + said + b"\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_signals_that_come_at_once_are_one_line(tmp_path):
    held = "import os, signal; both = {signal.SIGINT, signal.SIGTERM}; signal.pthread_sigmask(signal.SIG_BLOCK, both)\n"
    sent = "[os.kill(os.getpid(), number) for number in both]; signal.pthread_sigmask(signal.SIG_UNBLOCK, both)\n"
    program = f"{held}import bleu_lit.commands_explain as commands\ndef stopped(given):\n    {sent}    return 0\n"
    program += "commands.signature_command = stopped\nimport sys; from bleu_lit.__main__ import run; sys.exit(run())"
    done = subprocess.run([sys.executable, "-c", program, "signature"], env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr in (b"bleu-lit: interrupted\n", b"bleu-lit: stopped by SIGTERM\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_signal_that_is_ignored_stays_ignored_and_one_that_python_drops_may_come_again():
    program = (
        "import os, signal, sys, weakref; import bleu_lit.commands_explain as commands; from bleu_lit.__main__ import run\n"
        "class Thing: pass\n"
        "def stopped(given):\n"
        "    thing = Thing(); kept = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGTERM)); del thing\n"  # drops what is raised in it
        "    print('on'); os.kill(os.getpid(), signal.SIGTERM); print('too far'); return 0\n"
        "commands.signature_command = stopped; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "status = run(); os.kill(os.getpid(), signal.SIGINT); sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", program, "signature"], env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"on\n", b"bleu-lit: stopped by SIGTERM\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_while_the_command_is_imported():
    program = (
        "import builtins, os, runpy, signal, sys; usual = builtins.__import__\n"
        "def late(name, *rest, **named):\n"
        "    if name == 'cli' or name == 'bleu_lit.cli': os.kill(os.getpid(), signal.SIGINT)\n"
        "    return usual(name, *rest, **named)\n"
        "builtins.__import__ = late; runpy.run_module('bleu_lit', run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"bleu-lit: interrupted\n")


def on_a_terminal(command: list[str], cwd: Path, interrupt_at: bytes = b"") -> tuple[int, bytes, bytes]:
    """Run a command whose standard error is a terminal: status, output, and what the terminal got. The plain engine takes long enough to be seen at work."""
    control, terminal = pty.openpty()
    process = subprocess.Popen(command, cwd=cwd, env=environment(BLEU_LIT_ENGINE="python"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    seen, deadline = b"", time.monotonic() + 60
    with contextlib.suppress(OSError):  # the terminal is gone when the process is
        while time.monotonic() < deadline:
            if select.select([control], [], [], 0.2)[0]:
                part = os.read(control, 4096)
                if not part:
                    break
                seen += part
                if interrupt_at and interrupt_at in seen:
                    process.send_signal(signal.SIGINT)
                    interrupt_at = b""
            elif process.poll() is not None:
                break
    out = process.stdout.read()
    status = process.wait(60)
    process.stdout.close()
    os.close(control)
    return status, out, seen


def test_progress_on_a_terminal_alone(large):
    command = [*COMMAND, "score", "system.txt", "-r", "ref.txt"]
    status, out, seen = on_a_terminal(command, large)
    assert status == 0 and out.count(b"\n") == 1
    assert re.search(rb"scoring system.txt \[#* *\] [0-9.]+ of [0-9.]+ MB", seen)
    erased = seen.rstrip(b"\r").rsplit(b"\r", 1)[1]
    assert seen.endswith(b"\r") and erased.strip() == b""
    assert on_a_terminal([*command, "--quiet"], large)[2] == b""
    assert run("score", "system.txt", "-r", "ref.txt", cwd=large).stderr == b""


def test_ctrl_c_while_counting(large):
    status, out, seen = on_a_terminal([*COMMAND, "score", *["system.txt"] * 5, "-r", "ref.txt"], large, interrupt_at=b"scoring")
    assert (status, out) == (2, b"")
    assert b"Traceback" not in seen
    assert re.search(rb"\r *\rbleu-lit: interrupted\r\n$", seen)  # the progress line is erased first


def test_a_want_of_memory_is_one_line(monkeypatch):
    def too_much(*arguments):
        raise MemoryError

    monkeypatch.setattr("bleu_lit.commands_score.score_files", too_much)
    status, out, said = here("score", "system_a.txt", "-r", "ref_a.txt", "--sentence")
    assert (status, out) == (2, "") and said.count("\n") == 1
    assert said.startswith("bleu-lit: not enough memory. ") and "Without --sentence" in said
    monkeypatch.setattr("bleu_lit.commands_score.stream_files", too_much)
    status, out, said = here("score", "system_a.txt", "-r", "ref_a.txt")
    assert (status, out) == (2, "") and "not enough memory. Is a line" in said and "--sentence" not in said  # nothing that was not asked for


def test_main_leaves_the_streams_as_they_were():
    with open(os.devnull, "w", encoding="latin-1", errors="replace") as stream, contextlib.redirect_stdout(stream):
        assert main(["signature"]) == 0
        assert (stream.encoding, stream.errors) == ("latin-1", "replace")


def test_statistics_in_json_are_those_of_the_sentences():
    found = json.loads(here("score", "system_a.txt", "-r", "ref_a.txt", "--sentence", "--format", "json")[1])["systems"][0]["sentences"]
    rows = [BleuStats(line["candidate_length"], line["reference_length"], tuple(line["matched"]), tuple(line["total"])) for line in found]
    assert sum(rows, BleuStats.zero()) == corpus_bleu(demo("system_a"), [[text] for text in demo("ref_a")]).stats


def test_a_checkpoint_is_taken_up(tmp_path):
    state = tmp_path / "state"
    line = ["score", "system_a.txt", "-r", "ref_a.txt", "--checkpoint", str(state)]
    first, again = run(*line), run(*line)
    assert first.returncode == again.returncode == 0 and first.stdout == again.stdout == run("score", "system_a.txt", "-r", "ref_a.txt").stdout
    refused = run("score", "system_a.txt", "-r", "ref_a.txt", "--sentence", "--checkpoint", str(state))
    assert refused.returncode == 2 and b"--checkpoint is for a score of the whole corpus" in refused.stderr


@pytest.mark.parametrize("question", ["--sentence", "--mean"])
def test_the_reason_of_each_zero_is_told_in_every_form(question, tmp_path):
    texts = {"empty": "", "no token": "yes", "too short": "the mat", "no n-gram": "a dog sat on the", "": "the cat sat on the mat"}
    (tmp_path / "s.txt").write_text("".join(text + "\n" for text in texts.values()))
    (tmp_path / "r.txt").write_text("the cat sat on the mat\n" * 5)
    line = ["score", "s.txt", "-r", "r.txt", question, "--smooth", "none", "--no-effective-order"]
    status, _, said = here(*line, cwd=tmp_path)
    assert status == 0
    for number, word in enumerate(texts, 1):
        told = [note for note in said.splitlines() if note.endswith(f": line {number}")]
        assert len(told) == bool(word) and all(word in note and "1 of 5 sentences scores 0 because" in note for note in told)
    quiet = {form: here(*line, "--format", form, "--quiet", cwd=tmp_path)[1] for form in ("json", "csv", "markdown")}
    for number, word in enumerate(texts, 1):
        assert any(line.startswith("- s") and line.endswith(f": line {number}") and word in line for line in quiet["markdown"].splitlines()) == bool(word)
    system = json.loads(quiet["json"])["systems"][0]
    rows = list(csv.DictReader(io.StringIO(quiet["csv"])))
    if question == "--sentence":
        assert all(word in sentence["why_zero"] and bool(word) == bool(sentence["why_zero"]) for word, sentence in zip(texts, system["sentences"], strict=True))
        assert [row["why_zero"] for row in rows] == [sentence["why_zero"] for sentence in system["sentences"]]
    else:
        assert sorted(map(tuple, system["why_zero"].values())) == [(1,), (2,), (3,), (4,)] and system["zeros"] == 4
        assert all(word in rows[0]["why_zero"] for word in texts)


def test_environment_variables_are_where_a_user_looks():
    """Every variable that the package reads to choose how it counts is in the help, the README and the page of the installation."""
    read = {name for path in (ROOT / "bleu_lit").glob("*.py") for name in re.findall(r'environ\.get\("(BLEU_LIT_\w+)"', path.read_text(encoding="utf-8"))}
    assert read == {"BLEU_LIT_THREADS", "BLEU_LIT_ENGINE", "BLEU_LIT_SHARED"}  # the last is of `conform`, whose help tells it
    places = [run("--help").stdout.decode(), *((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "nbs/install.qmd"))]
    assert all(name in place for name in read - {"BLEU_LIT_SHARED"} for place in places)
    assert "BLEU_LIT_SHARED" in run("conform", "--help").stdout.decode()


@pytest.mark.parametrize("line", ["score a", "score a --metrics chrf", "score a --metrics chrf --sentence", "compare a b"])
def test_no_note_doubts_the_layout_of_files(tmp_path, line):
    """Two lines with two references each: as lists they fit both layouts, as files only one."""
    for name, text in {"a": "a b c\nd e f\n", "b": "a b\nd e\n", "r": "a b c\nd e x\n", "s": "a b c q\nd e x\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = run(*line.split(), "-r", "r", "-r", "s", cwd=tmp_path)
    assert done.returncode == 0 and b"either way" not in done.stdout + done.stderr
