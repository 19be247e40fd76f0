#!/usr/bin/env python3
"""Changes one byte at each sealed place of a signed app, and holds verify to finding it.

    check-seals.py BINARY [--list]

The app has every kind of nested code. It is signed twice: by the tool's own ad hoc signer, and by the
samples' writer with a certificate, whose CMS openssl makes. As signed it must pass `verify --signed`, and
with each change fail by the rule that is meant for it. Every place is a named row.
"""

import argparse
import json
import os
import pathlib
import plistlib
import shutil
import struct
import sys
import tempfile

from checklib.identity import TEAM, Identity
from checklib.signedapps import APP
from checklib.tally import Tally
from checklib.tool import Tool
from signinglib import apps, signature

ENTITLEMENTS = {"get-task-allow": True, "application-identifier": f"{TEAM}.com.example.demo"}
INFO, RESOURCES, CODE = "signature.info-plist", "signature.resources", "signature.code"


# -- The signed apps -------------------------------------------------------------------------------


def places(data):
    """Where the blobs of a thin file's signature lie: slot to (offset, length)."""
    start = bytes(data).index(b"\xfa\xde\x0c\xc0")
    count, = struct.unpack_from(">I", data, start + 8)
    found = {}
    for index in range(count):
        slot, offset = struct.unpack_from(">II", data, start + 12 + 8 * index)
        found[slot] = (start + offset, struct.unpack_from(">I", data, start + offset + 4)[0])
    return found


def certified(root, identity):
    """The app, each code object with a certificate, by the samples' writer."""
    writer = apps.demo(root)
    write_profile(root)
    apps.sign(writer, (signature.Directory(flags=0),), TEAM, ENTITLEMENTS, identity.detached)
    return root


def write_profile(root):
    (root / APP / "embedded.mobileprovision").write_bytes(
        plistlib.dumps({"Name": "Demo", "Entitlements": ENTITLEMENTS}))


def ad_hoc(tool, root):
    """The app, signed by the tool."""
    source = root.with_name(root.name + "-unsigned")
    apps.demo(source)
    write_profile(source)
    (source / "e.plist").write_bytes(plistlib.dumps(ENTITLEMENTS))
    run = tool.run(["sign", str(source), "-o", str(root), "--signer", "adhoc", "-e",
                    f"com.example.demo={source / 'e.plist'}"])
    if run.status != 0:
        raise SystemExit(f"sign --signer adhoc: {run.err.decode()}")
    return root


# -- The changes -----------------------------------------------------------------------------------


def flip(name, place=-1):
    """Flips a bit of the byte at a place of a file."""
    def change(root):
        path = root / APP / name
        data = bytearray(path.read_bytes())
        data[place if isinstance(place, int) else place(data)] ^= 1
        path.write_bytes(bytes(data))
    return change


def in_blob(slot, place):
    """The place of a byte in a blob: counted from its start, or from its end."""
    def find(data):
        offset, length = places(data)[slot]
        return offset + (place if place >= 0 else length + place)
    return find


def in_cms(text):
    """The place of a byte behind the first occurrence of some bytes in the CMS."""
    def find(data):
        offset, length = places(data)[0x10000]
        return bytes(data).index(text, offset, offset + length) + len(text)
    return find


def last_of_cms(data):
    """The last byte of the CMS itself: of the signature's value."""
    offset, _ = places(data)[0x10000]
    length = struct.unpack_from(">H", data, offset + 10)[0] + 4  # SEQUENCE with two bytes of length
    return offset + 8 + length - 1


def link(name, target):
    def change(root):
        (root / APP / name).unlink()
        os.symlink(target, root / APP / name)
    return change


def replace(name, content):
    def change(root):
        path = root / APP / name
        if path.is_symlink():
            path.unlink()
        path.write_bytes(content)
    return change


def remove(name):
    return lambda root: (root / APP / name).unlink()


CODE_PLACE = 0x3FFC  # the last instruction of the samples' only page of code

# Name, change, the rule that must find it.
EVERYWHERE = [
    ("Info.plist", flip("Info.plist", 60), INFO),
    ("Info.plist of an extension", flip("PlugIns/Share.appex/Info.plist", 60), INFO),
    ("Info.plist of an extension, as a file of the app",
     flip("PlugIns/Share.appex/Info.plist", 60), RESOURCES),
    ("Info.plist of a framework", flip("Frameworks/Core.framework/Info.plist", 60), INFO),
    ("Info.plist of an App Clip", flip("AppClips/Clip.app/Info.plist", 60), INFO),
    ("Info.plist of a Watch app", flip("Watch/Watch.app/Info.plist", 60), INFO),
    ("Info.plist of a Watch extension",
     flip("Watch/Watch.app/PlugIns/WatchExtension.appex/Info.plist", 60), INFO),
    ("a resource", flip("text.txt"), RESOURCES),
    ("a resource whose name is no ASCII", flip(apps.RESOURCE), RESOURCES),
    ("a localized resource", flip("en.lproj/InfoPlist.strings"), RESOURCES),
    ("a file of a resource bundle", flip("Resources.bundle/data.json"), RESOURCES),
    ("a resource of an extension", flip("PlugIns/Share.appex/text.txt"), RESOURCES),
    ("a resource of a framework in an extension",
     flip("PlugIns/Share.appex/Frameworks/Inner.framework/text.txt"), RESOURCES),
    ("the profile", flip("embedded.mobileprovision"), RESOURCES),
    ("a file that is gone", remove("text.txt"), RESOURCES),
    ("a file that came later", replace("later.txt", b"x"), RESOURCES),
    ("a file that came into an extension", replace("PlugIns/Share.appex/x", b"x"), RESOURCES),
    ("a link that leads elsewhere", link("link.txt", "PkgInfo"), RESOURCES),
    ("a link that became a file", replace("link.txt", b"text.txt"), RESOURCES),
    ("a link that is gone", remove("link.txt"), RESOURCES),
    ("CodeResources", flip("_CodeSignature/CodeResources", 200), RESOURCES),
    ("CodeResources of an extension",
     flip("PlugIns/Share.appex/_CodeSignature/CodeResources", 200), RESOURCES),
    ("a code page", flip("Demo", CODE_PLACE), CODE),
    ("the load commands", flip("Demo", 40), CODE),
    ("the UUID", flip("Demo", lambda data: bytes(data).index(struct.pack("<II", 0x1B, 24)) + 8),
     CODE),
    ("a code page of a nested framework", flip("Frameworks/Core.framework/Core", CODE_PLACE), CODE),
    ("a nested framework, as a file of the app",
     flip("Frameworks/Core.framework/Core", CODE_PLACE), RESOURCES),
    ("a code page of a library", flip("Frameworks/libplain.dylib", CODE_PLACE), CODE),
    ("a code page of an extension", flip("PlugIns/Share.appex/Share", CODE_PLACE), CODE),
    ("the entitlements", flip("Demo", in_blob(5, 60)), CODE),
    ("the last byte of the entitlements", flip("Demo", in_blob(5, -1)), CODE),
    ("the DER entitlements", flip("Demo", in_blob(7, -1)), CODE),
    ("the requirements", flip("Demo", in_blob(2, 11)), CODE),
    ("a hash of a page", flip("Demo", in_blob(0, -1)), CODE),
]
WITH_A_CERTIFICATE = [
    ("the CodeDirectory's flags", flip("Demo", in_blob(0, 15)), CODE),
    ("the CodeDirectory's identifier",
     flip("Demo", lambda data: bytes(data).index(b"com.example.demo", places(data)[0][0]) + 12),
     CODE),
    ("the CodeDirectory's team",
     flip("Demo", lambda data: bytes(data).index(b"ABCDE12345\0", places(data)[0][0])), CODE),
    ("the certificate's signature value", flip("Demo", last_of_cms), CODE),
    ("the signed digest", flip("Demo", in_cms(bytes.fromhex("06092a864886f70d010904") + b"\x31\x22\x04\x20")),
     CODE),
    ("the CMS's outermost length", flip("Demo", in_blob(0x10000, 8)), CODE),
    ("the CMS of an extension", flip("PlugIns/Share.appex/Share", last_of_cms), CODE),
]


def check(tally, tool, name, base, rows, work):
    def verify(root):
        run = tool.run(["verify", str(root), "--signed", "--json"])
        try:
            found = json.loads(run.out)["findings"]
        except (ValueError, KeyError):
            return run.status, {}, [run.err.decode("utf-8", "replace").strip()]
        rules = {each["rule"] for each in found
                 if each["level"] == "error" and each["rule"].startswith("signature.")}
        return run.status, rules, [each["message"] for each in found
                                   if each["rule"].startswith("signature.")]

    _, rules, said = verify(base)
    if not tally.check(f"{name}: as signed", said if rules or said else []):
        return
    for row, change, rule in rows:
        copy = work / "changed"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(base, copy, symlinks=True)
        change(copy)
        status, rules, said = verify(copy)
        problems = []
        if status != 1:
            problems.append(f"status {status}: {said[:1]}")
        if rule not in rules:
            problems.append(f"{rule} is not among {sorted(rules)}")
        tally.check(f"{name}: {row} ({rule})", problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--list", action="store_true", help="print the checks that pass too")
    options = parser.parse_args()
    tally = Tally(options.list)
    if not shutil.which("openssl"):
        tally.note("skipped: there is no openssl")
        return 0
    with tempfile.TemporaryDirectory() as home:
        work = pathlib.Path(home)
        tool = Tool(options.binary, home)
        identity = Identity(work / "identity")
        check(tally, tool, "certificate", certified(work / "certified", identity),
              EVERYWHERE + WITH_A_CERTIFICATE, work)
        check(tally, tool, "ad hoc", ad_hoc(tool, work / "adhoc"), EVERYWHERE, work)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
