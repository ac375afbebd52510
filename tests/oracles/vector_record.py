"""Run sacreBLEU and NLTK once on the texts of the vectors, and write down what they say, with their versions.

    python tests/oracles/vector_record.py

writes vector_record.json beside this file: tokens and signatures of sacreBLEU, scores of both where traditions differ, and the integers of the published
corpora (tokens by sacreBLEU, counts by exact_bleu.py; this part needs the evaluation data, see tests/shared.py). make_vectors.py reads that file, so that
the vectors can be made again anywhere. Nothing of bleu_lit takes part.
"""

import hashlib
import json
import os
import platform
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

from oracles import exact_bleu as oracle  # noqa: E402
from oracles import vector_tables_counts, vector_tables_text  # noqa: E402
from oracles.vector_tables import DISPUTED, OURS  # noqa: E402
from oracles.vector_texts import prepared, texts_of  # noqa: E402

assert vector_tables_counts  # its import fills the tables
RECORD = HERE / "vector_record.json"
DATA = Path(os.environ.get("BLEU_LIT_SHARED") or ROOT.parent / "shared") / "data"


def sacrebleu_tokenizer(name: str):
    from sacrebleu.metrics import BLEU

    tool = BLEU(tokenize=name, effective_order=True).tokenizer
    return lambda text: tool(text.rstrip()).split()


def recorded_tokens() -> dict[str, dict[str, list[str]]]:
    """Tokenizer → prepared text → tokens, for every vector that asks for them."""
    found: dict[str, dict[str, list[str]]] = {}
    entries = [entry for entry in OURS if entry.get("tokens") == "record"]
    wanted = [(entry["settings"], text) for entry in entries for text in texts_of(entry["input"])]
    wanted += [(entry["settings"], line) for entry in vector_tables_text.FILES for side in entry["lines"] for line in side]
    for settings, text in wanted:
        name = settings.get("tokenize", "none")
        ready = prepared(text, settings)
        found.setdefault(name, {})[ready] = sacrebleu_tokenizer(name)(ready)
    return {name: dict(sorted(texts.items())) for name, texts in sorted(found.items())}


def sacrebleu_metric(settings: dict, references: list | None = None):
    from sacrebleu.metrics import BLEU

    return BLEU(
        tokenize=settings.get("tokenize", "none"),
        lowercase=settings.get("lowercase", False),
        smooth_method=settings.get("smooth", "none"),
        smooth_value=float(settings["smooth_value"]) if "smooth_value" in settings else None,
        max_ngram_order=settings.get("max_order", 4),
        effective_order=settings.get("effective_order", False),
        references=references,
    )


def streams(data: dict) -> list[list[str | None]]:
    """The references by annotator, as text."""
    width = max(map(len, data["references"]))
    groups = [[*group, *[None] * (width - len(group))] for group in data["references"]]
    return [[" ".join(text) if isinstance(text, list) else text for text in column] for column in zip(*groups, strict=True)]


def recorded_signatures() -> dict[str, str]:
    """Id → signature without the version."""
    found = {}
    for entry in OURS:
        if entry.get("signature") == "record":
            metric = sacrebleu_metric(entry["settings"])
            metric.corpus_score(entry["input"]["candidates"], streams(entry["input"]))
            found[entry["id"]] = str(metric.get_signature()).rsplit("|version:", 1)[0]
    return found


def sacrebleu_score(entry: dict, key: str) -> float:
    settings = {**entry["settings"], "effective_order": key.endswith("-effective")}
    candidates = [" ".join(c) if isinstance(c, list) else c for c in entry["input"]["candidates"]]
    return sacrebleu_metric(settings).corpus_score(candidates, streams(entry["input"])).score / 100


def nltk_score(entry: dict, key: str) -> float:
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    settings, smoothing = entry["settings"], SmoothingFunction()
    methods = {"none": 0, "floor": 1, "add-k": 2, "exp": 3, "length": 4, "average": 5, "interpolate": 6, "average-length": 7}
    method = getattr(smoothing, f"method{methods[settings.get('smooth', 'none')]}")
    order = settings.get("max_order", 4)
    weights = [float(weight) for weight in settings["weights"]] if "weights" in settings else [1 / order] * order
    cut = lambda text: text if isinstance(text, list) else text.split()  # noqa: E731
    candidates = [cut(text) for text in entry["input"]["candidates"]]
    references = [[cut(text) for text in group] for group in entry["input"]["references"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(corpus_bleu(references, candidates, weights, method))


def recorded_scores() -> dict[str, dict[str, str]]:
    """Program → key → score, printed in full."""
    found: dict[str, dict[str, str]] = {"nltk": {}, "sacrebleu": {}}
    for entry in DISPUTED:
        for said in entry["traditions"].values():
            if "record" in said:
                tool, key = said["record"]
                found[tool][key] = repr({"nltk": nltk_score, "sacrebleu": sacrebleu_score}[tool](entry, key))
    return found


def lines(data: bytes) -> list[str]:
    return data.decode("utf-8").removesuffix("\n").split("\n")


def recorded_corpus(entry: dict) -> dict:
    """The files by hash, and the integers."""
    folder, settings = DATA / entry["set"], entry["settings"]
    names = sorted((path.name for path in folder.glob("ref.*.txt")), key=lambda name: int(name.split(".")[1]))
    chosen = [f"ref.{k}.txt" for k in entry["references"]] if entry["references"] else names
    read = {name: (folder / name).read_bytes() for name in (f"hyp.{entry['system']}.txt", *chosen)}
    files = [{"name": f"{entry['set']}/{name}", "sha256": hashlib.sha256(data).hexdigest()} for name, data in read.items()]
    cut = sacrebleu_tokenizer(settings["tokenize"])
    sides = [[cut(prepared(text, settings)) for text in lines(data)] for data in read.values()]
    if settings.get("blank_references") == "absent":
        sides[1:] = [[tokens or None for tokens in side] for side in sides[1:]]
    stats = oracle.statistics(sides[0], list(zip(*sides[1:], strict=True)), 4, settings.get("reference_length", "closest"))
    assert stats.r.denominator == 1
    return {"files": files, "segments": len(sides[0]), "c": stats.c, "r": int(stats.r), "matched": list(stats.matched), "total": list(stats.total)}


def main() -> int:
    import nltk
    import regex
    import sacrebleu

    assert sacrebleu.__version__ == "2.6.0", sacrebleu.__version__
    before = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    corpora = {}
    for entry in vector_tables_text.CORPORA:
        if entry["id"] in before.get("corpora", {}):
            corpora[entry["id"]] = before["corpora"][entry["id"]]
        else:
            corpora[entry["id"]] = recorded_corpus(entry)
            print(entry["id"], corpora[entry["id"]]["segments"], flush=True)
    record = {
        "command": "python tests/oracles/vector_record.py",
        "versions": {"python": platform.python_version(), "sacrebleu": sacrebleu.__version__, "regex": regex.__version__, "nltk": nltk.__version__},
        "tokens": recorded_tokens(),
        "signatures": recorded_signatures(),
        "scores": recorded_scores(),
        "corpora": corpora,
    }
    RECORD.write_text(json.dumps(record, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
