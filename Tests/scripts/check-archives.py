#!/usr/bin/env python3
"""Prepares each odd archive and judges the result from outside, or sees it refused with the right words.

    check-archives.py BINARY [--in DIR] [--only PREFIX]... [--jobs N] [--list]

Each archive of odd-archives.py goes through `inject`, to another file and in place. What is refused must
end with status 65, with the code and the sentence of its row in Documentation/archives.md, which names
the member, and must leave the input as it was and nothing beside it. What is prepared must be, byte by
byte, the old archive with another Info.plist in the old one's framing; other programs must say the same
of it as of the input; and where strace is, no run may write outside the output's folder. Every run has
a bound of time and memory; the slowest and the largest are printed. Closes with 'N passed, N failed'.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import namedtuple

from checklib import plists
from checklib.odd import CASES, compare, judges, made, runner, shown, table, trace
from checklib.tally import Tally
from checklib.tool import Tool

CLOCK = 1717243200
MOST_SECONDS, MOST_KILOBYTES, MOST_KILOBYTES_HEAVY = 5, 48 << 10, 64 << 10
BAD_INPUT = 65
Done = namedtuple("Done", "status out err seconds kilobytes")


class Worker:
    """What one process of the pool has: the tool, folders of its own, and a small process that runs it."""

    def __init__(self, binary, work, absent):
        self.tool = Tool(binary, work)
        self.work, self.absent = work, absent
        self.environment = {**self.tool.environment, "SOURCE_DATE_EPOCH": str(CLOCK), "TZ": "UTC"}
        self.options = self._reflink_options()
        self.runner = subprocess.Popen(
            [sys.executable, "-ISB", runner.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.inputs = os.path.join(work, "in")
        self.outputs = os.path.join(work, "out")
        _, self.refusals = table.read()

    def _reflink_options(self):
        """Sharing blocks pads the member, and what is compared here is the plain copy."""
        return ["--reflink", "never"] if b"--reflink" in self.tool.run(["inject", "--help"]).out else []

    def inject(self, path, where, before=()):
        arguments = self.tool.inject_arguments(path, where)
        return self.run([*arguments, "--no-sync", *self.options], before)

    def run(self, arguments, before=()):
        texts = [os.path.join(self.work, f"{os.getpid()}.{name}") for name in ("out", "err")]
        request = {"command": [*before, self.tool.binary, *arguments], "folder": self.work, "limit": 60,
                   "environment": self.environment, "out": texts[0], "err": texts[1]}
        self.runner.stdin.write(json.dumps(request).encode() + b"\n")
        self.runner.stdin.flush()
        answer = json.loads(self.runner.stdout.readline())
        said = []
        for text in texts:
            with open(text, "rb") as file:
                said.append(file.read().decode("utf-8", "backslashreplace"))
        return Done(answer["status"], *said, answer["seconds"], answer["kilobytes"])

    def traced(self, path, where, folder):
        """A run under strace where that is here; what it wrote outside `folder`."""
        if "strace" in self.absent:
            return self.inject(path, where), []
        log = os.path.join(self.work, f"{os.getpid()}.trace")
        done = self.inject(path, where, [*trace.COMMAND, "-o", log])
        return done, trace.strays(log, folder)


def check(worker, name):
    """All checks of one case: [(check, problems)], the slowest and the largest run."""
    case = CASES[name]
    data, layout = made(case)
    path = os.path.join(worker.inputs, f"{name}.ipa")
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(data)
    place, beside = (os.path.join(worker.outputs, name, part) for part in ("out", "beside"))
    os.makedirs(place)
    os.makedirs(beside)
    output, inside = os.path.join(place, "out.ipa"), os.path.join(beside, f"{name}.ipa")
    with open(inside, "wb") as file:
        file.write(data)
    first, strays = worker.traced(path, ["-o", output, "--json"], place)
    second = worker.inject(inside, ["--in-place"])
    checks = [("writes outside", strays)]
    if case.prepared:
        checks += _prepared(worker, case, data, layout, (path, output, inside), (first, second))
    else:
        checks += _refused(worker, case, (path, inside), (first, second))
        checks.append(("left beside it", os.listdir(place)))
        checks.append(("in place: input", [] if _read(inside) == data else ["it changed"]))
    checks.append(("input", [] if _read(path) == data else ["it changed"]))
    checks.append(("in place: left beside it", [n for n in os.listdir(beside) if n != f"{name}.ipa"]))
    checks.append(("shown text", [f"{run.err!r:.200}" for run in (first, second) if shown.hidden(run.err)]))
    most = MOST_KILOBYTES_HEAVY if case.heavy else MOST_KILOBYTES
    bounds = [f"{second.seconds:.1f} s"] if second.seconds > MOST_SECONDS else []
    bounds += [f"{second.kilobytes} KB"] if second.kilobytes > most else []
    checks.append(("bounds", bounds))
    shutil.rmtree(beside)
    return [(f"{name}: {what}", problems) for what, problems in checks], second[3:]


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _prepared(worker, case, data, layout, paths, runs):
    path, output, inside = paths
    checks = []
    for what, run in zip(("", "in place: "), runs):
        checks.append((f"{what}exit status", [] if run.status == 0 else [f"{run.status}: {run.err}"]))
    if any(run.status != 0 for run in runs) or not os.path.exists(output):
        return checks
    new = _read(output)
    problems, content = compare.differences(data, new, layout, case.plist, CLOCK)
    checks.append(("bytes", problems))
    checks.append(("in place: bytes", [] if _read(inside) == new else ["not those of the other run"]))
    if content is not None:
        at = layout.members[case.plist]
        method = int.from_bytes(data[at.record + 10:at.record + 12], "little")
        old = compare.unpacked(data[at.data:at.descriptor], method, exact=False)
        wanted, got = plists.expected(plists.load(old)), plists.load(content)
        checks.append(("plist", plists.differences(wanted, got)))
    left = [entry for entry in os.listdir(os.path.dirname(output)) if entry != "out.ipa"]
    checks.append(("left beside it", left))
    if case.unpacking:
        checks += _unpacking(worker, case, path)
    absent = {*worker.absent, *case.unasked}
    if case.kind in shown.KINDS:
        plain = os.path.join(worker.inputs, "plain.ipa")
        checks.append(("shown names", shown.problems(worker.run, case, plain, path, output)))
    checks.append(("judges", judges.differences(path, output, case.plist, absent)))
    return checks


def _unpacking(worker, case, path):
    """What a folder as output makes of a member that no folder should get."""
    kind, member = case.unpacking
    place = os.path.join(worker.outputs, case.name, "folder")
    os.makedirs(place)
    run, strays = worker.traced(path, ["-o", os.path.join(place, "unpacked"), "--json"], place)
    wanted = worker.refusals[kind]
    return [("unpacking: writes outside", strays), ("unpacking: left", os.listdir(place)),
            ("unpacking: refused", _words(run, path, member, wanted)),
            ("unpacking: code", _code(run, wanted))]


def _refused(worker, case, paths, runs):
    wanted = worker.refusals[case.kind]
    checks = [(f"{what}refused", _words(run, path, case.member, wanted))
              for what, path, run in zip(("", "in place: "), paths, runs)]
    # What is refused for its writing alone can be read; nothing else may happen.
    read = worker.run(["inspect", paths[0]])
    checks.append(("inspect", [] if read.status in (0, BAD_INPUT) and read.seconds < MOST_SECONDS
                   else [f"status {read.status} after {read.seconds:.1f} s: {read.err!r:.200}"]))
    return [*checks, ("code", _code(runs[0], wanted))]


def _words(run, path, member, wanted):
    """Status 65 and one line, which names the member and says what the table says."""
    problems = [] if run.status == BAD_INPUT else [f"status {run.status}"]
    lines = [line for line in run.err.splitlines() if ": warning: " not in line]
    begin = f"ipa-inject: error: {path}: " + (f"{member}: " if member else "")
    if len(lines) != 1 or not lines[0].startswith(begin):
        problems.append(f"said {' / '.join(lines)[:300]!r}, expected one line {begin!r:.200}")
    elif not table.matches(wanted.text, lines[0][len(begin):]):
        problems.append(f"said {lines[0][len(begin):]!r}, expected {wanted.text!r}")
    return problems


def _code(run, wanted):
    try:
        code = json.loads(run.out)["error"]["code"]
    except (ValueError, KeyError):
        code = run.out
    return [] if wanted.code in ("", code) else [f"{code!r:.200}, expected {wanted.code!r}"]


_WORKER = None


def _begin(*arguments):
    global _WORKER
    _WORKER = Worker(*arguments)


def _check(name):
    return name, *check(_WORKER, name)


def _java(tally, names, work):
    """java.util.zip reads inputs and outputs in one process."""
    pairs = {name: tuple(os.path.join(work, *parts) for parts in (
        ("in", f"{name}.ipa"), ("out", name, "out", "out.ipa"))) for name in names}
    pairs = {name: pair for name, pair in pairs.items() if os.path.exists(pair[1])}
    said, errors = judges.java([path for pair in pairs.values() for path in pair])
    if not said:
        tally.check("java", [errors[:300] or "it said nothing"])
    for name, (before, after) in pairs.items():
        if "java" in CASES[name].unasked:
            continue
        old, new = said.get(before), said.get(after)
        problems = [] if old and old == new else [f"java said {old} and now says {new}"]
        tally.check(f"{name}: java", problems)


def main():
    parser = argparse.ArgumentParser(description="Judge BINARY by the odd archives.")
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--in", dest="folder", metavar="DIR", help="work here and leave all of it")
    parser.add_argument("--only", action="append", metavar="PREFIX", help="cases whose name begins so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="at a time")
    parser.add_argument("--list", action="store_true", help="also print the checks that passed")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK) or os.path.isdir(options.binary):
        parser.error(f"{options.binary} is no program")
    tally = Tally(options.list)
    tally.check("Documentation/archives.md", table.problems(CASES))
    absent = judges.missing() + ([] if shutil.which("strace") else ["strace"])
    for program in absent:
        tally.note(f"skipped: what {program} says, it is not here")
    names = [name for name in CASES if not options.only or name.startswith(tuple(options.only))]
    # The long ones begin first.
    names.sort(key=lambda name: not CASES[name].heavy)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="check-archives.") as work:
        work = os.path.realpath(options.folder or work)
        for part in ("in", "out"):
            shutil.rmtree(os.path.join(work, part), ignore_errors=True)
            os.makedirs(os.path.join(work, part))
        with open(os.path.join(work, "in", "plain.ipa"), "wb") as file:
            file.write(made(CASES["plain"])[0])
        slowest, largest = (0, ""), (0, "")
        with concurrent.futures.ProcessPoolExecutor(
                options.jobs, initializer=_begin, initargs=(options.binary, work, absent)) as pool:
            for name, checks, (seconds, kilobytes) in pool.map(_check, names):
                for check_name, problems in checks:
                    tally.check(check_name, problems)
                slowest, largest = max(slowest, (seconds, name)), max(largest, (kilobytes, name))
        if "java" not in absent:
            _java(tally, names, work)
    prepared = sum(CASES[name].prepared for name in names)
    tally.note(f"{prepared} archives prepared, {len(names) - prepared} refused, in "
               f"{time.monotonic() - begin:.0f} s")
    tally.note(f"slowest: {slowest[0] * 1000:.0f} ms, {slowest[1]}")
    tally.note(f"largest: {largest[0] / 1024:.1f} MB, {largest[1]}")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
