"""The site in headless Chromium. `make test-site` runs these; an ordinary test run leaves them out, as they need the built site and a browser."""

import contextlib
import functools
import http.server
import os
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
if not os.environ.get("BLEU_LIT_SITE"):
    collect_ignore_glob = ["test_*.py"]

from guard import GUARD, Chromium  # noqa: E402


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Every test has an end, whatever its pages do."""
    GUARD.begin(item.nodeid.removeprefix("tests/site/"))
    GUARD.last_resort()
    try:
        return (yield)
    finally:
        GUARD.end()


def told():
    """A step of a test; its failure says what was seen last, where a browser had a part in it."""
    try:
        return (yield)
    except Exception as error:
        if GUARD.fired:
            raise pytest.fail.Exception(GUARD.verdict(), pytrace=False) from None
        if GUARD.pages and GUARD.chromium:
            error.add_note(GUARD.told())
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    return (yield from told())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    return (yield from told())


@pytest.fixture(scope="session")
def site():
    """The address of the built site, served on this machine."""
    from tools.site.__main__ import Handler
    from tools.site.build import OUT

    assert (OUT / "index.html").exists(), "_docs/ holds no site. Build it with: make docs"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(OUT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="session")
def chromium():
    """The browser."""
    from playwright.sync_api import sync_playwright

    from tools.site.browser import chromium_path

    with sync_playwright() as playwright:
        browser = Chromium(playwright, chromium_path(), GUARD)
        yield browser
        browser.close()


class Watch:
    """What a page asks for and complains about."""

    def __init__(self, context, site: str):
        self.site, self.faults, self.pending, self.icons = site, [], [], []
        context.on("request", lambda request: (self.pending.append(request), self.request(request)))
        context.on("requestfinished", self.ended)
        context.on("requestfailed", lambda request: (self.ended(request), self.failed(request)))
        context.on("response", lambda response: self.faults.append(f"status {response.status}: {response.url}") if response.status >= 400 else None)
        context.on("console", self.console)
        context.on("weberror", lambda error: self.faults.append(f"script error: {error.error}"))

    def console(self, message):
        if message.type == "error":
            self.faults.append(f"console: {message.text} ({message.location.get('url')})")

    def failed(self, request):
        fault = f"failed: {request.url} ({request.failure})"
        if request.failure == "net::ERR_ABORTED" and "favicon" in request.url:
            self.icons.append((request, fault))
        else:
            self.faults.append(fault)

    def request(self, request):
        if "favicon" in request.url:
            self.icons.append((request, ""))
        if not request.url.startswith((self.site, "data:", "blob:")):
            self.faults.append(f"another host: {request.url}")

    def ended(self, request):
        self.pending = [other for other in self.pending if other != request]

    def settle(self, page):
        """Wait until nothing has been on its way for half a second; whoever leaves sooner cuts it off.

        Playwright's own "networkidle" does not wait for the icon, for which the browser asks last, and again when a link leads to another place in the page.
        """
        page.wait_for_load_state("load")
        quiet = 0
        for _ in range(400):
            if quiet == 10:
                return
            page.wait_for_timeout(50)
            quiet = 0 if self.pending else quiet + 1
        raise AssertionError(f"still on its way after twenty seconds: {[request.url for request in self.pending]}")

    def replaced(self) -> set:
        """Icons whose request was dropped since the page, such as JupyterLab whose kernel begins to work, put another in their place."""
        asked = [request for request, fault in self.icons if not fault]
        return {fault for request, fault in self.icons if fault and any(other.url != request.url for other in asked[asked.index(request) + 1 :])}

    def check(self, where: str):
        faults, self.faults = self.faults + [fault for _, fault in self.icons if fault and fault not in self.replaced()], []
        self.icons = []
        assert not faults, f"{where}:\n" + "\n".join(faults)


@pytest.fixture
def watched(chromium, site):
    """A maker of pages: `page, watch = watched(width=390, scheme="dark")`."""
    contexts = []

    def make(width: int = 1400, height: int = 1000, scheme: str = "light"):
        context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
        context.set_default_timeout(60_000)
        contexts.append(context)
        watch = Watch(context, site)
        return context.new_page(), watch

    yield make
    for context in contexts:
        with contextlib.suppress(Exception):  # it was killed with its browser
            context.close()
