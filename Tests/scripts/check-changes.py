#!/usr/bin/env python3
"""Prepares an app, changes one thing in it, and sees that `verify --before` and `diff` name it.

Each row of CHANGES is one edit of the prepared archive, made by Python's zipfile, with what the finding
must mention. What is no change (another time, another compression, another plist format) must pass.
"""

import argparse
import hashlib
import json
import os
import plistlib
import struct
import sys
import tempfile
import zipfile
import zlib
from dataclasses import dataclass, replace

from checklib.tally import Tally
from checklib.tool import Tool, leaks, status_problems

APP = "Payload/Demo.app"
FILE, FOLDER, LINK = 0o100000, 0o040000, 0o120000


@dataclass(frozen=True)
class Entry:
    """One member of an archive; None for bits that the archive does not tell."""

    name: str
    data: bytes = b""
    mode: int = FILE | 0o644
    method: int = zipfile.ZIP_DEFLATED
    date: tuple = (2026, 1, 2, 3, 4, 6)
    extra: bytes = b""


def plist(values, binary=False):
    return plistlib.dumps(
        values, fmt=plistlib.FMT_BINARY if binary else plistlib.FMT_XML, sort_keys=False)


def original(binary):
    bundle = {"CFBundleIdentifier": "com.example.demo", "CFBundleExecutable": "Demo",
              "CFBundleShortVersionString": "1.0", "CFBundleVersion": "1",
              "CFBundlePackageType": "APPL"}
    extension = dict(bundle, CFBundleIdentifier="com.example.demo.share",
                     CFBundleExecutable="Share", CFBundlePackageType="XPC!")
    kit = dict(bundle, CFBundleIdentifier="org.example.kit", CFBundleExecutable="Kit",
               CFBundlePackageType="FMWK")
    return [
        Entry("Payload/", mode=FOLDER | 0o755),
        Entry(f"{APP}/", mode=FOLDER | 0o755),
        Entry(f"{APP}/Demo", b"code " * 4000, FILE | 0o755),
        Entry(f"{APP}/Info.plist", plist(bundle, binary)),
        Entry(f"{APP}/Stored.bin", bytes(range(256)) * 40, method=zipfile.ZIP_STORED),
        Entry(f"{APP}/Settings.plist", plist({"a": 1, "b": {"c": [1, 2]}}, binary)),
        Entry(f"{APP}/de.lproj/InfoPlist.strings", b'CFBundleName = "Vorf\xc3\xbchrung";\n'),
        Entry(f"{APP}/Frameworks/Kit.framework/Info.plist", plist(kit)),
        Entry(f"{APP}/Frameworks/Kit.framework/Kit", b"kit " * 900, FILE | 0o755),
        Entry(f"{APP}/PlugIns/Share.appex/Info.plist", plist(extension)),
        Entry(f"{APP}/PlugIns/Share.appex/Share", b"share " * 700, FILE | 0o755),
        Entry(f"{APP}/link", b"Settings.plist", LINK | 0o777),
        Entry("iTunesMetadata.plist", plist({"itemName": "Demo"})),
    ]


def write(path, entries):
    with zipfile.ZipFile(path, "w") as archive:
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, entry.date)
            info.create_system = 3
            info.external_attr = entry.mode << 16
            info.compress_type = entry.method
            info.extra = entry.extra
            archive.writestr(info, entry.data)


def read(path):
    with zipfile.ZipFile(path) as archive:
        return [
            Entry(info.filename, archive.read(info), info.external_attr >> 16, info.compress_type,
                  info.date_time)
            for info in archive.infolist()
        ]


def edited(entries, name, **values):
    """The entries with something of one of them replaced; a function is given the old value."""
    result = []
    for entry in entries:
        if entry.name == name:
            new = {key: value(getattr(entry, key)) if callable(value) else value
                   for key, value in values.items()}
            entry = replace(entry, **new)
        result.append(entry)
    return result


def same_checksum(data):
    """Other bytes of the same length and CRC-32: the first byte is changed, the last four make up for it."""
    reverse = {}
    steps = []
    for n in range(256):
        value = n
        for _ in range(8):
            value = (value >> 1) ^ (0xEDB88320 if value & 1 else 0)
        steps.append(value)
        reverse[value >> 24] = n
    head = bytes([data[0] ^ 1]) + data[1:-4]
    wanted = zlib.crc32(data) ^ 0xFFFFFFFF
    now = zlib.crc32(head) ^ 0xFFFFFFFF
    # Walk back from the wanted register over four bytes, then forward to see which bytes do it.
    indices = []
    register = wanted
    for _ in range(4):
        index = reverse[register >> 24]
        indices.append(index)
        register = ((register ^ steps[index]) << 8) & 0xFFFFFFFF
    tail = bytearray()
    for index in reversed(indices):
        tail.append((now & 0xFF) ^ index)
        now = (now >> 8) ^ steps[index]
    forged = head + bytes(tail)
    assert zlib.crc32(forged) == zlib.crc32(data) and len(forged) == len(data) and forged != data
    return forged


def with_key(data, path, value):
    values = plistlib.loads(data)
    place = values
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return plist(values, data.startswith(b"bplist"))


def unicode_path(name):
    """The extra field that gives the executable another name, as Info-ZIP's unzip takes it."""
    crc = zlib.crc32(f"{APP}/Demo".encode())
    return struct.pack("<HHBI", 0x7075, 5 + len(name), 1, crc) + name.encode()


def without(entries, name):
    return [entry for entry in entries if entry.name != name]


def swapped(entries):
    result = list(entries)
    result[4], result[8] = result[8], result[4]
    return result


def renamed_app(entries):
    return [replace(entry, name=entry.name.replace(APP, "Payload/Other.app")) for entry in entries]


def bare(entries):
    """Without entries for folders, as many archives have none."""
    return [entry for entry in entries if not entry.name.endswith("/")]


# A name, the edit of the prepared app, and what a finding or line must mention.
CHANGES = [
    ("a byte of the executable", lambda e: edited(e, f"{APP}/Demo", data=lambda d: b"C" + d[1:]),
     [f"{APP}/Demo", "20000 bytes", "SHA-256"]),
    ("a longer executable", lambda e: edited(e, f"{APP}/Demo", data=lambda d: d + b"x"),
     [f"{APP}/Demo", "20000 -> 20001 bytes", "SHA-256"]),
    ("a stored file", lambda e: edited(e, f"{APP}/Stored.bin", data=lambda d: d[:-1] + b"x"),
     [f"{APP}/Stored.bin", "10240 bytes"]),
    ("a stored file with the same CRC-32", lambda e: edited(e, f"{APP}/Stored.bin", data=same_checksum),
     [f"{APP}/Stored.bin", "SHA-256"]),
    ("a packed file with the same CRC-32", lambda e: edited(e, f"{APP}/Demo", data=same_checksum),
     [f"{APP}/Demo", "SHA-256"]),
    ("a file that is empty now", lambda e: edited(e, f"{APP}/Stored.bin", data=b""),
     [f"{APP}/Stored.bin", "10240 -> 0 bytes"]),
    ("a key of another plist",
     lambda e: edited(e, f"{APP}/Settings.plist", data=lambda d: with_key(d, ["b", "c"], [1])),
     [f"{APP}/Settings.plist", "remove /b/c/1"]),
    ("a key of a nested Info.plist",
     lambda e: edited(e, f"{APP}/PlugIns/Share.appex/Info.plist",
                      data=lambda d: with_key(d, ["NSExtension"], {})),
     ["Share.appex/Info.plist", "add /NSExtension"]),
    ("a plist outside the app",
     lambda e: edited(e, "iTunesMetadata.plist", data=lambda d: with_key(d, ["itemName"], "X")),
     ["iTunesMetadata.plist", "replace /itemName"]),
    ("a nested plist that is none now", lambda e: edited(e, f"{APP}/Settings.plist", data=b"{"),
     [f"{APP}/Settings.plist", "SHA-256"]),
    ("a translation",
     lambda e: edited(e, f"{APP}/de.lproj/InfoPlist.strings", data=b'CFBundleName = "Demo";\n'),
     ["de.lproj/InfoPlist.strings", "replace /CFBundleName"]),
    ("permissions", lambda e: edited(e, f"{APP}/Stored.bin", mode=FILE | 0o600),
     [f"{APP}/Stored.bin", "0644 -> 0600"]),
    ("permissions of Info.plist", lambda e: edited(e, f"{APP}/Info.plist", mode=FILE | 0o666),
     [f"{APP}/Info.plist", "0644 -> 0666"]),
    ("a set-user-ID bit", lambda e: edited(e, f"{APP}/Demo", mode=FILE | 0o4755),
     [f"{APP}/Demo", "0755 -> 4755"]),
    ("where a link leads", lambda e: edited(e, f"{APP}/link", data=b"/etc/passwd"),
     [f"{APP}/link", "Settings.plist -> /etc/passwd"]),
    ("a file that is a link now",
     lambda e: edited(e, f"{APP}/Settings.plist", mode=LINK | 0o777, data=b"Demo"),
     [f"{APP}/Settings.plist", "a file -> a symbolic link"]),
    ("a file more", lambda e: e + [Entry(f"{APP}/evil.dylib", b"x" * 100, FILE | 0o755)],
     [f"{APP}/evil.dylib", "was added", "100 bytes"]),
    ("a file more outside the app", lambda e: e + [Entry("SwiftSupport/x", b"x")],
     ["SwiftSupport/x", "was added"]),
    ("a folder more", lambda e: e + [Entry(f"{APP}/Empty/", mode=FOLDER | 0o755)],
     [f"{APP}/Empty", "was added"]),
    ("a file less", lambda e: without(e, f"{APP}/Stored.bin"),
     [f"{APP}/Stored.bin", "is missing", "10240 bytes"]),
    ("a file renamed",
     lambda e: [replace(x, name=f"{APP}/Renamed.bin") if x.name == f"{APP}/Stored.bin" else x
                for x in e],
     [f"{APP}/Stored.bin", f"{APP}/Renamed.bin"]),
    ("a name in another case",
     lambda e: [replace(x, name=f"{APP}/stored.bin") if x.name == f"{APP}/Stored.bin" else x
                for x in e],
     [f"{APP}/Stored.bin", f"{APP}/stored.bin"]),
    ("two members exchanged", swapped, ["stands elsewhere"]),
    ("the app's folder renamed", renamed_app, ["Payload/Demo.app", "Payload/Other.app"]),
    ("another name in an extra field",
     lambda e: edited(e, f"{APP}/Demo", extra=unicode_path(f"{APP}/Evil")),
     [f"{APP}/Demo", "another name in an extra field"]),
    ("a source that is none",
     lambda e: edited(e, f"{APP}/Info.plist",
                      data=lambda d: with_key(d, ["IPAHub", "source"], "gh:x")), ["/IPAHub/source"]),
    ("a key of Info.plist",
     lambda e: edited(e, f"{APP}/Info.plist", data=lambda d: with_key(d, ["CFBundleVersion"], "2")),
     ["/CFBundleVersion"]),
    ("an app-wide setting",
     lambda e: edited(e, f"{APP}/Info.plist", data=lambda d: with_key(
         d, ["NSAppTransportSecurity", "NSAllowsArbitraryLoads"], True)),
     ["/NSAppTransportSecurity/NSAllowsArbitraryLoads"]),
    ("an exception that no URL needs",
     lambda e: edited(e, f"{APP}/Info.plist", data=lambda d: with_key(
         d, ["NSAppTransportSecurity", "NSExceptionDomains", "evil.example"],
         {"NSExceptionAllowsInsecureHTTPLoads": True})),
     ["/NSAppTransportSecurity/NSExceptionDomains/evil.example"]),
]

# What is no change: other bytes of the archive that give the same app.
SAME = [
    ("written by zipfile", lambda e: e),
    ("another time", lambda e: edited(e, f"{APP}/Demo", date=(2020, 1, 1, 0, 0, 0))),
    ("stored in place of packed", lambda e: edited(e, f"{APP}/Demo", method=zipfile.ZIP_STORED)),
    ("Info.plist in the other format",
     lambda e: edited(e, f"{APP}/Info.plist", data=lambda d: plist(
         plistlib.loads(d), not d.startswith(b"bplist")))),
    ("Info.plist with its keys in another order",
     lambda e: edited(e, f"{APP}/Info.plist", data=lambda d: plist(
         dict(reversed(plistlib.loads(d).items())), d.startswith(b"bplist")))),
]


class Checker:
    def __init__(self, tool, tally, work):
        self.tool, self.tally, self.work = tool, tally, work

    def path(self, name):
        return os.path.join(self.work, name)

    def check(self, binary):
        form = "binary" if binary else "XML"
        before = self.path("before.ipa")
        write(before, original(binary))
        prepared = self.path("prepared.ipa")
        if os.path.exists(prepared):
            os.remove(prepared)
        run = self.tool.run(self.tool.inject_arguments(before, ["-o", prepared]))
        if not self.tally.check(f"{form}: inject", status_problems(run, 0)):
            return
        entries = read(prepared)
        for name, edit in SAME:
            self.passes(f"{form}: {name}", before, edit(entries))
        for name, edit, mentions in CHANGES:
            self.names(f"{form}: {name}", before, edit(entries), mentions)
        # Without entries for folders the name of the app's folder stands in no entry of its own.
        bare_before = self.path("bare.ipa")
        write(bare_before, bare(original(binary)))
        self.passes(f"{form}: no folders", bare_before, bare(entries))
        self.names(f"{form}: no folders, the app's folder renamed", bare_before,
                   renamed_app(bare(entries)), ["Payload/Demo.app", "Payload/Other.app"])
        self.again(form, before, prepared)

    def verify(self, before, entries):
        after = self.path("after.ipa")
        write(after, entries)
        run = self.tool.run(["verify", after, "--before", before, "--json"])
        try:
            return run, json.loads(run.out)["findings"]
        except (ValueError, KeyError):
            return run, []

    def passes(self, name, before, entries):
        run, findings = self.verify(before, entries)
        problems = status_problems(run, 0) + [f["message"] for f in findings if f["level"] == "error"]
        self.tally.check(f"{name}: passes", problems)

    def names(self, name, before, entries, mentions):
        run, findings = self.verify(before, entries)
        problems = status_problems(run, 1) + leaks(run)
        told = "\n".join(f"{f['message']} {f['file']} {f['path']}" for f in findings
                         if f["rule"] == "change.unexpected" and f["level"] == "error")
        problems += [f"{text!r} is not mentioned: {told!r}" for text in mentions if text not in told]
        self.tally.check(f"{name}: verify --before names it", problems)
        run = self.tool.run(["diff", before, self.path("after.ipa")])
        text = run.out.decode("utf-8", "replace")
        problems = status_problems(run, 1) + leaks(run)
        first = mentions[0].rsplit("/", 1)[-1]
        problems += [] if first in text else [f"diff does not mention {first!r}"]
        self.tally.check(f"{name}: diff names it", problems)
        self.tally.check(f"{name}: sizes and hashes", self.hashes(before))

    def hashes(self, before):
        """What `diff --json` says of sizes and hashes, held against hashlib."""
        after = self.path("after.ipa")
        run = self.tool.run(["diff", before, after, "--json"])
        problems = leaks(run)
        contents = [{e.name.rstrip("/"): e for e in read(path)} for path in (before, after)]
        for member in json.loads(run.out)["members"]:
            for side, entries in zip(("old", "new"), contents):
                told = member[side]
                entry = entries.get(member["path"])
                if told is None or entry is None or "sha256" not in told:
                    continue
                if told["size"] != len(entry.data):
                    problems.append(f"{member['path']}: {side} has {len(entry.data)} bytes, not {told['size']}")
                if told["sha256"] not in (None, hashlib.sha256(entry.data).hexdigest()):
                    problems.append(f"{member['path']}: the hash of {side} is wrong")
                if told["sha256"] is None and member["kind"] == "contents":
                    problems.append(f"{member['path']}: {side} has no hash")
        return problems

    def again(self, form, before, prepared):
        """What the tool itself can do to a prepared app passes."""
        steps = {
            "prepared again and pruned": [
                ["inject", prepared, "-o", "{}", "--source", "gh:example/demo", "--destination",
                 "other.local", "--prune"]],
            "undone and done again": [
                ["strip", prepared, "-o", "{}"],
                self.tool.inject_arguments("{}", ["--in-place"])],
            "in XML": [self.tool.inject_arguments(
                prepared, ["-o", "{}", "--plist-format", "xml"])],
            "in binary": [self.tool.inject_arguments(
                prepared, ["-o", "{}", "--plist-format", "binary"])],
        }
        for name, commands in steps.items():
            place = self.path(f"{name.replace(' ', '-')}-{form}.ipa")
            problems = []
            for command in commands:
                run = self.tool.run([place if word == "{}" else word for word in command])
                problems += status_problems(run, 0)
            if not problems:
                problems = status_problems(self.tool.run(["verify", place, "--before", before]), 0)
            self.tally.check(f"{form}: {name} passes", problems)


def main():
    parser = argparse.ArgumentParser(
        description="Change one thing in a prepared app and see that BINARY names it.")
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--list", action="store_true", help="also print the checks that passed")
    options = parser.parse_args()
    tally = Tally(options.list)
    with tempfile.TemporaryDirectory(prefix="check-changes.") as work:
        home = os.path.join(work, "home")
        os.mkdir(home)
        checker = Checker(Tool(options.binary, home), tally, work)
        for binary in (False, True):
            checker.check(binary)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
