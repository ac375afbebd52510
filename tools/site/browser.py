"""The browser that looks at the site: Chromium as the system has it."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium_path() -> str | None:
    """Where Chromium is; None if there is none."""
    return os.environ.get("CHROMIUM") or next((path for path in map(shutil.which, NAMES) if path), None)


def ready() -> int:
    """Make sure of a browser; 0 if there is one, 1 if there must be one, 2 if the tests can be left out."""
    if chromium_path():
        return 0
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("installing chromium from the system's packages", flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]):
            run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if run.returncode:
                print(run.stderr.strip()[-500:], file=sys.stderr)
        if chromium_path():
            return 0
    advice = "There is no Chromium here. Install it (on Debian: apt install chromium), or name it: CHROMIUM=/path/to/chromium"
    if os.environ.get("CI"):
        print(f"the site cannot be tested: {advice}", file=sys.stderr)
        return 1
    print(f"the site is built, and the tests in a browser are left out: {advice}")
    return 2
