"""An end to every wait: a page that never comes back would hold `page.evaluate` for ever, as Playwright gives it no time of its own.

Each test has LIMIT seconds. Then the browser is killed, so that whatever waits for it fails, and the failure says what was going on, what the consoles said
last, and where the last picture lies; the next test gets a new browser. A test that does not end even so takes its process along, which pytest-xdist reports
by the name of the test, and replaces.
"""

import contextlib
import faulthandler
import os
import re
import signal
import threading
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "_docs-shots"
LIMIT = 300.0  # seconds for a test; the slowest takes about 30
CELL = 120.0  # seconds for one cell of a notebook, or for all of them in JupyterLite
GRACE = 60.0  # seconds that a test has to end after its browser was killed
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
]  # fmt: skip


class Chromium:
    """The browser, launched again where it was killed; its pages are those that a guard knows."""

    def __init__(self, playwright, path: str | None, guard: "Guard"):
        self.playwright, self.path, self.guard, self.browser, self.process = playwright, path, guard, None, 0
        guard.chromium = self

    def new_context(self, pictured: bool = True, **options):
        """A context whose consoles are kept, and pictures of whose pages are, unless they show nothing."""
        if self.browser is None or not self.browser.is_connected():
            self.browser = self.playwright.chromium.launch(executable_path=self.path, args=FLAGS)
            processes = self.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
            self.process = next(process["id"] for process in processes if process["type"] == "browser")
        context = self.browser.new_context(**options)
        if pictured:
            context.on("page", lambda page: self.guard.pages.append(page))
        context.on("console", lambda message: self.guard.hear(f"{message.type}: {message.text[:300]}"))
        context.on("weberror", lambda error: self.guard.hear(f"script error: {str(error.error)[:300]}"))
        return context

    def new_page(self, **options):
        return self.new_context(**options).new_page()

    def kill(self):
        """End the browser and every process of its pages, from any thread."""
        if not self.process:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg") and os.getpgid(self.process) == self.process:
                os.killpg(self.process, signal.SIGKILL)
            else:
                os.kill(self.process, signal.SIGTERM)

    def close(self):
        with contextlib.suppress(Exception):
            self.browser.close()


class Guard:
    """What a test is about, and the clock that ends it."""

    def __init__(self):
        self.chromium, self.pages, self.timer, self.traces, self.over = None, [], None, None, threading.Event()
        self.begin("", 0)

    def begin(self, test: str, limit: float = LIMIT):
        """A test begins; 0 starts no clock."""
        self.test, self.limit, self.step, self.said, self.fired = test, limit, "", deque(maxlen=12), False
        self.pages[:] = [page for page in self.pages if not page.is_closed()]
        self.seen = {}
        self.over.set()
        self.over = threading.Event()
        if limit:
            self.timer = threading.Timer(limit, self.fire, [self.over])
            self.timer.daemon = True
            self.timer.start()

    def last_resort(self):
        """End this process where the test does not end although its browser was killed; what each thread was doing is kept in a file."""
        SHOTS.mkdir(exist_ok=True)
        self.traces = (SHOTS / f"hang-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.txt").open("w", encoding="utf-8")
        self.traces.write(f"{self.test} did not end within {self.limit + GRACE:.0f} s; where each thread was:\n")
        self.traces.flush()
        faulthandler.dump_traceback_later(self.limit + GRACE, exit=True, file=self.traces)

    def end(self):
        """The test has ended."""
        self.over.set()
        if self.timer:
            self.timer.cancel()
        if self.traces:
            faulthandler.cancel_dump_traceback_later()
            self.traces.close()
            Path(self.traces.name).unlink()
            self.traces = None

    def hear(self, said: str):
        """Keep what a console said; of what it repeats, the last."""
        if said in self.said:
            self.said.remove(said)
        self.said.append(said)

    def fire(self, over: threading.Event):
        """Kill the browser until the test is over: one that was only being launched comes later."""
        self.fired = True
        while not over.is_set():
            if self.chromium:
                self.chromium.kill()
            over.wait(2)

    def look(self, page):
        """Keep a picture of a page as it is now; one that hangs gives none later."""
        with contextlib.suppress(Exception):
            self.seen[page] = page.screenshot(type="jpeg", quality=40, timeout=5_000)

    def pictures(self) -> list[Path]:
        """A picture of each page that is open, or else the last that came of it."""
        kept = []
        SHOTS.mkdir(exist_ok=True)
        for number, page in enumerate(self.pages):
            name = SHOTS / f"fault-{re.sub(r'[^A-Za-z0-9_.-]+', '-', self.test)[-80:].strip('-')}-{number}"
            try:
                page.screenshot(path=name.with_name(f"{name.name}.png"), timeout=3_000)
                kept.append(name.with_name(f"{name.name}.png"))
            except Exception:  # whatever it is, the failure that is told of must not be hidden
                if page in self.seen:
                    kept.append(name.with_name(f"{name.name}.jpg"))
                    kept[-1].write_bytes(self.seen[page])
        return kept

    def told(self) -> str:
        """What was seen last."""
        pictures = ", ".join(str(path.relative_to(ROOT)) for path in self.pictures()) or "none"
        lines = [f"at: {self.step}"] if self.step else []
        return "\n".join([*lines, "the consoles said last:", *([f"  {one}" for one in self.said] or ["  nothing"]), f"pictures: {pictures}"])

    def verdict(self) -> str:
        """Why a test was ended."""
        return f"{self.test} did not end within {self.limit:.0f} s, and its browser was killed\n{self.told()}"


GUARD = Guard()
