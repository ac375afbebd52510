"""What happens to a text before a tokenizer sees it: normal form, then case. By Python's own tables, apart from the package."""

import unicodedata
from collections.abc import Iterator

ASCII = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def prepared(text: str, settings: dict) -> str:
    """The text in the form and case that the settings ask for."""
    if settings.get("normalize"):
        text = unicodedata.normalize(settings["normalize"], text)
    if settings.get("lowercase") == "ascii":
        return text.translate(ASCII)
    return text.lower() if settings.get("lowercase") else text


def texts_of(data: dict) -> Iterator[str]:
    """Every text of an input, absent references left out."""
    yield from data["candidates"]
    for group in data["references"]:
        yield from (text for text in group if text is not None)
