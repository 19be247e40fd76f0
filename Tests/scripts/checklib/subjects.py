"""The three forms an app comes in: an archive, a folder, a property list by itself.

Each gives the main application's Info.plist and says how two of its kind differ beside it.
"""

import hashlib
import os
import re
import shutil
import stat
import subprocess
import zipfile
import zlib

from . import rawzip

MAIN_PLIST = re.compile(r"(?:Payload|Products/Applications)/[^/]+\.app/(?:Contents/)?Info\.plist")


class Unreadable(Exception):
    """What was made cannot be read, or has no main Info.plist."""


def _main_name(names):
    """The main Info.plist among relative paths: below Payload or Products, else the bundle's own."""
    inside = [name for name in names if MAIN_PLIST.fullmatch(name)]
    own = [name for name in ("Contents/Info.plist", "Info.plist") if name in names]
    if not inside + own:
        raise Unreadable("it holds no main Info.plist")
    return (inside + own)[0]


def subject(path):
    if os.path.isdir(path):
        return Folder(path)
    return PropertyList(path) if path.endswith(".plist") else Archive(path)


def fingerprint(path):
    """A digest of a file, or of all a folder holds."""
    digest = hashlib.sha256()
    if os.path.isdir(path):
        for name, entry in sorted(tree(path).items()):
            digest.update(repr((name, entry)).encode())
    else:
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def tree(path):
    """{relative path: (mode with its type, content)}; a link's content is its target."""
    entries = {"": (os.lstat(path).st_mode, b"")}
    for base, directories, files in os.walk(path):
        for name in directories + files:
            full = os.path.join(base, name)
            mode = os.lstat(full).st_mode
            content = b""
            if stat.S_ISLNK(mode):
                content = os.fsencode(os.readlink(full))
            elif stat.S_ISREG(mode):
                with open(full, "rb") as file:
                    content = file.read()
            entries[os.path.relpath(full, path).replace(os.sep, "/")] = (mode, content)
    return entries


def unpack(path, folder):
    """Unpacks an archive with its modes and links."""
    directories = []
    with zipfile.ZipFile(path) as archive:
        for item in archive.infolist():
            target = os.path.join(folder, item.filename)
            mode = item.external_attr >> 16
            if item.is_dir():
                os.makedirs(target, exist_ok=True)
                directories.append((target, mode))
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if stat.S_ISLNK(mode):
                os.symlink(archive.read(item).decode(), target)
                continue
            with open(target, "wb") as file:
                file.write(archive.read(item))
            os.chmod(target, mode & 0o777 or 0o644)
    for target, mode in directories:
        os.chmod(target, mode & 0o777 or 0o755)


BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)


class Archive:
    output = "out.ipa"

    def __init__(self, path):
        self.path = path

    def main_plist(self):
        try:
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(_main_name(archive.namelist()))
        except BROKEN_ZIP as error:
            raise Unreadable(f"zipfile cannot read it: {error}") from error

    def differences(self, after):
        """What differs in another archive beside the main Info.plist's content."""
        try:
            old, new = rawzip.read(self.path), rawzip.read(after.path)
        except rawzip.BadArchive as error:
            return [str(error)]
        names = [member.name.decode("utf-8", "replace") for member in old.members]
        edited = old.members[names.index(_main_name(names))].name
        return rawzip.differences(old, new, edited)

    def damage(self, before):
        """What zipfile, and unzip where there is one, find wrong. `before` may have the same warnings."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                bad = archive.testzip()
        except BROKEN_ZIP as error:
            return [f"zipfile cannot read it: {error}"]
        if bad is not None:
            return [f"zipfile finds {bad} damaged"]
        if not shutil.which("unzip"):
            return []
        if self._unzip() != before._unzip():
            return [f"unzip -t ends with {self._unzip()}, with {before._unzip()} for the input"]
        return []

    def _unzip(self):
        quiet = subprocess.DEVNULL
        command = ["unzip", "-tqq", self.path]
        return subprocess.run(
            command, check=False, stdin=quiet, stdout=quiet, stderr=quiet
        ).returncode


class Folder:
    def __init__(self, path):
        self.path = path
        self.output = os.path.basename(path.rstrip("/"))

    def main_plist(self):
        entries = tree(self.path)
        return entries[_main_name(entries)][1]

    def differences(self, after):
        """What differs in another folder beside the main Info.plist's content."""
        old, new = tree(self.path), tree(after.path)
        main = _main_name(old)
        problems = [f"{name} is missing" for name in sorted(old.keys() - new.keys())]
        problems += [f"{name} was added" for name in sorted(new.keys() - old.keys())]
        for name in sorted(old.keys() & new.keys()):
            if old[name][0] != new[name][0]:
                problems.append(f"mode of {name or 'the folder'} changed")
            if name != main and old[name][1] != new[name][1]:
                problems.append(f"content of {name} changed")
        return problems

    def damage(self, _before):
        return []


class PropertyList:
    output = "out.plist"

    def __init__(self, path):
        self.path = path

    def main_plist(self):
        with open(self.path, "rb") as file:
            return file.read()

    def differences(self, _after):
        return []

    def damage(self, _before):
        return []
