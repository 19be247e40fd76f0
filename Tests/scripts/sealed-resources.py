#!/usr/bin/env python3
"""sealed-resources.py ARCHIVE|FOLDER: what differs from the CodeResources of each bundle, as JSON.

A slow reader that shares nothing with the project's own: plistlib, hashlib, re, zipfile. Tests compare the
two. It prints a dictionary: the path of each CodeResources with a sorted list of [kind, path].
"""
import hashlib
import json
import os
import plistlib
import stat
import sys
import zipfile

from checklib.adhocseals import verdict

LIST = "_CodeSignature/CodeResources"


def from_archive(path):
    """Names with (kind, content); a link's content is its target."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            name = info.filename
            if not info.flag_bits & 0x800 and not name.isascii():
                # zipfile takes such names for code page 437; Apple's tools write UTF-8 there.
                name = name.encode("cp437").decode("utf-8", "replace")
            if name.endswith("/"):
                found[name.rstrip("/")] = ("directory", b"")
            else:
                found[name] = ("link" if stat.S_ISLNK(mode) else "file", archive.read(info))
    return found


def from_folder(path):
    found = {}
    for folder, names, files in os.walk(path):
        for name in names + files:
            whole = os.path.join(folder, name)
            inner = os.path.relpath(whole, path)
            if os.path.islink(whole):
                found[inner] = ("link", os.readlink(whole).encode())
            elif os.path.isdir(whole):
                found[inner] = ("directory", b"")
            else:
                with open(whole, "rb") as file:
                    found[inner] = ("file", file.read())
    return found


def executable(entries, folder):
    for place in ("Info.plist", "Resources/Info.plist"):
        content = entries.get(folder + place)
        if content:
            try:
                name = plistlib.loads(content[1]).get("CFBundleExecutable")
            except Exception:  # Whatever is wrong with it, there is no name.
                return None
            return "MacOS/" + name if folder.endswith("Contents/") else name
    return None


def is_excluded(path, main):
    return path in (main, "CodeResources") or path.split("/")[0] in ("_CodeSignature", "_MASReceipt")


def check(entries, folder):
    resources = plistlib.loads(entries[folder + LIST][1])
    version = 2 if "files2" in resources or "rules2" in resources else 1
    files = resources.get("files2" if version == 2 else "files", {})
    rules = resources.get("rules2" if version == 2 else "rules", {})
    main = executable(entries, folder)
    problems, seen = [], set()
    if version == 2:
        for path, seal in resources.get("files", {}).items():
            old = seal if isinstance(seal, bytes) else seal.get("hash")
            new = files.get(path, {})
            new = new if isinstance(new, bytes) else new.get("hash")
            if old and new and old != new:
                problems.append(["disagreement", path])
    code = {path for path, seal in files.items() if isinstance(seal, dict)
            and ("cdhash" in seal or "requirement" in seal)}
    for name, (kind, content) in entries.items():
        if not name.startswith(folder):
            continue
        path = name[len(folder):]
        if is_excluded(path, main):
            continue
        parts = path.split("/")
        above = [whole for whole in ("/".join(parts[:count]) for count in range(1, len(parts)))
                 if whole in code]
        if above:
            seen.add(above[0])
            continue
        if path not in files:
            if path == "embedded.mobileprovision":
                continue  # zsign leaves it out in nested bundles.
            if (kind != "directory" and verdict(path, rules) is not None
                    and not (version == 1 and kind == "link") and "SC_Info" not in parts[:-1]):
                problems.append(["added", path])
            continue
        seen.add(path)
        seal = files[path] if isinstance(files[path], dict) else {"hash": files[path]}
        if path in code:
            if kind == "link":
                problems.append(["kind-changed", path])
        elif "symlink" in seal:
            if kind != "link":
                problems.append(["kind-changed", path])
            elif seal["symlink"].encode() != content:
                problems.append(["link-changed", path])
        elif kind != "file":
            problems.append(["kind-changed", path])
        elif (hashlib.sha256(content).digest() != seal["hash2"] if "hash2" in seal
              else hashlib.sha1(content).digest() != seal["hash"]):
            problems.append(["changed", path])
    for path, seal in files.items():
        is_optional = isinstance(seal, dict) and seal.get("optional", False)
        if path not in seen and not is_optional and not is_excluded(path, main):
            problems.append(["missing", path])
    return sorted(problems)


def main():
    path = sys.argv[1]
    entries = from_folder(path) if os.path.isdir(path) else from_archive(path)
    lists = [name[:-len(LIST)] for name in entries if name == LIST or name.endswith("/" + LIST)]
    json.dump({folder + LIST: check(entries, folder) for folder in lists}, sys.stdout)


main()
