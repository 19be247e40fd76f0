"""Apps to be signed: made by the writer of the samples, as folders and as archives."""

import pathlib
import plistlib
import shutil
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Samples/signing"))
from signinglib import apps  # noqa: E402

APP = "Payload/Demo.app"
IDENTIFIER = "com.example.demo"
HUB = {"updateURL": ["http://my-mac.local:19464/api/app/" + "7e3a90c4d15b862f" * 3 + "/update"]}


def make(folder, nested=False, without=(), **options):
    """An app that is not signed, with what updates need and a file whose name begins with a point, and
    without some files. Returns its writer."""
    shutil.rmtree(folder, ignore_errors=True)
    writer = (apps.demo if nested else apps.plain)(folder, **options)
    app = pathlib.Path(folder) / APP
    path = app / "Info.plist"
    values = plistlib.loads(path.read_bytes())
    values["IPAHub"] = HUB
    path.write_bytes(plistlib.dumps(values, fmt=plistlib.FMT_BINARY))
    (app / ".hidden").write_bytes(b"a point\n")
    (app / "tool.sh").write_bytes(b"#!/bin/sh\n")
    (app / "tool.sh").chmod(0o755)
    for name in without:
        (app / name).unlink()
    (app / "words.txt").write_bytes(b"many words " * 20_000)
    return writer


def sign(writer, **options):
    """Signs the app with the writer's own code."""
    apps.sign(writer, **options)


def pack(folder, output):
    """An archive that keeps modes and links."""
    folder = pathlib.Path(folder)
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            is_link = path.is_symlink()
            if path.is_dir() and not is_link:
                continue
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (2026, 1, 1, 0, 0, 0))
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            mode = 0o120755 if is_link else 0o100000 | path.stat().st_mode & 0o777
            entry.external_attr = mode << 16
            archive.writestr(entry, str(path.readlink()).encode() if is_link else path.read_bytes())
    return str(output)


def members(path):
    """What an archive holds: mode and content by name."""
    with zipfile.ZipFile(path) as archive:
        return {
            entry.filename: (entry.external_attr >> 16, archive.read(entry))
            for entry in archive.infolist() if not entry.is_dir()}
