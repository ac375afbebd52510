"""Every finding about another implementation is seen again, wherever the version that it names is installed."""

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

import pytest
from shared import SCRIPTS

from bleu_lit.conformance import vectors
from bleu_lit.findings import FINDINGS
from bleu_lit.libraries import _without_addresses

IDS = [f"{finding.package}: {finding.name}" for finding in FINDINGS]


def numbers(text: str) -> list:
    """Words, with numbers rounded: since Python 3.12 sums of floats are rounded once, so last digits differ."""
    return [round(float(word), 10) if re.fullmatch(r"[\d.]+(e-?\d+)?", word) else word for word in re.split(r"[\s\[\],]+", text)]


@pytest.mark.parametrize("finding", FINDINGS, ids=IDS)
def test_a_finding_is_seen_again(finding, tmp_path):
    if finding.package.endswith((".pl", ".perl")):
        if not (SCRIPTS / finding.package).is_file() or not shutil.which("perl"):
            pytest.skip(f"{finding.package} is not there (set BLEU_LIT_SCRIPTS to the folder that holds it), or no perl")
        shutil.copy(SCRIPTS / finding.package, tmp_path)
        command = ["sh", "-c", finding.program]
    else:
        try:
            there = version(finding.package)
        except PackageNotFoundError:
            there = "no version"
        if f"{finding.package} {there}" != finding.seen_in:
            pytest.skip(f"{there} of {finding.package} is installed; this was seen in {finding.seen_in}")
        program = finding.program
        if finding.package == "evaluate":
            if not (SCRIPTS / "bleu").is_dir():
                pytest.skip("the folder metrics/bleu of evaluate's repository is not there as bleu (set BLEU_LIT_SCRIPTS to its parent)")
            program = program.replace('evaluate.load("bleu")', f"evaluate.load({str(_without_addresses(SCRIPTS / 'bleu', tmp_path))!r})")
        command = [sys.executable, "-W", "ignore", "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, cwd=tmp_path)
    assert command[0] == "sh" or run.returncode == 0, run.stderr
    if sys.version_info[:2] == (3, 11):
        assert run.stdout.strip() == finding.prints
    assert numbers(run.stdout.strip()) == numbers(finding.prints)


def test_findings_are_about_rules_of_the_suite():
    ids = {vector.id for vector in vectors()}
    assert {finding.vector for finding in FINDINGS} <= ids
    assert len({(finding.package, finding.name) for finding in FINDINGS}) == len(FINDINGS) >= 20
    for finding in FINDINGS:
        assert finding.says.endswith("."), finding.name
        assert len(finding.program.splitlines()) <= 8, finding.name


def test_a_finding_is_a_departure_of_the_kept_matrix():
    """What a program of a few lines shows, the suite has seen as well, in the same clause."""
    from bleu_lit.matrix import kept_matrix

    rows = {row["name"]: row for row in kept_matrix().rows}
    clauses = {vector.id: vector.clause for vector in vectors()}
    names = {"multi-bleu.perl": "multi-bleu", "mteval-v13a.pl": "mteval-v13a"}
    unseen = {"counts of 32 bits", "statistics that change"}  # not to be seen in a single answer
    for finding in FINDINGS:
        row = rows[names.get(finding.package, finding.package)]
        parted = {one["clause"] for one in (*row["departs"], *row["failed"])}
        assert clauses[finding.vector] in parted or finding.name in unseen, json.dumps([finding.package, finding.name, clauses[finding.vector]])
