#!/usr/bin/env python3
"""Runs acceptance cases and holds the result against Tests/acceptance.expected.

    check-acceptance.py BINARY RUNNER [--update]

Every check that the file lists must pass. One that passes without being listed is named, so that it gets
listed; one that fails without being listed is not there yet. --update writes the file.
"""
import argparse
import os
import re
import subprocess
import sys

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "acceptance.expected")
LINE = re.compile(r"^(ok  |FAIL) (A\d+ .*)$")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("runner")
    parser.add_argument("--update", action="store_true", help="write the file from this run")
    options = parser.parse_args()
    run = subprocess.run([sys.executable, "-B", options.runner, options.binary, "--list"],
                         stdout=subprocess.PIPE, text=True)
    results = [m.groups() for m in map(LINE.match, run.stdout.splitlines()) if m]
    passing = [name for mark, name in results if mark == "ok  "]
    if options.update:
        with open(EXPECTED, "w", encoding="utf-8") as file:
            file.write("".join(name + "\n" for name in passing))
    with open(EXPECTED, encoding="utf-8") as file:
        expected = file.read().splitlines()
    broken = [name for name in expected if name not in passing]
    for name in broken:
        print("FAIL", name)
        start = run.stdout.find("FAIL " + name)
        for line in run.stdout[start:].splitlines()[1:] if start >= 0 else ["     did not run"]:
            if not line.startswith("     "):
                break
            print(line)
    for name in passing:
        if name not in expected:
            print("passes and is not listed:", name)
    print("%d acceptance checks pass, %d are not there yet" % (len(passing), len(results) - len(passing)))
    print("%d passed, %d failed" % (len(expected) - len(broken), len(broken)))
    return 1 if broken or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
