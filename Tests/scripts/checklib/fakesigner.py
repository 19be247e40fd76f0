"""Signers that do as they are told. `install` makes programs of their names in a folder.

What they do stands in FAKE_SIGNER. They sign ad hoc with the writer of the samples, and say in the file that
FAKE_SIGNER_LOG names how they were called.
"""

import json
import os
import pathlib
import plistlib
import shutil
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
NAMES = ("zsign", "rcodesign", "isign", "codesign")
SIGNED, FAILED = "\x1b[32m>>> Signed OK!\x1b[0m", "\x1b[31m>>> Unknown issuer hash 0x0badcafe!\x1b[0m"


def install(folder):
    os.makedirs(folder, exist_ok=True)
    for name in NAMES:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec '{sys.executable}' '{os.path.abspath(__file__)}' {name} \"$@\"\n")
        os.chmod(path, 0o755)


def sign(app):
    """Signs one app without nested code, as it is now."""
    sys.path.insert(0, str(ROOT / "Samples/signing"))
    from signinglib import apps

    class Writer:
        root, bundles, libraries = app, ["."], []

    apps.sign(Writer)


def info(app, change, form=None):
    """Changes Info.plist, in its own format or another one."""
    path = app / "Info.plist"
    data = path.read_bytes()
    form = form or (plistlib.FMT_BINARY if data.startswith(b"bplist") else plistlib.FMT_XML)
    values = plistlib.loads(data)
    change(values)
    path.write_bytes(plistlib.dumps(values, fmt=form))


def links_to_files(app):
    for path in [path for path in app.rglob("*") if path.is_symlink()]:
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(content)


def garble(app):
    for path in [path for path in app.rglob("*") if not path.name.isascii()]:
        path.rename(path.with_name(path.name.encode().decode("cp437")))


def no_modes(app):
    for path in app.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(0o600)


def hang(_):
    child = subprocess.Popen(["sleep", "300"])
    print(f"{os.getpid()} {child.pid}", flush=True)
    if path := os.environ.get("FAKE_SIGNER_PIDS"):
        pathlib.Path(path).write_text(f"{os.getpid()} {child.pid}")
    time.sleep(300)


def noise(app):
    block = (b"x" * 999 + b"\n") * 1000
    for _ in range(100):
        sys.stdout.buffer.write(block)
    sign(app)


def babble(_):
    """Shows each password that it could have got."""
    said = os.environ.get("FAKE_SIGNER_PASSWORD", "")
    print(f"\x1b[31m>>> the password '{said}' is wrong\x1b[0m")
    print(f"error: '{said}' again", file=sys.stderr)
    sys.exit(1)


def fail(_):
    print(FAILED)
    print(">>> Signed Failed!")
    sys.exit(255)


def killed(_):
    os.kill(os.getpid(), 9)


# What is done before an app is signed.
BEFORE = {
    "ok": lambda app: None,
    "links": links_to_files,
    "modes": no_modes,
    "hidden": lambda app: (app / ".hidden").unlink(),
    "names": garble,
    "xml": lambda app: info(app, lambda values: None, plistlib.FMT_XML),
    "identifier": lambda app: info(app, lambda v: v.update(CFBundleIdentifier="com.example.other")),
    "metadata": lambda app: info(app, lambda v: v.pop("IPAHub")),
    "value": lambda app: info(app, lambda v: v.update(CFBundleVersion="999")),
    "removed": lambda app: (app / "text.txt").unlink(),
    "added": lambda app: (app / "signed-by.txt").write_text("me"),
}
# What is done in place of signing, or after it.
INSTEAD = {
    "nothing": lambda app: None, "fail": fail, "hang": hang, "noise": noise, "babble": babble,
    "killed": killed, "gone": lambda app: shutil.rmtree(app),
}
AFTER = {
    "stale": lambda app: info(app, lambda values: values.update(CFBundleVersion="2")),
    "resource": lambda app: (app / "text.txt").write_text("later"),
}


def work(app, task):
    if task in INSTEAD:
        return INSTEAD[task](app)
    BEFORE.get(task, BEFORE["ok"])(app)
    sign(app)
    return AFTER.get(task, lambda app: None)(app)


def main():
    name, *arguments = sys.argv[1:]
    task = os.environ.get("FAKE_SIGNER", "ok")
    if arguments in (["-v"], ["--version"]):
        print("version: 1.2.3" if name == "zsign" else f"{name} 1.2.3")
        return
    if log := os.environ.get("FAKE_SIGNER_LOG"):
        with open(log, "a", encoding="utf-8") as file:
            file.write(json.dumps({"name": name, "arguments": arguments,
                                   "variables": dict(os.environ), "folder": os.getcwd()}) + "\n")
    app = pathlib.Path(arguments[-1])
    if name == "isign" and task != "gone":
        made = pathlib.Path(arguments[arguments.index("-o") + 1])
        shutil.copytree(app, made, symlinks=True)
        if "-i" in arguments:
            key, _, value = arguments[arguments.index("-i") + 1].partition("=")
            info(made, lambda values: values.update({key: value}))
        app = made
    work(app, task)
    print(SIGNED)


def archive():
    """`fakesigner.py archive TASK INPUT OUTPUT`: signs an archive as signers do that pack it themselves."""
    task, source, target = sys.argv[2:]
    if task == "no-zip":
        pathlib.Path(target).write_text("no archive")
        return
    if task == "none":
        return
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(
            target, "w", zipfile.ZIP_STORED if task == "stored" else zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            data = old.read(entry)
            if task == "modes":
                entry.external_attr = 0
                entry.create_system = 0
            if task == "mode-zero" and entry.filename.endswith("text.txt"):
                entry.external_attr = 0o100000 << 16
            if task == "links" and entry.external_attr >> 28 == 0o12:
                entry.external_attr = 0o100644 << 16
            if task == "hidden" and "/." in entry.filename:
                continue
            if task == "names" and not entry.filename.isascii():
                entry.filename = entry.filename.encode().decode("cp437")
            method = zipfile.ZIP_STORED if task == "stored" else zipfile.ZIP_DEFLATED
            new.writestr(entry, data, method)


if __name__ == "__main__":
    archive() if sys.argv[1] == "archive" else main()
