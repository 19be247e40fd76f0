"""Fails one system call after the other, by strace: every call of a run that touches its files.

A run is traced once. For a call on the trial's folder, the run is repeated, and that call answers with
an error, or a read with the end of the file. Of calls that are alike (same name, same side, same flags) the
first and the last are failed, or all where that is asked for.
"""

import os
import re
import shutil
import subprocess
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor

from .trials import SCENARIOS

# `wanted` names how the run must end: "any" (refused or done), or "done".
Fault = namedtuple("Fault", "text wanted")
Call = namedtuple("Call", "name number line")


def fails(error):
    return Fault(f"error={error}", "any")


INTERRUPTED = Fault("error=EINTR", "done")
FAULTS = {
    "openat": (fails("EIO"), fails("EMFILE"), INTERRUPTED),
    "pread64": (fails("EIO"), Fault("retval=0", "any"), INTERRUPTED),
    "read": (fails("EIO"),),
    "pwrite64": (fails("ENOSPC"), fails("EIO"), INTERRUPTED),
    "write": (fails("ENOSPC"), fails("EIO"), INTERRUPTED),
    "pwritev": (fails("ENOSPC"),),
    "writev": (fails("ENOSPC"),),
    "copy_file_range": (fails("ENOSPC"), fails("EIO")),
    "sendfile": (fails("ENOSPC"),),
    "fallocate": (fails("ENOSPC"),),
    "ioctl": (fails("EOPNOTSUPP"), fails("EIO")),
    "fsync": (fails("EIO"), INTERRUPTED),
    "fdatasync": (fails("EIO"),),
    "syncfs": (fails("EIO"),),
    "ftruncate": (fails("EIO"), INTERRUPTED),
    "fchmod": (fails("EPERM"),),
    "fchmodat": (fails("EPERM"),),
    "fchown": (fails("EPERM"),),
    "fcntl": (fails("EMFILE"),),
    "flock": (fails("EAGAIN"), fails("ENOLCK")),
    "linkat": (fails("EIO"), fails("EMLINK")),
    "renameat": (fails("EIO"),),
    "renameat2": (fails("EIO"), fails("EINVAL")),
    "rename": (fails("EIO"),),
    "mkdir": (fails("ENOSPC"),),
    "mkdirat": (fails("ENOSPC"),),
    "symlinkat": (fails("ENOSPC"),),
    "unlinkat": (fails("EIO"),),
    "rmdir": (fails("EIO"),),
    "utimensat": (fails("EIO"),),
    "getdents64": (fails("EIO"),),
    "readlinkat": (fails("EIO"),),
    "readlink": (fails("EIO"),),
    "getcwd": (fails("EIO"),),
    "statx": (fails("EIO"),),
    "newfstatat": (fails("EIO"),),
    "fstat": (fails("EIO"),),
    "fstatfs": (fails("EIO"),),
    "access": (fails("EACCES"),),
    "faccessat2": (fails("EACCES"),),
    "fgetxattr": (fails("EIO"),),
    "flistxattr": (fails("EIO"),),
    "fsetxattr": (fails("ENOSPC"), fails("EOPNOTSUPP")),
    "fremovexattr": (fails("EIO"), fails("EOPNOTSUPP")),
    "lseek": (fails("EIO"),),
    "close": (fails("EIO"),),
}
# Where such a call fails, what was to be removed stays.
REMOVALS = {"unlinkat", "unlink", "rmdir"}
LINE = re.compile(r"(?:\d+ +)?(\w+)\((.*)")
# What differs between calls that are alike: which file of the input or the output, numbers, results.
VARYING = (
    (re.compile(r"\d*[<\"][^<>\"]*/(in|out)(/[^<>\"]*)?[>\"](\(deleted\))?"), r"\1"),
    (re.compile(r"\"[^\"]*\"|\.ipa-inject-\w+|\{.*?\}|= .*$|\b\d+\b"), ""),
)
NAMELESS = "O_TMPFILE"


def is_available(work):
    """Whether strace is there and may trace."""
    if shutil.which("strace") is None:
        return False
    command = ["strace", "-o", os.path.join(work, "none"), "-e", "trace=none", "true"]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def chosen(calls):
    """Of calls that are alike the first and the last."""
    groups = {}
    for call in calls:
        kind = call.line
        for pattern, kept in VARYING:
            kind = pattern.sub(kept, kind)
        groups.setdefault(kind, []).append(call)
    return [
        group[index] for group in groups.values()
        for index in sorted({0, len(group) - 1})
    ]


class Injector:
    def __init__(self, trials, takes_all):
        self.trials, self.takes_all = trials, takes_all
        self.unknown = Counter()

    def calls(self, scenario, extra=()):
        """The calls of a run that name the trial's folder, each with its number among its name's."""
        lines, folder = self.trials.traced(scenario, "%file,%desc", extra)
        return self.on_folder(lines, folder)

    def on_folder(self, lines, folder):
        counts, found, names = Counter(), [], ("." + "ipa-inject-", folder)
        for line in lines:
            match = LINE.match(line)
            if match is None:
                continue
            name, rest = match.groups()
            counts[name] += 1
            # The output's file is not in the folder where it has no name, but strace shows its place.
            if name == "execve" or not any(part in rest for part in names):
                continue
            if name in FAULTS:
                found.append(Call(name, counts[name], line))
            else:
                self.unknown[name] += 1
        return found

    def inject(self, scenario, call, fault, extra=()):
        number = f"inject={call.name}:{fault.text}:when={call.number}"
        prefix = ["strace", "-qq", "-o", os.devnull, "-e", f"trace={call.name}", *extra, "-e", number]
        outcome = self.trials.run(scenario, prefix)
        if fault.wanted == "done":
            statuses = ()
        elif call.name in ("openat", "pread64", "read", "newfstatat", "fstat", "getdents64"):
            # What cannot be seen of the input may also make it look malformed, or absent.
            statuses = (65, 66, 73, 74)
        else:
            statuses = (66, 73, 74)
        name = f"{scenario.name}: {call.name} {call.number} {fault.text}"
        self.trials.check(
            name, scenario, outcome, statuses, may_leave=call.name in REMOVALS
        )
        return outcome.status

    def check(self, scenario, extra=(), only=None, label=""):
        """Every call of a scenario, with every fault that it knows."""
        if self.trials.after(scenario) is None:
            return
        calls = self.calls(scenario, extra)
        work = [
            (call, fault) for call in (calls if self.takes_all else chosen(calls))
            if only is None or call.name in only for fault in FAULTS[call.name]
        ]
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            statuses = list(pool.map(
                lambda pair: self.inject(scenario, *pair, extra=extra), work
            ))
        done = statuses.count(0)
        self.trials.tally.note(
            f"{scenario.name}{label}: {len(work)} faults, {done} survived, {len(work) - done} refused"
        )
        if not work:
            self.trials.tally.check(f"{scenario.name}: calls were found", ["none"])


def check_all(trials, takes_all):
    injector = Injector(trials, takes_all)
    for scenario in SCENARIOS:
        injector.check(scenario)
    check_named(injector)
    if injector.unknown:
        names = ", ".join(sorted(injector.unknown))
        trials.tally.note(f"calls on the files that were not failed: {names}")


def check_named(injector):
    """The same where the file system has no files without a name, so that a hidden one is made."""
    for scenario in SCENARIOS[:3]:
        first = [call for call in injector.calls(scenario) if NAMELESS in call.line]
        if not first:
            injector.trials.tally.note(f"{scenario.name}: makes no file without a name")
            continue
        number = f"inject=openat:error=EOPNOTSUPP:when={first[0].number}"
        injector.check(
            scenario, ("-e", number), only=set(FAULTS) - {"openat"}, label=" with a hidden name"
        )
