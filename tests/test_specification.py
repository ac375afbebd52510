"""The specification and the vectors belong together: every rule has vectors that notice when it is broken, and no expected value was made by bleu_lit."""

import ast
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import mutants
from oracles import plain_bleu
from shared import ROOT, SHARED

from bleu_lit.conformance import file_vectors, vectors

ORACLES = ROOT / "tests" / "oracles"
MAKERS = ("make_vectors", "vector_record")
SPECIFICATION = mutants.specification()
RULES = {rule["number"]: rule for rule in SPECIFICATION["rules"]}
SUITE = {vector.id: vector for vector in (*vectors(), *file_vectors())}
TABLE = {row["fault"]: row for row in json.loads(mutants.TABLE.read_text(encoding="utf-8"))["mutants"]}


# ---- Rules and vectors


def test_rules_are_numbered_in_order_and_named_once():
    numbers = [tuple(map(int, number.removeprefix("BLEU-").split("."))) for number in RULES]
    assert numbers == sorted(set(numbers))
    assert len(RULES) == len(SPECIFICATION["rules"])
    for rule in RULES.values():
        assert str(rule["chapter"]) in SPECIFICATION["chapters"], rule["number"]
        assert rule["says"].endswith("."), rule["number"]
        assert rule["source"], rule["number"]


def test_every_vector_has_one_rule_and_every_rule_has_vectors():
    listed = [name for rule in RULES.values() for name in rule["vectors"]]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(SUITE)
    assert all(rule["vectors"] for rule in RULES.values())


def test_vectors_that_name_a_rule_are_listed_by_it():
    for vector in SUITE.values():
        if vector.rule:
            assert vector.id in RULES[vector.rule]["vectors"]
            assert vector.clause == RULES[vector.rule]["clause"]
    assert sum(bool(vector.rule) for vector in SUITE.values()) >= 430


def test_there_are_at_least_400_vectors():
    assert len(vectors()) >= 590
    assert len(file_vectors()) >= 59


# ---- No value was made by bleu_lit


def imported(path: Path) -> set[str]:
    """The names of all modules that a file imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__", "run_path", "run_module", "exec", "eval"):
            found.add(f"call of {ast.unparse(node.func)}")
    return found


def test_no_maker_imports_the_package():
    """The two makers, and every module of this folder that they import, directly or not."""
    waiting, seen = [ORACLES / f"{name}.py" for name in MAKERS] + [ORACLES / "plain_bleu.py"], set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        names = imported(path)
        wrong = {name for name in names if name.split(".")[0] in ("bleu_lit", "mutants") or name.startswith("call of")}
        assert not wrong, f"{path.name} imports {wrong}"
        for name in names:
            last = name.split(".")[-1]
            if name.startswith("oracles") and (ORACLES / f"{last}.py").exists():
                waiting.append(ORACLES / f"{last}.py")
    assert {"exact_bleu.py", "vector_tables.py", "vector_tables_spec.py", "vector_tables_text.py", "vector_tables_counts.py"} <= {path.name for path in seen}


BLOCKED = """
import runpy, sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked}:
            raise ImportError("blocked: " + name)
sys.meta_path.insert(0, Block())
sys.argv = ["make_vectors.py", "--check"]
try:
    runpy.run_path({script}, run_name="__main__")
except SystemExit as end:
    loaded = sorted(name for name in sys.modules if name.split(".")[0] == "bleu_lit")
    sys.exit(f"loaded {{loaded}}" if loaded else end.code)
"""


def test_the_vectors_are_made_again_byte_by_byte_without_the_package():
    path = SHARED / "published_examples.jsonl"
    if not path.is_file():
        pytest.skip(f"{path.name} is not at {SHARED} (set BLEU_LIT_SHARED)")
    blocked = ("bleu_lit", "sacrebleu", "nltk")  # the record holds what those two said
    program = BLOCKED.format(blocked=blocked, script=str(ORACLES / "make_vectors.py").__repr__())
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "BLEU_LIT_SHARED": str(SHARED)},
    )
    assert run.returncode == 0, f"{run.stdout}{run.stderr}"


def test_no_vector_file_is_without_a_maker():
    """Every file but the schema, the list of retired ones and the table of mutants is written by make_vectors.py."""
    if not (SHARED / "published_examples.jsonl").is_file():
        pytest.skip("the published examples are not there (set BLEU_LIT_SHARED)")
    from oracles import make_vectors

    there = {str(path.relative_to(mutants.FOLDER)) for path in mutants.FOLDER.rglob("*.json")}
    assert there == set(make_vectors.files()) | {"schema.json", "retired.json", "mutants.json"}


RECORD = json.loads((ORACLES / "vector_record.json").read_text(encoding="utf-8"))


def test_the_record_is_what_the_programs_say():
    """Tokens, signatures and scores, wherever the recorded versions are installed."""
    for package in ("sacrebleu", "nltk", "regex"):
        module = pytest.importorskip(package)
        from importlib.metadata import version

        if version(package) != RECORD["versions"][package]:
            pytest.skip(f"{module.__name__} {version(package)} is installed, {RECORD['versions'][package]} was recorded")
    from oracles import vector_record

    assert vector_record.recorded_tokens() == RECORD["tokens"]
    assert vector_record.recorded_signatures() == RECORD["signatures"]
    fresh = vector_record.recorded_scores()
    assert {program: set(scores) for program, scores in fresh.items()} == {program: set(scores) for program, scores in RECORD["scores"].items()}
    for program, scores in RECORD["scores"].items():
        for name, said in scores.items():  # since Python 3.12 sum() of floats rounds once, so sacreBLEU's last digit differs between versions
            assert math.isclose(float(fresh[program][name]), float(said), rel_tol=1e-15 * 8, abs_tol=0), (program, name)


def test_the_record_of_a_corpus_is_what_is_counted():
    from oracles import vector_record, vector_tables_text

    if not vector_record.DATA.is_dir():
        pytest.skip(f"the evaluation data are not at {SHARED}/data (set BLEU_LIT_SHARED)")
    pytest.importorskip("sacrebleu")
    for entry in vector_tables_text.CORPORA:
        if RECORD["corpora"][entry["id"]]["segments"] <= 500:
            assert vector_record.recorded_corpus(entry) == RECORD["corpora"][entry["id"]], entry["id"]


# ---- Mutants


@pytest.mark.parametrize("vector", SUITE.values(), ids=SUITE)
def test_a_plain_bleu_without_fault_meets_every_vector(vector):
    assert not vector.check(plain_bleu.results(vector))
    assert plain_bleu.refusal(plain_bleu.input_of(vector, None), vector.full_settings) == vector.expect.get("error")


def test_every_rule_has_a_fault_and_every_fault_is_noticed_by_its_rule():
    broken = {f"BLEU-{number}" for numbers in plain_bleu.FAULTS.values() for number in numbers}
    assert broken == set(RULES)
    for fault, row in TABLE.items():
        assert set(row["by_rule"]) == {f"BLEU-{number}" for number in plain_bleu.FAULTS[fault]}
        for number, names in row["by_rule"].items():
            assert names, f"{fault}: no vector of {number} notices"
            assert set(names) <= set(RULES[number]["vectors"])


def test_the_table_of_mutants_is_what_a_run_gives():
    """Every fault against every vector, again."""
    assert mutants.TABLE.read_text(encoding="utf-8") == mutants.as_text(mutants.table()), "run python tests/mutants.py"


POINTS = {rule["point"] for rule in RULES.values()} - {""}


def test_every_point_of_disagreement_has_a_rule():
    path = SHARED / "design" / "DECISIONS.md"
    if not path.is_file():
        pytest.skip(f"the list of points is not at {SHARED}/design (set BLEU_LIT_SHARED)")
    rows = re.findall(r"^\| ([^|]+?) \|", path.read_text(encoding="utf-8"), re.M)
    points = [row for row in rows if row not in ("Point", "---") and not set(row) <= {"-"}]
    assert set(points) == POINTS
    assert len(points) == 28


# ---- The page


def test_the_module_reads_what_the_tables_say():
    from bleu_lit.specification import chapters, rule_of, specification
    from bleu_lit.specification import mutants as tried

    assert [rule.number for rule in specification()] == list(RULES)
    assert {str(number): title for number, title in chapters().items()} == SPECIFICATION["chapters"]
    assert {mutant.fault: mutant.noticed for mutant in tried()} == {fault: row["noticed"] for fault, row in TABLE.items()}
    for vector in SUITE.values():
        assert rule_of(vector) == rule_of(vector.id)
        assert vector.rule in ("", rule_of(vector).number)


def test_the_page_shows_every_rule_fault_and_vector():
    page = json.loads((ROOT / "nbs" / "81_specification.ipynb").read_text(encoding="utf-8"))
    shown = "".join("".join(output.get("data", {}).get("text/markdown", [])) for cell in page["cells"] for output in cell.get("outputs", []))
    for number in RULES:
        assert f'<a id="{number}"></a>' in shown, number
        assert f'<a id="of-{number}"></a>' in shown, number
    assert [name for name in SUITE if f'<a id="{name}"></a>' not in shown] == []
    assert sum(line.startswith("| ") for line in shown.splitlines()) == len(TABLE) + 1
    targets = set(re.findall(r'<a id="([^"]+)"', shown))
    assert set(re.findall(r"\]\(#([^)]+)\)", shown)) <= targets
    assert len(targets) == len(re.findall(r'<a id="', shown))
