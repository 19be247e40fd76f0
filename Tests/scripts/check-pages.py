#!/usr/bin/env python3
"""Looks at the pages of `inspect --html` and `verify --html` in a real browser.

    check-pages.py BINARY [--pictures DIR] [--list]

Each page is shown 390 and 1,280 px wide, light and dark, and on paper: nothing may stick out, every text
needs a contrast of 4.5 to 1, headings, tables, landmarks and focus must be in order, and the page may ask
for nothing and run nothing. The markup is read by html5lib in its strict mode. --pictures keeps
screenshots. Skipped, with status 0, where there is no Chromium. Closes with 'N passed, N failed'.
"""

import argparse
import os
import subprocess
import sys
import tempfile

from checklib import pageapps, pageaudit
from checklib.browser import Browser, BrowserError, find
from checklib.tally import Tally
from checklib.tool import INSTALLATION_ID, Tool

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PUBLISHED = os.path.join(os.path.dirname(ROOT), "shared", "ipas")
SIZE_LIMIT = 300_000
WINDOWS = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]
STRICT = "import html5lib, sys; html5lib.HTMLParser(strict=True).parse(sys.stdin.buffer.read())"


def strict_python():
    """A Python that has html5lib: this one, or the system's, for which Debian packages it."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", "import html5lib"], capture_output=True).returncode == 0:
                return python
        except OSError:
            pass
    return None


class Pages:
    def __init__(self, tool, folder, tally):
        self._tool, self._folder, self._tally = tool, folder, tally
        self.made = []

    def make(self, name, arguments, statuses=(0, 1), limit=30):
        """Runs a command twice and holds its pages to one another."""
        paths = [os.path.join(self._folder, name + end) for end in (".html", ".again.html")]
        problems = []
        for path in paths:
            run = self._tool.run([*arguments, "--html", path], limit)
            if run.status not in statuses or not os.path.exists(path):
                self._tally.check(f"{name}: made", [f"status {run.status}: {run.err[-200:]!r}"])
                return
        pages = [open(path, "rb").read() for path in paths]
        if pages[0] != pages[1]:
            problems.append("the same input gives two pages")
        if len(pages[0]) > SIZE_LIMIT:
            problems.append(f"{len(pages[0])} bytes")
        if INSTALLATION_ID[:5].encode() in pages[0]:
            problems.append("an installation ID is shown")
        os.remove(paths[1])
        self.made.append((name, paths[0]))
        self._tally.check(f"{name}: made, {len(pages[0])} bytes", problems)


def markup_problems(python, path):
    with open(path, "rb") as page:
        run = subprocess.run([python, "-c", STRICT], stdin=page, capture_output=True)
    return [] if run.returncode == 0 else [run.stderr.decode().strip().splitlines()[-1]]


def request_problems(browser, path):
    """What the page asked for beside itself, ran, or complained of."""
    problems = []
    for event in browser.events:
        method, told = event["method"], event.get("params", {})
        if method == "Network.requestWillBeSent":
            address = told["request"]["url"]
            if address != "file://" + path and not address.startswith("data:"):
                problems.append(f"a request for {address[:80]}")
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening"):
            problems.append(method)
        elif method == "Log.entryAdded":
            problems.append("console: " + told["entry"]["text"][:120])
    return problems


def focus_problems(browser):
    """Follows the focus from the page's start by the tab key."""
    problems = []
    count = browser.value(pageaudit.FOCUSABLE)
    browser.value("document.activeElement.blur(), scrollTo(0, 0)")
    for wanted in range(min(count, 25)):
        browser.press("Tab", 9)
        index, is_shown, is_there = browser.value(pageaudit.FOCUS)
        if index != wanted:
            problems.append(f"tab {wanted + 1} leads to {index + 1}")
            break
        if not is_shown or not is_there:
            problems.append(f"focus {wanted + 1} is not seen")
    return problems if count else ["nothing takes the focus"]


def tree_problems(browser):
    """The accessibility tree as a screen reader gets it."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = [node.get("role", {}).get("value") for node in nodes if not node.get("ignored")]
    problems = [f"no {role}" for role in ("banner", "navigation", "main", "contentinfo", "heading")
                if role not in roles]
    has_table = browser.value("document.querySelector('table') !== null")
    if has_table:
        problems += [f"no {role}" for role in ("table", "row", "rowheader", "columnheader", "cell")
                     if role not in roles]
    problems += [f"a {role} without name" for role, node in zip(
        (node.get("role", {}).get("value") for node in nodes), nodes)
        if role in ("table", "link", "image", "heading", "navigation", "region")
        and not node.get("ignored") and not node.get("name", {}).get("value", "").strip()]
    return problems


def look(browser, name, path, tally, pictures):
    browser.show(1280, 900)
    browser.open("file://" + path)
    tally.check(f"{name}: structure", browser.value(pageaudit.STRUCTURE))
    for width, scheme in WINDOWS:
        browser.show(width, 900, scheme)
        label = f"{name}: {width} px, {scheme}"
        tally.check(label + ", width", browser.value(pageaudit.WIDTH))
        tally.check(label + ", contrast", browser.value(pageaudit.CONTRAST))
        if width < 500:
            tally.check(label + ", tree", tree_problems(browser))
        if pictures:
            browser.picture(os.path.join(pictures, f"{name}-{scheme}-{width}.png"))
    browser.value("document.querySelectorAll('details').forEach(one => one.open = true)")
    tally.check(f"{name}: opened, contrast", browser.value(pageaudit.CONTRAST))
    browser.value("document.querySelectorAll('details').forEach(one => one.open = false)")
    browser.show(1280, 900)
    tally.check(f"{name}: focus", focus_problems(browser))
    browser.show(800, 900, "dark", "print")
    tally.check(f"{name}: paper", browser.value(pageaudit.PAPER) + browser.value(pageaudit.CONTRAST))
    paper = browser.paper()
    tally.check(f"{name}: printed", [] if paper.startswith(b"%PDF") else ["no PDF"])
    if pictures:
        with open(os.path.join(pictures, name + ".pdf"), "wb") as file:
            file.write(paper)
    tally.check(f"{name}: asks for nothing", request_problems(browser, path))


def make_all(tool, folder, tally):
    samples = os.path.join(folder, "apps")
    subprocess.run([sys.executable, os.path.join(ROOT, "Samples", "make-samples"), samples],
                   check=True, stdout=subprocess.DEVNULL)
    app, prepared = (os.path.join(folder, "apps", name) for name in ("Harbor.ipa", "Prepared.ipa"))
    done = tool.run(tool.inject_arguments(app, ["-o", prepared]))
    tally.check("prepared", [] if done.status == 0 else [done.err.decode()])
    pages = Pages(tool, folder, tally)
    pages.make("prepared", ["verify", prepared, "--before", app, "--destination", "https://example.com"])
    pages.make("fails", ["verify", os.path.join(samples, "Harbor.app"), "--before", prepared])
    pages.make("plist", ["inspect", os.path.join(samples, "Harbor.app", "Info.plist")])
    pages.make("many", ["verify", pageapps.many(os.path.join(folder, "many.ipa"))])
    pages.make("hostile", ["verify", pageapps.hostile(os.path.join(folder, "hostile.ipa")), "--before", app])
    pages.make("endless", ["verify", pageapps.endless(os.path.join(folder, "endless.ipa"))])
    for name in ("app-info-apple-tv", "SYNTH-demo-all-bundle-kinds", "app-info-ipad", "ipa-metadata-xml"):
        path = os.path.join(PUBLISHED, name + ".ipa")
        if os.path.exists(path):
            pages.make(name, ["inspect", path])
    return pages.made


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--pictures", metavar="DIR", help="keep screenshots and PDFs")
    parser.add_argument("--list", action="store_true", help="name the checks that passed too")
    options = parser.parse_args()
    program = find()
    if not program:
        print("skipped: there is no Chromium; 'scripts/install-dependencies test' gets it")
        return 0
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    tally = Tally(options.list)
    with tempfile.TemporaryDirectory() as folder:
        pages = make_all(Tool(options.binary, folder), folder, tally)
        python = strict_python()
        if not python:
            tally.note("the markup was not read strictly: there is no html5lib")
        browser = Browser(program)
        try:
            for name, path in pages:
                if python:
                    tally.check(f"{name}: markup", markup_problems(python, path))
                look(browser, name, path, tally, options.pictures)
        except BrowserError as error:
            tally.check("browser", [str(error)])
        finally:
            browser.close()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
