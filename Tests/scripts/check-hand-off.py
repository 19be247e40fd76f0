#!/usr/bin/env python3
"""Has apps signed by real signers, with a key of one's own, and looks at what they did.

    check-hand-off.py BINARY [--list]

isign comes from PyPI into an environment of its own; zsign, rcodesign and ldid run where they are in PATH,
and codesign on macOS with IDENTITY. The whole way: inject, plan, sign, verify, a strange reader of the
seals; then one byte of each sealed place is turned. Closes with 'N passed, N failed'.
"""

import argparse
import os
import pathlib
import plistlib
import shutil
import subprocess
import sys
import tempfile

from checklib import isigntool, signedapps
from checklib.identity import PASSWORD, TEAM, Identity
from checklib.tally import Tally
from checklib.tool import Tool, status_problems
from signinglib import reader
from signinglib.signature import Directory

APP = signedapps.APP
OLD = (Directory(version=0x20200, hash_type=1), Directory(version=0x20200, hash_type=2))
ENTITLEMENTS = {
    "application-identifier": f"{TEAM}.{signedapps.IDENTIFIER}", "get-task-allow": True,
    "com.apple.developer.team-identifier": TEAM}
SHARED = pathlib.Path(__file__).resolve().parents[2].parent / "shared"
# Published apps that isign can sign.
PUBLISHED = ("app-info-iphone.ipa", "mas-undebuggable.ipa", "pliney-test.ipa")


class Check:
    def __init__(self, binary, work, tally):
        self.work, self.tally = pathlib.Path(work), tally
        home = self.work / "home"
        home.mkdir()
        self.tool = Tool(binary, str(home))
        self.identity = Identity(self.work / "identity")
        self.profile = self.identity.profile("wild")
        self.pem = ["--key", self.identity.path("key.pem"), "--certificate",
                    self.identity.path("chain.pem")]
        self.p12 = ["--p12", self.identity.path("dev.p12"), "--password-file",
                    self.identity.path("password")]

    def run(self, *arguments):
        return self.tool.run([str(each) for each in arguments], 300)

    def app(self, name, room=16384, **options):
        """A signed app as an archive. isign takes what was signed before 2018, and writes into the room that
        the old signature has."""
        writer = signedapps.make(self.work / name, **options)
        signedapps.sign(writer, directories=OLD, team=TEAM, entitlements=ENTITLEMENTS, room=room)
        return signedapps.pack(self.work / name, self.work / f"{name}.ipa")

    # -------------------------------------------------------------- the whole way

    def whole_way(self, signer, key, source, name):
        """Returns the signed archive, None where something failed."""
        edited, plan = self.work / f"{name}-edited.ipa", self.work / f"{name}-plan.json"
        signed = self.work / f"{name}-signed.ipa"
        steps = (
            ("inject", *self.tool.inject_arguments(str(source), ["-o", str(edited), "--force"])),
            ("plan", edited, "-m", self.profile, "--plan-out", plan),
            ("sign", edited, "-o", signed, "--signer", signer, *key, "-m", self.profile),
            ("verify", signed, "--signed", "--destination", "my-mac.local"),
            ("sign", edited, "-o", signed, "--check-only"),
        )
        for step in steps:
            arguments = step[1:] if step[0] == "inject" else step
            run = self.run(*arguments)
            if not self.tally.check(f"{name}: {step[0]}", status_problems(run, 0)):
                return None
        self.tally.check(f"{name}: a strange reader finds every seal right", seals(signed))
        self.tally.check(f"{name}: modes, links and values are kept", kept(edited, signed))
        return signed

    def turned_bytes(self, signed, name):
        """One byte of each sealed place is another one."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            app = pathlib.Path(folder) / APP
            places = {
                "Info.plist": ("signature.info-plist", "Info.plist", turn_plist),
                "a resource": ("signature.resources", "text.txt", turn(0)),
                "a code page": ("signature.code", "Demo", turn_code),
                "the entitlements": ("signature.code", "Demo", turn_after(b"\xfa\xde\x71\x71", 60)),
                "the CMS": ("signature.code", "Demo", turn_after(b"\xfa\xde\x0b\x01", -40)),
                "CodeResources": ("signature.resources", "_CodeSignature/CodeResources", turn(-20)),
            }
            for place, (rule, member, change) in places.items():
                shutil.rmtree(folder)
                if self.run("unpack", signed, "-o", folder).status:
                    self.tally.check(f"{name}: unpack", ["it fails"])
                    return
                change(app / member)
                run = self.run("verify", folder, "--signed")
                problems = status_problems(run, 1)
                if rule.encode() not in run.out:
                    problems.append(f"{rule} is not told: {run.out[-300:]}")
                self.tally.check(f"{name}: a byte of {place} is found", problems)

    # -------------------------------------------------------------- signers

    def isign(self):
        path, reason = isigntool.install(self.work / "bin")
        if path is None:
            self.tally.note(f"skipped: isign cannot be had from PyPI ({reason})")
            return
        self.tool.environment["ISIGN"] = path
        source = self.app("old", old=True, without=["link.txt"])
        signed = self.whole_way("isign", self.pem, source, "isign")
        self.whole_way("isign", self.p12, source, "isign with PKCS #12")
        if signed:
            self.turned_bytes(signed, "isign")
        run = self.run("sign", self.app("linked", old=True), "-o", self.work / "linked-signed.ipa",
                       "--signer", "isign", *self.pem, "-m", self.profile)
        problems = status_problems(run, 69)
        problems += [] if b"link.txt: the symbolic link is a file now" in run.err else [
            "the link is not told"]
        self.tally.check("isign: what it makes of a link is refused", problems)
        run = self.run("sign", self.app("narrow", room=0, old=True, without=["link.txt"]), "-o",
                       self.work / "narrow-signed.ipa", "--signer", "isign", *self.pem, "-m", self.profile)
        self.tally.check("isign: a signature that it has no room for is refused", status_problems(run, 69))
        self.isign_alone(path)
        for name in PUBLISHED:
            source = SHARED / "ipas" / name
            if source.exists():
                out = self.work / name
                run = self.run("sign", source, "-o", out, "--signer", "isign", *self.pem, "-m",
                               self.profile, "--ignore-plan")
                problems = status_problems(run, 0) or seals(out)
                self.tally.check(f"isign: {name}", problems)

    def isign_alone(self, path):
        """What isign leaves stale when Info.plist was edited elsewhere and nobody tells it."""
        # By itself it reads no archive with a name that is no ASCII.
        source = self.app("ascii", old=True, without=["link.txt", signedapps.apps.RESOURCE])
        edited, out = self.work / "ascii-edited.ipa", self.work / "alone.ipa"
        self.run(*self.tool.inject_arguments(source, ["-o", str(edited)]))
        done = subprocess.run(
            [path, "-k", self.identity.path("key.pem"), "-c", self.identity.path("certificate.pem"),
             "-p", self.profile, "-o", out, edited], check=False, capture_output=True,
            stdin=subprocess.DEVNULL)
        self.tally.check(
            "isign alone says that all is well", [] if done.returncode == 0 else [done.stderr.decode()[-200:]])
        for arguments in ((out,), (edited, "-o", out)):
            run = self.run("sign", *arguments, "--check-only", "--signer", "isign")
            problems = status_problems(run, 69)
            problems += [f"'{word}' is not said" for word in ("Info.plist", "-i KEY=VALUE")
                         if word not in (run.out + run.err).decode()]
            self.tally.check(f"what isign alone leaves is refused ({len(arguments)})", problems)

    def zsign_and_links(self, path):
        """zsign seals a link as the file that it leads to."""
        run = self.run("sign", path, "-o", self.work / "link.ipa", "--signer", "zsign", *self.p12,
                       "-m", self.profile)
        said = run.err.decode("utf-8", "replace")
        problems = status_problems(run, 69)
        problems += [] if "link.txt" in said and "zsign seals a symbolic link" in said else [said]
        self.tally.check("zsign: a link in the app is refused and explained", problems)

    def others(self):
        modern, linkless = self.app("modern"), self.app("linkless", without=("link.txt",))
        for signer, key in (("zsign", self.p12), ("zsign", self.pem), ("rcodesign", self.p12)):
            if not shutil.which(signer) and not os.environ.get(signer.upper()):
                self.tally.note(f"skipped: there is no {signer}")
                continue
            source = linkless if signer == "zsign" else modern
            signed = self.whole_way(signer, key, source, f"{signer} {key[0]}")
            if signed:
                self.turned_bytes(signed, signer)
        if shutil.which("zsign"):
            self.zsign_and_links(modern)
        if shutil.which("ldid"):
            out = self.work / "ldid.ipa"
            run = self.run("sign", modern, "-o", out, "--command", "ldid -S{entitlements} {bundle}",
                           "-m", self.profile)
            self.tally.check("ldid through a command", status_problems(run, 0) or seals(out))
        else:
            self.tally.note("skipped: there is no ldid")
        if sys.platform == "darwin" and os.environ.get("IDENTITY"):
            self.whole_way("codesign", ["--identity", os.environ["IDENTITY"]], modern, "codesign")
        else:
            self.tally.note("skipped: codesign is of macOS, with IDENTITY")


# ---------------------------------------------------------------- readers

def seals(path):
    """What a reader that shares no code with the tool finds wrong in the main executable."""
    members = {name: data for name, (_, data) in signedapps.members(path).items()}
    roots = {name.split("/")[1] for name in members if name.startswith("Payload/")}
    problems = []
    for root in roots:
        app = f"Payload/{root}"
        if f"{app}/Info.plist" not in members:
            continue
        info = members[f"{app}/Info.plist"]
        executable = plistlib.loads(info)["CFBundleExecutable"]
        resources = members.get(f"{app}/_CodeSignature/CodeResources")
        problems += wrong_slots(reader.read(members[f"{app}/{executable}"], info, resources))
    return problems if roots else ["there is no app"]


def wrong_slots(slices):
    problems = []
    for number, one in enumerate(slices):
        directories = one.get("directories") or []
        if not directories:
            problems.append(f"slice {number} has no CodeDirectory")
        for directory in directories:
            bad = [slot for slot, state in directory["slots"].items()
                   if slot in ("1", "3") and state != "valid"]
            problems += [f"page {page} of slice {number} is wrong" for page in directory["wrong"]]
            problems += [f"slot {slot} of slice {number} is {directory['slots'][slot]}" for slot in bad]
    return problems


def kept(before, after):
    old, new = signedapps.members(before), signedapps.members(after)
    problems = [f"{name} has another mode" for name, (mode, _) in old.items()
                if name in new and "/_CodeSignature/" not in name and new[name][0] != mode]
    problems += [f"{name} is gone" for name in old if name not in new]
    name = f"{APP}/Info.plist"
    if plistlib.loads(old[name][1]) != plistlib.loads(new[name][1]):
        problems.append("Info.plist has other values")
    return problems


# ---------------------------------------------------------------- changes

def turn(place):
    def change(path):
        data = bytearray(path.read_bytes())
        data[place] ^= 1
        path.write_bytes(data)
    return change


def turn_plist(path):
    data = path.read_bytes()
    path.write_bytes(data.replace(b"8.0", b"8.1", 1) if b"8.0" in data else data.replace(b"15.0", b"15.1", 1))


def turn_code(path):
    data = bytearray(path.read_bytes())
    # Where the code of the sample's last slice lies: behind the load commands, before the signature.
    start = data.find(b"\xfa\xde\x0c\xc0")
    data[start - 600] ^= 1
    path.write_bytes(data)


def turn_after(magic, place):
    def change(path):
        data = bytearray(path.read_bytes())
        start = data.find(magic)
        length = int.from_bytes(data[start + 4:start + 8], "big")
        data[start + (place if place > 0 else length + place)] ^= 1
        path.write_bytes(data)
    return change


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--list", action="store_true", help="print checks that pass, too")
    options = parser.parse_args()
    tally = Tally(options.list)
    missing = [name for name in ("openssl", "zip") if not shutil.which(name)]
    if missing:
        tally.note(f"skipped: there is no {missing[0]}")
        sys.exit(0)
    with tempfile.TemporaryDirectory(prefix="hand-off-") as work:
        check = Check(options.binary, work, tally)
        check.isign()
        check.others()
    if not tally.passed + tally.failed:
        sys.exit(0)
    sys.exit(tally.close())


if __name__ == "__main__":
    main()
