#!/usr/bin/env python3
"""Signs apps ad hoc with the release binary, and has others read what came of it.

    check-adhoc.py BINARY [--list]

Apps are those of Samples/signing, and published ones where they lie beside the checkout. The readers: one of
Python's own modules alone (checklib/adhocseals.py), PyPI's macholib, isign, and `verify --signed`. Closes with
'N passed, N failed'.
"""

import argparse
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import time
import zipfile

from checklib import adhocseals, isigntool, signedapps
from checklib.tally import Tally
from checklib.tool import Tool, status_problems
from checklib.virtualenv import python_with
from signinglib import macho

MACHOLIB = "macholib==1.16.3"
SECTIONS = pathlib.Path(__file__).with_name("checklib") / "machosections.py"
SHARED = pathlib.Path(__file__).resolve().parents[2].parent / "shared"
PUBLISHED = (
    "ipas/app-info-apple-tv.ipa", "ipas/app-info-embedded.ipa", "ipas/app-info-ipad.ipa",
    "ipas/app-info-iphone.ipa", "ipas/fastlane-very-capable.ipa", "ipas/mas-undebuggable.ipa",
    "ipas/pliney-test.ipa", "signed/isign-OK-infoplist.ipa", "signed/isign-STALE-infoplist.ipa",
    "signed/z-adhoc.ipa", "signed/z-multi.ipa", "signed/z-p12.ipa")


def unpack(archive, folder):
    """Unpacks with links and modes."""
    folder = pathlib.Path(folder)
    with zipfile.ZipFile(archive) as source:
        for entry in source.infolist():
            name = entry.filename
            if not entry.flag_bits & 0x800 and not name.isascii():
                # zipfile takes such names for code page 437; Apple's tools write UTF-8 there.
                name = name.encode("cp437").decode("utf-8", "replace")
            path = folder / name
            mode = entry.external_attr >> 16
            if entry.is_dir():
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if stat.S_ISLNK(mode):
                path.symlink_to(source.read(entry).decode())
                continue
            path.write_bytes(source.read(entry))
            path.chmod(mode & 0o777 or 0o644)
    return folder


class Check:
    def __init__(self, binary, work, tally):
        self.work, self.tally = pathlib.Path(work), tally
        home = self.work / "home"
        home.mkdir()
        self.tool = Tool(binary, str(home))

    def run(self, *arguments):
        return self.tool.run([str(each) for each in arguments], 300)

    def sign(self, app, output, *options):
        return self.run("sign", app, "-o", output, "--signer", "adhoc", *options)

    def sign_anyhow(self, app, output, *options):
        """Published apps may have errors of other kinds, which the plan finds."""
        return self.sign(app, output, "--ignore-plan", *options)

    def verify(self, app):
        """The rules of signatures that an app breaks."""
        run = self.run("verify", "--signed", "--json", app)
        try:
            findings = json.loads(run.out)["findings"]
        except (ValueError, KeyError):
            return [f"no report: {run.err.decode('utf-8', 'replace')[-200:]}"]
        return sorted({each["rule"] for each in findings if each["rule"].startswith("signature.")})

    # ------------------------------------------------------------------ apps

    def app(self, name, archive):
        """An archive becomes an archive and a folder, and is signed again."""
        work = self.work / name.replace("/", "-")
        work.mkdir()
        before = unpack(archive, work / "before")
        first, second, folder = (work / each for each in ("one.ipa", "two.ipa", "Out"))
        if not self.tally.check(f"{name}: is signed", status_problems(self.sign_anyhow(archive, first), 0)):
            return None
        after = unpack(first, work / "after")
        root = adhocseals.app_of(after)
        self.tally.check(f"{name}: every seal is right", adhocseals.seal_problems(root))
        self.tally.check(
            f"{name}: nothing else changed", adhocseals.change_problems(before, after, times=False))
        self.tally.check(f"{name}: verify agrees", self.verify(first))
        time.sleep(1.1)
        problems = status_problems(self.sign_anyhow(archive, second), 0)
        if not problems and first.read_bytes() != second.read_bytes():
            problems = ["other bytes"]
        self.tally.check(f"{name}: gives the same bytes at another time", problems)
        problems = status_problems(self.sign_anyhow(first, second, "--force"), 0)
        if not problems and signedapps.members(first) != signedapps.members(second):
            problems = ["other members"]
        self.tally.check(f"{name}: gives the same when it is signed again", problems)
        problems = status_problems(self.sign_anyhow(first, folder), 0)
        self.tally.check(
            f"{name}: goes into a folder",
            problems or adhocseals.seal_problems(adhocseals.app_of(folder)))
        return root

    def folder(self):
        """An .app becomes an .app, and an archive."""
        work = self.work / "folder"
        signedapps.make(work / "in", nested=True)
        app = work / "in" / signedapps.APP
        for output in ("Out.app", "Out.ipa"):
            problems = status_problems(self.sign(app, work / output), 0)
            if not problems:
                made = work / output
                if made.suffix == ".ipa":
                    made = adhocseals.app_of(unpack(made, work / "unpacked"))
                problems = adhocseals.seal_problems(made)
            self.tally.check(f"an .app becomes {output}", problems)

    def macholib(self, roots):
        """Another reader sees __LINKEDIT and the signature end where the slice ends."""
        python, why = python_with("macholib", MACHOLIB)
        if python is None:
            self.tally.note(f"without macholib: {why}")
            return
        for name, root in roots.items():
            files = [
                str(each) for each in sorted(root.rglob("*"))
                if each.is_file() and not each.is_symlink() and adhocseals.is_code(each.read_bytes())]
            done = subprocess.run(
                [python, str(SECTIONS), *files], check=False, capture_output=True, text=True)
            problems = [done.stderr.strip()[-200:]] if done.returncode else []
            for path, found in zip(files, json.loads(done.stdout) if not problems else []):
                for processor, segments, signature, size in found:
                    ends = {sum(segments["__LINKEDIT"]), sum(signature or [0])}
                    if ends != {size}:
                        problems.append(f"{path}: {processor} ends at {ends}, and has {size} bytes")
            self.tally.check(f"{name}: macholib reads it", problems)

    def isign(self, roots):
        """isign, which knows older signatures, finds ours where they are."""
        path, why = isigntool.install(self.work / "bin")
        if path is None:
            self.tally.note(f"without isign: {why}")
            return
        for name, root in roots.items():
            if "tv" in name:
                continue  # It knows iOS alone.
            done = subprocess.run(
                [path, "--display", str(root)], check=False, capture_output=True, text=True,
                stdin=subprocess.DEVNULL)
            problems = []
            if done.returncode or not done.stdout.strip():
                problems = (done.stderr or "no word").strip().splitlines()[-1:]
            self.tally.check(f"{name}: isign displays it", problems)

    def entitlements(self):
        """Those of the app are kept, those that are given are taken."""
        work = self.work / "entitlements"
        writer = signedapps.make(work / "in")
        signedapps.sign(writer, entitlements={"get-task-allow": True})
        given = work / "given.plist"
        given.write_text(
            "<plist version='1.0'><dict><key>b.c</key><array><string>x</string></array>"
            "<key>a</key><false/></dict></plist>")
        for name, options, wanted in (
                ("kept", [], b"<key>get-task-allow</key>"), ("given", ["-e", given], b"<key>b.c</key>")):
            app = work / f"{name}.app"
            problems = status_problems(self.sign(work / "in" / signedapps.APP, app, *options), 0)
            if not problems:
                problems = adhocseals.seal_problems(app)
                if wanted not in (app / "Demo").read_bytes():
                    problems.append("other entitlements")
            self.tally.check(f"entitlements are {name}", problems)

    def refusals(self):
        """What cannot be signed is said, and there is no output."""
        work = self.work / "refusals"
        for name, options, word in (
                ("an encrypted executable", {"crypt_id": 1}, b"encrypted"),
                ("no room for the load command", {"room": 0}, b"room")):
            signedapps.make(work / "in")
            app = work / "in" / signedapps.APP
            (app / "Demo").write_bytes(macho.thin(macho.Spec(**options)))
            run = self.sign_anyhow(app, work / "Out.ipa")
            problems = status_problems(run, 65)
            if word not in run.err:
                problems.append(f"it says {run.err!r}")
            if (work / "Out.ipa").exists():
                problems.append("there is an output")
            self.tally.check(f"{name} is refused", problems)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    tally = Tally(arguments.list)
    with tempfile.TemporaryDirectory() as work:
        check = Check(arguments.binary, work, tally)
        archives = {}
        for name, options in (
                ("nested", {"nested": True}), ("plain", {}), ("old", {"nested": True, "old": True})):
            signedapps.make(check.work / f"made-{name}", **options)
            archives[name] = signedapps.pack(
                check.work / f"made-{name}", check.work / f"made-{name}.ipa")
        archives |= {name: SHARED / name for name in PUBLISHED if (SHARED / name).is_file()}
        roots = {name: check.app(name, path) for name, path in archives.items()}
        roots = {name: root for name, root in roots.items() if root is not None}
        check.folder()
        check.entitlements()
        check.refusals()
        check.macholib(roots)
        check.isign(roots)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
