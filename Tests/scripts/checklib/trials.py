"""Runs of `inject` that a fault meets: each in a folder of its own, which is looked at before and after.

A trial's folder holds `in/` with the input and `out/` for the output. After a run that succeeds it must
be what a run without a fault leaves, to the byte; after one that fails, what it was before.
"""

import hashlib
import io
import itertools
import json
import os
import plistlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import zipfile
from collections import namedtuple

from . import subjects

# `files` says what stands in the folder before: names of the maker's originals.
Scenario = namedtuple("Scenario", "name input options files")
Outcome = namedtuple("Outcome", "status out err state folder")

REFUSED = (66, 73, 74)
# An archive with it is larger than the blocks in which it is copied.
EXECUTABLE_BYTES = 1_300_000
RECORD = "out/record.json"
HIDDEN = "/.ipa-inject-"
IN_PLACE = ("--in-place",)
SCENARIOS = (
    Scenario("archive to archive", "App.ipa", ("-o", "out/New.ipa"), ()),
    Scenario("archive over archive", "App.ipa", ("-o", "out/Old.ipa", "--force"), ("Old.ipa",)),
    Scenario("archive in place", "App.ipa", IN_PLACE, ()),
    Scenario("archive with record", "App.ipa",
             ("-o", "out/New.ipa", "--record", "out/record.json"), ()),
    Scenario("archive with a saved listener", "App.ipa",
             ("-o", "out/New.ipa", "--port", "5000", "--data-dir", "out/data"), ("data",)),
    Scenario("archive with a new listener", "App.ipa",
             ("-o", "out/New.ipa", "--port", "5000", "--data-dir", "out/data"), ()),
    Scenario("archive to folder", "App.ipa", ("-o", "out/New"), ()),
    Scenario("folder to folder", "App.app", ("-o", "out/New.app"), ()),
    Scenario("folder over folder", "App.app", ("-o", "out/Old.app", "--force"), ("Old.app",)),
    Scenario("folder in place", "App.app", IN_PLACE, ()),
    Scenario("folder to archive", "App.app", ("-o", "out/New.ipa"), ()),
    Scenario("property list in place", "Info.plist", IN_PLACE, ()),
)


def write_originals(folder, size):
    """An app in each form, with an executable of `size` bytes."""
    plist = plistlib.dumps({
        "CFBundleExecutable": "App", "CFBundleIdentifier": "com.example.faults",
        "CFBundleName": "App", "CFBundlePackageType": "APPL", "CFBundleVersion": "1",
        "CFBundleShortVersionString": "1.0", "MinimumOSVersion": "15.0",
        "CFBundleSupportedPlatforms": ["iPhoneOS"],
    }, sort_keys=False)
    source = random.Random(1)
    files = {"App": source.randbytes(size), "Info.plist": plist, "A/a.txt": b"a" * 5000,
             "A/b.txt": b"b", "Z/z.bin": source.randbytes(200_000)}
    with zipfile.ZipFile(os.path.join(folder, "App.ipa"), "w") as archive:
        for name, content in files.items():
            item = zipfile.ZipInfo(f"Payload/App.app/{name}", (2026, 1, 1, 0, 0, 0))
            item.external_attr = 0o100644 << 16
            item.compress_type = zipfile.ZIP_DEFLATED if "." in name else zipfile.ZIP_STORED
            archive.writestr(item, content)
    for name, content in files.items():
        path = os.path.join(folder, "App.app", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    os.symlink("App", os.path.join(folder, "App.app", "link"))
    shutil.copytree(os.path.join(folder, "App.app"), os.path.join(folder, "Old.app"), symlinks=True)
    shutil.rmtree(os.path.join(folder, "Old.app", "A"))
    shutil.copy(os.path.join(folder, "App.app", "Info.plist"), folder)
    os.makedirs(os.path.join(folder, "data", "server"))
    with open(os.path.join(folder, "data", "server", "config.json"), "wb") as file:
        file.write(b'{"theme": "dark", "port": 1234}')
    with zipfile.ZipFile(os.path.join(folder, "Old.ipa"), "w") as archive:
        archive.writestr("an earlier output", b"old")


class Trials:
    """Makes trial folders, runs the tool in them, and judges what it left."""

    def __init__(self, tool, tally, work, size=EXECUTABLE_BYTES):
        self.tool, self.tally, self.work = tool, tally, work
        self.originals = os.path.join(work, "originals")
        os.mkdir(self.originals)
        write_originals(self.originals, size)
        self._numbers, self._lock = itertools.count(), threading.Lock()
        # The same bytes from every run.
        tool.environment["SOURCE_DATE_EPOCH"] = "1767225600"
        self._after, self._forms = {}, {}

    def folder(self, scenario, within=None):
        """A new trial folder, by itself or in `within`."""
        path = os.path.join(within or self.work, f"trial{next(self._numbers):05d}")
        for name in ("in", "out"):
            os.makedirs(os.path.join(path, name))
        self._put(scenario.input, os.path.join(path, "in"))
        for name in scenario.files:
            self._put(name, os.path.join(path, "out"))
        return path

    def _put(self, name, folder):
        source, target = os.path.join(self.originals, name), os.path.join(folder, name)
        if os.path.isdir(source):
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copy2(source, target)

    def command(self, scenario, folder):
        options = [
            os.path.join(folder, option) if option.startswith("out/") else option
            for option in scenario.options
        ]
        path = os.path.join(folder, "in", scenario.input)
        return [self.tool.binary, *self.tool.inject_arguments(path, (*options, "--json"))]

    def start(self, scenario, folder, prefix=(), **more):
        return subprocess.Popen(
            [*prefix, *self.command(scenario, folder)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.work,
            env=self.tool.environment, start_new_session=True, **more,
        )

    def run(self, scenario, prefix=(), within=None, folder=None, **more):
        """One run to its end, the folder's state after it; the folder is removed unless it was given."""
        here = folder or self.folder(scenario, within)
        process = self.start(scenario, here, prefix, **more)
        return self.finish(process, here, keeps=folder is not None)

    def traced(self, scenario, calls, extra=()):
        """The lines that strace wrote of a run's calls, and the run's folder, which is removed."""
        folder = self.folder(scenario)
        with tempfile.NamedTemporaryFile(dir=self.work, suffix=".trace") as trace:
            prefix = ["strace", "-qq", "-y", "-s", "0", "-o", trace.name, "-e", f"trace={calls}", *extra]
            self.run(scenario, prefix, folder=folder)
            with open(trace.name, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        shutil.rmtree(folder)
        return lines, folder

    def finish(self, process, folder, keeps=False):
        try:
            out, err = process.communicate(timeout=30)
            status = process.returncode
        except subprocess.TimeoutExpired:
            # With strace the tool is a process of its own.
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            status = None
        state = subjects.tree(folder)
        if not keeps:
            shutil.rmtree(folder)
        return Outcome(status, out, err, state, folder)

    def before(self, scenario):
        folder = self.folder(scenario)
        state = subjects.tree(folder)
        shutil.rmtree(folder)
        return state

    def after(self, scenario):
        """What a run without a fault leaves; None, and a failed check, where it does not succeed."""
        if scenario.name not in self._after:
            outcome = self.run(scenario)
            problems = [] if outcome.status == 0 else [said(outcome)]
            ok = self.tally.check(f"{scenario.name}, without a fault", problems)
            self._after[scenario.name] = outcome.state if ok else None
        return self._after[scenario.name]

    def of_one_form(self, state, scenario):
        """A state in which what a success may write in two forms has the form of `after`.

        Where blocks are shared an archive is padded, and where that fails it is not: then members and
        their content count, and the digest in a record.
        """
        wanted = self.after(scenario)
        if wanted is None or not self.has_two_forms(scenario):
            return state
        result = dict(state)
        for path in state.keys() & wanted.keys():
            if path.endswith(".ipa") and content_of(state[path][1]) == content_of(wanted[path][1]):
                result[path] = (state[path][0], wanted[path][1])
                if RECORD in result:
                    result[RECORD] = of_digest(result[RECORD], state[path][1], wanted[path][1])
        return result

    def has_two_forms(self, scenario):
        """Whether a run that shares no blocks writes other bytes."""
        if scenario.name not in self._forms:
            other = scenario._replace(options=(*scenario.options, "--reflink", "never"))
            self._forms[scenario.name] = self.run(other).state != self.after(scenario)
        return self._forms[scenario.name]

    def check(self, name, scenario, outcome, statuses=REFUSED, before=None, may_leave=False):
        """`before` is the state that a failure must leave where the fault itself changed the folder."""
        before = before if before is not None else self.before(scenario)
        state = outcome.state
        if may_leave:
            state = without_hidden(state)
        problems = []
        if outcome.status == 0:
            problems += differences(
                self.of_one_form(state, scenario), self.after(scenario), "a success"
            )
        else:
            problems += differences(state, before, f"status {outcome.status}")
            problems += message_problems(outcome)
            if outcome.status not in statuses:
                problems.append(said(outcome))
        with self._lock:
            return self.tally.check(name, problems)


def without_hidden(state):
    """A state without what is half made."""
    return {path: entry for path, entry in state.items() if HIDDEN not in f"/{path}"}


def content_of(archive):
    """What an archive holds, as zipfile reads it; None where it cannot."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            return [
                (item.filename, item.compress_type, item.date_time, item.external_attr,
                 opened.read(item)) for item in opened.infolist()
            ]
    except (zipfile.BadZipFile, EOFError, ValueError):
        return None


def of_digest(entry, archive, wanted):
    """The record as it would be of another archive, if it is right for its own."""
    digests = (hashlib.sha256(content).hexdigest().encode() for content in (archive, wanted))
    return entry[0], entry[1].replace(*digests)


def said(outcome):
    if outcome.status is None:
        return "it did not end within 30 s"
    words = outcome.err.decode("utf-8", "replace").strip().splitlines() or ["(no message)"]
    what = f"signal {-outcome.status}" if outcome.status < 0 else f"exit status {outcome.status}"
    return f"{what}: {words[-1][:200]}"


def differences(found, wanted, after):
    """How a folder differs from what it must be."""
    if wanted is None:
        return ["there is nothing to compare with"]
    problems = []
    for path in sorted(found.keys() | wanted.keys()):
        if path not in wanted:
            problems.append(f"after {after} {path} is there")
        elif path not in found:
            problems.append(f"after {after} {path} is gone")
        elif found[path] != wanted[path]:
            problems.append(f"after {after} {path} is not as it must be")
    return problems


def message_problems(outcome):
    """A failure says one line on standard error, and the same as JSON on standard output."""
    problems = []
    lines = outcome.err.decode("utf-8", "replace").splitlines()
    if len(lines) != 1 or not lines[0].startswith("ipa-inject: error: "):
        problems.append(f"standard error holds {len(lines)} lines, not one error")
    try:
        error = json.loads(outcome.out)["error"]
        if not error["code"] or error["message"] not in outcome.err.decode("utf-8", "replace"):
            problems.append("the error as JSON says something else")
    except (ValueError, KeyError, TypeError) as error:
        problems.append(f"standard output holds no error as JSON ({error})")
    return problems
