#!/usr/bin/env python3
"""Edits random archives where blocks are shared and where they are copied, and compares what comes out.

    with-reflink -t xfs check-sharing.py BINARY [--count N] [--seed N]

Each archive is edited several times in place and to another path, once with `--reflink auto` in
REFLINK_FOLDER and once with `--reflink never`. Both must hold the same members, with the bytes of all others
as they were; zipfile must read each of them; and no row of edits may let a file grow without end.
"""
import argparse
import os
import random
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib

from checklib.tool import Tool

INFO = b"Payload/Demo.app/Info.plist"
HEAD = b"""<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.demo</string>
<key>CFBundleExecutable</key><string>Demo</string>"""


def plist(noise):
    return HEAD + b"<key>Noise</key><string>" + noise + b"</string></dict></plist>\n"


def text(chance, most):
    return bytes(chance.choices(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", k=chance.randrange(most)))


def field(identifier, data):
    return struct.pack("<HH", identifier, len(data)) + data


class RandomArchive:
    """One archive of any layout that the tool carries through."""

    def __init__(self, chance):
        self.chance = chance
        names = [INFO] + [b"Payload/Demo.app/%04d" % n for n in range(chance.randrange(12))]
        chance.shuffle(names)
        if chance.random() < 0.3:
            names.remove(INFO)
            names.insert(chance.choice([0, len(names)]), INFO)
        raw = bytearray(chance.randbytes(chance.choice([0, 0, 1, 4095, 4096, 70000])))
        records = []
        for name in names:
            records.append(self.member(raw, name))
            if chance.random() < 0.3:
                raw += bytes(chance.choice([1, 3, 500, 4096, 66000]))
        if chance.random() < 0.3:
            chance.shuffle(records)
        start = len(raw)
        raw += b"".join(records)
        self.end(raw, len(records), start)
        self.raw = bytes(raw)

    def member(self, raw, name):
        chance, offset = self.chance, len(raw)
        if name == INFO:
            data = plist(text(chance, chance.choice([10, 3000, 100000])))
        else:
            data = chance.randbytes(chance.choice([0, 1, 4000, 40000, 200000]))
        method = chance.choice([0, 8, 8])
        described = method == 8 and chance.random() < 0.4
        wide = chance.random() < 0.2
        packed = data
        if method == 8:
            packer = zlib.compressobj(chance.randrange(10), zlib.DEFLATED, -15)
            packed = packer.compress(data) + packer.flush()
        checksum = zlib.crc32(data)
        flags = 8 if described else 0
        local = (0, 0, 0) if described else (checksum, len(packed), len(data))
        extras = [field(0x5455, b"\1" + struct.pack("<I", 1700000000)), field(0x9999, chance.randbytes(5)),
                  field(0xD935, bytes(chance.randrange(50)))]
        extra = b"".join(chance.sample(extras, chance.randrange(4)))
        if wide and not described:
            extra += field(1, struct.pack("<QQ", len(data), len(packed)))
            local = (checksum, 0xFFFFFFFF, 0xFFFFFFFF)
        if chance.random() < 0.1:
            extra += b"\0" * chance.randrange(1, 4)
        raw += struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, flags, method, 0x6451, 0x58B1, *local,
                           len(name), len(extra)) + name + extra + packed
        if described:
            signature = b"PK\7\x08" if chance.random() < 0.7 else b""
            raw += signature + struct.pack(chance.choice(["<III", "<IQQ"]), checksum, len(packed), len(data))
        sizes, tail = (len(packed), len(data), offset), b""
        if wide:
            tail = field(1, struct.pack("<QQQ", len(data), len(packed), offset))
            sizes = (0xFFFFFFFF,) * 3
        comment = text(chance, 30)
        return struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0x031E, 20, flags, method, 0x6451, 0x58B1,
                           checksum, *sizes[:2], len(name), len(tail), len(comment), 0, 0, 0o100644 << 16,
                           sizes[2]) + name + tail + comment

    def end(self, raw, count, start):
        chance, size = self.chance, len(raw) - start
        if chance.random() < 0.3:
            place = len(raw)
            raw += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, size, start)
            raw += struct.pack("<IIQI", 0x07064B50, 0, place, 1)
        comment = text(chance, chance.choice([1, 60000]))
        raw += struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, len(comment)) + comment
        raw += bytes(chance.choice([0, 0, 0, 3]))


def skeleton(raw):
    """All bytes of an archive but Info.plist's own member and the values that an edit changes."""
    end = max(place for place in finds(raw, b"PK\5\6") if fits(raw, place))
    count, size, start = struct.unpack_from("<HII", raw, end + 10)
    records, at = [], start
    for _ in range(count):
        lengths = struct.unpack_from("<HHH", raw, at + 28)
        whole = 46 + sum(lengths)
        record = bytearray(raw[at:at + whole])
        offset, = struct.unpack_from("<I", record, 42)
        place = None
        if offset == 0xFFFFFFFF:
            place = 46 + lengths[0] + 4 + 16
            offset, = struct.unpack_from("<Q", record, place)
            record[place:place + 8] = bytes(8)
        record[42:46] = bytes(4)
        name = bytes(record[46:46 + lengths[0]])
        if name == INFO:
            record[12:28] = bytes(16)
            if place:
                record[place - 16:place] = bytes(16)
        records.append((name, bytes(record), offset))
        at += whole
    stops = sorted(offset for _, _, offset in records) + [start]
    pieces = {}
    for name, record, offset in records:
        stop = stops[stops.index(offset) + 1]
        pieces[name] = (record, None if name == INFO else raw[offset:stop])
    order = [name for name, _, offset in sorted(records, key=lambda entry: entry[2])]
    comment = raw[end + 20:]
    return [name for name, _, _ in records], order, pieces, raw[:stops[0]], comment


def finds(raw, what):
    at = raw.find(what)
    while at >= 0:
        yield at
        at = raw.find(what, at + 1)


def fits(raw, place):
    if len(raw) - place < 22:
        return False
    size, start = struct.unpack_from("<II", raw, place + 12)
    return start + size <= place and raw[start:start + 4] == b"PK\1\2"


class Checker:
    def __init__(self, tool, shared, copied):
        self.tool, self.shared, self.copied = tool, shared, copied
        self.ways = {}

    def edit(self, folder, reflink, arguments):
        run = self.tool.run([*arguments, "--reflink", reflink, "--no-sync", "--verbose"])
        if reflink == "auto":
            for line in run.err.decode().splitlines():
                for way in ("share", "copied"):
                    if way in line:
                        self.ways[way] = self.ways.get(way, 0) + 1
        assert run.status == 0, f"status {run.status}: {run.err.decode()[-300:]}"

    def check(self, archive, chance):
        for folder in (self.shared, self.copied):
            with open(os.path.join(folder, "a.ipa"), "wb") as file:
                file.write(archive.raw)
        before = skeleton(archive.raw)
        most = 0
        for step in range(chance.randrange(1, 5)):
            noise = text(chance, chance.choice([5, 200, 5000, 120000])).decode()
            in_place = chance.random() < 0.5
            found = []
            for folder, reflink in ((self.shared, "auto"), (self.copied, "never")):
                path, other = os.path.join(folder, "a.ipa"), os.path.join(folder, "b.ipa")
                where = ["--in-place"] if in_place else ["-o", other]
                self.edit(folder, reflink,
                          ["plist", "set", path, "/Noise", "--string", noise, *where])
                if not in_place:
                    os.replace(other, path)
                with open(path, "rb") as file:
                    found.append(file.read())
            for raw, folder in zip(found, (self.shared, self.copied)):
                with zipfile.ZipFile(os.path.join(folder, "a.ipa")) as opened:
                    assert opened.testzip() is None
                    assert noise.encode() in opened.read(INFO.decode())
                assert skeleton(raw) == before, f"step {step}: other bytes changed in {folder}"
            with zipfile.ZipFile(os.path.join(self.shared, "a.ipa")) as a, \
                    zipfile.ZipFile(os.path.join(self.copied, "a.ipa")) as b:
                assert a.read(INFO.decode()) == b.read(INFO.decode())
            most = max(most, len(found[1]))
            # A member may keep up to 64 KiB of an earlier one's room, and the move fills a block.
            assert len(found[0]) <= most + (1 << 16) + 2 * 4096, f"{len(found[0])} bytes for {most}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    volume = os.environ.get("REFLINK_FOLDER")
    if not volume:
        print("check-sharing: no REFLINK_FOLDER, nothing is checked")
        return 0
    shared = tempfile.mkdtemp(dir=volume)
    with tempfile.TemporaryDirectory() as work:
        copied = os.path.join(work, "copied")
        os.mkdir(copied)
        checker = Checker(Tool(given.binary, work), shared, copied)
        failures = 0
        for seed in range(given.seed, given.seed + given.count):
            chance = random.Random(seed)
            try:
                checker.check(RandomArchive(chance), chance)
            except Exception as problem:
                failures += 1
                print(f"seed {seed}: {type(problem).__name__}: {problem}")
        shutil.rmtree(shared)
    print(f"check-sharing: {given.count} archives, {failures} failures, {checker.ways}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
