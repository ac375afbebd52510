"""The same integers and the same scores as sacreBLEU, on real system outputs.

    python tests/parity.py            a sample of every set, against the installed sacreBLEU
    python tests/parity.py --stored   every segment of every system, against the digests of what sacreBLEU 2.6.0 counted (some five minutes)
    python tests/parity.py --all      both, and every segment against the installed sacreBLEU (most of an hour)

It prints how many segments and scores were compared, and every departure; its status is 1 if there is any.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "oracles")]
from sacrebleu_stats import ORACLE, TOKENIZERS, combinations, digest, inputs_digest, reference_streams  # noqa: E402
from shared import SHARED, EvaluationSet, evaluation_sets, lines  # noqa: E402

from bleu_lit.bleu import BleuStats  # noqa: E402
from bleu_lit.core import from_streams  # noqa: E402
from bleu_lit.score import corpus_bleu, score_from_stats, segment_stats, sentence_bleu, sum_rows  # noqa: E402
from bleu_lit.settings import SACREBLEU, Settings  # noqa: E402

TOLERANCE = 1e-9  # percent points
SMOOTHINGS = ("none", "floor", "add-k", "exp")
ORDERS = range(1, 7)


def stored() -> dict:
    """What sacreBLEU 2.6.0 gave, by set."""
    return json.loads(ORACLE.read_text(encoding="utf-8"))["sets"]


def settings_of(name: str, case: str, blank: str) -> Settings:
    """Our settings for a combination of the oracle."""
    return SACREBLEU.replace(tokenize=name, lowercase=case == "lc", blank_references=blank)


def against_stored(data: EvaluationSet, entry: dict, chosen, counts: Counter) -> Iterator[str]:
    """Departures of one set from the stored digests and scores; `chosen(number of the system, combination)` says what to compare."""
    if inputs_digest(data) != entry["inputs"]:
        yield f"{data.name}: the texts are not those of the stored digests; run tests/oracles/sacrebleu_stats.py on these"
        return
    references = from_streams(*reference_streams(data))
    for number, (system, path) in enumerate(data.systems.items()):
        texts = lines(path)
        for combination in combinations(data):
            if not chosen(number, combination):
                continue
            expected_digest, expected_score = entry["systems"][system][" ".join(combination)]
            settings = settings_of(*combination)
            rows = segment_stats(texts, references, settings)
            percent = score_from_stats(sum_rows(rows), settings, segments=len(rows)).percent
            counts["segments"] += len(rows)
            counts["scores"] += 1
            if digest(rows) != expected_digest:
                yield f"{data.name} {system} {combination}: other integers"
            if not abs(percent - float(expected_score)) <= TOLERANCE:
                yield f"{data.name} {system} {combination}: {percent!r} percent, sacreBLEU has {expected_score}"


def corpus_function(data: EvaluationSet, entry: dict, counts: Counter) -> Iterator[str]:
    """Departures of `corpus_bleu` itself, for the first system of a set in every combination."""
    references = from_streams(*reference_streams(data))
    system, path = next(iter(data.systems.items()))
    for combination in combinations(data):
        percent = corpus_bleu(lines(path), references, settings_of(*combination)).percent
        counts["scores"] += 1
        if not abs(percent - float(entry["systems"][system][" ".join(combination)][1])) <= TOLERANCE:
            yield f"{data.name} {system} {combination}: corpus_bleu gives {percent!r}, sacreBLEU has {entry['systems'][system][' '.join(combination)][1]}"


def live(data: EvaluationSet, systems: int, segments: int, counts: Counter, singles: int = 20) -> Iterator[str]:
    """Departures from the installed sacreBLEU on the first systems and segments of a set: orders 1 to 6, four smoothings, effective order on and off."""
    from sacrebleu.metrics import BLEU

    pick = slice(None) if not segments else slice(None, None, max(1, len(lines(data.references[0])) // segments))
    streams = [stream[pick] for stream in reference_streams(data)]
    references = from_streams(*streams)
    for name in TOKENIZERS:
        for lowercase in (False, True):
            counter = BLEU(tokenize=name, lowercase=lowercase, force=True, max_ngram_order=6, references=streams)
            for system, path in list(data.systems.items())[: systems or None]:
                texts = lines(path)[pick]
                where = f"{data.name} {system} {name} {'lc' if lowercase else 'mixed'}"
                theirs = counter._extract_corpus_statistics(texts, None)
                ours = segment_stats(texts, references, tokenize=name, lowercase=lowercase, max_order=6)
                counts["segments"] += len(ours)
                for i, (row, expected) in enumerate(zip(ours, theirs, strict=True)):
                    if list(row) != [int(value) for value in expected]:
                        yield f"{where} segment {i}: {row}, sacreBLEU has {expected}"
                examples = [(f"{where} corpus", sum_rows(ours).row)]
                examples += [(f"{where} segment {i}", ours[i]) for i in range(0, len(ours), max(1, len(ours) // singles))]
                for label, row in examples:
                    yield from _scores(label, row, name, counts)


def _scores(where: str, row: tuple, name: str, counts: Counter) -> Iterator[str]:
    """Departures of the score of one row of statistics of order 6, in every combination of smoothing, order and effective order."""
    from sacrebleu.metrics import BLEU

    for smooth in SMOOTHINGS:
        for order in ORDERS:
            for effective in (False, True):
                settings = Settings(tokenize=name, smooth=smooth, max_order=order, effective_order=effective)
                ours = score_from_stats(BleuStats.from_row(row).up_to(order), settings).percent
                kept = [*row[: 2 + order], *row[8 : 8 + order]]
                theirs = BLEU(smooth_method=smooth, max_ngram_order=order, effective_order=effective, tokenize="none")._compute_score_from_stats(kept).score
                counts["scores"] += 1
                if not abs(ours - theirs) <= TOLERANCE:
                    yield f"{where} smooth={smooth} order={order} effective={effective}: {ours!r}, sacreBLEU has {theirs!r}"


def sentence_function(data: EvaluationSet, segments: int, counts: Counter) -> Iterator[str]:
    """Departures of `sentence_bleu` from sacreBLEU's function of that name, on some segments of the first system."""
    import sacrebleu

    texts = lines(next(iter(data.systems.values())))
    references = from_streams(*reference_streams(data))
    for i in range(0, len(texts), max(1, len(texts) // segments)):
        for case in (False, True):
            ours = sentence_bleu(texts[i], references[i], lowercase=case).percent
            theirs = sacrebleu.sentence_bleu(texts[i], references[i], lowercase=case).score
            counts["sentences"] += 1
            if not abs(ours - theirs) <= TOLERANCE:
                yield f"{data.name} segment {i} lowercase={case}: sentence_bleu gives {ours!r}, sacreBLEU {theirs!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare with sacreBLEU: integers of segments, and scores.")
    parser.add_argument("--all", action="store_true", help="every segment of every system instead of a sample")
    parser.add_argument("--stored", action="store_true", help="every segment, against the stored digests and scores alone")
    parser.add_argument("--set", metavar="NAME", action="append", help="only this set (may be repeated)")
    options = parser.parse_args()
    import sacrebleu

    sets = [data for data in evaluation_sets() if not options.set or data.name in options.set]
    if not sets:
        print(f"no such evaluation data at {SHARED}/data; set BLEU_LIT_SHARED", file=sys.stderr)
        return 2
    oracle, found, sums, started = stored(), [], Counter(), time.monotonic()
    scope = "everything" if options.all or options.stored else "a sample"
    peer = "2.6.0, as stored" if options.stored else sacrebleu.__version__
    print(f"sacreBLEU {peer}, Python {sys.version.split()[0]}, {scope}; scores within {TOLERANCE} percent points")
    print(f"{'set':24} {'systems':>7} {'segments':>9} {'scores':>8} {'sentences':>9} {'departures':>10}")
    for data in sets:
        counts: Counter = Counter()
        departures: list[str] = []
        if not options.stored:
            departures += live(data, 0 if options.all else 2, 0 if options.all else 100, counts, 12 if options.all else 8)
            departures += sentence_function(data, 200 if options.all else 20, counts)
        if options.all or options.stored:
            departures += against_stored(data, oracle[data.name], lambda *_: True, counts)
            departures += corpus_function(data, oracle[data.name], counts)
        sums += counts
        found += departures
        row = (counts["segments"], counts["scores"], counts["sentences"], len(departures))
        print(f"{data.name:24} {len(data.systems):7} {row[0]:9} {row[1]:8} {row[2]:9} {row[3]:10}", flush=True)
    print(f"{'all':24} {'':7} {sums['segments']:9} {sums['scores']:8} {sums['sentences']:9} {len(found):10}   {time.monotonic() - started:.0f} s")
    print("\n".join(found[:40]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
