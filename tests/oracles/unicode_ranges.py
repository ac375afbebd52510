"""Print the code-point ranges of P, S and N as the package `regex` has them, in the form that nbs/20_cut_unicode.ipynb holds.

    python tests/oracles/unicode_ranges.py

The table in the notebook was made with regex 2026.11.19, which states "This module supports Unicode 18.0.0".
"""

import re
import sys
import textwrap
from importlib.metadata import metadata, version


def unicode_version() -> str:
    """The Unicode version that the installed `regex` states in its description."""
    about = metadata("regex")
    text = about.get("Description") or about.get_payload()
    return re.search(r"supports Unicode (\d+\.\d+\.\d+)", text).group(1)


def code_points(category: str) -> list[int]:
    """Every code point of a general category, by asking `regex` about each of them, surrogates included."""
    import regex

    test = regex.compile(rf"\p{{{category}}}").match
    return [point for point in range(sys.maxunicode + 1) if test(chr(point))]


def ranges(points: list[int]) -> list[tuple[int, int]]:
    """The runs of consecutive numbers, as (first, last)."""
    runs: list[list[int]] = []
    for point in points:
        if runs and runs[-1][1] == point - 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return [(first, last) for first, last in runs]


def spelled(runs: list[tuple[int, int]]) -> str:
    """The runs in hexadecimal, one word each."""
    return " ".join(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in runs)


if __name__ == "__main__":
    print(f"# regex {version('regex')}, Unicode {unicode_version()}")
    for category in "PSN":
        points = code_points(category)
        runs = ranges(points)
        print(f"\n# {category}: {len(points)} code points in {len(runs)} ranges")
        print("\n".join(textwrap.wrap(spelled(runs), 136)))
