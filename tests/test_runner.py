"""Any BLEU can be put under the suite: programs in any language, whatever they do; the verdict in every form; the starters; the adapters; the plugin."""

import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from shared import SCRIPTS, SHARED, needs_data

import bleu_lit
from bleu_lit import able, adapters, cli, conformance, core, libraries, matrix, protocol, runner, starters, verdict
from bleu_lit import program as program_end

ROOT = Path(__file__).resolve().parent.parent
GERMAN = next(vector for vector in conformance.vectors() if vector.id == "bleu/wikipedia-de/sentence")
REFUSED = next(vector for vector in conformance.vectors() if "error" in vector.expect)
FEW = ["bleu/wikipedia-de/*", "bleu/nmt/*", "bleu/errors/empty-corpus", "bleu/disputed/chen-cherry-5"]
ANSWER = """
for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps({"id": case["id"], "stages": {"score": 0.5}}), flush=True)
"""


@pytest.fixture
def program(tmp_path):
    """Write a program in Python, and give the command that runs it."""

    def write(text: str) -> list[str]:
        path = tmp_path / "program.py"
        path.write_text("import json, os, sys, time\n" + text, encoding="utf-8")
        return [sys.executable, str(path)]

    return write


def statuses(report) -> list[str]:
    return [outcome.status for outcome in report.outcomes]


# ---- The protocol


def test_every_question_is_one_ascii_line_and_complete():
    for case in runner.cases():
        line = protocol.request_line(protocol.request_of(case))
        request = json.loads(line)
        assert line.isascii()
        assert "\n" not in line
        assert list(request)[:4] == ["id", "level", "input", "settings"]
        named = "max_order weights tokenize lowercase smooth smooth_value effective_order reference_length normalize"
        assert set(named.split()) <= request["settings"].keys()
        assert request["stages"]
        assert "error" not in request["stages"]
        numbers = [*(request["settings"]["weights"] or []), request["settings"]["smooth_value"] or 0]
        assert all(isinstance(number, (int, float)) for number in numbers)


def test_a_question_does_not_say_what_is_expected():
    scored = protocol.request_of(GERMAN)
    assert scored.keys() == protocol.request_of(REFUSED).keys()
    assert "expect" not in scored
    assert GERMAN.expect["score"]["exact"] not in json.dumps(scored)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("", "garbage"),
        ("BLEU = 54.11", "garbage"),
        ("[" * 100_000, "garbage"),
        ("null", "malformed"),
        ('{"stages": {"score": 1}}', "malformed"),
        ('{"id": "b", "stages": {"score": 1}}', "wrong-id"),
        ('{"id": "a"}', "malformed"),
        ('{"id": "a", "stages": {}}', "malformed"),
        ('{"id": "a", "stages": [1]}', "malformed"),
        ('{"id": "a", "stages": {"bleu": 1}}', "malformed"),
        ('{"id": "a", "stages": {"error": "no"}}', "malformed"),
        ('{"id": "a", "skip": ""}', "malformed"),
        ('{"id": "a", "skip": true}', "malformed"),
        ('{"id": "a", "error": 5}', "malformed"),
        ('{"id": "a", "skip": "x", "error": "y"}', "malformed"),
        ('{"id": "a", "stages": {"score": 1}, "within": {"score": 1}}', "malformed"),
        ('{"id": "a", "stages": {"score": 1}, "within": {"matched": 0.001}}', "malformed"),
    ],
)
def test_what_is_no_answer_is_named(line, kind):
    with pytest.raises(protocol.ProtocolError) as caught:
        protocol.parse_answer(line, "a")
    assert caught.value.kind == kind


def test_results_of_any_kind_become_json():
    numpy = pytest.importorskip("numpy")
    precisions = (Fraction(6, 8), Fraction(4, 7), Fraction(1, 2), Fraction(2, 5))
    results = {"matched": numpy.array([6, 4, 3, 2]), "precisions": precisions, "score": numpy.float32(0.5410823)}
    out = []
    stream = type("Stream", (), {"write": lambda self, text: out.append(text), "flush": lambda self: None})()
    protocol.serve(lambda case: results, [json.dumps({"id": GERMAN.id})], stream)
    answer = protocol.parse_answer("".join(out), GERMAN.id)
    assert not GERMAN.check(answer["stages"])


# ---- Programs, whatever they do


def test_a_program_is_asked_every_case_in_one_process(program):
    command = program("import os\npid = os.getpid()\n" + ANSWER.replace('"stages"', '"implementation": str(pid), "stages"'))
    with program_end.Program(command) as asked:
        seen = {asked.ask(protocol.request_of(vector))["implementation"] for vector in (GERMAN, REFUSED, GERMAN)}
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("time.sleep(60)", "timeout", "waited"),
        ("sys.stdin.readline(); time.sleep(60)", "timeout", "waited"),
        ("while True: pass", "timeout", "waited"),
        ("sys.exit(3)", "crash", "status 3"),
        ("raise ValueError('no such language')", "crash", "no such language"),
        ("raise ValueError('a' + 'b' * 60 + ' and so on' + json.dumps(sys.argv)[:0])", "crash", "ended with 'ValueError: abbb"),
        ("sys.exit('    indented alone')", "crash", "ended with 'indented alone'"),
        ("os.abort()", "crash", "SIGABRT"),
        ("sys.exit(0)", "no-answer", "status 0"),
        ("os.close(1); time.sleep(60)", "crash", "closed its output"),
        ("print('hello', flush=True); time.sleep(60)", "garbage", "hello"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush(); time.sleep(60)", "garbage", "xff"),
        ("print('{}', flush=True); time.sleep(60)", "malformed", "an id"),
        ('print(\'{"id": "other", "skip": "x"}\', flush=True); time.sleep(60)', "wrong-id", "other"),
        ("while True: print('x' * 1000)", "garbage", "xxx"),
        ("while True: sys.stderr.write('x' * 1000)", "timeout", "waited"),
    ],
)
def test_what_a_program_does_wrong_is_named(program, text, kind, words):
    asked = program_end.Program(program(text), timeout=0.4, startup=1.5)
    with asked, pytest.raises(protocol.ProtocolError) as caught:
        asked.ask(protocol.request_of(GERMAN))
    assert caught.value.kind == kind, caught.value
    assert words in str(caught.value)
    assert asked._pipes is None


@pytest.mark.parametrize(
    ("interpreter", "name", "text", "words"),
    [
        ("node", "fails.mjs", "throw new Error('no such language')", "'Error: no such language'"),
        ("perl", "fails.pl", "sub cut { die 'no such language' } cut();", "'no such language at "),
        ("node", "absent.mjs", "", "\"Error: Cannot find module '"),
        ("node", "fails.mjs", "throw Object.assign(new Error('no such language\\nand more'), {code: 7})", "'Error: no such language'"),
        (sys.executable, "fails.py", "raise ValueError('no such language\\nand more')", "'ValueError: no such language'"),
        (sys.executable, "fails.py", "try: 1 / 0\nexcept ArithmeticError: import no_such", "\"ModuleNotFoundError: No module named 'no_such'\""),
        (sys.executable, "fails.py", "x = (", "\"SyntaxError: '(' was never closed\""),
        (sys.executable, "absent.py", "", '"'),
        ("perl", "fails.pl", "use No::Such;", "\"Can't locate No/Such.pm in @INC"),
        ("perl", "absent.pl", "", "'Can\\'t open perl script"),
        ("sh", "fails.sh", "no-such-program", "'"),
        pytest.param("rustc", "fails.rs", 'fn main() { panic!("no such language"); }', "'no such language'", marks=pytest.mark.slow),
    ],
)
def test_the_last_words_of_a_program_are_its_message(interpreter, name, text, words, tmp_path):
    if not shutil.which(interpreter):
        pytest.skip(f"{interpreter} is not installed")
    path = tmp_path / name
    if text:
        path.write_text(text, encoding="utf-8")
    if interpreter == "rustc":
        subprocess.run(["rustc", "-o", str(tmp_path / "fails"), str(path)], check=True, capture_output=True)
    command = [str(tmp_path / "fails")] if interpreter == "rustc" else [interpreter, str(path)]
    asked = program_end.Program(command, timeout=5, startup=5)
    with asked, pytest.raises(protocol.ProtocolError) as caught:
        asked.ask(protocol.request_of(GERMAN))
    assert f"standard error ended with {words}" in str(caught.value)


def test_the_run_goes_on_after_every_kind_of_failure(program):
    command = program(
        """
state = sys.argv[1]
with open(state, "a") as file:
    file.write("x")
fault = os.path.getsize(state)
for line in sys.stdin:
    case = json.loads(line)
    if fault == 1: sys.exit(7)
    if fault == 2: print("oops", flush=True)
    if fault == 3: time.sleep(60)
    if fault == 4: case["id"] = "else"
    if fault == 5: sys.exit(0)
    print(json.dumps({"id": case["id"], "stages": {"score": 0.5}}), flush=True)
"""
    )
    command.append(str(Path(command[1]).with_name("starts")))
    some = ["bleu/wikipedia-de/*", "bleu/nmt/*", "bleu/nltk/candidate-?", "bleu/koehn-2010/system-?"]
    report = runner.conform(command=command, vector=some, timeout=1, give_up=0)
    assert report.status == 1
    kinds = [outcome.reason.split(":")[0] for outcome in report.of("failed")]
    named = [protocol.FAILURES[kind].split(":")[0] for kind in ("crash", "garbage", "timeout", "wrong-id")]
    assert kinds[:4] == named
    assert set(statuses(report)[6:]) <= {"departs", "conforms", "disputed"}
    assert not report.of("skipped")


def test_too_many_lines_are_counted_against_the_case_they_follow(program):
    extra = ANSWER + '    if "wikipedia-de/sentence" in case["id"]:\n        print("and one more", flush=True)\n        time.sleep(0.3)\n'
    report = runner.conform(command=program(extra), vector=FEW)
    failed = report.of("failed")
    assert [outcome.id for outcome in failed] == [GERMAN.id] or "one more" in failed[0].reason
    assert "too many lines" in " ".join(outcome.reason for outcome in failed) or "not JSON" in failed[0].reason


def test_an_answer_given_twice_is_no_answer_to_the_next_case(program):
    twice = ANSWER.replace("flush=True)", "flush=True)\n    print(json.dumps({'id': case['id'], 'stages': {'score': 1}}), flush=True)")
    report = runner.conform(command=program(twice), vector=FEW)
    assert {outcome.status for outcome in report.outcomes} == {"failed"}
    assert all("too many lines" in outcome.reason for outcome in report.outcomes)


def test_programs_that_answer_once_or_at_the_end_are_met_with_patience(program):
    once = "case = json.loads(sys.stdin.readline())\nprint(json.dumps({'id': case['id'], 'stages': {'score': 0.5}}))\n"
    assert not runner.conform(command=program(once), vector=FEW).of("failed")
    late = "answers = [json.dumps({'id': json.loads(line)['id'], 'stages': {'score': 0.5}}) for line in sys.stdin]\nprint(*answers, sep='\\n')\n"
    report = runner.conform(command=program(late), vector=FEW, timeout=0.8)
    assert not report.of("failed")
    assert any("flush" in note for note in report.notes)


def test_a_hopeless_program_is_given_up_and_a_hopeful_one_is_not(program):
    report = runner.conform(command=program("sys.exit(1)"), vector=["bleu/nltk/*"], give_up=3)
    assert [outcome.reason.startswith("not asked") for outcome in report.outcomes[:5]] == [False, False, False, True, True]
    never = runner.conform(command=program("sys.exit(1)"), vector=["bleu/nltk/*"])
    assert sum(not outcome.reason.startswith("not asked") for outcome in never.outcomes) == 3
    once = "case = json.loads(sys.stdin.readline())\nprint(json.dumps({'id': case['id'], 'stages': {'score': 0.5}}), flush=True)\n"
    once += "sys.stdin.readline()\nsys.exit(1)\n"
    assert not any(outcome.reason.startswith("not asked") for outcome in runner.conform(command=program(once), vector=["bleu/nltk/*"]).outcomes)
    told = verdict.as_text(never)
    assert f"{len(never.outcomes) - 3} more: not asked" in told
    assert len(told.splitlines()) < 30
    everything = runner.conform(command=program("sys.exit(1)"), vector=["bleu/nltk/candidate-?"], give_up=0)
    assert not any(outcome.reason.startswith("not asked") for outcome in everything.outcomes)


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
def test_a_stopped_program_leaves_nothing_behind(program, tmp_path):
    mark = tmp_path / "child"
    child = f"import time; time.sleep(1.2); open({str(mark)!r}, 'w').close()"
    asked = program_end.Program(program(f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"), timeout=0.3, startup=0.5)
    with asked, pytest.raises(protocol.ProtocolError):
        asked.ask(protocol.request_of(GERMAN))
    time.sleep(1.6)
    assert not mark.exists()


@pytest.mark.skipif(os.name != "posix", reason="sessions of POSIX")
def test_what_a_program_started_in_a_session_of_its_own_is_not_waited_for(program, tmp_path):
    """A helper that outlives the program holds its pipes, as a server that is started in the background does."""
    mark = tmp_path / "pid"
    child = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    begin = f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)"
    begin += f"\nwhile not (os.path.exists({str(mark)!r}) and os.path.getsize({str(mark)!r})): pass"
    with program_end.Program(program(f"import os\n{begin}\n{ANSWER}")) as asked:
        assert asked.ask(protocol.request_of(GERMAN))["stages"]
    pid = int(mark.read_text())
    os.kill(pid, signal.SIGKILL)  # it was still there: an error if not


def test_a_verdict_shows_what_a_program_said_without_what_a_terminal_would_obey(program):
    odd = "\\u001b[31m\\r\\u0007\\u2028\\u202e"
    answers = [f'"stages": {{"error": "{odd}"}}', f'"skip": "{odd}"', f'"error": "{odd}"', f'"implementation": "x{odd}", "stages": {{"score": 0.5}}']
    seen = []
    for answer in answers:
        text = f"for line in sys.stdin:\n    print('{{\"id\": ' + json.dumps(json.loads(line)['id']) + r', {answer}}}', flush=True)"
        report = runner.conform(command=program(text), vector=["bleu/n*"])
        seen += [form(report, full=full) for form in (verdict.as_text, verdict.as_markdown) for full in (False, True)]
    assert not any(re.search("[\x1b\r\x07\u2028\u202e]", shown) for shown in seen)
    assert sum("x1b" in shown for shown in seen) >= 8  # it was said, with escapes


def test_long_questions_do_not_block(program):
    big = conformance.Vector("big", "", "", {}, {"candidates": ["a " * 200_000], "references": [["a " * 200_000]], "tokenized": False}, {}, {"score": {}})
    with program_end.Program(program("time.sleep(60)"), timeout=0.3, startup=0.5) as asked, pytest.raises(protocol.ProtocolError, match="in time"):
        asked.ask(protocol.request_of(big))
    with program_end.Program(program(ANSWER)) as asked:
        assert asked.ask(protocol.request_of(big))["stages"] == {"score": 0.5}


# ---- The verdict


def test_bleu_lit_conforms_as_it_stands_and_as_it_is_defined():
    for name in ("bleu_lit", "bleu_lit-definition"):
        report = runner.conform(adapters.make_adapter(adapters.find_adapter(name)))
        assert report.status == 0, verdict.as_text(report)
        assert len(report.of("conforms")) > 200 if name == "bleu_lit" else report.of("conforms")
    skipped = runner.conform(adapters.make_adapter(adapters.find_adapter("bleu_lit"))).of("skipped")
    assert {outcome.clause for outcome in skipped} <= {"corpora"}


def shortest(case: dict) -> dict:
    """bleu_lit with one rule broken."""
    return conformance.bleu_lit_results(libraries._as_vector({**case, "settings": {**case["settings"], "reference_length": "shortest"}}))


def test_a_departure_is_told_with_stage_reason_likeness_and_a_case_to_copy():
    report = runner.conform(shortest, vector=["bleu/nmt/shortest-is-not-closest"])
    (outcome,) = report.of("departs")
    first = outcome.departures[0]
    assert (first.stage, first.expected, first.got) == ("reference_length", "5", "1")
    assert outcome.why in first.reason
    first, farthest = (f"a BLEU that takes the length {which}" for which in ("of the first reference", "that is farthest from the candidate's"))
    assert outcome.like == f"bleu_lit with reference_length=shortest; {first} or {farthest} would give it too"
    assert protocol.request_of(conformance.vectors()[0]).keys() >= json.loads(outcome.line).keys() - {"orders"}
    text = verdict.as_text(report)
    for part in ("departs at reference_length", outcome.line, "sentence_bleu(", outcome.like):
        assert part in text


def only_a_score(change: dict, decimals: int | None = None):
    """bleu_lit under other settings, that prints nothing but a score, to a number of decimals in percent."""

    def answer(case):
        vector = libraries._as_vector({**case, "settings": {**case["settings"], **change}})
        score = conformance.bleu_lit_results(vector)["score"]
        if decimals is None:
            return {"score": score}
        return {"stages": {"score": round(100 * score, decimals) / 100}, "within": {"score": 0.5 * 10**-decimals / 100}}

    return answer


SETS = ["reference-length", "clipping", "brevity", "precision", "corpus-sums"]


@pytest.mark.parametrize("decimals", [None, 4, 2])
@pytest.mark.parametrize("rule", ["shortest", "average"])
def test_a_score_alone_is_blamed_on_no_stage_and_the_run_tells_the_choice(rule, decimals):
    report = runner.conform(only_a_score({"reference_length": rule}, decimals), clause=SETS)
    departs = report.of("departs")
    assert len(departs) > 5
    assert all("nothing before it was reported, so the stage" in outcome.departures[0].reason for outcome in departs)
    assert all("reference_length to learn it" in outcome.departures[0].reason for outcome in departs)
    assert all(outcome.like.startswith(f"bleu_lit with reference_length={rule}") for outcome in departs)  # with few digits too
    (hint,) = report.hints
    assert (f"reference_length={rule}" in hint, f"in {len(departs)} of {len(departs)} departures" in hint) == (True, True)
    text = verdict.as_text(report)
    assert text.splitlines()[1] == f"All {len(departs)} departures have wrong numbers."
    assert text.splitlines()[3] == f"Likely: {hint}"
    told = text.partition(f"{report.plainest()[0].id} (")[2]
    assert 0 < told.index("like ") < told.index("reason ")  # what helps comes first
    for write in (verdict.as_markdown, verdict.as_html, verdict.as_json):
        assert "Likely" in write(report) or "hints" in write(report)


@pytest.mark.parametrize(
    ("reported", "words"),
    [
        ({"score": 0.1}, "nothing before it was reported"),
        ({"total": [8, 7, 6, 5], "score": 0.1}, "matched, candidate_length and reference_length were not reported"),
        ({"total": [8, 7, 6, 5], "matched": [6, 4, 3, 2], "candidate_length": 8, "score": 0.1}, "reference_length was not reported"),
        ({"precisions": ["6/8", "4/7", "1/2", "2/5"], "brevity_penalty": 1.0, "score": 0.1}, "weights, mean or the treatment of a zero differ"),
        ({"precisions": ["5/8", "4/7", "1/2", "2/5"]}, "nothing before it was reported"),
        ({"total": [8, 7, 6, 5], "matched": [6, 4, 3, 2], "precisions": [0.7, 0.6, 0.5, 0.4]}, "divided or rounded otherwise"),
        ({"brevity_penalty": 0.5}, "nothing before it was reported"),
        ({"candidate_length": 8, "reference_length": 7, "brevity_penalty": 0.5}, "computed otherwise from c and r"),
    ],
)
def test_a_stage_is_blamed_only_if_what_it_is_made_of_was_reported(reported, words):
    assert GERMAN.check(reported)[0].reason.startswith(words) or words in GERMAN.check(reported)[0].reason.partition(GERMAN.why)[0]


def test_where_a_score_alone_is_compared_nothing_more_is_asked_for():
    mean = next(vector for vector in conformance.vectors() if list(vector.expect) == ["score"])
    reason = mean.check({"score": 0.123})[0].reason
    assert "cannot be known. " in reason
    assert "report " not in reason.partition(mean.why)[0].replace("reported", "")


def test_a_setting_that_is_ignored_is_named_once_with_the_advice_to_skip():
    report = runner.conform(only_a_score({"max_order": 4, "weights": None}), clause=["clipping", "n-grams", "smoothing", "corpus-sums"])
    (hint,) = report.hints
    assert hint.startswith("max_order seems to be ignored")
    assert '{"skip": "max_order is always 4"}' in hint
    assert not any(outcome.heeded == ("max_order",) for outcome in report.of("conforms"))
    half = runner.conform(lambda case: only_a_score({} if "across" in case["id"] else {"max_order": 4, "weights": None})(case), clause=["clipping", "n-grams"])
    assert "ignored" not in "".join(half.hints)  # one right answer speaks against it


def test_a_program_without_any_choice_is_told_so_once():
    def fixed(case):
        return only_a_score({"max_order": 4, "weights": None, "smooth": "none", "smooth_value": None, "tokenize": "none", "lowercase": False})(case)

    report = runner.conform(fixed, clause=["n-grams", "clipping", "smoothing", "tokens-13a", "case", "weights"])
    ignored = [hint for hint in report.hints if "ignored" in hint]
    assert len(ignored) == 1
    for setting in ("max_order", "smooth", "tokenize", "lowercase", "weights"):
        assert setting in ignored[0].partition(" seem")[0]


def test_the_case_that_is_told_is_the_plainest():
    report = runner.conform(lambda case: {"score": 0.987654321}, clause=["weights", "combination", "absent-references"])
    for outcome in report.plainest():
        fewest = min(len(other.special) for other in report.of("departs") if other.clause == outcome.clause)
        assert len(outcome.special) == fewest
    assert [outcome.clause for outcome in report.plainest()] == list(report.by_clause)


@pytest.mark.parametrize("others", [0, 1, 2, 3, 4])
def test_several_choices_that_fit_are_told_and_the_matrix_keeps_the_first(others):
    first, *rest = alike = tuple((f"max_order={n}",) for n in range(1, others + 2))
    report = runner.conform(lambda case: {"score": 0.1}, vector=[GERMAN.id])
    outcome = replace(report.outcomes[0], alike=alike)
    assert outcome.likeliest == f"bleu_lit with {first[0]}"
    assert outcome.like.startswith(outcome.likeliest)
    assert ("would give it too" in outcome.like) == bool(rest)
    assert sum(f"with {name[0]}" in outcome.like for name in rest) == min(2, len(rest))
    assert re.findall(r"or (\d+) other choice(s?) ", outcome.like) == {3: [("1", "")], 4: [("2", "s")]}.get(others, [])
    (kept,) = matrix.row_of(replace(report, outcomes=(outcome,)), "mine")["departs"]
    assert kept["like"] == outcome.likeliest


def test_the_table_is_in_line():
    report = runner.conform(lambda case: {"skip": "later"})
    table = verdict.as_text(report).partition("\n\n")[2].partition("\n\n")[0].splitlines()
    assert len(table) == len(report.by_clause) + 1
    assert len({len(line) for line in table}) == 1
    assert max(map(len, report.by_clause)) > 20  # longer than the column was once


def test_the_case_in_python_gives_what_is_expected(capsys):
    chosen = [case for case in conformance.vectors() if "error" not in case.expect][::7]
    for vector in chosen:
        exec(verdict.python_case(protocol.request_of(vector)), {})
        printed = capsys.readouterr().out
        value = float(re.search(r"'value': ([\d.e-]+)", printed)[1]) if "'value'" in printed else float(printed)
        assert not vector.check({"score": value}), vector.id


def test_percent_and_smoothing_are_recognised():
    def percent(case):
        return {"score": 100 * conformance.bleu_lit_results(libraries._as_vector(case))["score"]}

    (outcome,) = runner.conform(percent, vector=[GERMAN.id]).outcomes
    assert "percent" in outcome.like

    def smoothed(case):
        return conformance.bleu_lit_results(libraries._as_vector({**case, "settings": {**case["settings"], "smooth": "exp"}}))

    (outcome,) = runner.conform(smoothed, vector=["bleu/nltk/candidate-2"]).outcomes
    assert outcome.like == "bleu_lit with smooth=exp"


def test_a_percentage_is_told_before_what_covers_less():
    def percent(case):
        vector = libraries._as_vector({**case, "settings": {**case["settings"], "max_order": 4, "weights": None}})
        return {"score": 100 * conformance.bleu_lit_results(vector)["score"]} if case["level"] == "sentence" else {"skip": "sentences"}

    report = runner.conform(percent, clause=["weights", "tokens-13a", "case", "reference-length", "brevity"])
    first, *others = report.hints
    assert first.startswith("a score in percent: divide by 100 in ")
    assert all("seem to be ignored" in hint and "the same, in percent," in hint for hint in others)
    counts = [int(re.search(r"in (\d+) of (\d+) departures", hint)[1]) for hint in report.hints]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == sum(any("percent" in name for names in outcome.alike for name in names) for outcome in report.of("departs"))


def test_what_covers_few_departures_is_not_said_unless_nothing_else_is():
    many = tuple(
        replace(runner.failed(GERMAN, protocol.ProtocolError("crash", "")), status="departs", alike=alike) for alike in [(("a=1",),)] * 30 + [(("b=2",),)] * 2
    )
    assert [hint.partition(" gives")[0] for hint in verdict.Report("x", "", many).hints] == ["bleu_lit with a=1"]
    few = tuple(replace(outcome, alike=() if index < 30 else outcome.alike) for index, outcome in enumerate(many))
    assert [hint.partition(" gives")[0] for hint in verdict.Report("x", "", few).also] == ["bleu_lit with b=2"]
    assert not verdict.Report("x", "", few).hints  # two of 32 are no headline


@pytest.mark.parametrize(
    ("text", "fits"), [("(candidate, references)", False), ("()", False), ("(*, case)", False), ("(case, more=0)", True), ("(*args)", True)]
)
def test_a_function_that_takes_no_case_is_never_run(text, fits, tmp_path, monkeypatch, capsys):
    (tmp_path / "own.py").write_text(f"def bleu{text}:\n    return {{'score': 0.5}}\n")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["conform", "--python", "own:bleu", "--vector", "bleu/nltk/candidate-?"]) == (1 if fits else 2)
    said = capsys.readouterr()
    if not fits:
        assert said.out == ""
        assert f"expected a function that takes one case, a dict, and gives its results, got bleu{text}, which was not run" in said.err
        assert "--new-adapter python" in said.err
        assert said.err.count("\n") == 1


@pytest.mark.parametrize("fault", [lambda case: case["text"], lambda *case: len(case[1]), lambda case: case.split()])
def test_an_error_that_every_case_ends_in_conforms_to_nothing(fault):
    report = runner.conform(fault, vector=["bleu/nltk/*", "bleu/errors/*", "bleu/disputed/*"])
    assert not report.of("conforms", "departs", "disputed")
    assert report.status == 2
    assert "failed to answer" in report.headline
    assert "Every case ended in the same error" in report.headline
    assert "--new-adapter python" in report.headline
    told = verdict.as_text(report)
    assert len(told.splitlines()) < 20
    assert "the same error in every case" in told
    for write in verdict.FORMATS.values():
        assert "the same error" in write(report)
    some = runner.conform(lambda case: fault(case) if "candidate-1" in case["id"] else {"score": 0.5}, vector=["bleu/nltk/*"])
    assert some.of("departs")
    assert not some.never


def test_cases_are_cut_to_a_terminal_and_nowhere_else(program, monkeypatch, capsys):
    report = runner.conform(lambda case: {"score": 0.1}, vector=[GERMAN.id])
    whole = verdict.as_text(report)
    short = verdict.cut_to(whole, 80)
    assert max(len(line) for line in short.splitlines() if line.startswith(("    case ", "    in Python "))) == 80
    told = [line for line in whole.splitlines() if line.startswith(("    expected", "    got", "    reason"))]
    assert set(told) <= set(short.splitlines())  # words are not cut
    assert short.splitlines()[0] == whole.splitlines()[0]
    assert "--format json" in short.splitlines()[-1]
    assert verdict.cut_to(whole, 10_000) == whole
    words = ["conform", "--command", shlex.join(program(ANSWER)), "--vector", GERMAN.id]
    monkeypatch.setenv("COLUMNS", "70")
    cli.main(words)
    piped = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    cli.main(words)
    assert capsys.readouterr().out == verdict.cut_to(piped, 70) != piped


def test_the_time_that_was_waited_is_the_time_that_was_asked_for(program):
    silent = program("time.sleep(60)")
    for timeout, words in ((1, "waited 1 second, and 1 more for the start"), (0.5, "waited 0.5 seconds, and 0.5 more for the start")):
        (outcome,) = runner.conform(command=silent, vector=[GERMAN.id], timeout=timeout).outcomes
        assert outcome.reason.endswith(words)


def test_the_start_of_a_function_is_told_apart_from_its_answer(tmp_path, monkeypatch):
    """The minute that loading may take is not waited for where the function is loaded, and does not count where it loads."""
    monkeypatch.chdir(tmp_path)
    Path("own_sleeps.py").write_text("import time\ndef answer(case):\n    time.sleep(1000)\n")
    for outcome in runner.conform(python="own_sleeps:answer", vector=["bleu/clipping/*"], timeout=0.3, give_up=2).outcomes[:2]:
        assert outcome.reason == "no answer in time: waited 0.3 seconds, and 0.3 more for the first answer"
    Path("own_loads.py").write_text("import time\ntime.sleep(2)\ndef answer(case):\n    return {'skip': 'loaded'}\n")
    (outcome,) = runner.conform(python="own_loads:answer", vector=[GERMAN.id], timeout=0.5).outcomes
    assert (outcome.status, outcome.reason) == ("skipped", "loaded")


def test_any_program_may_say_that_it_is_ready(program):
    late = f"time.sleep(1.2)\nprint({protocol.READY!r}, flush=True)\n"
    answers = "case = json.loads(sys.stdin.readline())\nprint(json.dumps({'id': case['id'], 'skip': 'here'}), flush=True)\n"
    with program_end.Program(program(late + answers), timeout=0.5, startup=20) as asked:
        assert asked.ask(protocol.request_of(GERMAN))["skip"] == "here"
    silent = program_end.Program(program(late + "time.sleep(60)"), timeout=0.3, startup=20)
    with silent, pytest.raises(protocol.ProtocolError, match=r"0\.3 more for the first answer"):
        silent.ask(protocol.request_of(GERMAN))
    with program_end.Program(program(f"print({protocol.READY!r})\n{answers}print({protocol.READY!r})"), timeout=5) as asked:
        assert asked.ask(protocol.request_of(GERMAN))["skip"] == "here"
    assert GERMAN.id in asked.late  # once is enough


def test_the_help_says_every_status(capsys):
    assert cli.main(["conform", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "status: 0 if it conforms; 1 if it departs or left a case without an answer; 2 if nothing could be compared" in said
    assert "example:" in said


def test_a_disputed_question_counts_for_nobody():
    report = runner.conform(lambda case: {"score": 0.1}, vector=["bleu/disputed/*"])
    assert set(statuses(report)) == {"disputed"}
    assert report.status == 0
    (five,) = runner.conform(lambda case: {"score": 0.4905328138015114}, vector=["bleu/disputed/chen-cherry-5"]).outcomes
    assert five.follows == ("nltk",)
    assert "follows nltk" in verdict.as_text(runner.conform(lambda case: {"score": 0.4905328138015114}, vector=["bleu/disputed/chen-cherry-5"]))


def test_nothing_compared_is_no_success():
    report = runner.conform(lambda case: {"skip": "later"}, vector=FEW)
    assert set(statuses(report)) == {"skipped"}
    assert report.status == 2
    assert "not compared" in report.headline


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))


def test_every_form_survives_hostile_text():
    evil = "</pre><script>alert(1)</script> ``` ]]> & \x00 \x1b[31m \ud800 | \n# head"
    given = {"candidates": [evil], "references": [[evil]], "tokenized": False}
    vector = conformance.Vector("bleu/evil/one", "clipping", evil + ".", {}, given, {}, {"score": {"exact": "1", "tolerance": "0"}})
    good = runner.judge(vector, {"stages": {"score": evil}})
    bad = runner.judge(vector, {"skip": evil})
    lost = runner.failed(vector, protocol.ProtocolError("garbage", evil))
    report = verdict.Report(evil, evil, (good, bad, lost), (evil,))
    for name, write in verdict.FORMATS.items():
        text = write(report, full=True)
        assert text
        if name == "html":
            text.encode()
            tags = Tags()
            tags.feed(text)
            harmless = "html head meta title style body h1 h2 p table thead tbody tr th td section pre details summary ul li b i"
            assert {tag for tag, _ in tags.seen} <= set(harmless.split())
            assert not any(name.startswith("on") or name in ("src", "href") for _, attributes in tags.seen for name in attributes)
        if name == "junit":
            tree = ElementTree.fromstring(text.encode())
            assert [[child.tag for child in test] for test in tree.iter("testcase")] == [["failure"], ["skipped"], ["error"]]
        if name == "json":
            assert json.loads(text)["cases"][0]["why"] == evil + "."
        if name == "markdown":
            outside = re.sub(r"(?ms)^(`{3,})\w*\n.*?\n\1$", "", text)
            assert "<script>" not in outside.replace("\\<", "")


def test_reports_agree_with_each_other():
    report = runner.conform(shortest, vector=["bleu/nmt/*", "bleu/nltk/*", "bleu/errors/*"])
    told = json.loads(verdict.as_json(report))
    tree = ElementTree.fromstring(verdict.as_junit(report))
    assert told["counts"]["departs"] == int(tree.get("failures")) == len(report.of("departs"))
    assert sum(told["counts"].values()) == int(tree.get("tests")) == len(report.outcomes)
    assert sum(sum(counts.values()) for counts in told["clauses"].values()) == len(report.outcomes)
    assert told["conforms"] is False


def test_junit_says_of_the_whole_run_what_the_other_forms_say():
    run = runner.conform(only_a_score({"max_order": 4, "weights": None}), clause=["clipping", "n-grams", "smoothing"])
    report = replace(run, notes=("a note with <marks> & more", "a second"))
    told, text = json.loads(verdict.as_json(report)), verdict.as_text(report).splitlines()
    (said,) = (suite.findtext("system-out").splitlines() for suite in ElementTree.fromstring(verdict.as_junit(report)).iter("testsuite"))
    assert [line.removeprefix("Likely: ") for line in said if line.startswith("Likely: ")] == told["hints"]
    assert [line.removeprefix("Note: ") for line in said if line.startswith("Note: ")] == told["notes"]
    assert told["hints"][0].startswith("max_order seems to be ignored")
    assert said[1] == told["kinds"]
    assert len(said) == 2 + len(told["hints"]) + len(told["also"]) + len(told["notes"])
    assert set(said) <= set(text)  # word for word as in a terminal


# ---- The command


def test_exit_statuses(program, tmp_path, capsys):
    assert cli.main(["conform", "--adapter", "bleu_lit", "--vector", GERMAN.id]) == 0
    half = program(ANSWER)
    assert cli.main(["conform", "--command", " ".join(half), "--vector", GERMAN.id]) == 1
    assert cli.main(["conform", "--command", " ".join(program("sys.exit(1)")), "--vector", GERMAN.id]) == 2  # nothing could be compared
    capsys.readouterr()
    for words in (
        [],
        ["--adapter", "sacreblu"],
        ["--adapter", "multi-bleu"],
        ["--adapter", "multi-bleu:no/such/file"],
        ["--python", "no_such_module:bleu"],
        ["--python", "bleu"],
        ["--command", "no-such-program"],
        ["--command", ""],
        ["--command", "'unclosed"],
        ["--adapter", "bleu_lit", "--clause", "cliping"],
        ["--adapter", "bleu_lit", "--vector", "bleu/no/such"],
        ["--adapter", "bleu_lit", "--format", "pdf"],
        ["--adapter", "bleu_lit", "--timeout", "0"],
        ["--adapter", "bleu_lit", "--timeout", "nan"],
        ["--adapter", "bleu_lit", "--timeout", "-1"],
        ["--adapter", "bleu_lit", "--timeout", "1e300"],
        ["--adapter", "bleu_lit", "--give-up", "-1"],
        ["--adapter", "bleu_lit", "--data", str(tmp_path / "absent")],
        ["--adapter", "bleu_lit", "--output", str(tmp_path)],
        ["--adapter", "bleu_lit", "--output", str(tmp_path / "no" / "such")],
        ["--command", str(tmp_path)],
        ["--new-adapter", "cobol"],
    ):
        assert cli.main(["conform", *words]) == 2, words
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("bleu-lit: ")
        assert said.err.count("\n") == 1, said.err
        assert "Traceback" not in said.err


def test_a_report_goes_to_a_file(tmp_path, capsys):
    path = tmp_path / "junit.xml"
    assert cli.main(["conform", "--adapter", "bleu_lit", "--vector", GERMAN.id, "--format", "junit", "--output", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert ElementTree.parse(path).getroot().get("tests") == "1"


def test_questions_are_listed_for_those_who_want_to_answer_them_by_hand(capsys):
    assert cli.main(["conform", "--list", "--clause", "case"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(runner.cases(["case"]))
    assert {json.loads(line)["id"] for line in lines} == {case.id for case in runner.cases(["case"])}
    assert cli.main(["conform", "--adapters"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in adapters.ADAPTERS)


def test_python_functions_are_isolated(tmp_path, monkeypatch, capsys):
    (tmp_path / "mine.py").write_text(
        "import os, sys\nprint('chatter on import')\n"
        "def bleu(case):\n    print('chatter')\n    os.write(1, b'more chatter')\n    return {'score': 0.5410822690539396}\n"
        "def dies(case):\n    os.abort()\n"
        "class Mine:\n    @staticmethod\n    def bleu(case):\n        return {'score': 0.5410822690539396}\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert cli.main(["conform", "--python", "mine:bleu", "--vector", GERMAN.id]) == 0
    assert cli.main(["conform", "--python", "mine:Mine.bleu", "--vector", GERMAN.id]) == 0
    assert cli.main(["conform", "--python", "mine:dies", "--vector", GERMAN.id]) == 2
    assert "SIGABRT" in capsys.readouterr().out


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["4/7", "1/0", "1e999999999", "9" * 500, "nan", "0x1"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3) | st.sampled_from(["exact", "tolerance", "1"]), inner, max_size=3),
    max_leaves=8,
)
SHOWN = [*conformance.vectors()[::40], *conformance.file_vectors()[:20], *conformance.disputes()[::9], REFUSED, GERMAN]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SHOWN), st.dictionaries(st.sampled_from([stage for stage in conformance.STAGES if stage != "error"]), JSON, min_size=1), st.booleans())
def test_any_json_as_a_result_gets_a_verdict(case, stages, sentence):
    answer = protocol.parse_answer(json.dumps({"id": case.id, "stages": stages}), case.id)
    outcome = runner.judge(case, answer)
    report = verdict.Report("anything", "", (outcome,))
    for write in verdict.FORMATS.values():
        assert write(report, full=sentence)


# ---- Files, and the published corpora

WHOLE = next(vector for vector in conformance.file_vectors() if vector.id == "bleu/corpora/multeval-set1-4ref-run0-none")


@pytest.fixture
def no_data(monkeypatch):
    monkeypatch.delenv("BLEU_LIT_SHARED", raising=False)


def test_the_level_of_files_gives_their_text_as_it_is():
    for vector in conformance.file_vectors():
        if vector.clause == "lines":
            request = json.loads(protocol.request_line(protocol.request_of(vector)))
            assert request["level"] == "files"
            assert request["input"]["files"] == vector.input["files"]
            assert not vector.check(adapters.make_adapter(adapters.find_adapter("bleu_lit"))(request))


@pytest.mark.parametrize(
    ("read", "like"),
    [
        (lambda text: text.splitlines(), "splitlines"),
        (lambda text: io.StringIO(text, newline=None).read().removesuffix("\n").removeprefix("\ufeff").split("\n"), "carriage return too"),
        (lambda text: [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")], "byte order mark left"),
    ],
)
def test_another_way_to_cut_lines_is_recognised(read, like):
    def mine(case):
        vector = next(vector for vector in conformance.file_vectors() if vector.id == case["id"])
        return conformance.bleu_lit_results(conformance.opened(vector, reader=lambda data: read(data.decode())))

    report = runner.conform(mine, clause=["lines"])
    assert report.of("departs")
    assert any(like in outcome.like for outcome in report.of("departs")), [outcome.like for outcome in report.of("departs")]
    assert "opened(vector)" in verdict.as_text(report)


def test_a_corpus_without_its_text_is_skipped_with_the_reason(no_data, tmp_path, monkeypatch):
    report = runner.conform(lambda case: {"score": 0.5}, clause=["corpora"])
    assert set(statuses(report)) == {"skipped"}
    assert {"--data" in outcome.reason for outcome in report.outcomes} == {True}
    assert len({outcome.reason for outcome in report.outcomes}) == 1
    with pytest.raises(core.FileInputError, match="no folder of that name"):
        runner.conform(lambda case: {"score": 0.5}, clause=["corpora"], data=tmp_path / "absent")
    monkeypatch.setenv("BLEU_LIT_SHARED", str(tmp_path))
    (absent,) = runner.conform(lambda case: {"score": 0.5}, vector=[WHOLE.id]).outcomes
    assert "nothing of that name" in absent.reason
    for file in (WHOLE.input["files"]["candidates"], *WHOLE.input["files"]["references"]):
        path = tmp_path / "data" / file["name"]
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("another text\n", encoding="utf-8")
    (other,) = runner.conform(lambda case: {"score": 0.5}, vector=[WHOLE.id]).outcomes
    assert other.status == "skipped"
    assert "SHA-256" in other.reason


def test_a_corpus_that_nobody_reads_is_no_failure_and_no_success(no_data, capsys):
    assert cli.main(["conform", "--adapter", "bleu_lit", "--clause", "corpora"]) == 2  # nothing was compared
    assert "46 × the texts of the published corpora are not at hand" in capsys.readouterr().out
    assert cli.main(["conform", "--adapter", "bleu_lit", "--clause", "corpora", "--clause", "scale"]) == 0
    assert cli.main(["conform", "--adapter", "bleu_lit", "--data", "no/such/folder"]) == 2
    capsys.readouterr()
    assert cli.main(["conform", "--list", "--vector", WHOLE.id]) == 0
    question = json.loads(capsys.readouterr().out)
    assert question["input"]["files"] == WHOLE.input["files"]


@needs_data
@pytest.mark.parametrize("where", [SHARED, SHARED / "data"])
def test_a_program_is_asked_a_whole_corpus(no_data, program, where, capsys):
    count = """
for line in sys.stdin:
    case = json.loads(line)
    c = sum(len(text.split()) for text in case["input"]["candidates"])
    r = sum(min((abs(len(one.split()) - len(text.split())), len(one.split())) for one in group)[1]
            for text, group in zip(case["input"]["candidates"], case["input"]["references"]))
    print(json.dumps({"id": case["id"], "stages": {"candidate_length": c, "reference_length": r}}), flush=True)
"""
    report = runner.conform(command=program(count), vector=[WHOLE.id], data=where)
    assert report.status == 0, verdict.as_text(report)
    (wrong,) = runner.conform(lambda case: {"score": 0.29}, vector=[WHOLE.id], data=where).outcomes
    assert wrong.status == "departs"
    assert len(wrong.line) < 2000  # the verdict names the files and does not repeat them
    assert cli.main(["conform", "--list", "--vector", WHOLE.id, "--data", str(where)]) == 0
    assert len(json.loads(capsys.readouterr().out)["input"]["candidates"]) > 100


@needs_data
@pytest.mark.parametrize(("name", "departs"), [("bleu_lit", False), ("sacrebleu", False), ("nltk", True)])
def test_adapters_are_asked_a_whole_corpus(name, departs):
    if not find_spec(name):
        pytest.skip(f"{name} is not installed")
    (outcome,) = runner.conform(adapter=name, vector=[WHOLE.id], data=SHARED).outcomes
    assert outcome.status == ("departs" if departs else "conforms"), outcome


def test_the_plugin_skips_a_corpus_or_reads_it_and_refuses_a_folder_that_is_none(no_data, tmp_path, monkeypatch):
    skipped = run_pytest(tmp_path, "--bleu-adapter=bleu_lit", "--bleu-vector", WHOLE.id, "-rs")
    assert "not at hand" in skipped.stdout
    asked = ["--bleu-adapter=bleu_lit", "--bleu-vector", WHOLE.id]
    monkeypatch.setenv("BLEU_LIT_SHARED", str(tmp_path / "moved"))
    for more, said in ((["--bleu-data", "absent"], "absent: "), ([], "BLEU_LIT_SHARED: ")):
        wrong = run_pytest(tmp_path, *asked, *more)
        assert wrong.returncode == 4  # pytest's status for a wrong command line
        assert f"{said}expected a folder with the texts of the published corpora, got no folder of that name" in wrong.stderr
    assert f"{tmp_path / 'moved'}. Leave it out to skip them" in wrong.stderr
    with pytest.raises(core.FileInputError, match="BLEU_LIT_SHARED: expected a folder"):
        runner.conform(lambda case: {"score": 0.5}, clause=["corpora"])
    with pytest.raises(core.FileInputError, match="BLEU_LIT_SHARED: expected a folder"):
        list(runner.questions(clause=["corpora"]))
    monkeypatch.setenv("BLEU_LIT_SHARED", "")  # as good as not set
    assert runner.data_folder() is None
    if (SHARED / "data").is_dir():
        read = run_pytest(tmp_path, "--bleu-adapter=bleu_lit", "--bleu-vector", WHOLE.id, "--bleu-data", str(SHARED))
        assert "1 passed" in read.stdout


# ---- Starters, and implementations in other languages

RUNS = {"python": None, "node": "node", "perl": "perl", "shell": "sh", "rust": "rustc", "files": "awk"}


def started(language: str, folder: Path) -> dict:
    """A starter, written and ready to be asked."""
    if RUNS[language] and not shutil.which(RUNS[language]):
        pytest.skip(f"{RUNS[language]} is not installed")
    written = starters.write_starter(language, folder)
    if language in ("python", "files"):
        paths = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(folder)!r}]"
        return {"command": [sys.executable, "-c", f"{paths}\nfrom bleu_lit.adapters import serve_named\nserve_named('python', '{written[0].stem}:answer')"]}
    if language == "rust":
        subprocess.run(["rustc", "-O", "--edition", "2021", "-o", str(folder / "my_bleu"), str(folder / "main.rs")], check=True, capture_output=True)
        return {"command": [str(folder / "my_bleu")]}
    return {"command": [RUNS[language], str(written[0])]}


@pytest.mark.parametrize("language", ["python", "node", "perl", "files", pytest.param("rust", marks=pytest.mark.slow)])
def test_a_starter_conforms_as_it_stands(language, tmp_path):
    report = runner.conform(**started(language, tmp_path))
    assert report.status == 0, verdict.as_text(report)
    counts = report.counts
    assert counts["conforms"] >= 100
    assert all(outcome.reason for outcome in report.of("skipped"))
    compared = {outcome.clause for outcome in report.of("conforms")}
    assert compared >= {"clipping", "reference-length", "brevity", "zero-order", "corpus-sums", "weights", "errors", "empty"}


@pytest.mark.parametrize(
    ("language", "right", "wrong", "clause"),
    [
        ("python", "min(count, max(other[gram] for other in others))", "count * any(other[gram] for other in others)", "clipping"),
        ("node", "Math.abs(a - candidate.length) - Math.abs(b - candidate.length) || a - b", "a - b", "reference-length"),
        ("perl", "exp(1 - $r / $c) : 1", "$c / $r : 1", "brevity"),
        ("files", "(near == gap && one < nearest)", "(near == gap && one > nearest)", "reference-length"),
    ],
)
def test_a_starter_with_a_fault_departs(language, right, wrong, clause, tmp_path):
    asked = started(language, tmp_path)
    path = tmp_path / starters.STARTERS[language].files[-1]
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    report = runner.conform(**asked, clause=[clause])
    assert report.of("departs"), report.headline


def test_the_shell_starter_skips_everything_with_a_reason(tmp_path):
    report = runner.conform(**started("shell", tmp_path), vector=FEW)
    assert set(statuses(report)) == {"skipped"}
    assert report.status == 2


@pytest.mark.parametrize(
    ("said", "language"), [("javascript", "node"), ("JS", "node"), ("TypeScript", "node"), ("bash", "shell"), ("py", "python"), ("rs", "rust"), ("pl", "perl")]
)
def test_a_language_goes_by_several_names(said, language, tmp_path):
    assert starters.starter_texts(said) == starters.starter_texts(language)
    assert starters.starter_told(said, tmp_path / "new").splitlines()[-1].strip() == starters.STARTERS[language].how[-1]


@pytest.mark.parametrize("language", ["node", "perl", "shell", pytest.param("rust", marks=pytest.mark.slow)])
def test_a_starter_that_was_renamed_says_its_name(language, tmp_path):
    *before, path = started(language, tmp_path)["command"]
    renamed = Path(path).with_stem("other")
    Path(path).rename(renamed)
    report = runner.conform(command=[*before, str(renamed)], vector=[GERMAN.id])
    assert report.implementation == ("other 1.0 (Rust)" if language == "rust" else f"{renamed.name} 1.0")


def test_a_starter_overwrites_nothing(tmp_path):
    starters.write_starter("node", tmp_path)
    (tmp_path / "my_bleu.mjs").write_text("mine")
    with pytest.raises(core.FileInputError, match="does not exist yet"):
        starters.write_starter("node", tmp_path)
    assert (tmp_path / "my_bleu.mjs").read_text() == "mine"
    (tmp_path / "file").write_text("")
    with pytest.raises(core.FileInputError):
        starters.write_starter("node", tmp_path / "file")


def test_the_command_writes_a_starter_and_says_how_to_go_on(tmp_path, capsys):
    assert cli.main(["conform", "--new-adapter", "python", "--output", str(tmp_path / "new")]) == 0
    said = capsys.readouterr().out
    assert "bleu-lit conform --python my_bleu:answer" in said
    assert (tmp_path / "new" / "my_bleu.py").exists()


# ---- Adapters


def test_every_adapter_says_what_it_cannot_be_asked():
    for adapter in adapters.ADAPTERS.values():
        assert adapter.able.keys() <= able.KNOWN.keys()
        assert all(value in able.KNOWN[name] for name, values in adapter.able.items() for value in values)
        assert adapter.cannot or adapter.name == "bleu_lit"
        assert adapter.tried


def test_the_list_of_adapters_says_the_version_of_this_package():
    listed = runner._adapter_told(adapters.ADAPTERS["bleu_lit"])
    assert f"(run with {bleu_lit.__version__})" in listed


def test_adapters_import_nothing_before_they_are_made():
    libraries = "sacrebleu nltk torchmetrics torch evaluate bleuscore fast_bleu pytest"
    program = f"import sys, bleu_lit.adapters, bleu_lit.runner, bleu_lit.pytest_plugin; print(*(set({libraries.split()!r}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.strip() == ""


@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "torchmetrics", "bleuscore", "fast-bleu"])
def test_an_adapter_meets_the_published_examples(name):
    if not find_spec(name.replace("-", "_")):
        pytest.skip(f"{name} is not installed")
    report = runner.conform(adapter=name, vector=["bleu/wikipedia-de/sentence", "bleu/koehn-2010/*", "bleu/nltk/lengths-12-28-28"], timeout=60)
    assert not report.of("failed"), verdict.as_text(report)
    assert report.of("conforms")
    assert name in report.implementation


def test_known_departures_of_peers_are_found():
    if not find_spec("sacrebleu") or not find_spec("nltk"):
        pytest.skip("sacrebleu or nltk is not installed")
    cut = runner.conform(adapter="sacrebleu", vector=["bleu/errors/fewer-references", "bleu/rules/perfect-is-exactly-one"])
    assert [outcome.status for outcome in cut.outcomes] == ["departs", "departs"]
    tiny = runner.conform(adapter="nltk", vector=["bleu/nltk/candidate-2", "bleu/rules/identical-corpus-with-a-short-segment"])
    assert [outcome.status for outcome in tiny.outcomes] == ["departs", "departs"]


FAKE_MULTI_BLEU = r"""
my $lc = $ARGV[0] eq "-lc" ? shift : "";
my @refs = glob("$ARGV[0]*");
my @lines = <STDIN>;
die "no references\n" unless @refs;
printf "BLEU = 54.11, 75.0/57.1/50.0/40.0 (BP=1.000, ratio=1.143, hyp_len=8, ref_len=7)\n";
"""


@pytest.mark.skipif(not shutil.which("perl"), reason="perl is not installed")
def test_a_script_with_few_digits_is_held_to_the_digits_that_it_prints(tmp_path):
    script = tmp_path / "multi-bleu.perl"
    script.write_text(FAKE_MULTI_BLEU)
    report = runner.conform(adapter=f"multi-bleu:{script}", vector=[GERMAN.id, "bleu/rules/average-length", "bleu/koehn-2010/system-a"])
    by_id = {outcome.id: outcome for outcome in report.outcomes}
    assert by_id[GERMAN.id].status == "conforms"
    assert by_id["bleu/rules/average-length"].status == "skipped"
    assert by_id["bleu/koehn-2010/system-a"].status == "departs"
    assert re.search(r"multi-bleu \(multi-bleu.perl, sha256 [0-9a-f]{12}\)", report.implementation)


FAKE_MTEVAL = r"""
use Getopt::Long;
GetOptions("b" => \my $b, "c" => \my $c, "r=s" => \my $r, "s=s" => \my $s, "t=s" => \my $t, "no-smoothing" => \my $n, "brevity-penalty=s" => \my $p);
sub documents { open(my $file, "<", shift) or die; local $/; my $text = <$file>; return $text =~ m|<doc ([^>]*)>(.*?)</doc>|sg; }
my ($head, $body) = documents($t);
die "no system\n" unless $head =~ /sysid="/ and (documents($r))[0] =~ /sysid="r0"/;
die "not all options\n" unless $b and $c and $n and $p eq "closest";
my @segments = $body =~ m|<seg id="\d+">(.*?)</seg>|g;
printf " BLEU:  1.0000   0.0000   0.0000   0.0000\n BLEU:  0.%02d00   0.2500   0.1250   0.0625\n", scalar @segments;
"""


@pytest.mark.skipif(not shutil.which("perl"), reason="perl is not installed")
def test_mteval_is_given_documents_of_a_named_system(tmp_path):
    script = tmp_path / "mteval-v13a.pl"
    script.write_text(FAKE_MTEVAL)
    answer = adapters.make_adapter(adapters.find_adapter(f"mteval-v13a:{script}"))
    case = protocol.request_of(GERMAN)
    assert answer(case) == {"stages": {"score": 0.0625}, "within": {"score": 5e-5}}
    two = {**case, "input": {**case["input"], "candidates": ["a &amp; b", "c"], "references": [["a"], ["c"]]}}
    assert answer({**two, "settings": {**case["settings"], "max_order": 1}})["stages"] == {"score": 0.02}
    tagged = {**two, "input": {**two["input"], "candidates": ["a </seg> b", "c"], "tokenized": False}, "settings": {**case["settings"], "tokenize": "13a"}}
    with pytest.raises(protocol.Skip, match="tag"):
        answer(tagged)
    for order in (0, 10):
        with pytest.raises(protocol.Skip, match="orders 1 to 9"):
            answer({**two, "settings": {**case["settings"], "max_order": order}})


@pytest.mark.skipif(not shutil.which("perl"), reason="perl is not installed")
def test_a_script_that_perl_cannot_read_is_refused_before_the_run(tmp_path):
    script = tmp_path / "mteval-v13a.pl"
    script.write_text("use No::Such::Module;\n")
    with pytest.raises(core.BleuInputError, match="XML::Twig"):
        runner.conform(adapter=f"mteval-v13a:{script}", vector=[GERMAN.id])


@pytest.mark.parametrize("name", ["multi-bleu.perl", "mteval-v13a.pl"])
def test_the_scripts_of_moses_meet_the_published_examples(name):
    if not (SCRIPTS / name).is_file():
        pytest.skip(f"{name} is not there (set BLEU_LIT_SCRIPTS to the folder that holds it)")
    words = {"adapter": f"{name.partition('.')[0]}:{SCRIPTS / name}", "timeout": 60}
    report = runner.conform(**words, vector=["bleu/wikipedia-de/sentence", "bleu/koehn-2010/*", "bleu/tokens/13a/*", "bleu/corpora/multeval-set1-*"])
    assert not report.of("failed", "departs"), verdict.as_text(report)
    assert report.of("conforms")


# ---- The plugin and the matrix


def run_pytest(folder: Path, *words: str, plugin: bool = True) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_ADDOPTS", None)
    load = ["-p", "bleu_lit.pytest_plugin"] if plugin else []
    words = [sys.executable, "-m", "pytest", *load, "-p", "no:cacheprovider", *words]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_plugin_runs_vectors_as_tests(tmp_path):
    (tmp_path / "mine.py").write_text("def bleu(case):\n    return {'matched': [8, 4, 3, 2]}\n\ndef later(case):\n    return {'skip': 'later'}\n")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    good = run_pytest(tmp_path, "--bleu-adapter=bleu_lit", "--bleu-vector", "bleu/wikipedia-de/*", "--bleu-vector", "bleu/disputed/chen-cherry-5")
    assert good.returncode == 0, good.stdout
    assert "4 passed" in good.stdout
    bad = run_pytest(tmp_path, "--bleu-adapter=mine:bleu", "--bleu-vector", GERMAN.id)
    assert bad.returncode == 1
    assert "departs at matched" in bad.stdout
    assert "1 failed, 1 passed" in bad.stdout
    skips = run_pytest(tmp_path, "--bleu-adapter=python:mine:later", "--bleu-vector", GERMAN.id, "-rs")
    assert "later" in skips.stdout
    wrong = run_pytest(tmp_path, "--bleu-adapter=nlkt")
    assert wrong.returncode == 4
    assert "Did you mean 'nltk'" in wrong.stderr


def test_the_plugin_does_nothing_until_it_is_asked(tmp_path):
    heavy = {"bleu_lit.runner", "bleu_lit.adapters", "bleu_lit.conformance"}
    (tmp_path / "test_own.py").write_text(f"import sys\n\ndef test_own():\n    assert not {heavy!r} & set(sys.modules)\n")
    run = run_pytest(tmp_path)
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout


def test_the_kept_matrix_is_of_this_suite():
    kept = matrix.kept_matrix()
    assert len(kept.rows) >= 7
    assert {"bleu_lit", "sacrebleu", "nltk"} <= {row["name"] for row in kept.rows}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept.data["date"])
    known = {case.id for case in runner.cases()}
    for row in kept.rows:
        told = [one["id"] for one in (*row["departs"], *row["failed"])]
        assert {*told, *row["disputed"]} <= known
        assert all(reason for reason in row["cannot"])
        assert sum(row["counts"].values()) == len(known), f"{row['name']} was asked another suite: run make matrix"
    own = next(row for row in kept.rows if row["name"] == "bleu_lit")
    assert not own["departs"]
    ElementTree.fromstring(matrix.matrix_svg(kept))


@pytest.mark.parametrize("name", ["sacrebleu", "nltk"])
def test_the_kept_matrix_is_what_a_run_gives(name):
    if not find_spec(name):
        pytest.skip(f"{name} is not installed")
    row = next(row for row in matrix.kept_matrix().rows if row["name"] == name)
    adapter = adapters.find_adapter(name)
    if adapter.implementation != row["implementation"]:
        pytest.skip(f"{adapter.implementation} is installed, and the matrix has {row['implementation']}")
    report = runner.conform(adapter=name, timeout=60, clause=[clause for clause in row["clauses"] if clause != "corpora"])
    assert report.by_clause == {clause: counts for clause, counts in row["clauses"].items() if clause != "corpora"}


def test_what_a_function_does_to_its_question_leaves_the_suite_as_it_is():
    def spoils(case):
        if isinstance(case["input"].get("candidates"), list):
            case["input"]["candidates"].append("x")
        case["settings"].clear()
        return {"score": 0.5}

    asked = {"clause": ["clipping", "errors"]}
    before = runner.conform(lambda case: {"score": 0.5}, **asked).counts
    assert runner.conform(spoils, **asked).counts == before
    handed = conformance.vectors()[0]
    handed.input["candidates"].append("x")
    assert len(handed.input["candidates"]) == len(conformance.vectors()[0].input["candidates"]) + 1
    conformance.clauses().clear()
    assert "errors" in conformance.clauses()


def test_an_error_is_no_refusal_where_nothing_ever_worked():
    for broken in (lambda case: case["text"], lambda case: case.text, lambda case: nowhere):  # noqa: F821
        report = runner.conform(broken, clause=["errors"])
        assert (report.status, report.of("conforms")) == (2, [])
        assert "so did plain cases that have a score" in report.headline
    right = adapters.make_adapter(adapters.find_adapter("bleu_lit"))
    assert runner.conform(right, clause=["errors"]).status == 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        *(({"timeout": value}, "timeout: expected seconds above 0") for value in (-1, 0, None, "x", float("inf"), 10**400, True)),
        *(({"give_up": value}, "give_up: expected a whole number of at least 0") for value in (None, "x", -1)),
        ({"progress": 5}, "progress: expected a function"),
        *(({"clause": value}, "clause: expected") for value in (None, 5, [5], "scale")),
        ({"clause": "scale"}, "clause=['scale']"),
        *(({"vector": value}, "vector: expected") for value in (None, 5, [5], "bleu/clipping/*")),
        *(({"data": value}, "expected a folder with the texts") for value in (b"/tmp", 5, "a\0")),
    ],
)
def test_conform_tells_what_is_wrong_with_its_choices(wrong, words):
    with pytest.raises(core.BleuInputError, match=re.escape(words)):
        runner.conform(lambda case: {"score": 0.5}, **{"vector": ["bleu/clipping/*"], **wrong})


@pytest.mark.parametrize(
    "wrong", [{"function": 5}, {"function": "m:f"}, {"function": []}, {"command": 5}, {"command": [5]}, {"command": "cat \0"}, {"command": b"cat"}]
)
def test_what_cannot_be_asked_is_told(wrong):
    with pytest.raises(core.BleuInputError) as told:
        runner.conform(**wrong, clause=["errors"])
    assert all((told.value.expected, told.value.got, told.value.where, told.value.fix))
    assert wrong != {"function": "m:f"} or "python='module:function'" in told.value.fix


@pytest.mark.parametrize(
    "call",
    [
        lambda: adapters.find_adapter(None),
        lambda: adapters.load_function(None),
        lambda: runner.conform(adapter=5),
        lambda: starters.starter_texts(None),
        lambda: starters.write_starter("python", None),
        lambda: conformance.vectors(Decimal("sNaN")),
        lambda: conformance.vectors([]),
    ],
)
def test_names_that_are_no_text_are_told(call):
    with pytest.raises(core.BleuInputError):
        call()


@pytest.mark.parametrize("stage", ["score", "matched", "tokens", "candidate_length"])
def test_a_result_that_cannot_be_written_out_is_a_wrong_answer(stage):
    value = 10**5000 if stage in ("score", "candidate_length") else [10**5000]
    report = runner.conform(lambda case: {stage: value}, vector=["bleu/clipping/*"])
    assert len(report.of("departs")) == len(report.outcomes)
    for write in verdict.FORMATS.values():
        assert write(report)


@pytest.mark.parametrize(
    ("asked", "why"), [({"function": lambda case: 0.5}, "got '0.5'"), ({"command": [sys.executable, "-c", "raise SystemExit(1)"]}, "status 1")]
)
def test_why_there_was_no_answer_at_all_is_the_second_line(asked, why):
    report = runner.conform(**asked, vector=["bleu/clipping/*"])
    assert report.status == 2
    for write in (verdict.as_text, verdict.as_markdown):
        first, second = [line for line in write(report).splitlines() if line][:2]
        assert "failed to answer" in first
        assert why in second.replace("\\", "")


@pytest.mark.parametrize(
    "words",
    [
        *(["--bleu-adapter=bleu_lit", f"--bleu-timeout={value}"] for value in ("-1", "0", "inf", "nan", "1e300")),
        ["--bleu-adapter="],
        ["--bleu-clause=zzz"],
        ["--bleu-timeout=-1"],
    ],
)
def test_the_plugin_leaves_no_option_out(words, tmp_path):
    run = run_pytest(tmp_path, *words)
    assert run.returncode == 4, run.stdout
    assert "ERROR:" in run.stdout + run.stderr
