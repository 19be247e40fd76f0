"""Runs the binary under test, away from this machine's settings."""

import os
import re
import signal
import subprocess
from collections import namedtuple

SOURCE = "gh:example/demo"
DESTINATIONS = ("my-mac.local", "192.168.1.10")
# Digits of no meaning, so that a stretch of them in an output can only come from the ID.
INSTALLATION_ID = "7e3a90c4d15b862f04b8e96d2c71fa5338d0b46e9f1c2a75"

# Digits of a hash, which can begin as the ID does.
FINGERPRINT = re.compile(r'"primarylocationlinehash" ?: ?"[0-9a-f]{16}:')

Run = namedtuple("Run", "status out err")


def hear_interrupts():
    """Lets SIGINT reach what this starts: a shell has it ignored for a job in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Tool:
    """The binary with a home folder of its own, so that no saved setting changes what it writes."""

    def __init__(self, binary, home):
        self.binary = os.path.abspath(binary)
        self._home = home
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("IPA_HUB_", "XDG_"))
        }
        self.environment.update(HOME=home, LC_ALL="C.UTF-8", NO_COLOR="1")

    def run(self, arguments, limit=60):
        """Status None stands for a run that did not end within `limit` seconds."""
        try:
            done = subprocess.run(
                [self.binary, *arguments], check=False, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=limit, cwd=self._home, env=self.environment,
            )
        except subprocess.TimeoutExpired:
            return Run(None, b"", b"")
        return Run(done.returncode, done.stdout, done.stderr)

    def inject_arguments(self, path, where):
        """The command line of every run: fixed source, destinations and installation ID."""
        arguments = ["inject", path, *where, "--source", SOURCE]
        for destination in DESTINATIONS:
            arguments += ["--destination", destination]
        return [*arguments, "--installation-id", INSTALLATION_ID]


def status_problems(run, wanted):
    if run.status == wanted:
        return []
    said = run.err.decode("utf-8", "replace").strip().splitlines() or ["(no message)"]
    got = "no end within the time limit" if run.status is None else f"exit status {run.status}"
    return [f"{got}, expected {wanted}: {said[-1][:200]}"]


def leaks(run):
    """Places where an output shows more of the installation ID than its first four digits."""
    problems = []
    for stream, data in (("standard output", run.out), ("standard error", run.err)):
        text = FINGERPRINT.sub("", data.decode("utf-8", "replace").lower())
        shown = INSTALLATION_ID[:5] in text
        for start in range(len(INSTALLATION_ID) - 7):
            shown = shown or INSTALLATION_ID[start:start + 8] in text
        if shown:
            problems.append(f"{stream} shows the installation ID")
    return problems
