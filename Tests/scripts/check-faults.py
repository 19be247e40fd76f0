#!/usr/bin/env python3
"""Runs `inject` where something fails: nothing may be harmed, half made or left over.

    check-faults.py BINARY [--in DIR] [--only PART,…] [--all]

Parts: `calls` fails the system calls of a run that touch its files, one after the other (strace; with
`--all` also those that are alike); `disk` fills the disk at many sizes (a small tmpfs, and a limit of the file's size); `input` changes the
input while it is open; `rights` takes away the right to read or write (modes, a read-only mount).
What needs root or a program that is missing is skipped with a word. Closes with 'N passed, N failed'.
"""

import argparse
import os
import sys
import tempfile

from checklib import faults, syscalls
from checklib.tally import Tally
from checklib.tool import Tool
from checklib.trials import Trials


def check_calls(trials, takes_all):
    if syscalls.is_available(trials.work):
        syscalls.check_all(trials, takes_all)
    else:
        trials.tally.note("calls: skipped, strace is missing or may not trace")


PARTS = {
    "calls": check_calls, "disk": faults.check_disk, "input": faults.check_input,
    "rights": faults.check_rights,
}


def main():
    parser = argparse.ArgumentParser(description="Run inject where something fails.")
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--in", dest="place", metavar="DIR", help="where to work, to choose a file system")
    parser.add_argument("--only", default=",".join(PARTS), metavar="PART,…", help=", ".join(PARTS))
    parser.add_argument("--all", action="store_true", help="fail every call, in some minutes")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if not os.access(options.binary, os.X_OK) or os.path.isdir(options.binary):
        parser.error(f"{options.binary} is no program")
    if set(chosen) - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}")

    tally = Tally()
    place = os.path.realpath(options.place) if options.place else None
    with tempfile.TemporaryDirectory(prefix="check-faults.", dir=place) as work:
        # Another user looks into it too.
        os.chmod(work, 0o755)
        trials = Trials(Tool(options.binary, work), tally, work)
        for name in chosen:
            PARTS[name](trials, options.all)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
