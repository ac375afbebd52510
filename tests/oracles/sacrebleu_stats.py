"""What sacreBLEU counts on every set of the evaluation data: a digest of the integers of all segments, and the corpus score.

    python tests/oracles/sacrebleu_stats.py

writes sacrebleu_stats.json beside this file (some minutes). It uses the installed sacreBLEU and nothing of bleu_lit. Each combination of a set, a system, a
tokenizer and a case gives K = 10 integers per segment: c, r, matched 1..4, total 1..4. Their digest is the SHA-256 of the rows, each written as decimal
numbers with single blanks between them and a line feed at its end.
"""

import argparse
import hashlib
import json
import platform
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from shared import SHARED, EvaluationSet, evaluation_sets, lines

ORACLE = Path(__file__).with_suffix(".json")
TOKENIZERS = ("13a", "intl", "zh", "char", "none")
CASES = {"mixed": False, "lc": True}
COMBINATIONS = [(name, case, "empty") for name in TOKENIZERS for case in CASES]
ABSENT = {"e2e_primary_21sys": [("13a", "lc", "absent")]}  # a blank line stands for no reference in this set; its published scores need that


def digest(rows: Iterable[Sequence[int]]) -> str:
    """The SHA-256 of rows of integers."""
    return hashlib.sha256("".join(" ".join(map(str, row)) + "\n" for row in rows).encode("ascii")).hexdigest()


def inputs_digest(data: EvaluationSet) -> str:
    """The SHA-256 of all the texts of a set, so that other data are not taken for another count."""
    found = hashlib.sha256()
    for path in [*data.systems.values(), *data.references]:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def reference_streams(data: EvaluationSet, blank: str = "empty") -> list[list[str | None]]:
    """The references by annotator; with `blank` "absent" a blank line is None."""
    streams = [lines(path) for path in data.references]
    return [[text if text.strip() else None for text in stream] for stream in streams] if blank == "absent" else streams


def combinations(data: EvaluationSet) -> list[tuple[str, str, str]]:
    """(tokenizer, case, reading of blank references) of a set."""
    return COMBINATIONS + ABSENT.get(data.name, [])


def scorer(data: EvaluationSet, name: str, case: str, blank: str):
    """sacreBLEU with the references of a set counted once for all systems."""
    from sacrebleu.metrics import BLEU

    return BLEU(tokenize=name, lowercase=CASES[case], force=True, references=reference_streams(data, blank))


def counted(data: EvaluationSet, say=print) -> dict:
    """The entry of one set: system to "tokenizer case blank" to [digest, score]."""
    systems = {system: lines(path) for system, path in data.systems.items()}
    found: dict[str, dict[str, list[str]]] = {system: {} for system in systems}
    for name, case, blank in combinations(data):
        bleu = scorer(data, name, case, blank)
        for system, texts in systems.items():
            rows = bleu._extract_corpus_statistics(texts, None)
            found[system][f"{name} {case} {blank}"] = [digest(rows), repr(float(bleu._aggregate_and_compute(rows).score))]
        say(f"{data.name} {name} {case} {blank}: {len(systems)} systems, {sum(map(len, systems.values()))} segments")
    return {"inputs": inputs_digest(data), "segments": len(next(iter(systems.values()))), "references": len(data.references), "systems": found}


def as_text(oracle: dict) -> str:
    """JSON with one line per system, so that a change shows as a change of lines."""
    head = {key: value for key, value in oracle.items() if key != "sets"}
    parts = [json.dumps(head, indent=1)[:-2] + ',\n "sets": {']
    for number, (name, entry) in enumerate(sorted(oracle["sets"].items())):
        plain = {key: value for key, value in sorted(entry.items()) if key != "systems"}
        parts.append(("," if number else "") + f"\n  {json.dumps(name)}: " + json.dumps(plain)[:-1] + ', "systems": {\n')
        systems = sorted(entry["systems"].items())
        parts.append(",\n".join(f"   {json.dumps(system)}: {json.dumps(values, sort_keys=True, separators=(',', ':'))}" for system, values in systems) + "}}")
    return "".join(parts) + "\n }\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Count every set of the evaluation data with the installed sacreBLEU.")
    parser.add_argument("--out", type=Path, default=ORACLE)
    options = parser.parse_args()
    import regex
    import sacrebleu

    sets = evaluation_sets()
    if not sets:
        print(f"no evaluation data at {SHARED}/data; set BLEU_LIT_SHARED", file=sys.stderr)
        return 2
    started = time.monotonic()
    oracle = {
        "what": "per set, system and combination 'tokenizer case blank-references': [SHA-256 of the rows c r matched 1..4 total 1..4, corpus score in percent]",
        "command": "python tests/oracles/sacrebleu_stats.py",
        "versions": {"python": platform.python_version(), "sacrebleu": sacrebleu.__version__, "regex": regex.__version__},
        "settings": "smooth exp, order 4, effective order off; files split at LF alone",
        "sets": {data.name: counted(data, lambda text: print(f"{time.monotonic() - started:6.0f} s  {text}", flush=True)) for data in sets},
    }
    text = as_text(oracle)
    assert json.loads(text) == oracle
    options.out.write_text(text, encoding="utf-8")
    print(f"{options.out}: {len(text)} bytes, {sum(len(v) for entry in oracle['sets'].values() for v in entry['systems'].values())} combinations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
