#!/usr/bin/env python3
"""Interrupts `inject` at many moments: what has a name must be whole, the old one or the new one.

    check-interruption.py BINARY [--rounds N] [--megabytes N] [--in DIR] [--seed N] [--strict]

Makes archives whose Info.plist is the first, a middle or the last member, measures a full run of each,
then sends SIGKILL and SIGTERM, N times each, at moments spread over that time. Then SIGKILL, N times each,
where an archive or a folder goes to a new output or over one that is there: with N = 20 it is 100 times in all.
Then SIGTERM and SIGINT for an app folder that is copied, and copied over another one. Also measures the peak
of memory of a full run and the time of `--version`. Closes with 'N passed, N failed'.
"""

import argparse
import hashlib
import os
import plistlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter, namedtuple

from checklib.tally import Tally
from checklib.tool import Tool, hear_interrupts
from checklib.trials import SCENARIOS, Trials, without_hidden

PLACES = ("first", "middle", "last")
MEMORY_LIMIT, START_LIMIT = 40 << 20, 0.010
BLOCK = 1 << 20
KILLED = ("archive to archive", "archive over archive", "folder to folder", "folder over folder")

Finished = namedtuple("Finished", "status said seconds memory")
Original = namedtuple("Original", "path old new seconds")


def make_archive(path, megabytes, place, seed):
    """Random bytes, which nothing packs: members of 4 MB, stored and deflated in turn."""
    source = random.Random(seed)
    plist = plistlib.dumps({
        "CFBundleExecutable": "Big", "CFBundleIdentifier": "com.example.big",
        "CFBundleName": "Big", "CFBundlePackageType": "APPL", "CFBundleVersion": "1",
        "CFBundleShortVersionString": "1.0", "MinimumOSVersion": "15.0",
        "CFBundleSupportedPlatforms": ["iPhoneOS"],
    }, sort_keys=False)
    sizes = [min(4, megabytes - begun) for begun in range(0, megabytes, 4)]
    names = [f"part{index:03d}.bin" for index in range(len(sizes))]
    order = list(zip(names, sizes))
    where = {"first": 0, "middle": len(order) // 2, "last": len(order)}[place]
    order.insert(where, ("Info.plist", 0))
    with zipfile.ZipFile(path, "w") as archive:
        for index, (name, size) in enumerate(order):
            item = zipfile.ZipInfo(f"Payload/Big.app/{name}", (2026, 1, 1, 0, 0, 0))
            item.external_attr = 0o100644 << 16
            item.compress_type = zipfile.ZIP_DEFLATED if index % 2 else zipfile.ZIP_STORED
            if name == "Info.plist":
                archive.writestr(item, plist, zipfile.ZIP_DEFLATED)
                continue
            with archive.open(item, "w") as member:
                for _ in range(size):
                    member.write(source.randbytes(BLOCK))


def sha256(path):
    """None where there is no such file."""
    if not os.path.isfile(path):
        return None
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(BLOCK), b""):
            digest.update(block)
    return digest.hexdigest()


def has_unnamed_files(folder):
    """Whether the file system can make files that have no name until they are done."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None:
        return False
    try:
        os.close(os.open(folder, flag | os.O_RDWR, 0o600))
    except OSError:
        return False
    return True


class Trial:
    def __init__(self, tool, tally, work):
        self.tool, self.tally, self.work = tool, tally, work
        self.count = 0

    def start(self, path, errors=subprocess.DEVNULL, where=("--in-place",)):
        quiet = subprocess.DEVNULL
        command = [self.tool.binary, *self.tool.inject_arguments(path, where)]
        return subprocess.Popen(
            command, stdin=quiet, stdout=quiet, stderr=errors, cwd=self.work,
            env=self.tool.environment,
        )

    def full_run(self, original):
        """One run to its end, on a copy. Returns what it took and the digest of the result."""
        folder, victim = self.copy(original)
        with tempfile.TemporaryFile() as errors:
            begun = time.monotonic()
            process = self.start(victim, errors)
            _, code, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - begun
            process.returncode = os.waitstatus_to_exitcode(code)
            errors.seek(0)
            said = errors.read(200).decode("utf-8", "replace").strip()
        # Linux counts in KiB, Darwin in bytes.
        memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        digest = sha256(victim)
        left = [name for name in os.listdir(folder) if name != os.path.basename(victim)]
        shutil.rmtree(folder)
        return Finished(process.returncode, said, seconds, memory), digest, left

    def copy(self, original):
        self.count += 1
        folder = os.path.join(self.work, f"run{self.count:04d}")
        os.mkdir(folder)
        victim = os.path.join(folder, "Big.ipa")
        shutil.copyfile(original, victim)
        return folder, victim

    def measure(self, place, path):
        """Two full runs: both must succeed and agree. None if that fails, for nothing can be told then."""
        old = sha256(path)
        first, new, left = self.full_run(path)
        second, again, _ = self.full_run(path)
        problems = [f"exit status {run.status} ({run.said})" for run in (first, second) if run.status]
        if new in (old, None):
            problems.append("the file did not change" if new else "the file is gone")
        if new != again:
            problems.append("two runs of the same command gave different files")
        problems += [f"{name} was left" for name in left]
        if not self.tally.check(f"full run, Info.plist {place}", problems):
            return None
        megabytes = max(first.memory, second.memory) / (1 << 20)
        # A child's peak counts from the fork, so that it is never less than this script's own.
        over = [] if megabytes <= MEMORY_LIMIT / (1 << 20) else [f"{megabytes:.1f} MB, limit 40"]
        self.tally.check(f"peak of memory, Info.plist {place}", over)
        seconds = max(first.seconds, second.seconds)
        self.tally.note(
            f"full run, Info.plist {place}: {seconds:.3f} s, at most {megabytes:.1f} MB of memory"
        )
        return Original(path, old, new, seconds)

    def interrupt(self, name, number, original, delay):
        """One interrupted run: its exit status, whether the file is old or new, what else is there."""
        folder, victim = self.copy(original.path)
        process = self.start(victim)
        time.sleep(delay)
        process.send_signal(number)
        try:
            code = process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        state = {original.old: "old", original.new: "new"}.get(sha256(victim), "damaged")
        left = sorted(entry for entry in os.listdir(folder) if entry != os.path.basename(victim))
        if number == signal.SIGKILL:
            # Between two calls the whole new file has a hidden name, from which it is renamed.
            left = [name for name in left if sha256(os.path.join(folder, name)) != original.new]
        shutil.rmtree(folder)
        whole = [] if state != "damaged" else [f"after {delay:.4f} s the file is neither old nor new"]
        self.tally.check(f"{name}: whole file", whole)
        return code, state, left


def moments(count, seconds, source):
    """One moment in each of `count` equal parts of a run, in no order."""
    part = seconds / count
    delays = [part * (index + source.random()) for index in range(count)]
    source.shuffle(delays)
    return delays


def check_signal(trial, number, originals, rounds, source, unnamed):
    label = signal.Signals(number).name
    states, left_over, hit = Counter(), [], 0
    per_place = [rounds // len(originals) + (index < rounds % len(originals))
                 for index in range(len(originals))]
    for original, share in zip(originals, per_place):
        for delay in moments(share, original.seconds, source):
            name = f"{label} after {delay:.3f} s"
            code, state, left = trial.interrupt(name, number, original, delay)
            states[state] += 1
            left_over += left
            hit += code != 0
            if number == signal.SIGKILL:
                wrong = [] if code in (0, -signal.SIGKILL) else [f"exit status {code}"]
            else:
                # A shell shows 143 for both: the tool's own exit, and an end by the signal itself.
                wrong = [] if code in (0, 143, -signal.SIGTERM) else [f"exit status {code}, not 143"]
                wrong += [f"{entry} was left" for entry in left]
            if code == 0 and state == "old":
                wrong.append("exit status 0, but the file is the old one")
            trial.tally.check(f"{name}: end", wrong)
    trial.tally.check(f"{label}: some runs were interrupted", [] if hit else ["all had ended before"])
    trial.tally.note(
        f"{label}: {rounds} runs, {hit} interrupted, {states['old']} old, {states['new']} new, "
        f"{len(left_over)} files left over"
    )
    if number == signal.SIGKILL:
        bad = [f"{entry} was left" for entry in left_over] if unnamed else []
        trial.tally.check(f"{label}: nothing left over", bad)
        if left_over and not unnamed:
            trial.tally.note("the file system has no unnamed files, so that some may be left over")


def make_folder(path, files):
    """An app of many small files, so that a copy takes a while and has much to leave behind."""
    os.makedirs(path)
    with open(os.path.join(path, "Info.plist"), "wb") as file:
        file.write(plistlib.dumps({"CFBundleIdentifier": "com.example.many", "CFBundleName": "Many"}))
    for index in range(files):
        folder = os.path.join(path, f"part{index // 100:02d}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"{index}.txt"), "w", encoding="ascii") as file:
            file.write(str(index))


def tree(path):
    """The files below a path with their bytes; None where there is nothing."""
    if not os.path.isdir(path):
        return None
    found = {}
    for base, _, files in os.walk(path):
        for name in files:
            with open(os.path.join(base, name), "rb") as file:
                found[os.path.relpath(os.path.join(base, name), path)] = file.read()
    return found


def check_kills(trials, rounds, source, unnamed):
    """SIGKILL while there is another output than the input itself."""
    for scenario in SCENARIOS:
        if scenario.name not in KILLED:
            continue
        begun = time.monotonic()
        trials.run(scenario)
        seconds = time.monotonic() - begun
        before, after = trials.before(scenario), trials.after(scenario)
        if after is None:
            continue
        whole, hit, left_over = {content for _, content in after.values()}, 0, 0
        for delay in moments(rounds, seconds, source):
            folder = trials.folder(scenario)
            process = trials.start(scenario, folder)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            outcome = trials.finish(process, folder)
            named = without_hidden(outcome.state)
            wrong = [] if named in (before, after) else ["what has a name is neither old nor new"]
            left = outcome.state.keys() - named.keys()
            if unnamed and "folder" not in scenario.name:
                wrong += [f"{path} was left" for path in left if outcome.state[path][1] not in whole]
            if outcome.status == 0 and named != after:
                wrong.append("exit status 0, but it is not the new state")
            trials.tally.check(f"{scenario.name}, SIGKILL after {delay:.4f} s", wrong)
            hit, left_over = hit + (outcome.status != 0), left_over + bool(left)
        trials.tally.check(f"{scenario.name}: some were killed", [] if hit else ["all had ended before"])
        trials.tally.note(f"{scenario.name}: {rounds} runs, {hit} killed, {left_over} left something")


def check_folder_output(trial, rounds, source):
    """A folder output that is interrupted: the old state or the new one, and nothing half made."""
    original = os.path.join(trial.work, "Many.app")
    make_folder(original, 300)
    for name, replacing in (("new folder", False), ("replaced folder", True)):
        hit, seconds, new = 0, None, None
        for index in range(rounds + 1):
            trial.count += 1
            folder = os.path.join(trial.work, f"run{trial.count:04d}")
            os.mkdir(folder)
            output = os.path.join(folder, "Out.app")
            if replacing:
                make_folder(output, 50)
            old = tree(output)
            where = ["-o", output, *(["--force"] if replacing else [])]
            process = trial.start(original, where=where)
            begun, number = time.monotonic(), (signal.SIGTERM, signal.SIGINT)[index % 2]
            if index > 0:
                time.sleep(seconds * (index - 1 + source.random()) / rounds)
                process.send_signal(number)
            code = process.wait(timeout=60)
            if index == 0:
                seconds, new = time.monotonic() - begun, tree(output)
            hit += code != 0
            state = tree(output)
            problems = [] if state in (old, new) else ["the output is neither the old one nor the new one"]
            problems += [f"{entry} was left" for entry in os.listdir(folder) if entry != "Out.app"]
            if code not in (0, 128 + number, -number) or (index == 0 and code != 0):
                problems.append(f"exit status {code}")
            trial.tally.check(f"{name}, run {index}", problems)
            shutil.rmtree(folder)
        trial.tally.check(f"{name}: some runs were interrupted", [] if hit else ["all had ended before"])
        trial.tally.note(f"{name}: {rounds} runs, {hit} interrupted")


def check_start(tool, tally, strict):
    """The time of --version, the median of 20."""
    times, problems = [], []
    for _ in range(20):
        begun = time.monotonic()
        run = tool.run(["--version"])
        times.append(time.monotonic() - begun)
        if run.status != 0 or not run.out:
            problems = [f"exit status {run.status}, {len(run.out)} bytes"]
    median = statistics.median(times)
    tally.note(f"--version: {median * 1000:.1f} ms")
    if strict and median > START_LIMIT:
        problems.append(f"{median * 1000:.1f} ms, limit 10")
    tally.check("--version", problems)


def main():
    parser = argparse.ArgumentParser(
        description="Interrupt `inject` at many moments and look at what is left."
    )
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--rounds", type=int, default=20, help="runs a signal (default: %(default)s)")
    parser.add_argument("--megabytes", type=int, default=24, help="size (default: %(default)s)")
    parser.add_argument("--in", dest="place", metavar="DIR", help="where to work, to choose a file system")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: %(default)s)")
    parser.add_argument("--strict", action="store_true", help="fail if --version takes over 10 ms")
    options = parser.parse_args()
    hear_interrupts()
    if not os.access(options.binary, os.X_OK) or os.path.isdir(options.binary):
        parser.error(f"{options.binary} is no program")
    if options.place is not None and not os.path.isdir(options.place):
        parser.error(f"{options.place} is no folder")
    if options.rounds < 1 or options.megabytes < 1:
        parser.error("--rounds and --megabytes are at least 1")

    tally = Tally()
    place = os.path.abspath(options.place) if options.place else None
    with tempfile.TemporaryDirectory(prefix="check-interruption.", dir=place) as work:
        tool = Tool(options.binary, work)
        # The same bytes from every run, so that a file can be told to be the new one.
        tool.environment["SOURCE_DATE_EPOCH"] = "1767225600"
        check_start(tool, tally, options.strict)
        trial, originals = Trial(tool, tally, work), []
        for place in PLACES:
            path = os.path.join(work, f"{place}.ipa")
            make_archive(path, options.megabytes, place, options.seed)
            measured = trial.measure(place, path)
            if measured is not None:
                originals.append(measured)
        unnamed, source = has_unnamed_files(work), random.Random(options.seed)
        for number in (signal.SIGKILL, signal.SIGTERM) if originals else ():
            check_signal(trial, number, originals, options.rounds, source, unnamed)
        trials = Trials(tool, tally, work, options.megabytes << 20)
        check_kills(trials, options.rounds, source, unnamed)
        check_folder_output(trial, options.rounds, source)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
