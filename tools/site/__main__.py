"""The command: build the site, or serve it."""

import argparse
import functools
import http.server
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.site import browser, build


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of `_docs/`, with the types that browsers insist on, never from a cache."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm", ".mjs": "text/javascript", ".whl": "application/zip"}

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_error(self, code, message=None, explain=None):
        """Answer what is not there by the site's own page, with the status that says so."""
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.exists():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *arguments):
        """Say nothing for each request."""


def serve(port: int, host: str = "127.0.0.1") -> None:
    """Serve the built site until Ctrl-C."""
    if not (build.OUT / "index.html").exists():
        raise build.SiteError("_docs/ holds no site yet. Build it with: make docs")
    handler = functools.partial(Handler, directory=str(build.OUT))
    with http.server.ThreadingHTTPServer((host, port), handler) as server:
        print(f"the site is at http://{host}:{server.server_port}/ (Ctrl-C ends it)", flush=True)
        server.serve_forever()


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.site", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("build", help="build _docs/")
    make.add_argument("--no-lite", action="store_true", help="leave out the notebooks that run in the browser")
    make.add_argument("--renderer", choices=["quarto", "smalldocs"], help="default: Quarto where it is on PATH, else smalldocs")
    show = commands.add_parser("serve", help="serve _docs/ on this machine")
    show.add_argument("--port", type=int, default=8000)
    commands.add_parser("browser", help="make sure of a browser; status 1 if there must be one and is none, 2 if the tests can be left out")
    arguments = parser.parse_args()
    if arguments.command == "browser":
        return browser.ready()
    try:
        if arguments.command == "build":
            build.build(not arguments.no_lite, arguments.renderer)
        else:
            serve(arguments.port)
    except build.SiteError as error:
        print(f"the site: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
