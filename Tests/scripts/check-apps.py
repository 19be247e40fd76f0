#!/usr/bin/env python3
"""Prepares every sample app, and real ones where there are any, and proves from outside what changed.

    check-apps.py BINARY [--apps DIR] [--real DIR] [--list]

Each app is prepared with `inject`. The result is read back with plistlib, zipfile and a reader of raw
archive records, none of which shares code with the binary: the contract's keys are there, and every
other value, byte, mode, link and header field is as it was. A second run must change nothing.
Prints what failed and closes with 'N passed, N failed'; status 1 on a failure or when nothing ran.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

from checklib import plists
from checklib.subjects import Folder, Unreadable, fingerprint, subject, unpack
from checklib.tally import Tally
from checklib.tool import Tool, leaks, status_problems

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BAD_INPUT = 65

# `replaced`: lines of an XML text whose value the contract changes; every other line must stay.
Sample = namedtuple("Sample", "replaced", defaults=((),))
SAMPLES = {
    "Harbor.ipa": Sample(),
    "Harbor.app": Sample(),
    "Harbor.xcarchive": Sample(),
    "HarborTV.ipa": Sample(),
    "Pod.ipa": Sample(),
    "plists/plain-xml.plist": Sample(),
    "plists/plain-binary.plist": Sample(),
    "plists/odd-layout.plist": Sample(),
    "plists/blank-text.plist": Sample(replaced=("<string> \u00a0\u3000</string>".encode(),)),
    "plists/same-host.plist": Sample(replaced=(b"<false/>",)),
    "plists/every-type-xml.plist": Sample(),
    "plists/every-type-binary.plist": Sample(),
}

# Real archives that are no .ipa of the right form, and the folder inside that is an app all the same.
Refused = namedtuple("Refused", "inner", defaults=(None,))
REFUSED = {
    "sparkle-mac-app.zip": Refused("DevSignedApp.app"),
    "fastlane-app-only.ipa": Refused("iOSAppOnly"),
    "fastlane app with spaces.ipa": Refused("iOSAppOnly"),
    "fastlane-watch.ipa": Refused("ContainsWatchApp"),
    "fastlane-incorrectly-signed.ipa": Refused("IncorrectlySigned"),
    "fastlane-no-app-bundle.ipa": Refused(),
    "fastlane-no-swift.ipa": Refused(),
    "fastlane-swift-twice.ipa": Refused(),
    "fastlane-not-an-ipa.ipa": Refused(),
}

# Published test files that lack what every app has: their makers took code or plists out. No device would
# take them, and `verify` says so.
INCOMPLETE = {
    "app-info-embedded.ipa": {"bundle.info-plist"},
    "ipa-metadata-binary.ipa": {"bundle.executable"},
    "ipa-metadata-xml.ipa": {"bundle.executable"},
    "fastlane-app-only.ipa": {"bundle.executable"},
    "fastlane app with spaces.ipa": {"bundle.executable"},
    "fastlane-watch.ipa": {"bundle.executable"},
    "fastlane-incorrectly-signed.ipa": {"bundle.executable", "bundle.info-plist"},
}


class Checker:
    def __init__(self, tool, tally, work):
        self.tool, self.tally, self.work, self._count = tool, tally, work, 0

    def folder(self):
        self._count += 1
        path = os.path.join(self.work, f"{self._count:03d}")
        os.mkdir(path)
        return path

    def refuses(self, name, path):
        """The input is no app: a message, no output, the input as it was."""
        place, before = self.folder(), fingerprint(path)
        output = os.path.join(place, "out.ipa")
        run = self.tool.run(self.tool.inject_arguments(path, ["-o", output]))
        self.tally.check(f"{name}: refused", status_problems(run, BAD_INPUT))
        silent = [] if run.err.startswith(b"ipa-inject: error: ") else ["no error line"]
        self.tally.check(f"{name}: error line", silent)
        left = [f"{entry} was left" for entry in os.listdir(place)]
        self.tally.check(f"{name}: no output", left)
        self._common(name, path, before, [run])

    def prepares(self, name, path, replaced=()):
        """The input is an app: prepared as the contract says, and nothing else."""
        place, before = self.folder(), subject(path)
        print_before = fingerprint(path)
        output = os.path.join(place, before.output)
        run = self.tool.run(self.tool.inject_arguments(path, ["-o", output]))
        done = self.tally.check(f"{name}: exit status", status_problems(run, 0))
        runs = [run]
        if done and not os.path.lexists(output):
            self.tally.check(f"{name}: output", ["there is none"])
        elif done:
            extra = [f"{entry} was left beside it" for entry in os.listdir(place)
                     if entry != before.output]
            self.tally.check(f"{name}: output", extra)
            try:
                after = subject(output)
                self._untouched(name, before, after)
                self._plist(name, before.main_plist(), after.main_plist(), replaced)
                runs.append(self._again(name, after))
                runs += self._verified(name, path, output)
            except Unreadable as error:
                self.tally.check(f"{name}: readable", [str(error)])
        self._common(name, path, print_before, runs)

    def _untouched(self, name, before, after):
        if isinstance(before, Folder) != isinstance(after, Folder):
            self.tally.check(f"{name}: nothing else changed", ["the output is of another kind"])
            return
        self.tally.check(f"{name}: nothing else changed", before.differences(after))
        self.tally.check(f"{name}: not damaged", after.damage(before))

    def _plist(self, name, old, new, replaced):
        before, after = plists.load(old), plists.load(new)
        wanted = plists.expected(before)
        for key in plists.CONTRACT_KEYS:
            problems = plists.differences({key: wanted[key]}, {k: after[k] for k in [key] if k in after})
            self.tally.check(f"{name}: {key}", problems)
        others = [{key: value for key, value in document.items() if key not in plists.CONTRACT_KEYS}
                  for document in (wanted, after)]
        self.tally.check(f"{name}: other keys", plists.differences(*others))
        self.tally.check(f"{name}: order of keys", plists.order_problems(before, after))
        same = plists.binary(old) == plists.binary(new)
        self.tally.check(f"{name}: plist format", [] if same else ["XML became binary or the reverse"])
        if not plists.binary(old):
            self.tally.check(f"{name}: lines", plists.line_problems(old, new, replaced))

    def _again(self, name, first):
        """The same command on its own output: no change reported, none made."""
        place = self.folder()
        output = os.path.join(place, first.output)
        run = self.tool.run(self.tool.inject_arguments(first.path, ["-o", output, "--json"]))
        problems = status_problems(run, 0)
        if not problems:
            problems = _report_problems(run.out)
        self.tally.check(f"{name}: second run reports no change", problems)
        if run.status == 0:
            problems = ["there is no output"]
            if os.path.lexists(output):
                second = subject(output)
                problems = first.differences(second)
                if second.main_plist() != first.main_plist():
                    problems.append("the plist's bytes changed")
            self.tally.check(f"{name}: second run changes nothing", problems)
        return run

    def _verified(self, name, path, output):
        """The tool's own verdict: nothing but what the contract allows changed, and strip takes it out."""
        verified = self.tool.run(["verify", output, "--before", path, "--json"])
        lacking = INCOMPLETE.get(name.split(",")[0], set())
        # What was signed no longer fits, and verify says so until a signer has been at it.
        inspected = self.tool.run(["inspect", path, "--json", "--no-hashing"])
        if inspected.status == 0 and json.loads(inspected.out)["signature"]:
            lacking = lacking | {"signature.info-plist"}
        problems = status_problems(verified, 1 if lacking else 0)
        if not problems:
            found = {finding["rule"] for finding in json.loads(verified.out)["findings"]
                     if finding["level"] == "error"}
            problems = [f"{rule} is unexpected" for rule in found ^ lacking]
        self.tally.check(f"{name}: verify --before", problems)
        stripped = os.path.join(self.folder(), os.path.basename(output))
        strip = self.tool.run(["strip", output, "-o", stripped])
        problems = status_problems(strip, 0)
        if not problems:
            left = plists.load(subject(stripped).main_plist()).get("IPAHub")
            problems = [] if left is None else ["IPAHub is still there"]
        self.tally.check(f"{name}: strip", problems)
        return [verified, strip]

    def _common(self, name, path, before, runs):
        changed = [] if fingerprint(path) == before else ["it changed"]
        self.tally.check(f"{name}: input", changed)
        self.tally.check(f"{name}: no secret shown", [text for run in runs for text in leaks(run)])


def _report_problems(text):
    try:
        report = json.loads(text)
    except ValueError as error:
        return [f"standard output is not one JSON document: {error}"]
    problems = []
    if report.get("schema") != "ipa-inject/inject/1":
        problems.append(f"schema is {report.get('schema')!r}")
    if report.get("changes") != []:
        problems.append(f"changes is {json.dumps(report.get('changes'))[:200]}")
    return problems


def check_samples(checker, apps):
    for name, sample in SAMPLES.items():
        path = os.path.join(apps, name)
        if os.path.lexists(path):
            checker.prepares(name, path, sample.replaced)
        else:
            checker.tally.check(f"{name}: sample", [f"not in {apps}"])


def check_real(checker, folder):
    for name in sorted(os.listdir(folder)):
        if not name.endswith((".ipa", ".tipa", ".zip")):
            continue
        path = os.path.join(folder, name)
        if name not in REFUSED:
            checker.prepares(name, path)
            continue
        checker.refuses(name, path)
        inner = REFUSED[name].inner
        if inner:
            place = checker.folder()
            unpack(path, place)
            checker.prepares(f"{name}, {inner} unpacked", os.path.join(place, inner))


def main():
    beside = os.path.join(os.path.dirname(ROOT), "shared", "ipas")
    parser = argparse.ArgumentParser(
        description="Prepare every sample app with BINARY and prove that nothing else changed."
    )
    parser.add_argument("binary", metavar="BINARY", help="the built ipa-inject")
    parser.add_argument("--apps", metavar="DIR", help="samples already made (default: made afresh)")
    parser.add_argument(
        "--real", metavar="DIR",
        help="a folder of real archives (default: ../shared/ipas beside the checkout, if it is there)",
    )
    parser.add_argument("--list", action="store_true", help="also print the checks that passed")
    options = parser.parse_args()
    for folder in (options.apps, options.real):
        if folder is not None and not os.path.isdir(folder):
            parser.error(f"{folder} is no folder")
    if not os.access(options.binary, os.X_OK) or os.path.isdir(options.binary):
        parser.error(f"{options.binary} is no program")

    tally = Tally(options.list)
    with tempfile.TemporaryDirectory(prefix="check-apps.") as work:
        home = os.path.join(work, "home")
        os.mkdir(home)
        checker = Checker(Tool(options.binary, home), tally, work)
        apps = options.apps
        if apps is None:
            apps = os.path.join(work, "apps")
            maker = os.path.join(ROOT, "Samples", "make-samples")
            subprocess.run([sys.executable, maker, apps], check=True)
        if not shutil.which("unzip"):
            tally.note("skipped: unzip -t, there is no unzip")
        check_samples(checker, os.path.abspath(apps))
        real = options.real or (beside if os.path.isdir(beside) else None)
        if real:
            check_real(checker, os.path.abspath(real))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
