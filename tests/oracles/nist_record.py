"""Record what NIST's own program says, once: nist_mteval.json beside this file.

    python tests/oracles/nist_record.py path/to/mteval-v13a.pl      (Perl; run with -c, which keeps the case)

Small corpora are recorded with their texts; of each set of the evaluation data (see tests/shared.py) the first system's first segments, by name.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from shared import evaluation_sets, lines  # noqa: E402

SEGMENTS, REFERENCES = 300, 8
PAPER = (
    "It is a guide to action which ensures that the military always obeys the commands of the party",
    "It is to insure the troops forever hearing the activity guidebook that party direct",
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)
SMALL = {  # name: candidates, streams of references
    "paper, candidate 1": ([PAPER[0]], [[text] for text in PAPER[2:]]),
    "paper, candidate 2": ([PAPER[1]], [[text] for text in PAPER[2:]]),
    "paper, candidate 1, reference 1": ([PAPER[0]], [[PAPER[2]]]),
    "paper, candidate 2, reference 1": ([PAPER[1]], [[PAPER[2]]]),
    "paper, both": ([*PAPER[:2]], [[text, text] for text in PAPER[2:]]),
    "one word": (["cat"], [["cat"]]),
    "too short for pairs": (["cat", "dog", "a bird"], [["cat", "a dog", "the bird sings"]]),
    "much too long": (["the the the the the the the the"], [["the cat"]]),
    "half as long": (["the cat sat"], [["the cat sat on the mat today"]]),
    "nothing shared": (["a b c"], [["d e f g"]]),
    "repeated": (["na na na na", "na na"], [["na na na", "na na na na na"]]),
    "references of unequal length": (["the cat sat on the mat"], [["the cat sat on it"], ["a cat was sitting there on the old mat by the door"]]),
    "punctuation and digits": (["It costs $3.50, i.e. 1,000 times less - or 5-6 more?"], [["It costs $3.50 (or 1,000 times less), i.e. 5-6 more!"]]),
    "another script": (["Кошка сидит на коврике.", "猫坐在垫子上。"], [["Кошка лежит на коврике.", "猫坐在 垫子上。"]]),
    "the word 0": (["0 points were given", "0 of 10 came"], [["0 points were taken", "only 0 of 10 came"]]),
}


def document(kind: str, systems: dict[str, list[str]]) -> str:
    """The texts in the program's form; it decodes &lt; itself and is no parser of XML, so nothing else is changed."""
    parts = [f'<{kind} setid="s" srclang="any" trglang="any">']
    for name, texts in systems.items():
        segments = [f'<seg id="{number}"> {text.replace("<", "&lt;")} </seg>' for number, text in enumerate(texts, 1)]
        parts += [f'<doc docid="d" sysid="{name}">', *segments, "</doc>"]
    return "\n".join([*parts, f"</{kind}>", ""])


def mteval(program: str, candidates: list[str], streams: list[list[str]]) -> str:
    """The program's NIST score, with the four digits that it prints."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"srcset": {"source": candidates}, "refset": {f"r{j}": stream for j, stream in enumerate(streams)}, "tstset": {"system": candidates}}
        for kind, systems in files.items():
            (folder / kind).write_text(document(kind, systems), encoding="utf-8", newline="\n")
        command = ["perl", program, "-c", "-s", str(folder / "srcset"), "-r", str(folder / "refset"), "-t", str(folder / "tstset")]
        printed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, stdin=subprocess.DEVNULL).stdout
    return re.search(r"NIST score = *([\d.]+)", printed)[1]


def main() -> None:
    program, record = sys.argv[1], {"program": "mteval-v13a.pl -c", "small": [], "sets": []}
    for name, (candidates, streams) in SMALL.items():
        score = mteval(program, candidates, streams)
        record["small"].append({"name": name, "candidates": candidates, "streams": streams, "nist": score})
    for data in evaluation_sets():
        system, path = next(iter(data.systems.items()))
        candidates, streams = lines(path)[:SEGMENTS], [lines(path)[:SEGMENTS] for path in data.references[:REFERENCES]]
        record["sets"].append({"set": data.name, "system": system, "references": len(streams), "nist": mteval(program, candidates, streams)})
    (HERE / "nist_mteval.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
