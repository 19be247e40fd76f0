#!/usr/bin/env python3
"""Judges a large archive and hostile property lists: what is read, how long it takes at most, and the memory.

    check-judging.py BINARY

The large archive is sparse: 1 GB, 5,000 members. The lists hold 100,000 exception domains of every wrong
form, a key of 10 MB, containers as deep as they may be. Closes with 'N passed, N failed'.
"""

import argparse
import os
import plistlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from checklib.apps import info_plist
from checklib.tally import Tally
from checklib.tool import INSTALLATION_ID, Run, leaks

MOST_SECONDS = 10
MOST_KILOBYTES = 200_000
MOST_READ = 5_000_000
BLOCK, OVERLAP = 1 << 20, 256
Done = namedtuple("Done", "status errors peak is_there shown")
MEMBERS, LARGE = 5_000, 1_000_000_000
APP = "Payload/Large.app"
READS = "read,pread64,readv,preadv,preadv2,mmap,sendfile,copy_file_range,splice"
URL = f"http://my-mac.local:19464/api/app/{INSTALLATION_ID}/update"
PLAIN = info_plist("com.example.large", CFBundleExecutable="Large")


def large_archive(path):
    """Stored members; the executable is a hole of nearly all of the size."""
    directory = []
    plist = plistlib.dumps({
        **PLAIN, "IPAHub": {"updateURL": [URL], "source": "gh:example/demo"},
        "NSLocalNetworkUsageDescription": "Finds your Mac",
        "NSAppTransportSecurity": {"NSExceptionDomains": {
            "my-mac.local": {"NSExceptionAllowsInsecureHTTPLoads": True}}},
    })
    content = b"x" * 512
    members = [(f"{APP}/Info.plist", plist, None), (f"{APP}/Large", b"", LARGE)] + [
        (f"{APP}/Assets/item{number}.bin", content, None) for number in range(MEMBERS)
    ]
    with open(path, "wb") as file:
        for name, data, hole in members:
            size, crc, mode = hole or len(data), zlib.crc32(data), 0o100755 if hole else 0o100644
            fields = struct.pack("<HHHHIII", 0, 0, 0, 0x5C21, crc, size, size)
            encoded = name.encode()
            directory.append(
                b"PK\1\2" + struct.pack("<HH", 0x031E, 20) + fields
                + struct.pack("<HHHHHII", len(encoded), 0, 0, 0, 0, mode << 16, file.tell()) + encoded)
            file.write(b"PK\3\4" + struct.pack("<H", 20) + fields
                       + struct.pack("<HH", len(encoded), 0) + encoded + data)
            if hole:
                file.seek(hole, os.SEEK_CUR)
        start = file.tell()
        file.write(b"".join(directory))
        size = file.tell() - start
        file.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(members), len(members), size, start, 0))


def bytes_read(trace, name):
    """What the calls in a trace read of a file; a mapping counts whole. None for a call of another form."""
    total = 0
    for line in trace.splitlines():
        if name not in line or "= ?" in line or "resumed" in line:
            continue
        call = re.match(r"(?:\d+ +)?(\w+)\(", line)
        if call and call.group(1) == "mmap":
            total += int(re.search(r"mmap\([^,]+, (\d+)", line).group(1))
        elif found := re.search(r"= (\d+)$", line):
            total += int(found.group(1))
        elif not re.search(r"= -1 ", line):
            return None
    return total


def check_large(tally, binary, folder):
    path = os.path.join(folder, "large-archive.ipa")
    large_archive(path)
    tally.note(f"a sparse archive of {os.path.getsize(path):,} bytes, {MEMBERS + 2:,} members")
    for name, arguments in {
        "verify": ["verify", path], "verify --json": ["verify", path, "--json"],
        "ats": ["ats", path], "inspect": ["inspect", path],
    }.items():
        trace = os.path.join(folder, "trace")
        command = ["strace", "-f", "-y", "-e", f"trace={READS}", "-o", trace, binary, *arguments]
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
        with open(trace, encoding="utf-8", errors="replace") as file:
            read = bytes_read(file.read(), "large-archive.ipa")
        problems = [] if done.returncode == 0 else [f"status {done.returncode}: {done.stdout[-300:]}"]
        if read is None or not 0 < read < MOST_READ:
            problems.append(f"{read} bytes of the archive were read")
        if tally.check(f"{name} of the large archive", problems):
            tally.note(f"  {name} reads {read:,} bytes of it")


def deep(levels):
    value = {"NSIncludesSubdomains": True}
    for _ in range(levels):
        value = {"a": [value]}
    return value


def lists():
    """Hostile property lists by name."""
    flag = {"NSExceptionAllowsInsecureHTTPLoads": True}

    def app(settings, **more):
        return {**PLAIN, "NSAppTransportSecurity": settings, **more}

    def domains(make, count=100_000):
        return app({"NSExceptionDomains": dict(make(number) for number in range(count))})

    hub = {"updateURL": [URL.replace("my-mac", f"mac{n}") for n in range(20_000)], "source": "gh:a/b"}
    return {
        "100,000 domains": domains(lambda n: (f"h{n}.example.com", flag)),
        "100,000 domains with ports": domains(lambda n: (f"h{n}.example.com:8080", flag)),
        "100,000 domains that are no dictionaries": domains(lambda n: (f"h{n}.example.com", n)),
        "100,000 domains with a wrong flag":
            domains(lambda n: (f"h{n}.example.com", {"NSExceptionAllowsInsecureHTTPLoads": "YES"})),
        "100,000 domains with a misspelt key":
            domains(lambda n: (f"h{n}.example.com", {"NSExceptionAllowInsecureHTTPLoads": True})),
        "100,000 domains with older keys": domains(
            lambda n: (f"h{n}.example.com", {"NSTemporaryExceptionAllowsInsecureHTTPLoads": True})),
        "100,000 ranges": domains(lambda n: (f"10.{n >> 8 & 255}.{n & 255}.{n >> 16}/32", flag)),
        "100,000 keys beside the flags": app({f"NSAllowsArbitraryLoad{n}": True for n in range(100_000)}),
        "100,000 pins": app({"NSPinnedDomains": {
            f"h{n}.example.com": {"NSPinnedLeafIdentities": n} for n in range(100_000)}}),
        "20,000 update URLs without exceptions": app({}, IPAHub=hub),
        "100,000 times one update URL": app({}, IPAHub={"updateURL": [URL] * 100_000, "source": "gh:a/b"}),
        "200,000 pins that are integers": app(
            {"NSPinnedDomains": {"h.example.com": {"NSPinnedLeafIdentities": [1] * 200_000}}}),
        "20,000 update URLs and 100,000 domains": app(
            {"NSExceptionDomains": {f"mac{n}.local": {} for n in range(100_000)}}, IPAHub=hub),
        "100,000 unknown fields": app({}, IPAHub={f"k{n}": n for n in range(100_000)}),
        "a key of 10 MB": app({"NSExceptionDomains": {"a" * 10_000_000: flag}}),
        "a key of 10 MB of blanks": app({"NSExceptionDomains": {" " * 10_000_000: flag}}),
        "a key of 10 MB of dots": app({"NSExceptionDomains": {"a." * 5_000_000: flag}}),
        "a key of 10 MB beside the flags": app({"NSAllowsArbitraryLoads" * 450_000: True}),
        "a text of 10 MB for a flag": app({"NSAllowsArbitraryLoads": "Y" * 10_000_000}),
        "a URL of 10 MB": app({}, IPAHub={"updateURL": [URL + "?a=" + "b" * 10_000_000]}),
        "deep settings": app({"NSExceptionDomains": deep(200)}),
        "100,000 app-bound domains": {
            **PLAIN, "WKAppBoundDomains": [f"h{n}.example.com" for n in range(100_000)]},
    }


def blocks(file):
    """A stream in pieces that overlap by more than an ID: held whole, a long one would raise this process's peak,
    with which every process that it starts begins."""
    file.seek(0)
    last = b""
    while block := file.read(BLOCK):
        yield last + block
        last = block[-OVERLAP:]


def run(command, wanted):
    """Status, the start of the errors, the peak in KB, and whether the output holds the wanted bytes; the
    status None where it did not end in time. Also what shows of the ID."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        alarm = threading.Timer(MOST_SECONDS, process.kill)
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        code = None if process.returncode == -signal.SIGKILL else process.returncode
        is_there, shown = False, set()
        for block in blocks(output):
            is_there = is_there or wanted in block
            shown |= set(leaks(Run(code, block, b"")))
        for block in blocks(errors):
            shown |= set(leaks(Run(code, b"", block)))
        errors.seek(0)
        return Done(code, errors.read(300), usage.ru_maxrss, is_there, sorted(shown))


def flaw(done, statuses):
    if done.status is None:
        return [f"still running after {MOST_SECONDS} s"]
    found = []
    if done.status not in statuses:
        found.append(f"status {done.status}: {done.errors}")
    if done.peak > MOST_KILOBYTES:
        found.append(f"a peak of {done.peak} KB")
    return found


FORMS = {"xml": plistlib.FMT_XML, "binary": plistlib.FMT_BINARY}
ORIGINAL = "Original.plist"


def write_lists(folder):
    """Each list in both forms, and the app as it was before."""
    for name, value in {**lists(), "": PLAIN}.items():
        for suffix, form in FORMS.items():
            path = os.path.join(folder, f"{name}.{suffix}" if name else ORIGINAL)
            with open(path, "wb") as file:
                plistlib.dump(value, file, fmt=form, sort_keys=False)


def commands(path, page, original):
    return {
        ("verify", path): (1,), ("verify", path, "--json"): (1,),
        ("verify", path, "--format", "sarif"): (1,), ("verify", path, "--format", "junit"): (1,),
        ("verify", path, "--format", "github"): (1,), ("verify", path, "--html", page): (1,),
        ("verify", path, "--before", original): (1,), ("diff", original, path): (1,),
        ("ats", path, "http://h1.example.com", "https://10.0.0.1"): (0, 1),
        ("inspect", path): (0,), ("inspect", path, "--html", page): (0,),
    }


def judge(binary, folder, name):
    """What is wrong with each command on a list, by the command's words, and its peak."""
    path, page = os.path.join(folder, name), os.path.join(folder, f"{name}.html")
    found = {}
    for command, statuses in commands(path, page, os.path.join(folder, ORIGINAL)).items():
        done = run([binary, *command], b'"rule"')
        problems = flaw(done, statuses)
        if not problems and "--json" in command and not done.is_there:
            problems = ["no finding"]
        problems += done.shown
        found[f"{name}: " + " ".join(os.path.basename(word) for word in command)] = problems, done.peak
    return found


def check_lists(tally, binary, folder):
    # A process begins with the peak of the one that starts it, so another one holds the values.
    subprocess.run([sys.executable, __file__, binary, "--write", folder], check=True)
    names = sorted(name for name in os.listdir(folder) if name.endswith(tuple(FORMS)))
    peaks = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda name: judge(binary, folder, name), names):
            for label, (problems, peak) in found.items():
                tally.check(label, problems)
                peaks[label] = peak
    label = max(peaks, key=peaks.get)
    tally.note(f"the highest peak is {peaks[label]:,} KB, of {label}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--write", metavar="DIR", help=argparse.SUPPRESS)
    found = parser.parse_args()
    if found.write:
        write_lists(found.write)
        return 0
    binary, tally = os.path.abspath(found.binary), Tally()
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("strace"):
            check_large(tally, binary, folder)
        else:
            tally.note("strace is missing, so what is read is not checked")
    with tempfile.TemporaryDirectory() as folder:
        check_lists(tally, binary, folder)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
