"""Where the evaluation data lie, and the reason to skip when they are absent.

The data (real system outputs with references and published scores) are too large for the package.
Set BLEU_LIT_SHARED to their folder, or lay it beside the checkout as ../shared.
"""

import csv
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("BLEU_LIT_SHARED") or ROOT.parent / "shared")
if not SHARED.is_dir():  # a variable that names no folder is refused by what reads it; here it means that the data are not there
    os.environ.pop("BLEU_LIT_SHARED", None)
SCRIPTS = Path(os.environ.get("BLEU_LIT_SCRIPTS") or "no folder of scripts")  # multi-bleu.perl, mteval-v13a.pl, and evaluate's metrics/bleu as bleu
needs_data = pytest.mark.skipif(not (SHARED / "data").is_dir(), reason=f"the evaluation data are not at {SHARED}/data (set BLEU_LIT_SHARED)")


def lines(path: Path) -> list[str]:
    """The segments of a file: split at LF alone."""
    text = path.read_bytes().decode("utf-8")
    return text.removesuffix("\n").split("\n")


@dataclass(frozen=True)
class EvaluationSet:
    """One folder of the evaluation data: systems and references by name."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def systems(self) -> dict[str, Path]:
        return {path.name[len("hyp.") : -len(".txt")]: path for path in sorted(self.folder.glob("hyp.*.txt"))}

    @property
    def references(self) -> list[Path]:
        return sorted(self.folder.glob("ref.*.txt"), key=lambda path: int(path.name.split(".")[1]))

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of published.tsv or computed.tsv."""
        with open(self.folder / name, encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def evaluation_sets() -> list[EvaluationSet]:
    """Every set that holds at least one system, by name; empty when the data are absent."""
    root = SHARED / "data"
    return [EvaluationSet(folder) for folder in sorted(root.iterdir()) if list(folder.glob("hyp.*.txt"))] if root.is_dir() else []
