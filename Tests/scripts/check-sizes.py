#!/usr/bin/env python3
"""Prepares archives at the borders of 32 bits: members and offsets of 4 GiB - 1, 4 GiB and beyond.

    check-sizes.py BINARY [--huge] [--in DIR]

The inputs are sparse files; the outputs are whole, so DIR needs 10 GB (default: /dev/shm where there is
room, else the temporary folder). Each result is read with zipfile and zipinfo, and its records as they lie
in the file: values of 64 bits stand where one is needed or was, and only there. --huge takes more sizes, for
some minutes, and reads every byte of the large members. Borders of counts are among the odd archives.
Closes with 'N passed, N failed'.
"""

import argparse
import os
import plistlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import namedtuple

from checklib import plists
from checklib.odd.base import APP, PLIST, SHOWN_PLIST, folders, info, other, plist, program
from checklib.odd.table import matches, read as read_table
from checklib.odd.writer import MAX32, Archive, Member
from checklib.tally import Tally
from checklib.tool import Tool, status_problems

GIB = 1 << 30
CLOCK = 1717243200
MOST_SECONDS = 5
NEEDED = 10 << 30
Size = namedtuple("Size", "name build widened")


def with_hole(size, before, **options):
    """The app with a stored member of so many zeros before or behind Info.plist, and small ones last."""
    hole = Member(APP + b"hole", hole=size, **options)
    rest = [other(b"next"), other(b"last", b"last content")]
    order = [hole, info()] if before else [info(), hole]
    return Archive([*folders(), program(), *order, *rest])


def at_border(target, value, growth):
    """An archive in which the last member, or the directory, gets to a place by Info.plist's growth."""
    size = 3 * GIB
    place = _place(with_hole(size, False), target)
    return with_hole(size + value - growth - place, False)


def _place(archive, target):
    with tempfile.TemporaryFile() as file:
        layout = archive.write(file)
        return layout.directory if target == "directory" else layout.members[APP + b"last"].start


def sizes(growth, huge):
    """The cases. `widened`: names whose records get a value of 64 bits by the change."""
    yield Size("a member of 4 GiB - 1 before", with_hole(MAX32, True), ())
    yield Size("a member of 4 GiB behind", with_hole(MAX32 + 1, False), ())
    yield Size("the directory moves to 4 GiB - 1", at_border("directory", MAX32, growth), ())
    for value, shown in ((MAX32, "4 GiB - 1"), (MAX32 + 1, "4 GiB")):
        yield Size(f"a member moves to {shown}", at_border("last", value, growth), (APP + b"last",))
    if not huge:
        return
    yield Size("a member of 4 GiB before", with_hole(MAX32 + 1, True), ())
    yield Size("a member of 4 GiB - 1 behind", with_hole(MAX32, False), ())
    for size, shown in ((MAX32 - 1, "4 GiB - 2"), (5 * GIB, "5 GiB")):
        yield Size(f"a member of {shown} before", with_hole(size, True), ())
        yield Size(f"a member of {shown} behind", with_hole(size, False), ())
    for value, shown in ((MAX32 - 1, "4 GiB - 2"), (MAX32 + 1, "4 GiB")):
        yield Size(f"the directory moves to {shown}", at_border("directory", value, growth), ())
    yield Size("a member moves to 4 GiB - 2", at_border("last", MAX32 - 1, growth), ())


# What of one archive is compared with the other's.
Record = namedtuple("Record", "name offset size packed_size checksum wide raw")


def records(path):
    """The directory's records and the end's values, by a reader of the plain fields."""
    with open(path, "rb") as file:
        file.seek(-(1 << 16), os.SEEK_END)
        base, tail = file.tell(), file.read()
        at = tail.rfind(b"PK\5\6")
        count, size, start = struct.unpack_from("<HII", tail, at + 10)
        wide_end = tail[at - 20:at - 16] == b"PK\6\7"
        if wide_end:
            begin = struct.unpack_from("<Q", tail, at - 12)[0] - base
            plain = count, size, start
            count, size, start = struct.unpack_from("<QQQ", tail, begin + 32)
            assert tail[begin:begin + 4] == b"PK\6\6"
            assert all(short in (long, (1 << 8 * width) - 1) for short, long, width in zip(
                plain, (count, size, start), (2, 4, 4)))
        found, at = [], start - base
        for _ in range(count):
            found.append(_record(tail, at))
            at += len(found[-1].raw)
        return found, start, wide_end


def _record(tail, at):
    assert tail[at:at + 4] == b"PK\1\2"
    checksum, packed, size, name, extra, comment = struct.unpack_from("<IIIHHH", tail, at + 16)
    offset = struct.unpack_from("<I", tail, at + 42)[0]
    fields = tail[at + 46 + name:at + 46 + name + extra]
    wide = b""
    while len(fields) >= 4:
        identifier, length = struct.unpack_from("<HH", fields)
        if identifier == 1:
            wide = fields[4:4 + length]
        fields = fields[4 + length:]
    values = [size, packed, offset]
    left = wide
    for index, value in enumerate(values):
        if value == MAX32:
            values[index], left = struct.unpack_from("<Q", left)[0], left[8:]
    raw = tail[at:at + 46 + name + extra + comment]
    return Record(tail[at + 46:at + 46 + name], values[2], values[0], values[1], checksum, wide, raw)


class Checker:
    def __init__(self, binary, tally, folder, huge):
        self.tool, self.tally, self.folder, self.huge = Tool(binary, folder), tally, folder, huge
        self.tool.environment.update(SOURCE_DATE_EPOCH=str(CLOCK), TZ="UTC")
        known = self.tool.run(["inject", "--help"]).out
        self.options = ["--no-sync"] + (["--reflink", "never"] if b"--reflink" in known else [])

    def path(self, name):
        return os.path.join(self.folder, name)

    def inject(self, path, output):
        return self.tool.run([*self.tool.inject_arguments(path, ["-o", output]), *self.options])

    def growth(self):
        """How much longer Info.plist's member gets; the same in every archive here."""
        path, output = self.path("small.ipa"), self.path("small-out.ipa")
        with open(path, "wb") as file:
            with_hole(10, False).write(file)
        run = self.inject(path, output)
        self.tally.check("a small one", status_problems(run, 0))
        return os.path.getsize(output) - os.path.getsize(path)

    def check(self, case, growth):
        path, output, back = (self.path(name) for name in ("in.ipa", "out.ipa", "back.ipa"))
        with open(path, "wb") as file:
            case.build.write(file)
        before = records(path)
        started = time.monotonic()
        run = self.inject(path, output)
        seconds = time.monotonic() - started
        if self.tally.check(f"{case.name}: status", status_problems(run, 0)):
            self.tally.check(f"{case.name}: records", self._records(before, records(output), case, growth))
            self.tally.check(f"{case.name}: zipfile", self._zipfile(output))
            self.tally.check(f"{case.name}: zipinfo", self._zipinfo(path, output))
            inspect = self.tool.run(["inspect", output, "--json"])
            self.tally.check(f"{case.name}: inspect", status_problems(inspect, 0))
            if case.widened:
                self._shrink(case, output, back, records(output))
        for name in (path, output, back):
            if os.path.exists(name):
                os.remove(name)
        return seconds

    @staticmethod
    def _records(before, after, case, growth):
        """Offsets move by the growth; wide values are there where they were, or where one is needed."""
        (old, old_start, old_wide), (new, start, wide) = before, after
        at = next(record.offset for record in old if record.name == PLIST)
        problems = []
        if start != old_start + growth:
            problems.append(f"the directory moved by {start - old_start}, not {growth}")
        if wide != (old_wide or start >= MAX32):
            problems.append(f"zip64 end records: {wide}, were {old_wide}, directory at {start}")
        for was, now in zip(old, new, strict=True):
            moved = was.offset + (growth if was.offset > at else 0)
            if now.offset != moved or now.name != was.name:
                problems.append(f"{was.name} is at {now.offset}, expected {moved}")
            if was.name == PLIST:
                continue
            if now[2:5] != was[2:5]:
                problems.append(f"sizes of {was.name} changed")
            widened = was.name in case.widened
            if (len(now.wide) != len(was.wide)) != widened:
                problems.append(f"zip64 values of {was.name}: {now.wide.hex()}, were {was.wide.hex()}")
        return problems

    def _zipfile(self, output):
        with zipfile.ZipFile(output) as archive:
            wanted = plists.expected(plistlib.loads(plist()))
            problems = plists.differences(wanted, plistlib.loads(archive.read(PLIST.decode())))
            for item in archive.infolist():
                # Opening one reads its local header, and reading it compares its checksum.
                with archive.open(item) as member:
                    step = 1 << 24
                    while (self.huge or item.file_size < GIB) and member.read(step):
                        pass
        return problems

    @staticmethod
    def _zipinfo(path, output):
        """zipinfo lists both alike, but for Info.plist and the file's own name and size."""
        if not shutil.which("zipinfo"):
            return []
        listings = []
        for name in (path, output):
            done = subprocess.run(["zipinfo", name], capture_output=True, text=True, check=False)
            lines = done.stdout.splitlines()[2:-1]
            listings.append((done.returncode, [line for line in lines if "Info.plist" not in line]))
        return [] if listings[0] == listings[1] else [f"{listings[0]} became {listings[1]}"]

    def _shrink(self, case, output, back, grown):
        """Taking the change out again moves the members back below the border."""
        os.remove(self.path("in.ipa"))
        run = self.tool.run(["strip", output, "-o", back, *self.options])
        self.tally.check(f"{case.name}: strip", status_problems(run, 0))
        shrunk = os.path.getsize(back) - os.path.getsize(output)
        self.tally.check(f"{case.name}: and back", self._records(
            grown, records(back), case._replace(widened=()), shrunk))

    def refused(self, name, archive, kind, member=""):
        """Refused at once and with the words of a row of Documentation/archives.md."""
        path = self.path("refused.ipa")
        with open(path, "wb") as file:
            archive.write(file)
        started = time.monotonic()
        run = self.inject(path, self.path("out.ipa"))
        problems = status_problems(run, 65)
        said = run.err.decode().strip().removeprefix(f"ipa-inject: error: {path}: {member}")
        if not matches(read_table()[1][kind].text, said):
            problems.append(f"said {said!r}")
        if time.monotonic() - started > MOST_SECONDS:
            problems.append("after a long time")
        self.tally.check(name, problems)
        os.remove(path)


def place():
    """Where there is room: in memory if it has much, since outputs are written whole."""
    shared, memory = "/dev/shm", "/proc/meminfo"
    if os.path.isdir(shared) and os.path.exists(memory):
        with open(memory, encoding="ascii") as lines:
            free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvail"))
        if shutil.disk_usage(shared).free > NEEDED and free > NEEDED + (4 << 30):
            return shared
    return tempfile.gettempdir()


def main():
    parser = argparse.ArgumentParser(description="Judge BINARY by archives at the borders of 32 bits.")
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--huge", action="store_true", help="also read all of the large members")
    parser.add_argument("--in", dest="folder", metavar="DIR", help="where to work")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK) or os.path.isdir(options.binary):
        parser.error(f"{options.binary} is no program")
    folder = options.folder or place()
    tally = Tally()
    if shutil.disk_usage(folder).free < NEEDED:
        tally.note(f"skipped: {folder} has less than {NEEDED >> 30} GiB free")
        return 0
    begin, slowest = time.monotonic(), (0, "")
    with tempfile.TemporaryDirectory(prefix="check-sizes.", dir=folder) as work:
        checker = Checker(options.binary, tally, work, options.huge)
        cut = with_hole(4 * GIB, True)
        cut.cut_offsets = True
        checker.refused("offsets cut to 32 bits, as Archive Utility does", cut, "offsets-cut")
        large = Archive([*folders(), Member(PLIST, hole=2 * GIB), program()])
        checker.refused("a stored Info.plist of 2 GiB", large, "too-large", f"{SHOWN_PLIST}: ")
        growth = checker.growth()
        for case in sizes(growth, options.huge):
            slowest = max(slowest, (checker.check(case, growth), case.name))
    tally.note(f"slowest: {slowest[0]:.1f} s, {slowest[1]}; all: {time.monotonic() - begin:.0f} s")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
