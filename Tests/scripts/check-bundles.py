#!/usr/bin/env python3
"""Makes apps whose bundles lie and are built in many ways, and sees what `verify` says of them.

Each row names the rules that find something; all others must stay silent.
"""

import argparse
import json
import os
import plistlib
import sys
import tempfile
import unicodedata
import zipfile

from checklib.tally import Tally
from checklib.tool import Tool, status_problems

APP = "Payload/Demo.app"
RULES = ("bundle.",)


def plist(identifier, executable=None, **more):
    values = {"CFBundleIdentifier": identifier, "CFBundleVersion": "1", **more}
    if executable is not None:
        values["CFBundleExecutable"] = executable
    return plistlib.dumps(values)


def whole():
    """An app with an extension, a framework in both, a Watch app with its extension, and resources."""
    kit = plist("org.example.kit", "Kit")
    watch = "com.example.demo.watch"
    return {
        f"{APP}/Info.plist": plist("com.example.demo", "Demo"),
        f"{APP}/Demo": b"code",
        f"{APP}/PlugIns/Share.appex/Info.plist": plist("com.example.demo.share", "Share"),
        f"{APP}/PlugIns/Share.appex/Share": b"code",
        f"{APP}/Frameworks/Kit.framework/Info.plist": kit,
        f"{APP}/Frameworks/Kit.framework/Kit": b"code",
        f"{APP}/PlugIns/Share.appex/Frameworks/Kit.framework/Info.plist": kit,
        f"{APP}/PlugIns/Share.appex/Frameworks/Kit.framework/Kit": b"code",
        f"{APP}/Watch/W.app/Info.plist": plist(
            watch, "W", WKCompanionAppBundleIdentifier="com.example.demo"),
        f"{APP}/Watch/W.app/W": b"code",
        f"{APP}/Watch/W.app/PlugIns/X.appex/Info.plist": plist(
            watch + ".x", "X",
            NSExtension={"NSExtensionAttributes": {"WKAppBundleIdentifier": watch}}),
        f"{APP}/Watch/W.app/PlugIns/X.appex/X": b"code",
        f"{APP}/Strings.bundle/Info.plist": plist("org.example.strings"),
        f"{APP}/More.bundle/text.txt": b"x",
    }


def edited(changes):
    files = whole()
    for name, data in changes.items():
        if data is None:
            del files[f"{APP}/{name}"]
        else:
            files[f"{APP}/{name}"] = data
    return files


def mac():
    """A macOS app: deep bundles, a versioned framework, a helper app with an identifier of its own."""
    app = "Payload/Demo.app/Contents"
    kit = f"{app}/Frameworks/Kit.framework/Versions/A"
    platforms = {"CFBundleSupportedPlatforms": ["MacOSX"]}
    return {
        f"{app}/Info.plist": plist("com.example.demo", "Demo", **platforms),
        f"{app}/MacOS/Demo": b"code",
        f"{kit}/Resources/Info.plist": plist("org.example.kit", "Kit"),
        f"{kit}/Kit": b"code",
        f"{app}/Helpers/Help.app/Contents/Info.plist": plist("org.example.help", "Help", **platforms),
        f"{app}/Helpers/Help.app/Contents/MacOS/Help": b"code",
    }


def without(files, *names):
    return {name: data for name, data in files.items() if name not in names}


DECOMPOSED = unicodedata.normalize("NFD", "Démo")
COMPOSED = unicodedata.normalize("NFC", "Démo")

# A name, the files, a function from a name to its mode, what finds something.
ROWS = [
    ("whole", whole(), None, set()),
    ("no execute bit", whole(), lambda name: 0o644, {"bundle.executable"}),
    ("no execute bit in a framework",
     whole(), lambda name: 0o644 if name.endswith("/Kit") else 0o755, set()),
    ("no modes, as from Windows", whole(), lambda name: None, set()),
    ("the app's executable is missing", edited({"Demo": None}), None, {"bundle.executable"}),
    ("an executable in another case", edited({"Demo": None, "demo": b"code"}), None,
     {"bundle.executable"}),
    ("an executable in another Unicode form",
     edited({"Info.plist": plist("com.example.demo", COMPOSED), DECOMPOSED: b"code"}), None, set()),
    ("an executable with a joiner in its name",
     edited({"Info.plist": plist("com.example.demo", "👨\u200d💻"), "👨\u200d💻": b"code"}), None,
     set()),
    ("an executable outside the bundle",
     edited({"Info.plist": plist("com.example.demo", "../../../../bin/sh")}), None,
     {"bundle.executable"}),
    ("an executable that is a folder",
     edited({"Demo": None, "Demo/x": b""}), None, {"bundle.executable"}),
    ("an executable of another type",
     edited({"Info.plist": plist("com.example.demo", 1)}), None, {"bundle.executable"}),
    ("an extension without Info.plist", edited({"PlugIns/Share.appex/Info.plist": None}), None,
     {"bundle.info-plist"}),
    ("a damaged Info.plist", edited({"PlugIns/Share.appex/Info.plist": b"<plist><dict>"}), None,
     {"bundle.info-plist"}),
    ("another label", edited(
        {"PlugIns/Share.appex/Info.plist": plist("com.example.demolition", "Share")}), None,
     {"bundle.identifier.prefix"}),
    ("another companion", edited({"Watch/W.app/Info.plist": plist(
        "com.example.demo.watch", "W", WKCompanionAppBundleIdentifier="com.example.other")}), None,
     {"bundle.companion"}),
    ("another Watch app", edited({"Watch/W.app/PlugIns/X.appex/Info.plist": plist(
        "com.example.demo.watch.x", "X",
        NSExtension={"NSExtensionAttributes": {"WKAppBundleIdentifier": "com.example.demo.w"}})}),
     None, {"bundle.companion"}),
    ("one identifier twice", edited(
        {"PlugIns/Two.appex/Info.plist": plist("com.example.demo.share", "Two"),
         "PlugIns/Two.appex/Two": b"code"}), None, {"bundle.identifier.duplicate"}),
    ("two frameworks of one identifier", edited(
        {"Frameworks/Two.framework/Info.plist": plist("org.example.kit", "Two"),
         "Frameworks/Two.framework/Two": b"code"}), None, {"bundle.identifier.duplicate"}),
    ("another version", edited({"PlugIns/Share.appex/Info.plist": plist(
        "com.example.demo.share", "Share", CFBundleVersion="2")}), None, {"bundle.version"}),
    ("a macOS app", mac(), None, set()),
    ("a macOS app without its executable",
     without(mac(), "Payload/Demo.app/Contents/MacOS/Demo"), None, {"bundle.executable"}),
    ("a framework's version without its code",
     without(mac(), "Payload/Demo.app/Contents/Frameworks/Kit.framework/Versions/A/Kit"), None,
     {"bundle.executable"}),
]


def write(path, files, mode):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            bits = mode(name) if mode else 0o755
            info.create_system = 3 if bits is not None else 0
            # The DOS bit for archiving; zipfile would put permissions in the place of none.
            info.external_attr = 0x20 if bits is None else (0o100000 | bits) << 16
            archive.writestr(info, data)


def unpack(folder, files, mode):
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        bits = mode(name) if mode else 0o755
        os.chmod(path, 0o755 if bits is None else bits)


def found(run):
    return {finding["rule"] for finding in json.loads(run.out)["findings"]
            if finding["rule"].startswith(RULES)}


def main():
    parser = argparse.ArgumentParser(
        description="Make apps of many bundles and see what BINARY's verify says of them.")
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--list", action="store_true", help="also print the checks that passed")
    options = parser.parse_args()
    tally = Tally(options.list)
    with tempfile.TemporaryDirectory(prefix="check-bundles.") as work:
        tool = Tool(options.binary, work)
        for number, (name, files, mode, wanted) in enumerate(ROWS):
            archive = os.path.join(work, f"{number}.ipa")
            folder = os.path.join(work, f"{number}")
            write(archive, files, mode)
            unpack(folder, files, mode)
            for form, path in (("archive", archive), ("folder", folder),
                               ("app", os.path.join(folder, APP))):
                run = tool.run(["verify", path, "--disable", "metadata.absent", "--json"])
                levels = wanted - {"bundle.version"}
                problems = status_problems(run, 1 if levels else 0)
                if run.status in (0, 1) and found(run) != wanted:
                    problems.append(f"{sorted(found(run))} found something, not {sorted(wanted)}")
                tally.check(f"{name}, {form}", problems)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
