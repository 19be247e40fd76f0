#!/usr/bin/env python3
"""Has apps signed by signers that do as they are told: well, badly, and wrong with status 0.

    check-signers.py BINARY [--list]

The signers are scripts on a PATH of the test's own. Each row says what one does, and what 'sign' must make of
it: the exit status, the words, and whether there is an output. Closes with 'N passed, N failed'.
"""

import argparse
import json
import os
import pathlib
import plistlib
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import namedtuple

from checklib import fakesigner, signedapps
from checklib.identity import PASSWORD, Identity
from checklib.processes import alive, wait_for
from checklib.tally import Tally
from checklib.tool import Tool, hear_interrupts, status_problems

Row = namedtuple("Row", "name task status words warns")
APP = signedapps.APP

# What zsign does with the app's folder, and what must come of it.
ROWS = (
    Row("signs as it should", "ok", 0, (), ()),
    Row("ends with an error in colours", "fail", 69, ("zsign ended with status 255", "Unknown issuer hash"), ()),
    Row("is killed", "killed", 69, ("was ended by signal 9",), ()),
    Row("signs an old Info.plist", "stale", 69, ("Info.plist is not the one that was signed", "-f"), ()),
    Row("leaves a resource unsealed", "resource", 69, ("text.txt",), ()),
    Row("signs nothing", "nothing", 69, ("no code signature",), ()),
    Row("removes the app", "gone", 69, ("the app is gone",), ()),
    Row("makes files of links", "links", 69, ("link.txt", "symbolic link is a file"), ()),
    Row("drops modes, which come back", "modes", 0, (), ()),
    Row("drops a file that begins with a point", "hidden", 69, (".hidden", "is gone"), ()),
    Row("garbles a name", "names", 69, ("Grüße.txt", "its name became"), ()),
    Row("writes Info.plist as XML", "xml", 0, (), ("Info.plist is xml now",)),
    Row("changes the identifier", "identifier", 69, ("com.example.other",), ()),
    Row("drops the update metadata", "metadata", 69, ("/IPAHub was removed",), ()),
    Row("changes a value", "value", 0, (), ("/CFBundleVersion was changed",)),
    Row("drops a file", "removed", 69, ("text.txt", "is gone"), ()),
    Row("adds a file", "added", 0, (), ("signed-by.txt", "was not there before")),
    Row("prints 100 MB", "noise", 0, (), ()),
)

# What a command does that packs the archive itself.
ARCHIVES = (
    Row("no output", "none", 69, ("there is no output",), ()),
    Row("an output that is no archive", "no-zip", 69, ("cannot be read",), ()),
    Row("modes are lost", "modes", 69, ("sign.execute-bits", "sign.symbolic-links"), ()),
    Row("a file that nobody may read", "mode-zero", 69, ("nobody may read it",), ()),
    Row("links became files", "links", 69, ("symbolic link is a file",), ()),
    Row("files that begin with a point are gone", "hidden", 69, (".hidden", "is gone"), ()),
    Row("names are garbled", "names", 69, ("Grüße.txt", "its name became"), ()),
    Row("nothing is compressed", "stored", 0, (), ("the archive has",)),
    Row("all is well", "ok", 0, (), ()),
)


class Check:
    def __init__(self, binary, work, tally):
        self.work, self.tally = pathlib.Path(work), tally
        self.bin = self.work / "bin"
        fakesigner.install(self.bin)
        home = self.work / "home"
        home.mkdir()
        self.tool = Tool(binary, str(home))
        self.tool.environment["PATH"] = f"{self.bin}:{os.environ['PATH']}"
        self.writer = signedapps.make(self.work / "app")
        self.ipa = signedapps.pack(self.work / "app", self.work / "Demo.ipa")
        signed = signedapps.make(self.work / "signed")
        signedapps.sign(signed)
        self.signed = signedapps.pack(self.work / "signed", self.work / "Signed.ipa")
        self.out = self.work / "out"
        self.log = self.work / "log"

    def run(self, arguments, task="ok", limit=120, **variables):
        """One run with an empty folder for the output."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        self.log.unlink(missing_ok=True)
        self.tool.environment.update(
            FAKE_SIGNER=task, FAKE_SIGNER_LOG=str(self.log), **variables)
        return self.tool.run([str(each) for each in arguments], limit)

    def calls(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()] \
            if self.log.exists() else []

    def left(self, *expected):
        """Problems where the output's folder holds anything else than it must."""
        found = sorted(os.listdir(self.out))
        return [] if found == sorted(expected) else [f"the folder of the output holds {found}"]

    def judge(self, row, run, output="out.ipa"):
        problems = status_problems(run, row.status)
        said = run.err.decode("utf-8", "replace")
        lines = [line for line in said.splitlines() if "error:" in line]
        if row.status and len(lines) != 1:
            problems.append(f"{len(lines)} lines of errors")
        shown = said + run.out.decode("utf-8", "replace")
        problems += [f"'{word}' is not said: {said[-300:]}" for word in (*row.words, *row.warns)
                     if word not in shown]
        if "\x1b" in said:
            problems.append("an escape sequence is printed")
        return problems + self.left(*([output] if row.status == 0 else []))

    # -------------------------------------------------------------- the tables

    def named_signers(self):
        for row in ROWS:
            run = self.run([
                "sign", self.ipa, "-o", self.out / "out.ipa", "--signer", "zsign", "--", "-a"], row.task)
            problems = self.judge(row, run)
            if row.task == "modes" and not problems:
                problems += self.same_modes(self.out / "out.ipa")
            self.tally.check(f"zsign {row.name}", problems)

    def same_modes(self, path):
        old, new = signedapps.members(self.ipa), signedapps.members(path)
        wrong = [name for name, (mode, _) in old.items()
                 if mode >> 12 == 0o10 and new.get(name, (0,))[0] != mode]
        return [f"the mode of {wrong[0]} is another one"] if wrong else []

    def commands(self):
        script = pathlib.Path(fakesigner.__file__)
        for row in ARCHIVES:
            line = f"{sys.executable} {script} archive {row.task} {{input}} {{output}}"
            run = self.run(["sign", self.signed, "-o", self.out / "out.ipa", "--command", line, "--json"])
            self.tally.check(f"a command whose archive has: {row.name}", self.judge(row, run))
        cases = (
            ("that signs the unpacked app", "isn't {bundle}", self.ipa, "out.ipa"),
            ("that signs an archive in place", ": {input}", self.signed, "out.ipa"),
            ("that signs a folder in place", "isn't {input}", self.work / "app" / APP, "Out.app"),
            ("that writes a folder", "cp -R {input} {output} && isn't {output}",
             self.work / "app" / APP, "Out.app"),
        )
        for name, line, source, output in cases:
            line = line.replace("isn't", f"{self.bin}/zsign")
            run = self.run(["sign", source, "-o", self.out / output, "--command", line])
            self.tally.check(f"a command {name}", self.judge(Row(name, "ok", 0, (), ()), run, output))

    def odd_names(self):
        """Blanks, quotes and the like in paths are one word for the shell."""
        folder = self.work / "odd $(touch x) 'n\"ame;"
        folder.mkdir()
        source = shutil.copy(self.signed, folder / "in put.ipa")
        run = self.run([
            "sign", source, "-o", self.out / "o'u t.ipa", "--command", "cp {input} {output}"])
        problems = self.judge(Row("", "ok", 0, (), ()), run, "o'u t.ipa")
        if list(self.work.rglob("x")):
            problems.append("a part of the path was run")
        self.tally.check("odd names are one word of the command", problems)

    # -------------------------------------------------------------- each signer

    def each_signer(self):
        identity = Identity(self.work / "identity")
        profile = identity.profile("main", signedapps.IDENTIFIER)
        key = ["--p12", identity.path("dev.p12"), "--password-file", identity.path("password")]
        pem = ["--key", identity.path("encrypted.pem"), "--certificate", identity.path("chain.pem"),
               "--password-env", "SIGNING_PASSWORD"]
        cases = (
            ("zsign", key), ("zsign", pem), ("isign", key), ("isign", pem), ("rcodesign", key),
            ("rcodesign", pem), ("codesign", ["--identity", "Apple Development: T"]),
        )
        for signer, options in cases:
            name = f"{signer} with {options[0]}"
            run = self.run([
                "sign", self.ipa, "-o", self.out / "out.ipa", "--signer", signer, *options,
                "-m", profile, "--json", "--verbose"],
                SIGNING_PASSWORD=PASSWORD, FAKE_SIGNER_PASSWORD=PASSWORD)
            problems = status_problems(run, 0) or self.left("out.ipa")
            problems += self.call_problems(signer, run, profile)
            if not problems:
                problems += self.same_values(self.out / "out.ipa", profile)
            self.tally.check(name, problems)
            run = self.run([
                "sign", self.ipa, "-o", self.out / "out.ipa", "--signer", signer, *options,
                "-m", profile, "--json", "--verbose"], "babble",
                SIGNING_PASSWORD=PASSWORD, FAKE_SIGNER_PASSWORD=PASSWORD)
            problems = status_problems(run, 69)
            if PASSWORD in (run.out + run.err).decode() and signer != "codesign":
                problems.append("the password is shown")
            self.tally.check(f"{name} shows no password where the signer does", problems)
        self.wrong_passwords(identity, profile)
        self.nested_profiles(identity)

    def call_problems(self, signer, run, profile):
        calls = self.calls()
        if not calls:
            return ["it was not called"]
        problems = []
        arguments = calls[0]["arguments"]
        if any(PASSWORD in each for call in calls for each in call["arguments"]):
            problems.append("the password is on the command line")
        report = json.loads(run.out)
        if report.get("schema") != "ipa-inject/sign/1" or report["signer"]["name"] != signer:
            problems.append("the report is of another form")
        if PASSWORD in run.out.decode() + run.err.decode():
            problems.append("the password is shown")
        wanted = {
            "zsign": ["-f", "-k", "-m", profile, "-e"], "isign": ["-k", "-c", "-p", profile, "-i"],
            "rcodesign": ["sign", "--pem-file", "--timestamp-url", "--entitlements-xml-file"],
            "codesign": ["--force", "--sign", "--generate-entitlement-der", "--entitlements"],
        }[signer]
        return problems + [f"{each} is not given" for each in wanted if each not in arguments]

    def same_values(self, path, profile):
        """Whether Info.plist came back with the same values, and the profile lies in place."""
        old, new = signedapps.members(self.ipa), signedapps.members(path)
        name = f"{APP}/Info.plist"
        problems = []
        if plistlib.loads(old[name][1]) != plistlib.loads(new[name][1]):
            problems.append("Info.plist has other values")
        if self.calls()[0]["name"] in ("rcodesign", "codesign"):
            with open(profile, "rb") as file:
                if new.get(f"{APP}/embedded.mobileprovision", (0, b""))[1] != file.read():
                    problems.append("the profile is not in the app")
        return problems

    def wrong_passwords(self, identity, profile):
        wrong = self.work / "wrong"
        wrong.write_text("another one\n")
        files = (("--p12", "dev.p12", []),
                 ("--key", "encrypted.pem", ["--certificate", identity.path("chain.pem")]))
        for option, name, more in files:
            for given, words in ((["--password-file", wrong], "is not that of"), ([], "has a password")):
                run = self.run([
                    "sign", self.ipa, "-o", self.out / "out.ipa", "--signer", "zsign", option,
                    identity.path(name), *more, "-m", profile, *given])
                row = Row("", "ok", 69, (words,), ())
                what = "a wrong" if given else "no"
                self.tally.check(f"{option} with {what} password", self.judge(row, run))

    def nested_profiles(self, identity):
        """An app with extensions: each gets its own profile and entitlements."""
        signedapps.make(self.work / "nested", nested=True)
        source = signedapps.pack(self.work / "nested", self.work / "Nested.ipa")
        wild = identity.profile("wild")
        run = self.run([
            "sign", source, "-o", self.out / "out.ipa", "--signer", "codesign", "--identity", "T",
            "-m", wild, "--json"], "nothing")
        problems = status_problems(run, 69)
        paths = [call["arguments"][-1].split("Demo.app", 1)[1] for call in self.calls()]
        if not paths or paths[-1] != "" or "/PlugIns/Share.appex" not in paths:
            problems.append(f"signed were {paths}")
        for inner, outer in (("/PlugIns/Share.appex/Frameworks/Inner.framework", "/PlugIns/Share.appex"),
                             ("/Watch/Watch.app/PlugIns/WatchExtension.appex", "/Watch/Watch.app")):
            if inner not in paths or paths.index(inner) > paths.index(outer):
                problems.append(f"{inner} is not signed before {outer}")
        self.tally.check("codesign signs inside out", problems)
        run = self.run([
            "sign", source, "-o", self.out / "out.ipa", "--signer", "rcodesign", "--p12",
            identity.path("dev.p12"), "--password-file", identity.path("password"), "-m", wild], "nothing")
        given = [each for each in self.calls()[0]["arguments"] if each.startswith("PlugIns/Share.appex:")]
        self.tally.check(
            "rcodesign gets entitlements bundle by bundle",
            status_problems(run, 69) + ([] if given else ["none for the extension"]))

    # -------------------------------------------------------------- before and around

    def refusals(self):
        there = self.work / "There.ipa"
        there.write_bytes(b"old")
        ordinary = ["--signer", "zsign", "--", "-a"]
        expired = Identity(self.work / "other").profile("expired", days=0)
        cases = (
            ("a signer that is not there", ["-o", self.out / "o.ipa", "--signer", "zsign"], 69,
             ("the signer zsign is not there", "github.com/zhlynn/zsign"), {"PATH": "/nonexistent"}),
            ("a variable that names no program", ["-o", self.out / "o.ipa", *ordinary], 69,
             ("ZSIGN is '/nonexistent'",), {"ZSIGN": "/nonexistent"}),
            ("an output that is there", ["-o", there, *ordinary], 73, ("exists already",), {}),
            ("no signer", ["-o", self.out / "o.ipa"], 64, ("--signer",), {}),
            ("no output", ["--signer", "zsign"], 64, ("-o OUTPUT",), {}),
            ("no key", ["-o", self.out / "o.ipa", "--signer", "isign"], 69, ("--p12",), {}),
            ("a key without its certificate", ["-o", self.out / "o.ipa", "--signer", "zsign", "-k", "k"],
             64, ("--certificate",), {}),
            ("a template without an input", ["-o", self.out / "o.ipa", "--command", "true"], 64,
             ("{input}",), {}),
            ("a signer and a command", ["-o", "o", "--signer", "zsign", "--command", "{input}"], 64,
             ("exclude each other",), {}),
            ("a profile that the template wants", ["-o", self.out / "o.ipa", "--command",
             "cp {input} {output} {profile}"], 69, ("-m FILE",), {}),
            ("an expired profile", ["-o", self.out / "o.ipa", "-m", expired, *ordinary], 1,
             ("--ignore-plan",), {}),
        )
        for name, arguments, status, words, variables in cases:
            before = dict(self.tool.environment)
            run = self.run(["sign", self.ipa, *arguments], **variables)
            problems = self.judge(Row(name, "ok", status, words, ()), run)
            self.tool.environment = before
            if status != 69 and self.calls():
                problems.append("the signer was called")
            if there.read_bytes() != b"old":
                problems.append("the old output is another one")
            self.tally.check(f"refused: {name}", problems)
        for option in ("--ignore-plan", "--force"):
            run = self.run([
                "sign", self.ipa, "-o", self.out / "out.ipa", option, "-m", expired, *ordinary])
            row = Row("", "ok", 0, (), ("expired",))
            self.tally.check(f"{option} goes on", self.judge(row, run))
        run = self.run(["sign", self.ipa, "-o", there, "--force", *ordinary])
        problems = status_problems(run, 0)
        if there.read_bytes() == b"old":
            problems.append("the output was not replaced")
        self.tally.check("--force replaces", problems)
        run = self.run(["sign", self.ipa, "-o", there, "--force", *ordinary], "stale")
        self.tally.check("a wrong result replaces nothing", status_problems(run, 69) + (
            [] if there.read_bytes()[:2] == b"PK" else ["the old output is gone"]))

    def checks_only(self):
        stale = self.work / "stale"
        shutil.copytree(self.work / "signed", stale, symlinks=True)
        fakesigner.info(stale / APP, lambda values: values.update(CFBundleVersion="2"))
        cases = (
            ("what is right", [self.signed], 0, ()),
            ("what is not signed", [self.ipa], 69, ("no code signature",)),
            ("what was edited later", [stale / APP], 69, ("Info.plist",)),
            ("an output beside its input", [self.ipa, "-o", self.signed], 0, ()),
        )
        for name, arguments, status, words in cases:
            run = self.run(["sign", *arguments, "--check-only"])
            problems = status_problems(run, status)
            problems += [f"'{word}' is not said" for word in words if word not in run.err.decode()]
            self.tally.check(f"--check-only: {name}", problems + self.left())

    def hanging(self):
        arguments = ["sign", self.ipa, "-o", self.out / "out.ipa", "--signer", "zsign"]
        pids = self.work / "pids"
        run = self.run([*arguments, "--timeout", "2", "--", "-a"], "hang", FAKE_SIGNER_PIDS=str(pids))
        row = Row("", "hang", 69, ("did not end within 2 s",), ())
        self.tally.check("a signer that hangs ends with the timeout", self.judge(row, run) + alive(pids))
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            pids.unlink(missing_ok=True)
            shutil.rmtree(self.out)
            self.out.mkdir()
            process = subprocess.Popen(
                [self.tool.binary, *map(str, arguments), "--", "-a"], env=self.tool.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            wait_for(pids.exists)
            process.send_signal(number)
            _, said = process.communicate(timeout=60)
            problems = self.left() + alive(pids)
            if process.returncode != status:
                problems.append(f"exit status {process.returncode}")
            if b"error" in said:
                problems.append("something is said")
            self.tally.check(f"{signal.Signals(number).name} ends a signer with its group", problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--list", action="store_true", help="print checks that pass, too")
    options = parser.parse_args()
    hear_interrupts()
    tally = Tally(options.list)
    if not shutil.which("openssl"):
        tally.note("skipped: there is no openssl")
        sys.exit(0)
    with tempfile.TemporaryDirectory(prefix="signers-") as work:
        check = Check(options.binary, work, tally)
        check.named_signers()
        check.commands()
        check.odd_names()
        check.each_signer()
        check.refusals()
        check.checks_only()
        check.hanging()
    sys.exit(tally.close())


if __name__ == "__main__":
    main()
