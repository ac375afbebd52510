"""Write sacrebleu_tokens.json: digests of sacreBLEU's tokens for every file of the evaluation data and for fuzzed texts.

    python tests/oracles/sacrebleu_tokens.py

The tests compare these digests with the tokens of bleu_lit, for all lines of all files in a few seconds, on any Python and without sacreBLEU.
Needs sacrebleu 2.6.0 and the evaluation data (see tests/shared.py).
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

RULES = {"none": ("none", False), "char": ("char", False), "13a": ("13a", False), "intl": ("intl", False), "zh": ("zh", False), "13a lowercase": ("13a", True)}
FUZZ = {"seed": 2, "count": 20_000}


def digest(token_lists: Iterable[list[str]]) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of the tokens: blanks between tokens, LF after each text, UTF-8 with surrogates let through."""
    total = hashlib.sha256()
    for tokens in token_lists:
        total.update(f"{' '.join(tokens)}\n".encode("utf-8", "surrogatepass"))
    return total.hexdigest()[:32]


def digests(texts: list[str], tokens_by: Callable[[str, bool], Callable[[str], list[str]]], rules: Iterable[str] = tuple(RULES)) -> dict[str, str]:
    """A digest per rule; `tokens_by(name, lowercase)` gives a function from text to tokens."""
    return {rule: digest(map(tokens_by(*RULES[rule]), texts)) for rule in rules}


def main() -> None:
    import regex
    import sacrebleu
    from fuzz import fuzz_lines, sacrebleu_tokens
    from shared import evaluation_sets, lines

    assert sacrebleu.__version__ == "2.6.0", sacrebleu.__version__
    files = {f"{each.name}/{path.name}": digests(lines(path), sacrebleu_tokens) for each in evaluation_sets() for path in sorted(each.folder.glob("*.txt"))}
    plain = [rule for rule in RULES if "lowercase" not in rule]  # lowercasing rare letters depends on the Unicode version of Python
    made = {
        "about": f"SHA-256 (32 digits) of the tokens of sacrebleu {sacrebleu.__version__} with regex {regex.__version__}; made by sacrebleu_tokens.py",
        "fuzz": FUZZ | digests(list(fuzz_lines(**FUZZ)), sacrebleu_tokens, plain),
        "files": files,
    }
    (HERE / "sacrebleu_tokens.json").write_text(json.dumps(made, indent=0) + "\n", encoding="utf-8")
    print(f"{len(files)} files")


if __name__ == "__main__":
    main()
