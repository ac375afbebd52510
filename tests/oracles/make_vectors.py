"""Build bleu_lit/vectors/v1 from tables: where an example was printed, what was printed, and why it is worth keeping.

    python tests/oracles/make_vectors.py            write the files
    python tests/oracles/make_vectors.py --check    compare with the files, write nothing

Inputs of published examples come from published_examples.jsonl (see tests/shared.py); all expected numbers come from
exact_bleu.py beside this file, and each is compared here with the digits that the source printed. Tokens, signatures and the answers of
other programs were recorded once by vector_record.py. The package is never asked.
Once made, a vector stays as it is: add a new one, and retire a wrong one by name in retired.json.
"""

import json
import os
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

from oracles import exact_bleu as oracle  # noqa: E402
from oracles import vector_tables_counts  # noqa: E402
from oracles.vector_tables import CLAUSES, DISPUTED, LEFT_OUT, OURS, PUBLISHED, SOURCES  # noqa: E402
from oracles.vector_tables_spec import CHAPTERS, FIRST, NEW_CLAUSES, OLDER, RULES  # noqa: E402
from oracles.vector_tables_text import CORPORA, FILES  # noqa: E402
from oracles.vector_texts import prepared  # noqa: E402

assert vector_tables_counts  # its import fills the tables

TARGET = ROOT / "bleu_lit" / "vectors" / "v1"
SHARED = Path(os.environ.get("BLEU_LIT_SHARED") or ROOT.parent / "shared") / "published_examples.jsonl"
ROUNDING_FLOOR = Decimal("1e-12")  # room for another order of operations in double precision
RECORD = json.loads((HERE / "vector_record.json").read_text(encoding="utf-8"))
FINE = "1e-12"  # tolerance of a number that nobody printed: double precision


def rows() -> dict[str, dict]:
    """The published examples by id."""
    return {row["id"]: row for row in map(json.loads, SHARED.read_text(encoding="utf-8").splitlines())}


def last_place(printed: str) -> Decimal:
    """One unit in the last printed place."""
    return Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)


def number(value, printed: str | None = None, scale: int = 1, rounding: str = "rounded", tolerance: str | None = None) -> dict:
    """A real number as a vector holds it: exact, as printed, and how far the printed digits can be trusted."""
    exact = oracle.written(value)
    if printed is None:
        return {"exact": exact, "tolerance": "0" if value == 0 else FINE}
    true, unit = oracle.as_decimal(exact), last_place(printed) / scale
    gap = true - Decimal(printed) / scale
    if rounding == "rounded":
        allowed, fits = unit / 2, abs(gap) <= unit / 2 + Decimal("1e-16")
    elif rounding == "truncated":
        allowed, fits = unit, 0 <= gap < unit
    elif rounding in ("float32", "float64"):
        allowed = Decimal(tolerance or ("1e-7" if rounding == "float32" else "1e-12"))
        fits = abs(gap) <= allowed
    else:
        raise ValueError(rounding)
    if not fits:
        raise SystemExit(f"printed {printed} (scale {scale}, {rounding}) does not fit the exact value {exact}")
    allowed = Decimal(0) if value == 0 else max(allowed, ROUNDING_FLOOR)
    return {"exact": exact, "printed": printed, "scale": scale, "rounding": rounding, "tolerance": plain(allowed)}


def plain(x: Decimal) -> str:
    """A tolerance without trailing zeros: 0.00005 or 5E-13 as 5e-13."""
    return str(x.normalize()).lower() if x else "0"


def fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def tokens_of(segment, settings: dict, given: dict | None, side: str, *where: int):
    """The tokens that the oracle counts: given ones, or the expected ones of a tokenizer, or a plain split."""
    if given is not None:
        value = given[side]
        for index in where:
            value = value[index]
        return value
    if not isinstance(segment, str):
        return segment
    if settings.get("tokenize", "none") != "none":
        raise SystemExit("a vector with a tokenizer needs its expected tokens")
    return prepared(segment, settings).split()


def recorded(text: str | None, settings: dict) -> list[str] | None:
    """The tokens that sacreBLEU made of a text."""
    return None if text is None else RECORD["tokens"][settings.get("tokenize", "none")][prepared(text, settings)]


def recorded_tokens(data: dict, settings: dict) -> dict:
    """The tokens of a whole input."""
    return {
        "candidates": [recorded(text, settings) for text in data["candidates"]],
        "references": [[recorded(text, settings) for text in group] for group in data["references"]],
    }


def token_lists(data: dict, settings: dict, given: dict | None) -> tuple[list, list]:
    candidates = [tokens_of(text, settings, given, "candidates", i) for i, text in enumerate(data["candidates"])]
    references = [
        [None if text is None else tokens_of(text, settings, given, "references", i, j) for j, text in enumerate(group)]
        for i, group in enumerate(data["references"])
    ]
    if settings.get("blank_references") == "absent":
        references = [[tokens or None for tokens in group] for group in references]
    return candidates, references


def orders_of(settings: dict) -> int:
    """How many orders have to be counted."""
    return settings.get("max_order", 4) + oracle.EXTRA_ORDERS.get(settings.get("smooth", "none"), 0)


def counted(data: dict, settings: dict, given: dict | None) -> oracle.Statistics:
    """The statistics of an input of any form."""
    if "statistics" in data:
        stats = data["statistics"]
        return oracle.Statistics(stats["candidate_length"], Fraction(stats["reference_length"]), tuple(stats["matched"]), tuple(stats["total"]))
    candidates, references = token_lists(data, settings, given)
    return oracle.statistics(candidates, references, orders_of(settings), settings.get("reference_length", "closest"))


def scored(data: dict, settings: dict, given: dict | None = None, **switches):
    """The exact score of an input under settings."""
    weights = [Fraction(w) for w in settings["weights"]] if "weights" in settings else None
    options = {
        "smooth": settings.get("smooth", "none"),
        "value": fraction(settings.get("smooth_value")),
        "effective_order": settings.get("effective_order", False),
    }
    if settings.get("level") != "mean":
        return oracle.score(counted(data, settings, given), weights, **options, **switches)
    candidates, references = token_lists(data, settings, given)
    order, rule = orders_of(settings), settings.get("reference_length", "closest")
    singles = [oracle.statistics([c], [r], order, rule) for c, r in zip(candidates, references, strict=True)]
    return oracle.mean_of([oracle.score(stats, weights, **options, **switches) for stats in singles])


def expected(data: dict, settings: dict, entry: dict) -> dict:
    """Every stage that the oracle can say something about, in the order in which a score comes to be."""
    given, printed = entry.get("tokens"), entry.get("printed", {})
    out = {}
    if given is not None:
        out["tokens"] = given
    if "ngrams" in entry:
        out["ngrams"] = entry["ngrams"]
    if settings.get("level") == "mean":
        out["score"] = number(scored(data, settings, given), **printed.get("score", {}))
        return out
    stats, order = counted(data, settings, given), settings.get("max_order", 4)
    if "statistics" not in data:
        out["total"], out["matched"] = list(stats.total[:order]), list(stats.matched[:order])
        out["candidate_length"] = stats.c
        out["reference_length"] = int(stats.r) if stats.r.denominator == 1 else str(stats.r)
    if "statistics" in data:
        order = len(stats.total)
    out["precisions"] = [f"{m}/{t}" for m, t in zip(stats.matched[:order], stats.total[:order], strict=True)]
    smooth = settings.get("smooth", "none")
    if smooth != "none" and stats.matched[0]:
        values = oracle.smoothed(stats, smooth, fraction(settings.get("smooth_value")))
        if not any(isinstance(p, Decimal) for p in values):  # a logarithm has no fraction
            out["smoothed_precisions"] = [None if p is None else str(p) for p in values]
    if stats.c or stats.r:
        penalty = oracle.brevity(stats.c, stats.r)
        out["brevity_penalty"] = number(penalty, **printed.get("brevity_penalty", {}))
        if penalty == 1:
            out["brevity_penalty"]["tolerance"] = "0"
    out["score"] = number(scored(data, settings, given), **printed.get("score", {}))
    if entry.get("exactly"):
        out["score"]["tolerance"] = "0"
    if "signature" in entry:
        out["signature"] = RECORD["signatures"][entry["id"]] if entry["signature"] == "record" else entry["signature"]
    return out


def check_against(row: dict, expect: dict, entry: dict) -> None:
    """Stop if a figure of the published example is not what the oracle found."""
    for key, value in row["published"].items():
        if key in ("p1", "p2", "p3", "p4") and int(key[1]) <= len(expect["precisions"]) and entry.get("erratum", {}).get("stage") != "precisions":
            want, (m, t) = value, map(int, expect["precisions"][int(key[1]) - 1].split("/"))
            if isinstance(want, str) or want == int(want):
                assert Fraction(want) == Fraction(m, t), (row["id"], key, want, m, t)
                if isinstance(want, str):
                    assert want == f"{m}/{t}", (row["id"], key, want, m, t)
        elif key == "r" and isinstance(value, int):
            assert expect["reference_length"] == value, row["id"]
        elif key == "c":
            assert expect["candidate_length"] == value, row["id"]
        elif key in ("matches", "counts"):
            assert expect["matched"] == value, row["id"]
        elif key == "totals":
            assert expect["total"] == value, row["id"]


def input_of(row: dict, entry: dict) -> dict:
    """The input of a published example, or of one segment of it."""
    if "input" in entry:
        return entry["input"]
    if "raw_text" in row:
        references = [list(group) for group in zip(*row["raw_text"]["refs_by_document"], strict=True)]
        return {"candidates": row["raw_text"]["hyps"], "references": references, "tokenized": False}
    if row["candidates"] is None:
        counts = row["counts"]
        return {"statistics": {"candidate_length": counts["c"], "reference_length": counts["r"], "matched": counts["matches"], "total": counts["totals"]}}
    candidates, references = row["candidates"], row["references"]
    if "segment" in entry:
        candidates, references = candidates[entry["segment"] : entry["segment"] + 1], references[entry["segment"] : entry["segment"] + 1]
    if entry.get("as_text"):
        return {"candidates": [" ".join(c) for c in candidates], "references": [[" ".join(r) for r in group] for group in references], "tokenized": False}
    return {"candidates": candidates, "references": references, "tokenized": True}


def settings_of(row: dict | None, entry: dict) -> dict:
    """The settings that matter, in one order of keys."""
    said = dict(entry.get("settings", {}))
    if row is not None:
        order = row["settings"]["max_order"]
        if isinstance(order, int):
            said.setdefault("max_order", order)
        level = {"sentence": "sentence", "corpus": "corpus", "each sentence": "sentence", "mean of sentence scores": "mean"}[row["settings"]["level"]]
        said.setdefault("level", "statistics" if "statistics" in input_of(row, entry) else level)
    keys = [
        "level",
        "max_order",
        "weights",
        "tokenize",
        "lowercase",
        "smooth",
        "smooth_value",
        "effective_order",
        "reference_length",
        "normalize",
        "blank_references",
    ]
    assert set(said) <= set(keys), set(said) - set(keys)
    return {key: said[key] for key in keys if key in said}


def source_of(row: dict | None, entry: dict) -> dict:
    title, where, provenance = SOURCES[entry["source"]]
    source = {"title": title, "where": entry.get("where", where), "provenance": entry.get("provenance", provenance)}
    if "printed_as" in entry:
        source["printed"] = entry["printed_as"]
    return source


def erratum_of(data: dict, settings: dict, entry: dict) -> dict:
    """Both numbers of a misprint: what was printed, recomputed by the slip that explains it, and what the definition gives."""
    slip = entry["erratum"]
    out = {"stage": slip["stage"], "printed": slip["printed"], "scale": slip.get("scale", 1), "true": slip.get("true"), "reason": slip["reason"]}
    if slip["stage"] == "score":
        out["true"] = oracle.written(scored(data, settings, entry.get("tokens")))
    if "switches" in slip:
        again = scored(data, {**settings, **slip.get("settings", {})}, entry.get("tokens"), **slip["switches"])
        number(again, slip["printed"], slip.get("scale", 1), slip.get("rounding", "rounded"))  # stops if the explanation is wrong
        out["explained"] = oracle.written(again)
    return out


def build(entry: dict, published: dict[str, dict]) -> dict:
    """One vector."""
    row = published[entry["row"]] if "row" in entry else None
    data, settings = (input_of(row, entry) if row else entry["input"]), settings_of(row, entry)
    if entry.get("tokens") == "row":
        entry = {**entry, "tokens": {"candidates": row["candidates"], "references": row["references"]}}
    if entry.get("tokens") == "record":
        entry = {**entry, "tokens": recorded_tokens(data, settings)}
    numbered = {"rule": f"BLEU-{entry['rule']}"} if "rule" in entry else {}
    vector = {"id": entry["id"], "clause": entry["clause"], **numbered, "why": entry["why"], "source": source_of(row, entry)}
    if entry.get("published"):
        vector["published"] = entry["published"]
    vector["input"], vector["settings"] = data, settings
    if "error" in entry:
        vector["expect"] = {"error": entry["error"]}
        return vector
    vector["expect"] = expected(data, settings, entry)
    if row is not None:
        check_against(row, vector["expect"], entry)
    if "erratum" in entry:
        vector["erratum"] = erratum_of(data, settings, entry)
    return vector


def build_disputed(entry: dict, published: dict[str, dict]) -> dict:
    """One question to which the traditions give different answers."""
    row = published[entry["row"]] if "row" in entry else None
    data, settings = (input_of(row, entry) if row else entry["input"]), settings_of(row, entry)
    vector = {"id": entry["id"], "clause": entry["clause"], "why": entry["why"], "source": source_of(row, entry), "input": data, "settings": settings}
    if "said" in entry:
        vector["provenance"] = entry["said"]
        assert set(entry["said"]) == set(entry["traditions"]), entry["id"]
    vector["traditions"] = {}
    for name, said in entry["traditions"].items():
        if "record" in said:
            vector["traditions"][name] = {"score": ran(RECORD["scores"][said["record"][0]][said["record"][1]])}
            continue
        if "error" in said or "score" in said:
            vector["traditions"][name] = said
            continue
        value = (
            scored(data, {**settings, **said.get("settings", {})}, **said.get("switches", {})) if "value" not in said else said["value"](oracle, data, settings)
        )
        vector["traditions"][name] = {"score": number(value, **said.get("printed", {}))}
    return vector


def ran(value: str) -> dict:
    """A score that a program gave, as a vector holds it; a very small one is told from 0."""
    number = Decimal(value)
    allowed = Decimal(0) if number == 0 else min(ROUNDING_FLOOR, number.scaleb(-6).normalize())
    return {"exact": format(min(number, Decimal(1)), "f"), "tolerance": plain(allowed.quantize(Decimal(1).scaleb(allowed.adjusted())) if allowed else allowed)}


def build_file(entry: dict) -> dict:
    """A vector whose input is files, as text of their own or by hash."""
    settings = settings_of(None, {"settings": entry["settings"]})
    vector = {"id": entry["id"], "clause": entry["clause"], "rule": f"BLEU-{entry['rule']}", "why": entry["why"]}
    if "lines" in entry:
        data = {"candidates": entry["lines"][0], "references": [[line] for line in entry["lines"][1]], "tokenized": False}
        expect = expected(data, settings, {"tokens": recorded_tokens(data, settings)})
        return {**vector, "source": source_of(None, entry), "input": {"files": entry["files"], "tokenized": False}, "settings": settings, "expect": expect}
    said = RECORD["corpora"][entry["id"]]
    source = {
        "title": f"Evaluation set {entry['set']}, system {entry['system']}",
        "where": "published.tsv of the set" if entry["printed"] else "no published score",
    }
    vector |= {"source": {**source, "provenance": "mirror" if entry["printed"] else "derived"}, **({"published": ["score"]} if entry["printed"] else {})}
    vector["input"] = {"files": {"candidates": said["files"][0], "references": said["files"][1:]}, "tokenized": False}
    sums = {"statistics": {"candidate_length": said["c"], "reference_length": said["r"], "matched": said["matched"], "total": said["total"]}}
    expect = {"total": said["total"], "matched": said["matched"], "candidate_length": said["c"], "reference_length": said["r"]}
    return {**vector, "settings": settings, "expect": expect | expected(sums, settings, entry)}


def specification(vectors: list[dict]) -> str:
    """Chapters, rules, and the vectors of each rule."""
    clauses = [said["clause"] for said in RULES.values()]
    first = {clause: FIRST.get(clause) or list(RULES)[clauses.index(clause)] for clause in {vector["clause"] for vector in vectors}}
    named = {f"bleu/{name}": number for number, names in OLDER.items() for name in names}
    chosen = {vector["id"]: vector.get("rule", "").removeprefix("BLEU-") or named.pop(vector["id"], first[vector["clause"]]) for vector in vectors}
    if named:
        raise SystemExit(f"rules for vectors that do not exist: {sorted(named)}")
    rules = []
    for number, said in RULES.items():
        ids = [name for name, rule in chosen.items() if rule == number]
        if not ids:
            raise SystemExit(f"rule {number} has no vector")
        rules.append({"number": f"BLEU-{number}", "chapter": int(number.split(".")[0]), **said, "vectors": ids})
    chapters = ",\n".join(f"  {json.dumps(str(number))}: {json.dumps(title)}" for number, title in CHAPTERS.items())
    lines = ",\n".join(f"  {json.dumps(rule, ensure_ascii=False)}" for rule in rules)
    return f'{{\n "chapters": {{\n{chapters}\n }},\n "rules": [\n{lines}\n ]\n}}\n'


def escaped(text: str) -> str:
    """JSON text whose half surrogate pairs are written as escapes, since UTF-8 has no bytes for them."""
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) < 0xE000 else c for c in text)


def text_of(vectors: list[dict]) -> str:
    """A JSON array that reads well in a diff: one line for each part of a vector."""
    blocks = []
    for vector in vectors:
        lines = [f"  {json.dumps(key)}: {escaped(json.dumps(value, ensure_ascii=False))}" for key, value in vector.items()]
        blocks.append("{\n" + ",\n".join(lines) + "\n}")
    return "[\n" + ",\n".join(blocks) + "\n]\n"


def files() -> dict[str, str]:
    """File name → text."""
    published = rows()
    used = {entry["row"] for entry in PUBLISHED + DISPUTED if "row" in entry}
    unused = {name for name, row in published.items() if row["kind"] not in ("chrf", "nist", "gleu", "ter")} - used - set(LEFT_OUT)
    if unused:
        raise SystemExit(f"published examples without a vector: {sorted(unused)}")
    vectors = [build(entry, published) for entry in PUBLISHED + OURS]
    every = {**CLAUSES, **NEW_CLAUSES}
    in_files = [build_file(entry) for entry in FILES + CORPORA]
    unknown = {vector["clause"] for vector in vectors + in_files} - set(every)
    if unknown:
        raise SystemExit(f"clauses without a sentence: {unknown}")
    out = {}
    for clause in every:
        chosen = [vector for vector in vectors if vector["clause"] == clause]
        if chosen:
            out[f"{clause}.json"] = text_of(chosen)
        files = [vector for vector in in_files if vector["clause"] == clause]
        if files:
            out[f"files/{clause}.json"] = text_of(files)
    for name in ("smoothing-and-weights", "traditions"):
        out[f"disputed/{name}.json"] = text_of([build_disputed(entry, published) for entry in DISPUTED if entry.get("file", "smoothing-and-weights") == name])
    kept = {clause: says for clause, says in every.items() if out.keys() & {f"{clause}.json", f"files/{clause}.json"}}
    out["clauses.json"] = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
    out["specification.json"] = specification(vectors + in_files)
    return out


def main() -> int:
    check, wrong = "--check" in sys.argv[1:], 0
    for name, text in files().items():
        path = TARGET / name
        if check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"{name} is not what the tables give")
                wrong += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
