"""Every statement of the documents that is due is shown: in a section of a notebook, by a cell or a test that runs.

`python tests/test_claims.py` prints the table: claim, notebook and section, cell or test.
"""

import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import claims

DUE_KINDS = {"definition", "derivation", "example", "claim", "analogy"}
DUE_ROWS = {
    "002-30",
    "002-32",
    "002-33",
    "003-10",
    "003-12",
    "002-37",
    "002-38",
    "000-28",
    "002-34",
    "002-35",
    "002-36",
    "002-17",
    "002-18",
    "002-19",
    "002-20",
    "002-21",
    "002-23",
    "002-26",
    "002-27",
    "002-24",
    "002-25",
    "002-31",
    "003-11",
}
ON_REAL_DATA = {"002-05", "002-16", "003-06", "003-07"}
# Not yet built, each with what will carry it. Whoever builds it marks its cells and takes its row out of here.
LATER: dict[str, str] = {}


@cache
def collected():
    return claims.collect()


def marks_of(claim: str) -> list[claims.Mark]:
    return [mark for mark in collected()[0] if mark.claim == claim]


def due(claim: claims.Claim) -> bool:
    return claim.kind in DUE_KINDS or claim.id in DUE_ROWS


def state(claim: claims.Claim) -> str:
    """Empty if the claim is shown as it must be; else what is missing."""
    marks = marks_of(claim.id)
    mark = f"# claim: {claim.id}"
    if claim.kind == "analogy":
        return "" if marks else f"mark the paragraph that tells it: <!-- claim: {claim.id} -->"
    if not any(found.home in ("cell", "test") for found in marks):
        return f"nothing that runs shows it: put the line `{mark}` into the notebook cell that does"
    if not any(found.home == "cell" for found in marks):
        return f"only a test shows it, and no section of a notebook: put the line `{mark}` into the notebook cell that does"
    if claim.id in ON_REAL_DATA and not any(found.home == "test" for found in marks):
        return f"it is about real data: put the line `{mark}` into the test (tests/) that measures it"
    return ""


@pytest.mark.parametrize("claim", [claim for claim in claims.claims().values() if due(claim)], ids=lambda claim: claim.id)
def test_claim_is_shown(claim):
    missing = state(claim)
    assert not missing, f"{claim.id} ({claim.kind}: {claim.text}) — {missing}. Planned: {claim.how}"


def test_marks_can_be_read():
    faults = collected()[1]
    assert not faults, "\n".join(faults)


def test_every_row_is_due_or_later():
    table = claims.claims()
    due_rows = {claim.id for claim in table.values() if due(claim)}
    assert not due_rows & LATER.keys(), f"due and LATER at once: {sorted(due_rows & LATER.keys())}"
    assert due_rows | LATER.keys() == table.keys(), f"neither due nor LATER, or not in the table: {sorted((due_rows | LATER.keys()) ^ table.keys())}"


@pytest.mark.parametrize("claim", LATER)
def test_later_rows_have_no_mark(claim):
    places = [mark.place for mark in marks_of(claim)]
    assert not places, f"{claim} is listed as LATER ({LATER[claim]}), but is marked at {places}. If it is built, make it due; if not, take the mark away"


def main() -> None:
    table = claims.rows()
    for claim, marks in table:
        told = " | ".join(f"{mark.notebook} › {mark.section} ({mark.home})" if mark.notebook else mark.place for mark in marks)
        told = told or (f"later: {LATER[claim.id]}" if claim.id in LATER else "—")
        print(f"{claim.id}  {claim.kind:<14} {claim.text}\n        {told}")
    missing = [claim.id for claim, _ in table if due(claim) and state(claim)]
    print(f"\n{len(table)} rows, {len(LATER)} later, {len(missing)} of those due are not shown yet{': ' if missing else ''}{', '.join(missing)}")


if __name__ == "__main__":
    main()
