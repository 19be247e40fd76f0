"""A headless Chromium, spoken to over its DevTools protocol by a pair of pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


class BrowserError(Exception):
    """The browser answered with an error, or not at all."""


def find():
    """The path of a Chromium, None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One process with one page. Commands go to it by `call`; what it tells meanwhile is kept in `events`."""

    PATIENCE = 60

    def __init__(self, program):
        self._folder = tempfile.mkdtemp(prefix="ipa-inject-browser-")
        (mine_in, theirs_out), (theirs_in, mine_out) = os.pipe(), os.pipe()
        self._process = subprocess.Popen(
            # The shell puts the pipes where the browser looks for them.
            ["/bin/sh", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "sh", program,
             "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--hide-scrollbars", "--font-render-hinting=none",
             f"--user-data-dir={self._folder}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out, self._rest, self._number = mine_in, mine_out, b"", 0
        self.events = []
        self._session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self._session = self.call(
            "Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Accessibility", "DOM"):
            self.call(domain + ".enable")

    def close(self):
        """Ends the browser and removes what it kept."""
        os.close(self._out)
        os.close(self._in)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _read(self, deadline):
        while b"\0" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._in], [], [], left)[0]:
                raise BrowserError("no answer from the browser")
            part = os.read(self._in, 1 << 20)
            if not part:
                raise BrowserError("the browser ended")
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """Sends a command and waits for its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data):]
        deadline = time.monotonic() + self.PATIENCE
        while True:
            answer = self._read(deadline)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, address):
        """Goes to an address and waits until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        deadline = time.monotonic() + self.PATIENCE
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            answer = self._read(deadline)
            if "method" in answer:
                self.events.append(answer)

    def show(self, width, height, scheme="light", media="screen"):
        """Gives the page a window, a colour scheme and a medium."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def value(self, expression):
        """What an expression of JavaScript comes to; the page itself needs no script."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise BrowserError(result["exceptionDetails"]["exception"].get("description", "?"))
        return result["result"].get("value")

    def picture(self, path):
        """Saves a PNG of the whole page, of a very long one the part that fits in a picture."""
        width, height = self.value("[innerWidth, document.scrollingElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 12_000), "scale": 1}
        result = self.call(
            "Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["data"]))

    def paper(self):
        """The page printed, as a PDF's bytes."""
        result = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(result["data"])

    def press(self, key, code):
        """Presses a key and lets it go."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code)
