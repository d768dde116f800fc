#!/usr/bin/env python3
"""Checks with headless Chromium that no code block of the built site scrolls sideways: check-width.py [FOLDER; default
.build/docs]

Shows each page with a code block in a window of 1,280 pixels and compares the width of its code blocks with that of
their content. Succeeds and says so if there is no Chromium, which no other task needs.
"""
import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 1280
PARALLEL = 4
MINUTES = 10
# Loads each page in a frame, waits until its code is there, and reports the blocks with hidden columns to the server.
PROBE = """<!doctype html><meta charset="utf-8"><body><script>
const pages = %s;
const wait = pause => new Promise(done => setTimeout(done, pause));
async function hidden(frame, page) {
    frame.src = page;
    for (let count = 0; count < 150; count += 1) {
        await wait(100);
        const blocks = [...(frame.contentDocument?.querySelectorAll(".code-listing pre, .declaration-list pre") ?? [])];
        const here = frame.contentWindow.location.pathname.replace(/\\/$/, "") == page.replace(/\\/$/, "");
        if (here && frame.contentDocument.querySelector("main .doc-topic h1, main h1") && blocks.length) {
            await wait(100);
            const wide = blocks.filter(block => block.clientWidth && block.scrollWidth > block.clientWidth + 1);
            return wide.map(block => block.scrollWidth - block.clientWidth + " pixels hidden: " + block.innerText.split("\\n")[0]);
        }
    }
    return ["did not appear within 15 seconds"];
}
async function probe(results) {
    const frame = document.createElement("iframe");
    frame.width = %d; frame.height = 900;
    document.body.append(frame);
    for (let page; page = pages.shift();) results.push([page, await hidden(frame, page)]);
}
(async () => {
    const results = [];
    await Promise.all(Array.from({length: %d}, () => probe(results)));
    await fetch("/width-results", {method: "POST", body: JSON.stringify(results)});
})();
</script>"""


def pages_with_code(site):
    """Returns the addresses of the pages that show a code block."""
    data = site / "data"
    listed = (path for path in sorted(data.rglob("*.json")) if '"codeListing"' in path.read_text())
    return [f"/{path.relative_to(data).with_suffix('')}/" for path in listed]


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site, the page that probes it, and takes the results."""

    def do_GET(self):
        if self.path != "/width-probe":
            return super().do_GET()
        self.answer(self.server.probe.encode())

    def do_POST(self):
        self.server.results = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(b"")
        self.server.done.set()

    def answer(self, content):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


def main():
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/docs").absolute()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("docs-width: SKIPPED, because there is no Chromium: apt-get install chromium")
        return
    pages = pages_with_code(site)
    if not pages:
        sys.exit(f"docs-width: no page with code in {site}; run make docs first")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
    server.probe, server.results, server.done = PROBE % (json.dumps(pages), WIDTH, PARALLEL), None, threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen([
            chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--window-size=1400,1000",
            f"http://127.0.0.1:{server.server_port}/width-probe"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        finished = server.done.wait(MINUTES * 60)
        browser.terminate()
        browser.wait()
    if not finished:
        sys.exit(f"docs-width: Chromium did not finish within {MINUTES} minutes")
    found = [f"{page}: {message}" for page, messages in sorted(server.results) for message in messages]
    if found or len(server.results) != len(pages):
        sys.exit("\n".join([*found, f"{len(found)} code blocks are wider than their page at {WIDTH} pixels"]))
    print(f"docs-width: no code block of {len(pages)} pages scrolls sideways at {WIDTH} pixels")


main()
