#!/usr/bin/env python3
"""Seals the files of bundles, and packs folders, for tests; shares nothing with the project's own code.

    seal-resources.py seal FOLDER EXECUTABLE [--deep] [--code PATH=CDHASH]...
    seal-resources.py edit FILE KEY... --value JSON
    seal-resources.py pack FOLDER ARCHIVE REVERSED

`seal` writes _CodeSignature/CodeResources of a bundle whose paths count from FOLDER. `edit` sets the value
under keys of a property list to a JSON value, with a text `hex:...` for data; null removes it. `pack` makes two
archives, the second with its members the other way round.
"""
import argparse
import hashlib
import json
import os
import pathlib
import plistlib
import re
import stat
import sys
import zipfile

FLAT = {
    "^.*": True, ".*\\.dSYM($|/)": {"weight": 11.0},
    "^(.*/)?\\.DS_Store$": {"omit": True, "weight": 2000.0},
    "^.*\\.lproj/": {"optional": True, "weight": 1000.0},
    "^.*\\.lproj/locversion.plist$": {"omit": True, "weight": 1100.0},
    "^Base\\.lproj/": {"weight": 1010.0}, "^Info\\.plist$": {"omit": True, "weight": 20.0},
    "^PkgInfo$": {"omit": True, "weight": 20.0}, "^version\\.plist$": {"weight": 20.0},
}
DEEP = {
    **{key: value for key, value in FLAT.items() if ".lproj" not in key},
    "^(Frameworks|PlugIns|XPCServices|Helpers|MacOS)/": {"nested": True, "weight": 10.0},
    "^[^/]+$": {"nested": True, "weight": 10.0}, "^Resources/": {"weight": 20.0},
    "^Resources/.*\\.lproj/": {"optional": True, "weight": 1000.0},
    "^Resources/Base\\.lproj/": {"weight": 1010.0},
}
OLD = {"^.*": True, "^.*\\.lproj/": {"optional": True, "weight": 1000.0},
       "^Base\\.lproj/": {"weight": 1010.0}}


def rule_for(path, rules):
    found = [value if isinstance(value, dict) else {} for pattern, value in rules.items()
             if re.search(pattern, path, re.DOTALL)]
    return max(found, key=lambda rule: rule.get("weight", 1), default={"omit": True})


def seal(options):
    folder = pathlib.Path(options.folder)
    code = dict(each.split("=") for each in options.code)
    rules, rules2 = ({"^Resources/": True}, DEEP) if options.deep else (OLD, FLAT)
    files, files2 = {}, {path: {"cdhash": bytes.fromhex(value), "requirement": "anchor apple"}
                         for path, value in code.items()}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (name == options.executable or name.startswith("_CodeSignature/")
                or "SC_Info" in name or path.is_dir() and not path.is_symlink()
                or any(name == each or name.startswith(each + "/") for each in code)):
            continue
        old, new = rule_for(name, rules), rule_for(name, rules2)
        if path.is_symlink():
            if not new.get("omit"):
                files2[name] = {"symlink": os.readlink(path)}
            continue
        content = path.read_bytes()
        sha1 = hashlib.sha1(content).digest()
        if not old.get("omit"):
            files[name] = {"hash": sha1, "optional": True} if old.get("optional") else sha1
        if not new.get("omit"):
            files2[name] = {"hash": sha1, "hash2": hashlib.sha256(content).digest()}
            if new.get("optional"):
                files2[name]["optional"] = True
    place = folder / "_CodeSignature" / "CodeResources"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(plistlib.dumps(
        {"files": files, "files2": files2, "rules": rules, "rules2": rules2}))


def edit(options):
    path = pathlib.Path(options.file)
    root = plistlib.loads(path.read_bytes())
    *parents, last = options.keys
    value = root
    for key in parents:
        value = value[key]
    new = json.loads(options.value)
    if new is None:
        del value[last]
    else:
        value[last] = bytes.fromhex(new[4:]) if str(new).startswith("hex:") else new
    path.write_bytes(plistlib.dumps(root))


def pack(options):
    folder = pathlib.Path(options.folder)
    paths = sorted(folder.rglob("*"))
    write(folder, paths, options.archive)
    write(folder, paths[::-1], options.reversed)


def write(folder, paths, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, path in enumerate(paths):
            name = path.relative_to(folder).as_posix()
            if path.is_symlink():
                info = zipfile.ZipInfo(name)
                info.create_system = 3
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
                archive.writestr(info, os.readlink(path))
            elif path.is_file():
                # Of both kinds, as signers write them.
                archive.write(path, name, zipfile.ZIP_STORED if number % 2 else zipfile.ZIP_DEFLATED)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("seal")
    command.add_argument("folder")
    command.add_argument("executable")
    command.add_argument("--deep", action="store_true")
    command.add_argument("--code", action="append", default=[])
    command.set_defaults(run=seal)
    command = commands.add_parser("edit")
    command.add_argument("file")
    command.add_argument("keys", nargs="+")
    command.add_argument("--value", required=True)
    command.set_defaults(run=edit)
    command = commands.add_parser("pack")
    command.add_argument("folder")
    command.add_argument("archive")
    command.add_argument("reversed")
    command.set_defaults(run=pack)
    options = parser.parse_args()
    options.run(options)


sys.exit(main())
