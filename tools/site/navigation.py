"""What `_quarto.yml` says of the order of pages: two sidebars, the book and the workshop, of sections with pages."""

from collections.abc import Iterable, Iterator

import yaml

from tools import book
from tools.site import stage


def configuration() -> dict:
    """What `_quarto.yml` says."""
    return yaml.safe_load((book.ROOT / "_quarto.yml").read_text(encoding="utf-8"))


def sections(half: str | None = None) -> Iterator[tuple[str, list[str]]]:
    """Each section of a sidebar ("book", "workshop"; None: of both) with its pages; the pages that stand in no section are under ""."""
    for sidebar in configuration()["website"]["sidebar"]:
        if half in (None, sidebar["id"]):
            contents = sidebar["contents"]
            yield "", [entry for entry in contents if isinstance(entry, str)]
            yield from ((entry["section"], entry["contents"]) for entry in contents if isinstance(entry, dict))


def listing(groups: Iterable[tuple[str, list[str]]], notebooks: list[book.Notebook]) -> str:
    """Notebooks with their purposes as Markdown, under the sections that they stand in; pages that are no notebooks are left out."""
    told = {notebook.name: stage.title_and_purpose(notebook) for notebook in notebooks}
    lines = []
    for section, names in groups:
        inside = [name for name in names if name in told]
        lines += ["", f"## {section}", ""] if section and inside else []
        lines += [f"- [{told[name][0]}]({name}): {told[name][1]}" for name in inside]
    return "\n".join(lines)


def staged_name(entry: str) -> str:
    """The name of a page where it is staged: `12_brevity.ipynb` is `brevity.qmd`."""
    return f"{stage.page_name(entry)}.qmd" if entry.endswith(".ipynb") else entry


def staged_entries(entries: list, there: set[str]) -> list:
    """A list of the navigation with the names of the staged pages; what does not exist is left out, and said."""
    found = []
    for entry in entries:
        if isinstance(entry, dict):
            entry = dict(entry)
            if "contents" in entry:
                entry["contents"] = staged_entries(entry["contents"], there)
            if str(entry.get("href", "")).endswith((".ipynb", ".qmd")):
                entry["href"] = staged_name(entry["href"])
                if entry["href"] not in there:
                    continue
        elif (entry := staged_name(entry)) not in there:
            print(f"note: _quarto.yml names {entry}, which is not in nbs/")
            continue
        found.append(entry)
    return found


def in_order(entries: list) -> list[str]:
    """Every page that a list of the navigation names, in its order."""
    return [name for entry in entries for name in ([entry] if isinstance(entry, str) else in_order(entry["contents"]))]


def staged(there: set[str]) -> dict:
    """`_quarto.yml` with the names of the staged pages; a page that no sidebar names stands at the end of the last one."""
    config = configuration()
    site = config["website"]
    site["navbar"]["left"] = staged_entries(site["navbar"]["left"], there)
    for sidebar in site["sidebar"]:
        sidebar["contents"] = staged_entries(sidebar["contents"], there)
    rest = sorted(there - {"404.qmd"}.union(*(in_order(sidebar["contents"]) for sidebar in site["sidebar"])))
    if rest:
        print(f"note: the sidebars of _quarto.yml lack {', '.join(rest)}; they stand at the end of the last one")
        site["sidebar"][-1]["contents"].append({"section": "More", "contents": rest})
    return config
