"""The large archive on a file system that shares blocks, in an image on a loop device."""

import contextlib
import os
import plistlib
import shutil
import subprocess
import zipfile

from . import inputs, ways
from .figures import Bar
from .running import Failed, Runner

MAKERS = {
    "xfs": ["mkfs.xfs", "-q", "-m", "reflink=1"],
    "btrfs": ["mkfs.btrfs", "-q"],
}


class Refused(Exception):
    """This machine has no such file system, or may not mount one."""


def must(command):
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        raise Refused(f"{command[0]}: {said[0] if said else done.returncode}")


@contextlib.contextmanager
def mounted(kind, folder, size):
    """A new file system of a kind in an image of `size` bytes; gone afterwards."""
    image, mount = os.path.join(folder, f"{kind}.img"), os.path.join(folder, kind)
    os.makedirs(mount, exist_ok=True)
    try:
        with open(image, "wb") as file:
            file.truncate(size)
        must([*MAKERS[kind], image])
        must(["mount", "-o", "loop", image, mount])
        try:
            yield mount
        finally:
            subprocess.run(["umount", mount], check=False)
    finally:
        if os.path.exists(image):
            os.remove(image)
        os.rmdir(mount)


def measured_ways(binary):
    never = ways.Copy("cp --reflink=never", lambda source, place: [
        "cp", "--reflink=never", source, place.output
    ])
    ours = {way.name: way for way in ways.ours(binary)}
    return [never, ways.copies()[0], ours["inject+fsync"], ours["in-place+fsync"]]


def judge(bench, source, place, binary):
    """The output must pass other programs, and differ in nothing but Info.plist."""
    bench.runner.seconds(ways.inject(binary, source, ["-o", place.output]))
    done = subprocess.run(["unzip", "-tqq", place.output], check=False, capture_output=True)
    if done.returncode != 0:
        raise Failed(f"unzip -t ended with {done.returncode} on the output")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(place.output) as new:
        def told(archive):
            return [(item.filename, item.CRC, item.file_size, item.compress_type)
                    for item in archive.infolist() if item.filename != inputs.INFO_PLIST]
        if told(old) != told(new):
            raise Failed("the output's other members differ")
        if "IPAHub" not in plistlib.loads(new.read(inputs.INFO_PLIST)):
            raise Failed("the output has no update metadata")
    place.clear()


def measure(bench):
    if not bench.wants("reflink", "cp --reflink=never"):
        return
    original = bench.inputs.placed("middle")
    size = 3 * os.path.getsize(original) + (1 << 30)
    for kind in bench.options.reflink:
        try:
            with mounted(kind, bench.place.folder, size) as mount:
                on_image(bench, kind, original, mount)
        except Refused as error:
            bench.notes.append(f"{kind}: skipped, {error}")
        except Failed as error:
            bench.notes.append(f"{kind}: FAILED, {error}")
            bench.has_failed = True


def on_image(bench, kind, original, mount):
    source = os.path.join(mount, "source.ipa")
    shutil.copyfile(original, source)
    outside = bench.place, bench.runner
    bench.place, bench.runner = ways.Place(os.path.join(mount, "work")), Runner(mount)
    try:
        judge(bench, source, bench.place, bench.options.binary)
        entries = [(kind, source, way) for way in measured_ways(bench.options.binary)]
        bench.interleave(entries, bench.options.runs)
    finally:
        bench.place, bench.runner = outside


def bars(bench):
    return [
        Bar(f"{kind}: inject+fsync to cp --reflink=never",
            bench.cells.ratio(kind, "inject+fsync", "cp --reflink=never"), 0.05)
        for kind in bench.options.reflink
    ]
