"""Writes the archives that are measured: the same bytes at every run.

Archives are written from a pool of members that are packed once, so that a gigabyte takes seconds.
Layout: PKWARE APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (end).
Headers are those of Info-ZIP: sizes in the local header, times and owners in extra fields.
"""

import functools
import hashlib
import os
import plistlib
import struct
import zlib
from collections import namedtuple

# In the names of kept archives: raise it with every change of what is written.
VERSION = 1
APP = "Payload/Bench.app"
INFO_PLIST = f"{APP}/Info.plist"
PLACES = ("first", "middle", "last")
MEMBERS, MANY_MEMBERS = 5_000, 60_000
MANY_BYTES, BATCH_BYTES, BATCH_MEMBERS = 139_000_000, 5_000_000, 60
# Of the whole archive, in one stored member, as an app's executable is.
STORED_PART = 0.3
BLOCK = 8 << 20
POOL = 61
STORED, DEFLATED = 0, 8
DOS_DATE, DOS_TIME, UNIX_TIME = (46 << 9) | (1 << 5) | 1, 0, 1767225600
TIMES = struct.pack("<HHBII", 0x5455, 9, 3, UNIX_TIME, UNIX_TIME)
TIMES_CENTRAL = struct.pack("<HHBI", 0x5455, 5, 3, UNIX_TIME)
OWNERS = struct.pack("<HHBBIBI", 0x7875, 11, 1, 4, 1000, 4, 1000)

Body = namedtuple("Body", "data method crc size")


def noise(seed, count):
    return hashlib.shake_128(f"archive-benchmark {seed}".encode()).digest(count)


def info_plist():
    """With the keys that Xcode writes, so that it has a usual size."""
    values = {
        "BuildMachineOSBuild": "24F74", "CFBundleDevelopmentRegion": "en",
        "CFBundleExecutable": "Bench", "CFBundleIdentifier": "com.example.bench",
        "CFBundleInfoDictionaryVersion": "6.0", "CFBundleName": "Bench",
        "CFBundlePackageType": "APPL", "CFBundleShortVersionString": "1.0",
        "CFBundleSupportedPlatforms": ["iPhoneOS"], "CFBundleVersion": "1",
        "DTPlatformName": "iphoneos", "DTSDKName": "iphoneos18.5", "LSRequiresIPhoneOS": True,
        "MinimumOSVersion": "15.0", "UIDeviceFamily": [1, 2],
        "UISupportedInterfaceOrientations": ["UIInterfaceOrientationPortrait"],
    }
    return plistlib.dumps(values, sort_keys=False)


def deflated(content):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    data = packer.compress(content) + packer.flush()
    return Body(data, DEFLATED, zlib.crc32(content), len(content))


@functools.lru_cache(maxsize=2)
def pool(mean):
    """Bodies of about `mean` packed bytes, a third to five thirds of it: half noise, half text."""
    bodies = []
    for index in range(POOL):
        size = int(mean * (1 / 3 + 4 / 3 * index / (POOL - 1)))
        line = f"item {index} of the benchmark's text, which packs well\n".encode()
        text = (line * (size // len(line) + 1))[:size]
        bodies.append(deflated(noise(index, size) + text))
    return bodies


class Writer:
    """Writes members one after the other, and the directory in the end."""

    def __init__(self, file):
        self._file, self._place = file, 0
        self._directory, self._count = [], 0

    def add(self, name, body):
        self.begin(name, body.method, body.crc, len(body.data), body.size)
        self._write(body.data)

    def begin(self, name, method, crc, packed, size):
        """The header; the caller writes the data with `append`."""
        encoded, mode = name.encode(), 0o040755 if name.endswith("/") else 0o100644
        common = struct.pack(
            "<HHHHIII", 0, method, DOS_TIME, DOS_DATE, crc, packed, size
        )
        lengths = struct.pack("<HH", len(encoded), len(TIMES) + len(OWNERS))
        central = struct.pack("<HH", len(encoded), len(TIMES_CENTRAL) + len(OWNERS))
        self._directory.append(
            b"PK\1\2" + struct.pack("<HH", 0x031E, 20) + common + central
            + struct.pack("<HHHII", 0, 0, 0, mode << 16, self._place)
            + encoded + TIMES_CENTRAL + OWNERS
        )
        self._count += 1
        self._write(b"PK\3\4" + struct.pack("<H", 20) + common + lengths + encoded + TIMES + OWNERS)

    def append(self, data):
        self._write(data)

    def close(self):
        directory = b"".join(self._directory)
        begin = self._place
        self._write(directory)
        self._write(b"PK\5\6" + struct.pack(
            "<HHHHIIH", 0, 0, self._count, self._count, len(directory), begin, 0
        ))

    def _write(self, data):
        self._file.write(data)
        self._place += len(data)


def add_stored(writer, name, size, seed):
    """One stored member of `size` bytes, written a block at a time."""
    block, crc, blocks = noise(seed, min(size, BLOCK)), 0, []
    while size > 0:
        part = block if size >= len(block) else block[:size]
        crc, size = zlib.crc32(part, crc), size - len(part)
        blocks.append(part)
    total = sum(len(part) for part in blocks)
    writer.begin(name, STORED, crc, total, total)
    for part in blocks:
        writer.append(part)


def write(path, size, members, place="middle", stored_part=STORED_PART, seed=0):
    """One archive of about `size` bytes; Info.plist is the first, a middle or the last member."""
    stored = int(size * stored_part)
    bodies = pool((size - stored) / members)
    plist, empty = deflated(info_plist()), Body(b"", STORED, 0, 0)
    where = {"first": -1, "middle": members // 2, "last": members}[place]
    with open(path + ".part", "wb", buffering=1 << 20) as file:
        writer = Writer(file)
        if where < 0:
            writer.add(INFO_PLIST, plist)
        for folder in ("Payload/", f"{APP}/"):
            writer.add(folder, empty)
        if stored:
            add_stored(writer, f"{APP}/Bench", stored, f"stored {seed}")
        for index in range(members):
            if index == where:
                writer.add(INFO_PLIST, plist)
            name = f"{APP}/Assets/group{index // 100:03d}/item{index:05d}.bin"
            # Not in turn, so that neighbours are of different sizes.
            writer.add(name, bodies[(index * 37 + seed) % POOL])
        if where == members:
            writer.add(INFO_PLIST, plist)
        writer.close()
    os.replace(path + ".part", path)


class Inputs:
    """The archives in a folder, each written when it is first asked for."""

    def __init__(self, folder, megabytes):
        self._folder, self._bytes = folder, megabytes * 1_000_000
        os.makedirs(folder, exist_ok=True)

    def placed(self, place):
        return self._made(f"{self._bytes}-{place}", self._bytes, MEMBERS, place)

    def tenth(self):
        return self._made(f"{self._bytes}-tenth", self._bytes // 10, MEMBERS, "middle")

    def many(self):
        return self._made("many", MANY_BYTES, MANY_MEMBERS, "middle", stored_part=0)

    def batch(self, count):
        return [
            self._made(f"batch{index:03d}", BATCH_BYTES, BATCH_MEMBERS, "middle", seed=index)
            for index in range(count)
        ]

    def _made(self, name, *arguments, **options):
        path = os.path.join(self._folder, f"v{VERSION}-{name}.ipa")
        if not os.path.exists(path):
            write(path, *arguments, **options)
        return path
