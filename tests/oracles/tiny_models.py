"""Tiny networks in the form of COMET and BLEURT, the same on every machine: their weights come from Python's own random numbers, seeded by name.

The tests load them with bleu_lit, and learned_figures.py with the authors' packages. Needs torch, tokenizers and safetensors.
"""

import json
import random
from pathlib import Path

WORDS = "the cat sat on mat is a dog not kitten rug it rains today der die das Hund Katze sitzt auf Matte regnet heute nicht ist".split()
LETTERS = list("abcdefghijklmnopqrstuvwxyzäöüßABCDEFGHIJKLMNOPQRSTUVWXYZ.,!?")
SOURCES = ["die Katze sitzt auf der Matte", "es regnet heute nicht", "das ist der Hund", "die Katze", ""]
CANDIDATES = ["the cat sat on the mat", "it rains today", "that is the dog.", "", "the cat"]
REFERENCES = ["the cat is on the mat", "it is not raining today", "this is the dog", "the cat", ""]
SHAPE = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16, "hidden_act": "gelu", "layer_norm_eps": 1e-05}
COMETS = {  # name: what hparams.yaml says
    "softmax": {"layer_transformation": "softmax", "layer_norm": False},
    "sparsemax": {"layer_transformation": "sparsemax", "layer_norm": False},
    "normed": {"layer_transformation": "softmax", "layer_norm": True},
    "normed-sparsemax": {"layer_transformation": "sparsemax", "layer_norm": True, "final_activation": "Sigmoid"},
    "max": {"layer_transformation": "softmax", "layer_norm": False, "pool": "max"},
    "one-layer": {"layer": 1, "pool": "cls", "layer_transformation": "softmax", "layer_norm": False},
}
BLEURTS = {"bert": None, "rembert": 8}  # name: width of the embeddings, if they have one of their own


def numbers(name: str, shape: tuple[int, ...]):
    """A tensor of normal numbers that depend on its name alone; a LayerNorm's weights lie near 1."""
    import torch

    draw = random.Random(name)
    count = 1
    for size in shape:
        count *= size
    centre = 1.0 if "LayerNorm" in name and name.endswith("weight") else 0.0
    return torch.tensor([centre + draw.gauss(0, 0.35) for _ in range(count)], dtype=torch.float32).reshape(shape)


def weights_like(state: dict, rename=lambda name: name) -> dict:
    """Numbers for every tensor of a state, by its renamed name."""
    return {rename(name): numbers(rename(name), tuple(tensor.shape)) for name, tensor in state.items() if not name.endswith("_ids")}


def xlmr_folder(folder: Path) -> Path:
    """Configuration and tokenizer of a tiny XLM-RoBERTa."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    folder.mkdir(parents=True, exist_ok=True)
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -6.0)]
    pieces += [(f"▁{word}", -4.0 - i / 50) for i, word in enumerate(WORDS)] + [(letter, -8.0 - i / 50) for i, letter in enumerate(LETTERS)]
    one = Tokenizer(models.Unigram([*pieces, ("<mask>", 0.0)], unk_id=3, byte_fallback=False))
    one.normalizer = normalizers.Sequence([normalizers.Replace("\n", " ")])
    one.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    one.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    one.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    one.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in ("<s>", "<pad>", "</s>", "<unk>", "<mask>")])
    one.save(str(folder / "tokenizer.json"))
    size = len(pieces) + 1
    config = SHAPE | {"vocab_size": size, "max_position_embeddings": 40, "type_vocab_size": 1, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    config |= {"model_type": "xlm-roberta", "architectures": ["XLMRobertaModel"]}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    said = {"tokenizer_class": "XLMRobertaTokenizerFast", "model_max_length": 38, "bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>"}
    said |= {"cls_token": "<s>", "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(said), encoding="utf-8")
    return folder


def comet_folder(folder: Path, name: str, encoder: Path) -> Path:
    """A checkpoint of COMET of one kind of `COMETS`, in the form that unbabel-comet reads."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
    shape = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
    state = XLMRobertaModel(XLMRobertaConfig(**shape), add_pooling_layer=False).state_dict()
    tensors = weights_like(state, lambda key: f"encoder.model.{key}")
    if COMETS[name].get("layer", "mix") == "mix":
        tensors |= {f"layerwise_attention.scalar_parameters.{i}": numbers(f"{name} {i}", (1,)) for i in range(SHAPE["num_hidden_layers"] + 1)}
        tensors["layerwise_attention.gamma"] = torch.tensor([1.25])
    sizes = [6 * SHAPE["hidden_size"], 10, 6, 1]
    for number, (before, after) in zip((0, 3, 6), zip(sizes, sizes[1:], strict=False), strict=True):
        tensors |= {
            f"estimator.ff.{number}.weight": numbers(f"{name} {number}", (after, before)),
            f"estimator.ff.{number}.bias": numbers(f"b {number}", (after,)),
        }
    said = {"class_identifier": "regression_metric", "encoder_model": "XLM-RoBERTa", "pretrained_model": str(encoder), "layer": "mix", "pool": "avg"}
    said |= {"hidden_sizes": sizes[1:-1], "activations": "Tanh", "final_activation": None, "dropout": 0.1, "validation_data": [], "train_data": []} | COMETS[
        name
    ]
    content = {"state_dict": tensors, "hyper_parameters": said, "pytorch-lightning_version": "2.0.0", "epoch": 0, "global_step": 0}
    torch.save(content, folder / "checkpoints" / "model.ckpt")
    (folder / "hparams.yaml").write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in said.items()), encoding="utf-8")
    return folder


def bleurt_folder(folder: Path, name: str) -> Path:
    """A checkpoint of BLEURT of one kind of `BLEURTS`, in the form that bleurt-pytorch reads."""
    from safetensors.torch import save_file
    from transformers import BertConfig, BertForSequenceClassification, RemBertConfig, RemBertForSequenceClassification

    folder.mkdir(parents=True, exist_ok=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted({word.lower() for word in WORDS})]
    letters = sorted({letter.lower() for letter in LETTERS})
    words += letters + [f"##{letter}" for letter in letters]
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}', encoding="utf-8")
    options = SHAPE | {"vocab_size": len(words), "max_position_embeddings": 24, "type_vocab_size": 2, "pad_token_id": 0, "num_labels": 1}
    width = BLEURTS[name]
    if width is None:
        state = BertForSequenceClassification(BertConfig(**options)).state_dict()
    else:
        state = RemBertForSequenceClassification(RemBertConfig(input_embedding_size=width, **options)).state_dict()
    tensors = weights_like(state, lambda key: key.replace(f"{name}.", "bleurt.").replace("embedding_hidden_mapping_in", "embedding_projection"))
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    config = options | {"model_type": "bleurt", "architectures": ["BleurtForSequenceClassification"], "embedding_size": width}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder
