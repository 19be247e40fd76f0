"""Runs programs and measures them: one after the other, each on a disk that has nothing to write."""

import os
import re
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A program that was to be measured did not do its work."""


def environment(home):
    """Away from this machine's settings."""
    kept = {
        name: value for name, value in os.environ.items()
        if not name.startswith(("IPA_HUB_", "XDG_", "ZIPOPT", "UNZIP"))
    }
    return {**kept, "HOME": home, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


class Runner:
    def __init__(self, folder):
        self.folder = folder
        self._environment = environment(folder)

    def seconds(self, command, folder=None, statuses=(0,)):
        """The time of one run, after all that waits to be written was written."""
        self.settle()
        with tempfile.TemporaryFile() as errors:
            begun = time.perf_counter()
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                cwd=folder or self.folder, env=self._environment,
            )
            status = process.wait()
            taken = time.perf_counter() - begun
            if status not in statuses:
                errors.seek(0)
                said = errors.read(300).decode("utf-8", "replace").strip()
                raise Failed(f"{command[0]} ended with {status}: {said}")
        return taken

    def settle(self):
        """Without this a run pays for what the one before it left to the system."""
        if sys.platform == "linux":
            subprocess.run(["sync", "-f", self.folder], check=True)
        else:
            os.sync()

    def memory(self, command, folder=None, statuses=(0,)):
        """The peak of resident memory of one run, in bytes, by `time`; None where that is missing.

        A process that Python starts itself begins with Python's own peak.
        """
        told = os.path.join(self.folder, "memory")
        if sys.platform == "darwin":
            form, unit = ["-l", "-o", told], 1
        else:
            form, unit = ["-f", "%M maximum resident", "-o", told], 1024
        try:
            self.seconds(["/usr/bin/time", *form, *command], folder, statuses)
        except FileNotFoundError:
            return None
        with open(told, encoding="utf-8") as file:
            found = re.search(r"(\d+)\s+maximum resident", file.read())
        os.remove(told)
        return int(found.group(1)) * unit if found else None


def first_line(command, wanted=""):
    """The first line of a program's output that holds a word: its version."""
    try:
        done = subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return next((line.strip() for line in lines if wanted in line), None)
