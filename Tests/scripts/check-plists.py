#!/usr/bin/env python3
"""Runs the tool's property-list commands on hostile files and on those of other projects.

usage: check-plists.py BINARY

Each file is linted and converted to XML, each time by a process of its own. Whatever the file holds,
the process must end by itself, within 5 s, with a status of the table in the README, with one line
for an error, and with a peak of no more than 64 MB. The files are those of Tests/PlistKitTests, those
of ../shared/plists where that is there, and some that are made here. The slowest and the largest run
are printed. Closes with 'N passed, N failed'.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_SECONDS = 5
MOST_KILOBYTES = 64 * 1024
STATUSES = {"lint": {0, 1}, "convert": {0, 65}}


def nested_xml(levels):
    return b"<plist>" + b"<array>" * levels + b"</array>" * levels + b"</plist>"


def nested_binary(levels):
    """Arrays of one item each, the next array."""
    objects = b"".join(b"\xa1" + (index + 1).to_bytes(4, "big") for index in range(levels - 1)) + b"\xa0"
    offsets = b"".join((8 + 5 * index).to_bytes(4, "big") for index in range(levels))
    trailer = bytes([0] * 6 + [4, 4]) + b"".join(
        number.to_bytes(8, "big") for number in (levels, 0, 8 + len(objects)))
    return b"bplist00" + objects + offsets + trailer


def shared_binary(levels, times):
    """Each array holds the next one several times."""
    objects, offsets = b"", b""
    for index in range(levels):
        offsets += (8 + len(objects)).to_bytes(2, "big")
        objects += bytes([0xA0 + times]) + bytes([index + 1] * times)
    offsets += (8 + len(objects)).to_bytes(2, "big")
    objects += b"\x09"
    trailer = bytes([0] * 6 + [2, 1]) + b"".join(
        number.to_bytes(8, "big") for number in (levels + 1, 0, 8 + len(objects)))
    return b"bplist00" + objects + offsets + trailer


def long_string(length):
    """A string that claims so many bytes, in a file of 60."""
    objects = b"\x5f\x13" + length.to_bytes(8, "big") + b"x" * 9
    trailer = bytes([0] * 6 + [1, 1]) + b"".join(
        number.to_bytes(8, "big") for number in (1, 0, 8 + len(objects)))
    return b"bplist00" + objects + b"\x08" + trailer


def entity_bomb():
    declared = "".join(
        f'<!ENTITY {name} "{("&" + chr(ord(name) - 1) + ";") * 10 if name > "a" else "ha"}">'
        for name in "abcdefghijkl")
    return f"<!DOCTYPE plist [{declared}]><plist><string>&l;</string></plist>".encode()


MADE = {
    "200,000 levels of XML": lambda: nested_xml(200_000),
    "200,000 levels of a binary file": lambda: nested_binary(200_000),
    "30 levels of 10 references each": lambda: shared_binary(30, 10),
    "a string of 2 GB in 60 bytes": lambda: long_string(2 << 30),
    "nested entities": entity_bomb,
    "an external entity": lambda: b'<!DOCTYPE plist [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
                                  b"<plist><string>&e;</string></plist>",
    "100,000 keys": lambda: b"<plist><dict>" + b"".join(
        b"<key>%d</key><true/>" % index for index in range(100_000)) + b"</dict></plist>",
    "comments alone": lambda: b"<plist>" + b"<!---->" * 200_000 + b"<true/></plist>",
    "a comment without end": lambda: b"<!--" + b"-" * 1_000_000,
    "open brackets of text": lambda: b"(" * 500_000,
    "open brackets of JSON": lambda: b"[" * 500_000,
}


def run(command):
    """The status, standard error, seconds, and peak in KB of a process; the status None at a timeout."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    signal.signal(signal.SIGALRM, lambda *_: process.kill())
    signal.alarm(MOST_SECONDS)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    signal.alarm(0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - start
    return process.returncode, errors.decode(errors="replace"), seconds, usage.ru_maxrss


def flaw(command, status, errors, peak):
    """What is wrong with a run, or None."""
    if status == -signal.SIGKILL:
        return f"still running after {MOST_SECONDS} s"
    if status < 0:
        return f"ended by signal {-status}"
    if status not in STATUSES[command]:
        return f"status {status}: {errors.strip()[:200]}"
    lines = [line for line in errors.splitlines() if ": error: " in line]
    if command == "convert" and status and len(lines) != 1:
        return f"{len(lines)} lines of errors"
    if peak > MOST_KILOBYTES:
        return f"a peak of {peak} KB"
    return None


def files(work):
    """The name and the path of each file."""
    for number, (name, made) in enumerate(MADE.items()):
        path = work / f"{number}.plist"
        # In a child: a process begins with the peak of the one that starts it.
        child = os.fork()
        if not child:
            path.write_bytes(made())
            os._exit(0)
        os.waitpid(child, 0)
        yield name, path
    collected = ROOT.parent / "shared" / "plists"
    for folder in ROOT / "Tests" / "PlistKitTests" / "Fixtures", collected:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".tsv" and path.name != "LICENSE":
                yield str(path.relative_to(folder)), path


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    binary = os.path.abspath(sys.argv[1])
    passed = failed = 0
    slowest, largest = (0, "", ""), (0, "", "")
    with tempfile.TemporaryDirectory() as work:
        for name, path in files(pathlib.Path(work)):
            for command, options in ("lint", []), ("convert", ["--to", "xml", "-o", "-"]):
                status, errors, seconds, peak = run(
                    [binary, "plist", command, str(path), *options])
                problem = flaw(command, status, errors, peak)
                if problem:
                    print(f"FAIL {command} of {name}: {problem}")
                    failed += 1
                else:
                    passed += 1
                slowest = max(slowest, (seconds, command, name))
                largest = max(largest, (peak, command, name))
                if name in MADE and command == "lint":
                    print(f"{name}: {seconds * 1000:.1f} ms, {peak / 1024:.1f} MB")
    print(f"slowest: {slowest[0] * 1000:.0f} ms, {slowest[1]} of {slowest[2]}")
    print(f"largest: {largest[0] / 1024:.1f} MB, {largest[1]} of {largest[2]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
