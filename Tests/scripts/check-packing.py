#!/usr/bin/env python3
"""Packs and unpacks from outside, and lets other tools look at the results.

    check-packing.py BINARY [--in DIR] [--large] [--list]

Makes a folder with odd names, modes, times and links, packs and unpacks it, and compares every step with
what Python, unzip and bsdtar see. Then: the same bytes in other time zones, with other umasks and in
another order of making; the count of members at which zip64 begins; archives that must not be unpacked.
`--large` also packs and unpacks a sparse file of more than 4 GiB. Closes with 'N passed, N failed'.
"""

import argparse
import hashlib
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

from checklib.tally import Tally
from checklib.tool import Tool, status_problems

APP = b"Payload/Demo.app"
# 2026-03-29 01:30 in UTC, a time of day that London did not have.
GAP = "1774747800"


def run(tool, arguments, umask=None, **variables):
    """One run of the tool with other environment variables."""
    done = subprocess.run(
        [tool.binary, *arguments], check=False, stdin=subprocess.DEVNULL, capture_output=True,
        env={**tool.environment, **variables},
        preexec_fn=None if umask is None else lambda: os.umask(umask),
    )
    done.status, done.out, done.err = done.returncode, done.stdout, done.stderr
    return done


def write(path, data, mode=0o644, when=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, mode)
    if when:
        os.utime(path, (when, when))


def make_folder(root, plain_names=False):
    """A tree with all that is to be kept. Times are odd seconds, which a DOS time cannot tell."""
    root = os.fsencode(root)
    app = os.path.join(root, APP)
    files = {
        b"Demo": (os.urandom(50_000), 0o755), b"Info.plist": (b"no plist at all", 0o644),
        b"text": (b"many words " * 5000, 0o640), b"empty": (b"", 0o600),
        b"sub/z": (b"z", 0o444), b"sub.txt": (b"before what sub holds", 0o644),
        "naïve 文".encode(): (b"UTF-8", 0o644),
    }
    if not plain_names:
        files[b"bytes \xff\xfe"] = (b"no UTF-8", 0o644)
        files["e\u0301".encode()] = (b"two scalars", 0o644)
        files[b"line\nfeed"] = (b"\n", 0o644)
        files[b"back\\slash"] = (b"\\", 0o644)
    for index, (name, (data, mode)) in enumerate(files.items()):
        write(os.path.join(app, name), data, mode, 1_500_000_001 + 2 * index)
    write(os.path.join(root, b"Symbols/a.symbols"), b"symbols", 0o644, 999_999_999)
    os.mkdir(os.path.join(app, b"hollow"))
    for name, target in ((b"link", b"Demo"), (b"sub/up", b"../Demo"), (b"dangling", b"nowhere")):
        path = os.path.join(app, name)
        os.symlink(target, path)
        os.utime(path, (1_400_000_001, 1_400_000_001), follow_symlinks=False)
    os.chmod(os.path.join(root, b"Symbols"), 0o555)
    for index, name in enumerate((b"Symbols", APP + b"/sub", APP + b"/hollow", APP, b"Payload")):
        os.utime(os.path.join(root, name), (1_300_000_001 + index, 1_300_000_001 + index))


def tree(root, times=True):
    """What stands in a folder: for each path its kind, mode, time and content."""
    root, found = os.fsencode(root), {}
    for base, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(base, name)
            status = os.lstat(path)
            kind = stat.S_IFMT(status.st_mode)
            if kind == stat.S_IFLNK:
                content = os.readlink(path)
            elif kind == stat.S_IFREG:
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            else:
                content = None
            mode = None if kind == stat.S_IFLNK else stat.S_IMODE(status.st_mode)
            when = int(status.st_mtime) if times else None
            found[os.path.relpath(path, root)] = (kind, mode, when, content)
    return found


def differences(wanted, got):
    problems = [f"{name!r} is missing" for name in wanted if name not in got]
    problems += [f"{name!r} is too much" for name in got if name not in wanted]
    problems += [
        f"{name!r} is {got[name]}, not {wanted[name]}"
        for name in wanted if name in got and got[name] != wanted[name]
    ]
    return problems


def members(path):
    """The archive as Python sees it, in the form of `tree`, and the names in their order."""
    found, order = {}, []
    with zipfile.ZipFile(path) as archive:
        for item in archive.infolist():
            name = item.filename.encode("utf-8" if item.flag_bits & 0x800 else "cp437")
            order.append(name)
            mode = item.external_attr >> 16
            data = archive.read(item)
            kind = stat.S_IFMT(mode)
            content = {stat.S_IFLNK: data, stat.S_IFDIR: None}.get(
                kind, hashlib.sha256(data).hexdigest())
            permissions = None if kind == stat.S_IFLNK else stat.S_IMODE(mode)
            found[name.rstrip(b"/")] = (kind, permissions, seconds(item), content)
    return found, order


def seconds(item):
    extra = item.extra
    while len(extra) >= 4:
        kind, length = struct.unpack("<HH", extra[:4])
        if kind == 0x5455:
            return struct.unpack("<i", extra[5:9])[0]
        extra = extra[4 + length:]
    return int(time.mktime(item.date_time + (0, 0, -1)))


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def check_round_trip(tool, tally, work):
    folder, packed = os.path.join(work, "folder"), os.path.join(work, "packed.ipa")
    make_folder(folder)
    wanted = tree(folder)
    done = run(tool, ["pack", folder, "-o", packed, "--json"])
    if not tally.check("pack", status_problems(done, 0)):
        return
    got, order = members(packed)
    tally.check("pack: what Python sees", differences(wanted, got))
    plain = [name.rstrip(b"/") for name in order]
    tally.check("pack: order", [] if plain == sorted(plain) else ["not sorted by path"])
    report = json.loads(done.out)
    keys = {"schema": "ipa-inject/pack/1", "input": folder, "output": packed,
            "entries": len(order), "bytes": os.path.getsize(packed), "warnings": []}
    tally.check("pack: JSON", [] if report == keys else [f"{report}"])
    unpacked = os.path.join(work, "unpacked")
    done = run(tool, ["unpack", packed, "-o", unpacked, "--json"])
    if not tally.check("unpack", status_problems(done, 0)):
        return
    tally.check("unpack: what is there", differences(wanted, tree(unpacked)))
    report = json.loads(done.out)
    total = sum(
        os.lstat(os.path.join(base, name)).st_size for base, _, files in os.walk(unpacked)
        for name in files if not os.path.islink(os.path.join(base, name)))
    keys = {"schema": "ipa-inject/unpack/1", "input": packed, "output": unpacked,
            "entries": len(order), "bytes": total, "warnings": []}
    tally.check("unpack: JSON", [] if report == keys else [f"{report}"])
    again = os.path.join(work, "again.ipa")
    run(tool, ["pack", unpacked, "-o", again])
    tally.check("pack again", [] if digest(again) == digest(packed) else ["other bytes"])
    check_other_tools(tool, tally, work, packed, folder)


def check_other_tools(tool, tally, work, packed, folder):
    """What others unpack of our archive, and we of theirs."""
    plain, theirs = os.path.join(work, "plain"), os.path.join(work, "theirs")
    # The others replace what a terminal cannot show, and compose characters.
    make_folder(plain, plain_names=True)
    wanted = tree(plain)
    ours = os.path.join(work, "plain.ipa")
    run(tool, ["pack", plain, "-o", ours])
    tops = sorted(os.listdir(plain))
    tools = {
        "unzip": (["unzip", "-q", ours, "-d", theirs], ["zip", "-qry", theirs + ".zip", *tops]),
        "bsdtar": (
            ["bsdtar", "-xpf", ours, "-C", theirs], ["bsdtar", "-a", "-cf", theirs + ".zip", *tops]),
    }
    for name, (unpack, pack) in tools.items():
        if not shutil.which(unpack[0]) or not shutil.which(pack[0]):
            tally.note(f"{name} is not here: not compared")
            continue
        os.mkdir(theirs)
        subprocess.run(unpack, check=True, capture_output=True)
        tally.check(f"{name} unpacks what pack made", differences(wanted, links_aside(theirs, wanted)))
        subprocess.run(pack, check=True, capture_output=True, cwd=plain)
        mine = os.path.join(work, "mine")
        done = run(tool, ["unpack", theirs + ".zip", "-o", mine])
        if tally.check(f"unpack what {name} made", status_problems(done, 0)):
            tally.check(f"unpack what {name} made: content", differences(wanted, tree(mine)))
            shutil.rmtree(mine)
        remove(theirs)
        os.remove(theirs + ".zip")
    if shutil.which("unzip"):
        done = subprocess.run(["unzip", "-tqq", packed], check=False, capture_output=True)
        tally.check("unzip -t", [] if done.returncode == 0 else [done.stdout.decode()[:200]])
    if shutil.which("zipcmp"):
        reproducible = os.path.join(work, "same.ipa")
        run(tool, ["pack", folder, "-o", reproducible, "--reproducible", "--level", "0"])
        done = subprocess.run(["zipcmp", "-q", packed, reproducible], check=False)
        tally.check("zipcmp of two levels", [] if done.returncode == 0 else ["they differ"])


def links_aside(folder, wanted):
    """A tree, with the times of links as wanted: unzip sets none."""
    return {
        name: (*found[:2], wanted.get(name, found)[2], found[3])
        if found[0] == stat.S_IFLNK else found
        for name, found in tree(folder).items()
    }


def remove(folder):
    """Removes a tree in which folders may be read-only."""
    for base, folders, _ in os.walk(folder):
        for name in folders:
            os.chmod(os.path.join(base, name), 0o755)
    shutil.rmtree(folder)


def check_reproducible(tool, tally, work):
    first = os.path.join(work, "first")
    make_folder(first)
    second = os.path.join(work, "second")
    shutil.copytree(first, second, symlinks=True, copy_function=shutil.copyfile)
    # Another order of making, other times; what may be executed is content.
    for name in sorted(os.listdir(os.path.join(os.fsencode(second), APP)), reverse=True):
        path = os.path.join(os.fsencode(second), APP, name)
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, "rb") as file:
                data = file.read()
            os.remove(path)
            write(path, data, 0o700 if name == b"Demo" else 0o660)
    found = {}
    for zone in ("UTC", "Europe/London", "Pacific/Apia", "America/St_Johns"):
        for umask in (0o022, 0o077):
            for folder in (first, second):
                output = os.path.join(work, "reproducible.ipa")
                done = run(
                    tool, ["pack", folder, "-o", output, "--reproducible", "--force"], umask=umask,
                    TZ=zone, SOURCE_DATE_EPOCH=GAP)
                if not tally.check("pack --reproducible", status_problems(done, 0)):
                    return
                found.setdefault(digest(output), f"{os.path.basename(folder)} in {zone}")
    tally.check("pack --reproducible: one result", list(found.values())[1:])
    with zipfile.ZipFile(output) as archive:
        times = {item.date_time for item in archive.infolist()}
    tally.check(
        "pack --reproducible: time", [] if times == {(2026, 3, 29, 1, 30, 0)} else [f"{times}"])
    done = run(tool, ["pack", first, "-o", output, "--reproducible", "--force"],
               SOURCE_DATE_EPOCH="tomorrow")
    tally.check("a SOURCE_DATE_EPOCH that is none", status_problems(done, 64))


def check_counts(tool, tally, work):
    """Folders with as many entries as the end record can count, and one more."""
    folder = os.path.join(work, "many")
    os.makedirs(os.path.join(folder, "Payload/Many.app"))
    for index in range(65_533):
        with open(os.path.join(folder, f"Payload/Many.app/{index}"), "wb"):
            pass
    for count in (65_535, 65_536):
        packed, unpacked = os.path.join(work, "many.ipa"), os.path.join(work, "many-again")
        done = run(tool, ["pack", folder, "-o", packed, "--no-sync"])
        tally.check(f"pack {count} members", status_problems(done, 0))
        with zipfile.ZipFile(packed) as archive:
            got = len(archive.namelist())
        tally.check(f"{count} members", [] if got == count else [f"Python sees {got}"])
        done = run(tool, ["unpack", packed, "-o", unpacked, "--no-sync"])
        tally.check(f"unpack {count} members", status_problems(done, 0))
        got = len(os.listdir(os.path.join(unpacked, "Payload/Many.app")))
        tally.check(f"{count} members unpacked", [] if got == count - 2 else [f"{got} files"])
        shutil.rmtree(unpacked)
        os.remove(packed)
        write(os.path.join(folder, "Payload/Many.app/more"), b"")
    shutil.rmtree(folder)


def check_large(tool, tally, work):
    folder, packed = os.path.join(work, "large"), os.path.join(work, "large.ipa")
    path = os.path.join(folder, "Payload/Large.app/sparse")
    size = (4 << 30) + 7
    write(path, b"start")
    with open(path, "r+b") as file:
        file.seek(size - 3)
        file.write(b"end")
    write(os.path.join(folder, "Payload/Large.app/z"), b"behind it")
    for level in ("0", "1"):
        done = run(tool, ["pack", folder, "-o", packed, "--no-sync", "--level", level])
        if not tally.check(f"pack 4 GiB at level {level}", status_problems(done, 0)):
            continue
        with zipfile.ZipFile(packed) as archive:
            sizes = [item.file_size for item in archive.infolist() if item.file_size > 9]
            behind = archive.read("Payload/Large.app/z")
        right = sizes == [size] and behind == b"behind it"
        tally.check(f"4 GiB at level {level}", [] if right else [f"{sizes} {behind}"])
        unpacked = os.path.join(work, "large-again")
        done = run(tool, ["unpack", packed, "-o", unpacked, "--no-sync"])
        if tally.check(f"unpack 4 GiB at level {level}", status_problems(done, 0)):
            done = subprocess.run(
                ["cmp", path, os.path.join(unpacked, "Payload/Large.app/sparse")], check=False)
            tally.check("4 GiB unpacked", [] if done.returncode == 0 else ["other bytes"])
            shutil.rmtree(unpacked)
        os.remove(packed)
    shutil.rmtree(folder)


def check_long_path(tool, tally, work):
    """A folder whose deepest path is longer than an archive can tell."""
    root = os.path.join(work, "Long.app")
    os.mkdir(root)
    part, opened = "n" * 255, [os.open(root, os.O_RDONLY)]
    for _ in range(257):
        os.mkdir(part, dir_fd=opened[-1])
        opened.append(os.open(part, os.O_RDONLY, dir_fd=opened[-1]))
    done = run(tool, ["pack", root, "-o", os.path.join(work, "long.ipa")])
    problems = status_problems(done, 65)
    problems += [] if b"an archive takes at most" in done.err else [done.err.decode()[-200:]]
    tally.check("a path of more than 65,535 bytes", problems)
    tally.check("its message is short", [] if len(done.err) < 600 else [f"{len(done.err)} bytes"])
    os.close(opened.pop())
    while opened:
        os.rmdir(part, dir_fd=opened[-1])
        os.close(opened.pop())
    os.rmdir(root)


HOSTILE = {
    "../evil": "leads upwards", "/evil": "absolute", "..\\evil": "leads upwards",
    "C:\\evil": "drive letter", "Payload//x": "empty or '.'", "./x": "empty or '.'",
    "Payload/" + "n" * 256: "256 bytes", "PAYLOAD/x": "falls on", "Payload/x/y": "members below",
}


def check_hostile(tool, tally, work):
    outside = os.path.join(work, "outside")
    os.mkdir(outside)
    for name, text in HOSTILE.items():
        path = os.path.join(outside, "in.zip")
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("Payload/x", b"x")
            item = zipfile.ZipInfo("placeholder")
            item.filename = name
            archive.writestr(item, b"evil")
        done = run(tool, ["unpack", path, "-o", os.path.join(outside, "out")])
        problems = status_problems(done, 65)
        problems += [] if text.encode() in done.err else [done.err.decode()[-200:]]
        left = sorted(os.listdir(outside) + os.listdir(work))
        problems += [f"{left} is there"] if left != ["in.zip", "outside"] else []
        tally.check(f"unpack {name[:20]!r}", problems)
    shutil.rmtree(outside)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--in", dest="folder", help="where to work, for another file system")
    parser.add_argument("--large", action="store_true", help="also a file of more than 4 GiB")
    parser.add_argument("--list", action="store_true", help="name the checks that pass")
    arguments = parser.parse_args()
    tally = Tally(arguments.list)
    checks = [check_round_trip, check_reproducible, check_hostile, check_long_path, check_counts]
    if arguments.large:
        checks.append(check_large)
    for check in checks:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as home:
            tool = Tool(arguments.binary, home)
            work = os.path.join(home, "work")
            os.mkdir(work)
            check(tool, tally, work)
            remove(work)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
