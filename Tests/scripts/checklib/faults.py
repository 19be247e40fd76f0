"""Full disks, inputs that change while they are open, and missing rights."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from . import subjects
from .trials import SCENARIOS, differences

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
NOBODY = 65534
# How many sizes a disk is tried with, from none of the output's to all.
STEPS = 8


@contextlib.contextmanager
def mounted(trials, *arguments):
    """A mount for the time of a block; None where this user or machine may not mount."""
    place = tempfile.mkdtemp(prefix="mount.", dir=trials.work)
    try:
        done = subprocess.run(
            ["mount", *arguments, place], check=False, capture_output=True, timeout=20
        )
        is_mounted = done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        is_mounted = False
    if not is_mounted:
        os.rmdir(place)
        yield None
        return
    try:
        os.chmod(place, 0o755)
        yield place
    finally:
        unmount(place)
        os.rmdir(place)


def unmount(place):
    """A process that another thread is just starting may hold a file of it open for a moment."""
    for _ in range(100):
        if subprocess.run(["umount", place], check=False, capture_output=True).returncode == 0:
            return
        time.sleep(0.02)
    subprocess.run(["umount", "--lazy", place], check=False)


def total(state):
    """About the bytes that a folder's state takes on a disk."""
    return sum(max(len(content), 1) + 4095 & ~4095 for _, content in state.values())


def check_disk(trials, takes_all):
    """Rows run side by side: each has a disk or a limit of its own."""
    steps = STEPS * (5 if takes_all else 1)
    rows = [
        (scenario, step) for scenario in SCENARIOS if trials.after(scenario) is not None
        for step in range(steps + 1)
    ]
    with mounted(trials, "-t", "tmpfs", "tmpfs") as disk:
        can_mount = disk is not None
    kinds = [("size limit", limited), ("small disk", on_small_disk)]
    for label, run in kinds[:2 if can_mount else 1]:
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            ends = Counter(pool.map(lambda row: run(trials, *row, steps), rows))
        trials.tally.check(f"{label}: some runs were refused", [] if ends["refused"] else ["none"])
        trials.tally.check(f"{label}: some runs were done", [] if ends["done"] else ["none"])
        trials.tally.note(f"{label}: {ends['refused']} refused, {ends['done']} done")
    if not can_mount:
        trials.tally.note("small disk: skipped, no tmpfs can be mounted")


def end(outcome):
    return "done" if outcome.status == 0 else "refused"


def on_small_disk(trials, scenario, step, steps):
    """A tmpfs that has room for the input, and for more and more of the output."""
    least = total(trials.before(scenario))
    most = least + total(trials.after(scenario)) + (256 << 10)
    room = least + (most - least) * step // steps + 4095 & ~4095
    with mounted(trials, "-t", "tmpfs", "-o", f"size={room}", "tmpfs") as disk:
        try:
            folder = trials.folder(scenario, disk)
        except OSError:
            return "no room for the input"
        outcome = trials.run(scenario, folder=folder)
        trials.check(f"{scenario.name}: a disk of {room} bytes", scenario, outcome, (73, 74))
    return end(outcome)


def limited(trials, scenario, step, steps):
    """No file may become longer than so many bytes: another way to a write that fails."""
    longest = max(len(content) for _, content in trials.after(scenario).values())
    limit = longest * step // steps
    outcome = trials.run(scenario, ["prlimit", f"--fsize={limit}"])
    trials.check(f"{scenario.name}: files of {limit} bytes", scenario, outcome, (73, 74))
    return end(outcome)


# What another program does to the input while the tool has it open.

def cut_half(path):
    os.truncate(path, os.path.getsize(path) // 2)


def cut_all(path):
    os.truncate(path, 0)


def grow(path):
    with open(path, "ab") as file:
        file.write(b"more")


def overwrite(path):
    with open(path, "r+b") as file:
        file.write(b"other bytes")


def exchange(path):
    shutil.copy(path, path + ".new")
    with open(path + ".new", "ab") as file:
        file.write(b"another file")
    os.replace(path + ".new", path)


def part(state, folder):
    """What a state says of a folder of the trial's and all in it."""
    return {path: entry for path, entry in state.items() if f"{path}/".startswith(f"{folder}/")}


CHANGES = (cut_half, cut_all, grow, overwrite, exchange)


def stopped_child(tracer, trace):
    """The process that strace runs, once it has been stopped; None where it ended before."""
    until = time.monotonic() + 20
    while time.monotonic() < until and tracer.poll() is None:
        with open(trace, encoding="utf-8", errors="replace") as file:
            if "stopped by SIGSTOP" in file.read():
                with open(f"/proc/{tracer.pid}/task/{tracer.pid}/children", encoding="ascii") as file:
                    return int(file.read().split()[0])
        time.sleep(0.002)
    return None


def check_input(trials, takes_all):
    """The process is stopped at a read of the input, which then changes, and goes on."""
    if sys.platform != "linux" or shutil.which("strace") is None:
        trials.tally.note("changed input: skipped, it needs strace")
        return
    trial = ChangedInputs(trials)
    for name in ("archive to archive", "archive in place", "archive to folder"):
        scenario = BY_NAME[name]
        reads = trial.reads(scenario)
        last = max(1, len(reads) - 1)
        chosen = reads if takes_all else sorted({reads[last * part // 4] for part in range(5)})
        for number in chosen:
            for change in CHANGES:
                trial.check(scenario, number, change)
    trials.tally.note(
        f"changed input: {trial.refused} refused, {trial.done} done from the old file, "
        f"{trial.missed} ended before"
    )
    trials.tally.check("changed input: runs were stopped", [] if trial.refused else ["none"])


class ChangedInputs:
    def __init__(self, trials):
        self.trials = trials
        self.refused = self.done = self.missed = 0

    def reads(self, scenario):
        """The numbers of the reads of the input among all reads of a run."""
        lines, folder = self.trials.traced(scenario, "pread64")
        path = os.path.join(folder, "in", scenario.input)
        return [number for number, line in enumerate(lines, 1) if path in line] or [1]

    def check(self, scenario, number, change):
        folder = self.trials.folder(scenario)
        path = os.path.join(folder, "in", scenario.input)
        stop = f"inject=pread64:signal=STOP:when={number}"
        with tempfile.NamedTemporaryFile(dir=self.trials.work) as trace:
            prefix = ["strace", "-qq", "-o", trace.name, "-e", "trace=pread64", "-e", stop]
            process = self.trials.start(scenario, folder, prefix)
            child = stopped_child(process, trace.name)
        if child is not None:
            change(path)
            before = {**self.trials.before(scenario), **part(subjects.tree(folder), "in")}
            os.kill(child, signal.SIGCONT)
        outcome = self.trials.finish(process, folder)
        if child is None:
            self.missed += 1
            return
        name = f"{scenario.name}: {change.__name__} at read {number}"
        if outcome.status == 0:
            self.done += 1
            # The old file stays open where another one takes its name, so its output is whole.
            wrong = [] if change is exchange and "in place" not in scenario.name else ["no word of it"]
            wrong += differences(
                part(self.trials.of_one_form(outcome.state, scenario), "out"),
                part(self.trials.after(scenario), "out"), "a success",
            )
            self.trials.tally.check(name, wrong)
            return
        self.refused += 1
        self.trials.check(name, scenario, outcome, (65, 66, 74), before=before)


def check_rights(trials, _):
    as_root = os.geteuid() == 0
    other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if as_root else {}
    for scenario in SCENARIOS:
        if trials.after(scenario) is None:
            continue
        refuse(trials, scenario, "in" if "in place" in scenario.name else "out", 0o555, 73, other)
        refuse(trials, scenario, "in", 0o000, 66, other)
        if scenario.input == "App.app":
            # It can be listed, but what it holds cannot be looked at.
            refuse(trials, scenario, "in/App.app/A", 0o444, 66, other)
        missing = trials.folder(scenario)
        if "in place" not in scenario.name:
            shutil.rmtree(os.path.join(missing, "out"))
            before = subjects.tree(missing)
            outcome = trials.run(scenario, folder=missing)
            trials.check(f"{scenario.name}: no output folder", scenario, outcome, (73,), before=before)
        shutil.rmtree(missing)
    check_read_only(trials)


def refuse(trials, scenario, part, mode, status, other):
    """A folder of the trial, or the app in it, with a mode that forbids what must be done."""
    folder = trials.folder(scenario)
    places = [os.path.join(folder, part)]
    if scenario.name == "folder in place" and status == 73:
        places.append(os.path.join(folder, "in", scenario.input))
    for place in places:
        os.chmod(place, mode)
    process = trials.start(scenario, folder, **other)
    outcome = trials.finish(process, folder, keeps=True)
    for place in places:
        os.chmod(place, 0o755)
    state = subjects.tree(folder)
    shutil.rmtree(folder)
    trials.check(
        f"{scenario.name}: {part} with mode {mode:o}", scenario, outcome._replace(state=state), (status,)
    )


def check_read_only(trials):
    for scenario in SCENARIOS:
        if trials.after(scenario) is None:
            continue
        folder = trials.folder(scenario)
        part = os.path.join(folder, "in" if "in place" in scenario.name else "out")
        bound = subprocess.run(["mount", "--bind", part, part], check=False, capture_output=True)
        if bound.returncode != 0:
            shutil.rmtree(folder)
            trials.tally.note("read-only mount: skipped, nothing can be mounted")
            return
        try:
            subprocess.run(["mount", "-o", "remount,bind,ro", part], check=True, capture_output=True)
            outcome = trials.run(scenario, folder=folder)
        finally:
            unmount(part)
        shutil.rmtree(folder)
        trials.check(f"{scenario.name}: a read-only mount", scenario, outcome, (73,))
