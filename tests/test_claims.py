"""Every statement of the documents that is due is shown: in a section of a notebook, by a cell or a test that runs.

`python tests/test_claims.py` prints the table: claim, notebook and section, cell or test.
"""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import book, claims

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


def test_every_row_is_due():
    rest = [claim.id for claim in claims.claims().values() if not due(claim)]
    assert not rest, f"rows of the table that nothing need show: {rest}. Name them in DUE_ROWS"


def test_the_table_may_be_read_in_part():
    """As `python tests/test_claims.py | head -1` reads it: no word of a broken pipe."""
    run = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    run.stdout.close()
    assert run.stderr.read() == b"" and run.wait() == 0


def table() -> Iterator[str]:
    """Each claim with the places that show it, and how many are not shown."""
    rows = claims.rows()
    for claim, marks in rows:
        told = " | ".join(f"{mark.notebook} › {mark.section} ({mark.home})" if mark.notebook else mark.place for mark in marks)
        yield f"{claim.id}  {claim.kind:<14} {claim.text}\n        {told or '—'}"
    missing = [claim.id for claim, _ in rows if state(claim)]
    yield f"\n{len(rows)} rows, {len(missing)} of them not shown{': ' if missing else ''}{', '.join(missing)}"


if __name__ == "__main__":
    book.say(table())
