"""Break every rule of the specification once and write down which vectors notice: bleu_lit/vectors/v1/mutants.json.

    python tests/mutants.py            write the table
    python tests/mutants.py --check    compare with the file, write nothing

The broken program is tests/oracles/plain_bleu.py, which is not the package; the comparison is the package's own.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from oracles import plain_bleu  # noqa: E402

from bleu_lit.conformance import Vector, file_vectors, vectors  # noqa: E402

FOLDER = HERE.parent / "bleu_lit" / "vectors" / "v1"
TABLE = FOLDER / "mutants.json"
EXAMPLES = 3  # vectors named for each rule


def every_vector() -> tuple[Vector, ...]:
    return (*vectors(), *file_vectors())


def departing(fault: str | None) -> tuple[list[str], list[str]]:
    """The ids of the vectors that a fault does not meet, and of those that notice by the score alone."""
    all_stages, score_alone = [], []
    for vector in every_vector():
        found = plain_bleu.results(vector, fault)
        if vector.check(found):
            all_stages.append(vector.id)
            if vector.check({key: found[key] for key in ("score", "error") if key in found}):
                score_alone.append(vector.id)
    return all_stages, score_alone


def specification() -> dict:
    return json.loads((FOLDER / "specification.json").read_text(encoding="utf-8"))


def table() -> list[dict]:
    """Fault, rules, number of vectors that notice, and some of them for each rule."""
    members = {rule["number"]: rule["vectors"] for rule in specification()["rules"]}
    rows = []
    for fault, numbers in plain_bleu.FAULTS.items():
        noticed, by_score = departing(fault)
        examples = {f"BLEU-{number}": [name for name in members[f"BLEU-{number}"] if name in noticed][:EXAMPLES] for number in numbers}
        rows.append({"fault": fault, "noticed": len(noticed), "noticed_by_score": len(by_score), "by_rule": examples})
    return rows


def as_text(rows: list[dict]) -> str:
    """One line a fault."""
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f'{{\n "about": "Faults of a plain BLEU, and the vectors that notice; made by tests/mutants.py",\n "mutants": [\n{lines}\n ]\n}}\n'


def main() -> int:
    text = as_text(table())
    if "--check" in sys.argv[1:]:
        return 0 if TABLE.read_text(encoding="utf-8") == text else 1
    TABLE.write_text(text, encoding="utf-8", newline="\n")
    for row in json.loads(text)["mutants"]:
        missing = [number for number, names in row["by_rule"].items() if not names]
        if missing:
            print(f"{row['fault']}: not noticed by {', '.join(missing)} ({row['noticed']} vectors notice)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
