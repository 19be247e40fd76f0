#!/usr/bin/env python3
"""Runs the commands of `batch` from outside: their lines, statuses and files, and their bars.

    check-batch.py BINARY [--inputs N] [--list]

Behaviour alone is checked, no times. Closes with 'N passed, N failed'.
"""

import argparse
import hashlib
import json
import os
import plistlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

from checklib.apps import info_plist
from checklib.tally import Tally
from checklib.terminal import Session, screen
from checklib.tool import DESTINATIONS, INSTALLATION_ID, SOURCE, Tool, leaks, status_problems

FIXED = ["--source", SOURCE, *[word for name in DESTINATIONS for word in ("--destination", name)]]
WITH_ID = [*FIXED, "--installation-id", INSTALLATION_ID]
SHORT_WAIT = 0.7


def numbered_plist(number, **more):
    return info_plist(f"com.example.app{number}", MinimumOSVersion="17.0", **more)


def make_archive(path, plist, size=40_000):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (("Info.plist", plist), ("App", random.Random(path).randbytes(size))):
            item = zipfile.ZipInfo(f"Payload/App.app/{name}", (2026, 1, 1, 0, 0, 0))
            item.external_attr = (0o100755 if name == "App" else 0o100644) << 16
            archive.writestr(item, data, zipfile.ZIP_DEFLATED)


def nested(levels):
    """A list in a list in a list."""
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def deep_plist(binary):
    """An Info.plist of 512 levels. plistlib writes XML by recursion, so the levels are put in as text."""
    marker = "LEVELS"
    text = plistlib.dumps(numbered_plist(1, Deep=marker)).decode()
    inner = "<array>" * 511 + "</array>" * 511
    text = text.replace(f"<string>{marker}</string>", inner)
    if not binary:
        return text.encode()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        return plistlib.dumps(numbered_plist(1, Deep=nested(511)), fmt=plistlib.FMT_BINARY)
    finally:
        sys.setrecursionlimit(limit)


def contents(folder):
    """{name: digest} of the files of a folder, hidden ones too; none where it is not there."""
    found = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = hashlib.sha256(file.read()).hexdigest()
    return found


class Batch:
    def __init__(self, tool, tally, work, count):
        self.tool, self.tally, self.work = tool, tally, work
        self.tool.environment["SOURCE_DATE_EPOCH"] = "1767225600"
        self.folder = os.path.join(work, "apps")
        os.mkdir(self.folder)
        self.inputs = [os.path.join(self.folder, f"App{n:03d}.ipa") for n in range(count)]
        for number, path in enumerate(self.inputs):
            make_archive(path, plistlib.dumps(numbered_plist(number), fmt=plistlib.FMT_BINARY))
        self.bad = self.inputs[count // 2]
        self.good_bytes = open(self.bad, "rb").read()

    def path(self, name):
        return os.path.join(self.work, name)

    def run(self, *arguments):
        return self.tool.run(["batch", *arguments], limit=300)

    def lines(self, run, problems):
        """The lines of a run by their input."""
        try:
            lines = [json.loads(line) for line in run.out.decode().splitlines()]
        except ValueError as error:
            problems.append(f"a line is no JSON: {error}")
            return {}
        for line in lines:
            kinds = {"report", "error"} & line.keys()
            if len(kinds) != 1 or line.keys() - kinds != {"schema", "input", "status"}:
                problems.append(f"a line has the keys {sorted(line)}")
            if (line.get("status") in (0, 1)) != ("report" in kinds):
                problems.append(f"status {line.get('status')} beside {sorted(kinds)}")
        found = {line.get("input"): line for line in lines}
        if len(found) != len(lines):
            problems.append("an input has two lines")
        return found

    def check_inject(self):
        """One bad file among many fails alone, and each of the others is what `inject` makes of it."""
        with open(self.bad, "r+b") as file:
            file.truncate(len(self.good_bytes) // 2)
        results = {}
        for jobs in (1, 4):
            out = self.path(f"out{jobs}")
            run = self.run("inject", *self.inputs, "--output-dir", out, "--jobs", str(jobs), *WITH_ID)
            problems = status_problems(run, 65) + leaks(run)
            lines = self.lines(run, problems)
            if set(lines) != set(self.inputs):
                problems.append("the lines are not those of the inputs")
            failed = [path for path, line in lines.items() if line["status"]]
            if failed != [self.bad]:
                problems.append(f"these failed: {failed[:5]}")
            wanted = f"{len(self.inputs) - 1} prepared, 1 failed"
            if wanted not in run.err.decode():
                problems.append(f"standard error does not say '{wanted}'")
            results[jobs] = contents(out)
            if set(results[jobs]) != {os.path.basename(p) for p in self.inputs if p != self.bad}:
                problems.append("the results are not those of the good inputs")
            self.tally.check(f"inject, {jobs} jobs: one bad file fails alone", problems)
        same = [] if results[1] == results[4] else ["the results of 1 and 4 jobs differ"]
        single = self.path("single.ipa")
        for path in self.inputs[:3]:
            self.tool.run(["inject", path, "-o", single, "--force", *WITH_ID])
            with open(single, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            if results[1].get(os.path.basename(path)) != digest:
                same.append(f"{path} is not what inject alone makes of it")
        self.tally.check("inject: the same files as one by one", same)
        with open(self.bad, "wb") as file:
            file.write(self.good_bytes)

    def check_records(self):
        """Each app has an ID of its own, and its record holds it."""
        out, records = self.path("own"), self.path("records")
        run = self.run(
            "inject", *self.inputs[:20], "--output-dir", out, "--record-dir", records, *FIXED)
        problems = status_problems(run, 0)
        lines = self.lines(run, problems)
        ids = set()
        for path in self.inputs[:20]:
            record = os.path.join(records, os.path.basename(path) + ".json")
            with open(record, "rb") as file:
                ids.add(json.load(file)["installationID"])
            if os.stat(record).st_mode & 0o777 != 0o600:
                problems.append("a record is not for its owner alone")
        if len(ids) != 20:
            problems.append(f"{len(ids)} IDs in 20 records")
        if any(known in run.out.decode() for known in ids):
            problems.append("standard output shows an ID")
        if len(lines) != 20:
            problems.append(f"{len(lines)} lines")
        self.tally.check("inject: an ID and a record each", problems)
        again = self.run("inject", *self.inputs[:20], "--output-dir", out, *FIXED)
        self.tally.check("inject: existing results stay", status_problems(again, 73))

    def check_in_place(self):
        folder = self.path("place")
        shutil.copytree(self.folder, folder)
        copies = [os.path.join(folder, os.path.basename(path)) for path in self.inputs]
        run = self.run("inject", *copies, "--in-place", *WITH_ID)
        problems = status_problems(run, 0)
        if contents(folder) != contents(self.path("complete")):
            problems.append("the files are not those of --output-dir")
        self.tally.check("inject: in place", problems)
        os.symlink(copies[0], self.path("link"))
        for other in (os.path.join(folder, ".", os.path.basename(copies[0])), self.path("link")):
            run = self.run("inject", copies[0], other, "--in-place", *WITH_ID)
            problems = status_problems(run, 64)
            if b"are one file" not in run.err:
                problems.append(f"it said {run.err[:200]}")
            if run.out or contents(folder) != contents(self.path("complete")):
                problems.append("something was done")
            self.tally.check("inject: in place, one file by two paths", problems)
        stripped = self.path("stripped")
        run = self.run("strip", *copies[:9], "--output-dir", stripped)
        self.tally.check(
            "strip", status_problems(run, 0) + ([] if len(contents(stripped)) == 9 else ["not 9"]))

    def check_shards(self):
        """The parts of three machines are all of it, in one folder."""
        out, problems, seen = self.path("complete"), [], []
        for index in (1, 2, 3):
            run = self.run(
                "inject", *self.inputs, "--shard", f"{index}/3", "--output-dir", out, *WITH_ID)
            problems += status_problems(run, 0)
            part = self.lines(run, problems)
            if set(part) != set(self.inputs[index - 1::3]):
                problems.append(f"part {index} has other inputs")
            seen += part
        if sorted(seen) != sorted(self.inputs):
            problems.append("the parts are not the whole")
        run = self.run("inspect", self.inputs[0], "--shard", "2/2")
        problems += status_problems(run, 0) + (["an empty part has lines"] if run.out else [])
        self.tally.check("shards", problems)

    def check_reader(self):
        """Where nobody reads the lines, what only reads ends at once and what writes goes on."""
        done, writes = {}, ["--output-dir", self.path("unread"), *WITH_ID]
        for command, options in (("inspect", []), ("inject", writes)):
            reading, writing = os.pipe()
            os.close(reading)
            run = subprocess.run(
                [self.tool.binary, "batch", command, *self.inputs, *options], check=False,
                stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE,
                env=self.tool.environment,
            )
            os.close(writing)
            done[command] = (run.returncode, run.stderr.decode().splitlines()[-1])
        wanted = {
            "inspect": (0, "ipa-inject: 0 inspected, 0 failed"),
            "inject": (0, f"ipa-inject: {len(self.inputs)} prepared, 0 failed"),
        }
        problems = [] if done == wanted else [f"{done}"]
        if contents(self.path("unread")) != contents(self.path("complete")):
            problems.append("the files are not those of a run that is read")
        self.tally.check("lines that nobody reads", problems)

    def check_lists(self):
        odd = [os.path.join(self.folder, name) for name in ("#one.ipa", " two .ipa", "three\n.ipa")]
        for path in odd:
            shutil.copyfile(self.inputs[0], path)
        names = self.path("names")
        rows = [
            ("a path a line", b"\n", odd[:2], []), ("zero bytes", b"\0", odd, ["--null"]),
        ]
        for name, separator, paths, options in rows:
            for end in (b"", separator):
                with open(names, "wb") as file:
                    file.write(separator.join(os.fsencode(path) for path in paths) + end)
                run = self.run("inspect", self.inputs[1], "--input-list", names, "--ordered", *options)
                problems = status_problems(run, 0)
                if list(self.lines(run, problems)) != [self.inputs[1], *paths]:
                    problems.append("other inputs, or another order")
                self.tally.check(f"list: {name}, {'closed' if end else 'open'} end", problems)
        for path in odd:
            os.remove(path)
        missing = self.run("inspect", "--input-list", self.path("nothing"))
        self.tally.check("list: missing", status_problems(missing, 66))

    def check_order(self):
        run = self.run("inspect", *self.inputs, "--ordered", "--jobs", "4")
        problems = status_problems(run, 0)
        if list(self.lines(run, problems)) != self.inputs:
            problems.append("another order")
        self.tally.check("inspect: ordered", problems)

    def check_statuses(self):
        good = os.path.join(self.path("complete"), "App000.ipa")
        rows = [
            ("findings", [good, self.inputs[0]], 1), ("a missing file", [self.inputs[0], "none"], 66),
            ("a folder that is no app", [good, self.work], 65),
        ]
        for name, paths, status in rows:
            run = self.run("verify", *paths)
            problems = status_problems(run, status)
            self.lines(run, problems)
            self.tally.check(f"worst status: {name}", problems)
        run = self.run("verify", good, "--before-dir", self.folder)
        self.tally.check("verify: beside the originals", status_problems(run, 0))

    def check_refusals(self):
        """What is wrong with the command line stops it before anything is made."""
        other = self.path("other")
        os.mkdir(other)
        twin = os.path.join(other, "App000.ipa")
        shutil.copyfile(self.inputs[0], twin)
        out = ["--output-dir", self.path("never")]
        rows = [
            ("two of a name", [self.inputs[0], twin, *out], 64),
            ("one twice, in place", [twin, twin, "--in-place"], 64),
            ("nowhere to go", [twin], 64), ("two places to go", [twin, "--in-place", *out], 64),
            ("--jobs 0", [twin, "--jobs", "0", *out], 64),
            ("--shard 0/2", [twin, "--shard", "0/2", *out], 64),
            ("--shard 3/2", [twin, "--shard", "3/2", *out], 64),
            ("--null alone", [twin, "--null", *out], 64), ("no input", out, 64),
            ("no folder above", [twin, "--output-dir", self.path("no/where")], 73),
            ("a file for a folder", [twin, "--output-dir", self.inputs[0]], 73),
        ]
        for name, arguments, status in rows:
            run = self.run("inject", *arguments, *WITH_ID)
            problems = status_problems(run, status)
            said = run.err.decode()
            if name == "two of a name" and not (self.inputs[0] in said and twin in said):
                problems.append("the message does not name both")
            if run.out or os.path.exists(self.path("never")):
                problems.append("something was printed or made")
            self.tally.check(f"refused: {name}", problems)
        run = self.run("inject", twin, "--dry-run", *WITH_ID, *out)
        problems = status_problems(run, 0)
        if os.path.exists(self.path("never")) or not self.lines(run, problems)[twin]["report"]["changes"]:
            problems.append("the folder was made, or there are no changes")
        self.tally.check("a dry run makes nothing", problems)

    def check_depth(self):
        """512 levels, for which a thread needs as much stack as the main thread has."""
        for form in ("xml", "binary"):
            paths = []
            for number in range(8):
                path = self.path(f"deep{form}{number}.ipa")
                make_archive(path, deep_plist(form == "binary"))
                paths.append(path)
            out = self.path(f"deep-{form}")
            inject = self.run("inject", *paths, "--output-dir", out, "--jobs", "4", *WITH_ID)
            prepared = [os.path.join(out, os.path.basename(path)) for path in paths]
            other = "binary" if form == "xml" else "xml"
            convert = self.run(
                "inject", *prepared, "--in-place", "--plist-format", other, "--jobs", "4", *WITH_ID)
            runs = [inject, convert] + [
                self.run(command, *prepared, "--jobs", "4") for command in ("inspect", "verify")]
            problems = [text for run in runs for text in status_problems(run, 0)]
            self.tally.check(f"512 levels, {form}", problems)

    def check_signal(self):
        """SIGTERM: whole results or none, and nothing beside them."""
        whole = contents(self.path("complete"))
        for number, wait in enumerate((0.02, 0.05, 0.1)):
            out = self.path(f"ended{number}")
            process = subprocess.Popen(
                [self.tool.binary, "batch", "inject", *self.inputs, "--output-dir", out, *WITH_ID],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env=self.tool.environment)
            time.sleep(wait)
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=60)
            left = contents(out)
            problems = [f"{name} is not whole" for name in left if left[name] != whole.get(name)]
            # Before the tool waits for signals there is nothing to remove.
            if process.returncode not in (143, 0) and (process.returncode != -15 or left):
                problems.append(f"exit status {process.returncode}")
            if b"error" in said:
                problems.append(f"it said {said[:200]}")
            self.tally.check(f"SIGTERM after {wait} s", problems)


class Bars:
    """What a terminal shows."""

    def __init__(self, batch):
        self.batch, self.tally = batch, batch.tally
        self.command = [batch.tool.binary, "batch", "inject", "--input-list", "-", "--force", *WITH_ID]

    def run(self, *options, wait=SHORT_WAIT, color=False, **size):
        environment = dict(self.batch.tool.environment)
        if color:
            del environment["NO_COLOR"]
        output = self.batch.path("lines")
        out = ["--output-dir", self.batch.path("bars")]
        session = Session([*self.command, *out, *options], environment, output, **size)
        # Bars come after half a second, and the list is waited for.
        time.sleep(wait)
        status, written = session.finish("\n".join(self.batch.inputs).encode())
        with open(output, "rb") as file:
            lines = file.read().splitlines()
        problems = [] if status == 0 else [f"exit status {status}"]
        if len(lines) != len(self.batch.inputs):
            problems.append(f"{len(lines)} lines on standard output")
        return written, problems

    def check_single(self):
        """One app: the run waits for its list of interfaces until a bar is due."""
        pipe, output = self.batch.path("interfaces"), self.batch.path("text")
        os.mkfifo(pipe)
        command = [
            self.batch.tool.binary, "inject", self.batch.inputs[0], "-o", self.batch.path("one.ipa"),
            "--source", SOURCE, "--interfaces-from", pipe, "--tailscale-from", "none",
            "--host-name", "none",
        ]
        session = Session(command, self.batch.tool.environment, output)
        time.sleep(SHORT_WAIT)
        with open(pipe, "w", encoding="ascii") as file:
            json.dump([{"name": "en0", "flags": ["UP"], "addresses": ["192.168.1.10"]}], file)
        status, written = session.finish()
        problems = [] if status == 0 else [f"exit status {status}"]
        if not re.search(rb"\[#*-*\] +\d+ %", written) or screen(written):
            problems.append(f"the terminal got {written[:200]}")
        self.tally.check("a bar for one app", problems)

    def check(self):
        closing = f"ipa-inject: {len(self.batch.inputs)} prepared, 0 failed"
        written, problems = self.run()
        if f"of {len(self.batch.inputs)}".encode() not in written or b"[" not in written:
            problems.append("there was no bar")
        if re.search(rb"\x1b\[\d+m", written):
            problems.append("colours in spite of NO_COLOR")
        if screen(written) != [closing]:
            problems.append(f"in the end the screen shows {screen(written)[:3]}")
        self.tally.check("bars come and go", problems)

        written, problems = self.run(color=True)
        self.tally.check("bars in colour", problems + ([] if b"\x1b[32m" in written else ["none"]))

        written, problems = self.run("--quiet")
        self.tally.check("--quiet", problems + ([f"it wrote {written[:99]}"] if written else []))

        written, problems = self.run("--verbose")
        odd = [line for line in screen(written) if not line.startswith("ipa-inject: ")]
        wrapped = [line for line in odd if "[" in line or "%" in line]
        self.tally.check("--verbose and bars do not mix", problems + wrapped[:3])

        for columns in (20, 21, 40, 200):
            written, problems = self.run(columns=columns, rows=5)
            wide = [
                line for line in written.decode("utf-8", "replace").replace("\r", "").split("\n")
                if "prepared" not in line and len(line.rpartition("\x1b[J")[2]) >= columns
            ]
            self.tally.check(f"{columns} columns", problems + wide[:3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--inputs", type=int, default=200)
    parser.add_argument("--list", action="store_true", help="print passed checks too")
    options = parser.parse_args()
    tally = Tally(options.list)
    work = os.path.realpath(tempfile.mkdtemp(prefix="check-batch."))
    try:
        batch = Batch(Tool(options.binary, work), tally, work, options.inputs)
        batch.check_inject()
        batch.check_records()
        batch.check_shards()
        batch.check_in_place()
        batch.check_reader()
        batch.check_lists()
        batch.check_order()
        batch.check_statuses()
        batch.check_refusals()
        batch.check_depth()
        batch.check_signal()
        Bars(batch).check()
        Bars(batch).check_single()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
