"""The clock that ends a test whose page never comes back."""

import pytest
from guard import ROOT, Chromium, Guard
from playwright.sync_api import Error

from tools.site.browser import chromium_path

BUSY = "() => { document.title = 'busy'; console.log('the last words'); for (;;); }"


@pytest.fixture
def own(chromium):
    """A guard and a browser that have nothing to do with those of the other tests."""
    guard = Guard()
    browser = Chromium(chromium.playwright, chromium_path(), guard)
    yield guard, browser
    guard.end()
    browser.close()


def test_a_page_without_end_ends_with_its_browser(own):
    """`page.evaluate` has no time of its own. It fails; the page's last picture and words are told; the next page gets a new browser."""
    guard, browser = own
    page = browser.new_page()
    page.set_content("<h1>Shown before it hung</h1>")
    guard.begin("some test", limit=3)
    guard.step = "12_brevity.ipynb, cell 7"
    guard.look(page)
    with pytest.raises(Error):
        page.evaluate(BUSY)
    told = guard.verdict()
    assert guard.fired and told.startswith("some test did not end within 3 s, and its browser was killed\nat: 12_brevity.ipynb, cell 7")
    assert "log: the last words" in told
    picture = ROOT / told.rpartition("pictures: ")[2]
    assert picture.suffix == ".jpg" and picture.stat().st_size > 1_000
    guard.begin("the next test", limit=30)
    assert browser.new_page().evaluate("() => 1 + 1") == 2
    assert not guard.fired


def test_a_busy_page_does_not_hold_waits_that_have_an_end(own):
    guard, browser = own
    guard.begin("some test", limit=60)
    page = browser.new_page()
    page.evaluate("() => { setTimeout(() => { for (;;); }, 20); }")
    page.wait_for_timeout(100)
    with pytest.raises(Error, match="Timeout"):
        page.wait_for_function("() => window.never", timeout=500)
    assert guard.told().endswith("pictures: none")
