"""The report of `compare` as a page, in headless Chromium: one left edge, and no column out of sight on a narrow screen."""

from importlib.resources import files

import pytest

from bleu_lit.report import compare

DEMO = files("bleu_lit") / "data" / "demo"
MEASURE = """() => ({
    page: document.documentElement.scrollWidth,
    edges: [...document.querySelectorAll('h1, h2, .bl-title, .bl-page table, figure, figure > svg > text[font-weight=bold]')].map(
        one => one.getBoundingClientRect().left),
    wide: [...document.querySelectorAll('.bl-scroll')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.getAttribute('aria-label')),
    pictures: [...document.querySelectorAll('figure > svg > title')].map(one => one.textContent),
})"""


@pytest.fixture(scope="module")
def page():
    """Three systems, so that there are adjusted p-values, by two metrics."""
    texts = {name: (DEMO / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("system_a", "system_b", "ref_a")}
    systems = {"system_a.txt": texts["system_a"], "system_b.txt": texts["system_b"], "lower.txt": [text.lower() for text in texts["system_b"]]}
    return compare(systems, [[text] for text in texts["ref_a"]], samples=200, metrics=["ter"]).html()


@pytest.mark.parametrize("width", [1400, 500, 390])
def test_a_report_has_one_edge_and_its_tests_are_in_sight(chromium, page, width):
    shown = chromium.new_page(viewport={"width": width, "height": 900})
    shown.set_content(page)
    found = shown.evaluate(MEASURE)
    shown.close()
    assert found["page"] <= width and max(found["edges"]) - min(found["edges"]) <= 2 and len(found["edges"]) > 10
    assert not [label for label in found["wide"] if width == 500 or "Differences" in label or "better" in label]
    assert found["pictures"][:2] == ["Scores with their intervals", "TER with its intervals"]
