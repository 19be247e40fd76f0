#!/usr/bin/env python3
"""What `verify` and `batch verify` print and write, judged by other programs than ipa-inject.

    check-reports.py BINARY

SARIF is held to the official schema and to what else the specification asks of indices and places, JUnit
XML to a schema by xmllint and to PyPI's `junitparser` (fetched into .build; passed over, with a word, where
that fails), places to what Python finds in the files themselves. Closes with 'N passed, N failed'.
"""

import argparse
import glob
import json
import os
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from urllib.parse import unquote

from checklib.apps import info_plist
from checklib.reportjudges import JUnitJudge, SARIFJudge, junit_reader
from checklib.tally import Tally
from checklib.tool import INSTALLATION_ID, Tool, leaks, status_problems

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
URL = f"http://my-mac.local:19464/api/app/{INSTALLATION_ID}/update"
# Markup, quotes, braces, a link of SARIF's, a workflow command, an escape sequence, overrides of the
# reading direction, a line separator, no character of XML, and an ID.
HOSTILE = (
    "<b>&amp;\"'", "a](http://evil.example)", "{0}", "::error::x", "\x1b[31mred", "\u202egnp.exe",
    "\u2028next", "\ufffe", "%0A::warning::y", "]]>", INSTALLATION_ID, "é" * 40, "x" * 5000)


def hostile_plist():
    domains = {text: {"NSExceptionAllowsInsecureHTTPLoads": "YES", text: True}
               for text in HOSTILE if plistlib_takes(text)}
    return info_plist(
        NSAppTransportSecurity={"NSExceptionDomains": domains, "NSAllowsArbitraryLoads": 1},
        IPAHub={"updateURL": [URL, URL.replace("http:", "ftp:"), URL + "#x", 5],
                "release": "<b>", "source": "gh:a/b", "odd\u202e": 1})


def plistlib_takes(text):
    return not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe]", text)


class Checks:
    def __init__(self, tool, tally, work, reader):
        self.tool, self.tally, self.work = tool, tally, work
        rules = json.loads(self.tool.run(["verify", "--list-rules", "--json"]).out)["rules"]
        self.rules = [rule["id"] for rule in rules]
        self.verified = [rule["id"] for rule in rules if "verify" in rule["commands"]]
        self.sarif, self.junit = SARIFJudge(self.rules), JUnitJudge(work, reader)

    def path(self, name):
        return os.path.join(self.work, name)

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)
        return name

    def archive(self, name, plist, form=plistlib.FMT_XML):
        with zipfile.ZipFile(self.path(name), "w") as archive:
            archive.writestr("Payload/App.app/Info.plist", plistlib.dumps(plist, fmt=form))
            executable = zipfile.ZipInfo("Payload/App.app/App")
            executable.external_attr = 0o100755 << 16
            archive.writestr(executable, b"\xca\xfe\xba\xbe")
        return name

    def app(self, name, plist, form=plistlib.FMT_XML):
        self.write(f"{name}/Info.plist", plistlib.dumps(plist, fmt=form, sort_keys=False))
        self.write(f"{name}/App", b"\xca\xfe\xba\xbe")
        os.chmod(self.path(f"{name}/App"), 0o755)
        return name

    # One input in all formats

    def check_formats(self, name, path):
        """All formats of one input tell the same, and the same to the byte in a second run."""
        told = self.tool.run(["verify", path, "--json", "--config", "none"])
        problems = leaks(told)
        if told.status not in (0, 1):
            return self.check_unreadable(name, path, told)
        report = json.loads(told.out)
        findings = report["findings"]
        found = sorted((item["rule"], item["level"]) for item in findings)
        for word in ("sarif", "junit", "github", "text"):
            run = self.tool.run(["verify", path, "--format", word, "--config", "none"])
            again = self.tool.run(["verify", path, "--format", word, "--config", "none"])
            wrong = status_problems(run, told.status) + leaks(run)
            if run.out != again.out:
                wrong.append("a second run prints something else")
            wrong += getattr(self, f"compare_{word}")(run, found, report)
            problems += [f"{word}: {problem}" for problem in wrong]
        files = [self.path("one.sarif"), self.path("one.xml")]
        run = self.tool.run(
            ["verify", path, "--config", "none", "--sarif", files[0], "--junit", files[1]])
        problems += status_problems(run, told.status)
        for file, word in zip(files, ("sarif", "junit")):
            printed = self.tool.run(["verify", path, "--config", "none", "--format", word])
            with open(file, "rb") as data:
                if data.read() != printed.out:
                    problems.append(f"--{word} writes something else than --format {word} prints")
        return self.tally.check(f"{name}: all formats", problems)

    def check_unreadable(self, name, path, told):
        problems = []
        run = self.tool.run(["verify", path, "--format", "sarif", "--config", "none"])
        wrong, log = self.sarif.problems(run.out, told.status)
        problems += wrong + status_problems(run, told.status) + leaks(run)
        if log and len(log["invocations"][0]["toolExecutionNotifications"]) != 1:
            problems.append("SARIF does not say why")
        run = self.tool.run(["verify", path, "--format", "junit", "--config", "none"])
        wrong, root = self.junit.problems(run.out)
        problems += wrong + status_problems(run, told.status) + leaks(run)
        if root is not None and [suite.get("errors") for suite in root] != ["1"]:
            problems.append("JUnit does not say why")
        return self.tally.check(f"{name}: an error in all formats", problems)

    def compare_sarif(self, run, found, report):
        problems, log = self.sarif.problems(run.out, run.status)
        if not log:
            return problems
        if sorted((item["ruleId"], item["level"]) for item in log["results"]) != found:
            problems.append("the results are not the findings")
        for result, finding in zip(log["results"], report["findings"]):
            region = result["locations"][0]["physicalLocation"].get("region", {})
            if region.get("startLine") != finding["line"]:
                problems.append(f"{finding['rule']}: another line")
            if region.get("byteOffset") != finding["offset"]:
                problems.append(f"{finding['rule']}: another offset")
        text = run.out.decode()
        if re.search("[\u202a-\u202e\u2066-\u2069\x1b\u2028]", text):
            problems.append("a character that moves text comes through")
        if any("](" in item["message"]["text"] for item in log["results"]):
            problems.append("a message has a link")
        return problems

    def compare_junit(self, run, found, report):
        problems, root = self.junit.problems(run.out)
        if root is None:
            return problems
        cases = {case.get("name"): case for case in root[0]}
        if list(cases) != self.verified:
            problems.append("the test cases are not the rules")
        failed = {name for name, case in cases.items() if case.find("failure") is not None}
        if failed != {rule for rule, level in found if level == "error"}:
            problems.append(f"failed are {sorted(failed)}")
        noted = {name for name, case in cases.items() if case.find("system-out") is not None}
        if noted != {rule for rule, level in found if level != "error"}:
            problems.append(f"noted are {sorted(noted)}")
        skipped = {name for name, case in cases.items() if case.find("skipped") is not None}
        if skipped != set(report["disabled"]) | set(report["notRun"]):
            problems.append(f"skipped are {sorted(skipped)}")
        return problems

    @staticmethod
    def compare_github(run, found, report):
        lines = run.out.decode().split("\n")[:-1]
        problems = [f"no annotation: {line[:80]!r}" for line in lines if not re.match(
            r"::(error|warning|notice) file=[^,:]*(,line=\d+,col=\d+)?,title=[a-z.-]+::", line)]
        kinds = {"error": "error", "warning": "warning", "notice": "note"}
        got = [(re.search("title=([a-z.-]+)::", line).group(1), kinds[line[2:].split(" ")[0]])
               for line in lines] if not problems else []
        if sorted(got) != found:
            problems.append("the annotations are not the findings")
        levels = [["error", "warning", "note"].index(level) for _, level in got]
        if levels != sorted(levels):
            problems.append("the worst do not stand first")
        if re.search("[\u202a-\u202e\x1b\u2028]", run.out.decode()):
            problems.append("a character that moves text comes through")
        return problems

    @staticmethod
    def compare_text(run, found, report):
        text = run.out.decode()
        problems = [f"{rule} is not there" for rule, level in found if f"{level}[{rule}]" not in text]
        last = text.splitlines()[-1]
        wanted = "failed" if report["result"] == "fail" else "passed"
        if f": {wanted}, " not in last or f"({len(report['checked'])} of " not in last:
            problems.append(f"the last line is {last[-120:]!r}")
        if re.search("[\u202a-\u202e\x1b\u2028]", text):
            problems.append("a character that moves text comes through")
        if max(map(len, text.splitlines())) > 20_000:
            problems.append("a line is far too long")
        return problems

    # Places

    def check_places(self):
        """Lines and columns are where Python finds the values; offsets and objects too."""
        plist = info_plist(NSAppTransportSecurity={
            "NSExceptionDomains": {"ünï.example": {}, "a:80": {"NSIncludesSubdomains": "YES"}},
            "NSAllowsArbitraryLoads": "YES"}, IPAHub={"updateURL": [URL, 7], "x": 1})
        for form, name in ((plistlib.FMT_XML, "xml"), (plistlib.FMT_BINARY, "binary")):
            data = plistlib.dumps(plist, fmt=form, sort_keys=False)
            if form == plistlib.FMT_XML:
                # One line has a key of more bytes than characters before its value.
                data = data.replace(b"</key>\n\t\t\t<dict/>", b"</key><dict/>")
            path = self.write(f"places/{name}.plist", data)
            run = self.tool.run(["verify", path, "--json", "--config", "none"])
            problems = status_problems(run, 1)
            seen = 0
            for item in json.loads(run.out)["findings"]:
                if item["path"] is None:
                    continue
                value, exact = reached(plist, item["path"])
                seen += 1
                if form == plistlib.FMT_XML:
                    problems += self.xml_place(data, item, value, exact)
                else:
                    problems += self.binary_place(data, item, value)
            if seen < 5:
                problems.append(f"only {seen} findings have a path")
            self.tally.check(f"places in {name}", problems)

    @staticmethod
    def xml_place(data, item, value, exact):
        if item["line"] is None or item["offset"] is not None or item["object"] is not None:
            return [f"{item['path']}: no place"]
        line = data.split(b"\n")[item["line"] - 1]
        there = line[item["column"] - 1:].decode("utf-8", "replace")
        tag = {str: "<string>", bool: f"<{str(value).lower()}/>", int: "<integer>",
               list: "<array", dict: "<dict"}[type(value)]
        problems = [] if there.startswith(tag) else [f"{item['path']}: {there[:30]!r} is no {tag}"]
        if exact and type(value) is str and f"<string>{value}" not in there:
            problems.append(f"{item['path']}: {there[:60]!r} is another value")
        return problems

    @staticmethod
    def binary_place(data, item, value):
        if item["line"] is not None or item["object"] is None:
            return [f"{item['path']}: no place"]
        width = data[-26]
        table = int.from_bytes(data[-8:], "big")
        start = table + item["object"] * width
        if int.from_bytes(data[start:start + width], "big") != item["offset"]:
            return [f"{item['path']}: object {item['object']} is not at {item['offset']}"]
        kind = {str: (5, 6), bool: (0,), int: (1,), list: (10,), dict: (13,)}[type(value)]
        if data[item["offset"]] >> 4 not in kind:
            return [f"{item['path']}: marker {data[item['offset']]:#x}"]
        return []

    # Batch

    def check_batch(self, inputs):
        """One document on all inputs is what the documents of each come to, in the inputs' order."""
        for jobs in ("1", "4"):
            files = [self.path("all.sarif"), self.path("all.xml")]
            run = self.tool.run(["batch", "verify", *inputs, "--jobs", jobs, "--config", "none",
                                 "--sarif", files[0], "--junit", files[1]], limit=300)
            problems = leaks(run)
            lines = [json.loads(line) for line in run.out.decode().split("\n") if line]
            if [line["input"] for line in lines] != list(inputs):
                problems.append("the lines are not in the inputs' order")
            with open(files[0], "rb") as file:
                sarif = file.read()
            wrong, log = self.sarif.problems(sarif, run.status)
            problems += wrong
            if log:
                single = []
                for line in lines:
                    for item in line.get("report", {}).get("findings", []):
                        single.append(item["rule"])
                if sorted(item["ruleId"] for item in log["results"]) != sorted(single):
                    problems.append("the results are not those of the inputs")
                targets = [unquote(item["location"]["uri"]) for item in log["artifacts"]
                           if "analysisTarget" in item.get("roles", [])]
                if [target.removeprefix("file://") for target in targets] != list(inputs):
                    problems.append("the artifacts are not the inputs")
                failed = [line for line in lines if "error" in line]
                notes = log["invocations"][0]["toolExecutionNotifications"]
                if len(notes) != len(failed):
                    problems.append(f"{len(notes)} notifications, {len(failed)} inputs failed")
            with open(files[1], "rb") as file:
                junit = file.read()
            wrong, root = self.junit.problems(junit)
            problems += wrong
            # Overrides of the reading direction are shown as escapes there.
            names = [path.replace("\u202e", "\\u{202E}") for path in inputs]
            if root is not None and [suite.get("name") for suite in root] != names:
                problems.append("the suites are not the inputs")
            for word, data in (("sarif", sarif), ("junit", junit)):
                printed = self.tool.run(["batch", "verify", *inputs, "--jobs", jobs, "--config",
                                         "none", "--format", word], limit=300)
                problems += status_problems(printed, run.status)
                if printed.out != data:
                    problems.append(f"--format {word} prints something else than --{word} writes")
            self.tally.check(f"batch with --jobs {jobs}", problems)

    def check_many(self, count):
        """A document on thousands of inputs does not have to fit into the memory."""
        self.write("many.plist", plistlib.dumps(hostile_plist()))
        inputs = self.write("many.txt", b"many.plist\n" * count)
        for word in ("sarif", "junit"):
            peak = self.path("peak")
            done = subprocess.run(
                ["/bin/sh", "-c", 'exec "$@" >/dev/null', "sh", sys.executable, "-c",
                 "import resource, subprocess, sys\n"
                 "status = subprocess.call(sys.argv[2:])\n"
                 "used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
                 "open(sys.argv[1], 'w').write(f'{status} {used}')",
                 peak, self.tool.binary, "batch", "verify", "--input-list", inputs, "--config",
                 "none", "--quiet", f"--{word}", self.path(f"many.{word}")],
                cwd=self.work, check=False, capture_output=True, timeout=300)
            with open(peak, encoding="utf-8") as file:
                status, used = map(int, file.read().split())
            problems = [] if status == 1 else [f"status {status}: {done.stderr.decode()[:200]}"]
            # On Linux in KiB. A run of one input takes a tenth of it.
            if sys.platform == "linux" and used > 150 << 10:
                problems.append(f"it took {used >> 10} MiB")
            with open(self.path(f"many.{word}"), "rb") as file:
                data = file.read()
            if word == "sarif":
                results = json.loads(data)["runs"][0]["results"]
                notes = json.loads(data)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
                if len(results) > 25_000:
                    problems.append(f"{len(results)} results, which GitHub refuses")
                if (len(results) == 25_000) != any("more findings" in item["message"]["text"]
                                                   for item in notes):
                    problems.append("what is left out is not told")
            elif data.count(b"<testsuite ") != count:
                problems.append(f"{data.count(b'<testsuite ')} suites")
            self.tally.check(f"{count} inputs in one {word} document", problems)

    def check_refusals(self):
        """Files of reports that cannot be written are told of before anything else."""
        self.write("r/app.plist", plistlib.dumps(info_plist()))
        self.write("r/c.json", b"{}")
        self.write("r/list", b"r/app.plist\n")
        problems = []
        for arguments, status in (
                (["--sarif", "r/app.plist"], 73), (["--junit", "r"], 73), (["--sarif", "no/x"], 73),
                (["--sarif", "r/same", "--junit", "r/same"], 64), (["--junit", ""], 64),
                (["--sarif", "r/same", "--junit", "r/../r/./same"], 64),
                (["--junit", "r/same", "--html", "r/same"], 64),
                (["--config", "r/c.json", "--sarif", "r/c.json"], 73),
                (["--config", "r/c.json", "--html", "r/./c.json"], 73),
                (["--json", "--format", "sarif"], 64), (["--format", "xml"], 64)):
            run = self.tool.run(["verify", "r/app.plist", *arguments])
            problems += [f"{arguments}: {problem}" for problem in status_problems(run, status)]
        run = self.tool.run(["batch", "verify", "--input-list", "r/list", "--junit", "r/list"])
        problems += status_problems(run, 73)
        left = sorted(os.listdir(self.path("r")))
        if left != ["app.plist", "c.json", "list"]:
            problems.append(f"there are {left}")
        self.tally.check("files that cannot be written", problems)

    def check_hostile(self):
        """100,000 findings in one file: bounded in what is printed."""
        domains = {f"host{n}.example:80": {"NSIncludesSubdomains": "YES"} for n in range(100_000)}
        self.write("hostile.plist", plistlib.dumps(info_plist(
            NSAppTransportSecurity={"NSExceptionDomains": domains}), fmt=plistlib.FMT_BINARY))
        problems = []
        for word in ("text", "json", "sarif", "junit", "github"):
            run = self.tool.run(["verify", "hostile.plist", "--format", word, "--config", "none"],
                                limit=30)
            problems += status_problems(run, 1)
            if len(run.out) > 20_000_000:
                problems.append(f"{word}: {len(run.out)} bytes")
            if word == "json" and run.status == 1:
                report = json.loads(run.out)
                if not 1_000 <= len(report["findings"]) <= 10_000:
                    problems.append(f"{len(report['findings'])} findings")
            if word == "text" and len(run.out.splitlines()) > 60:
                problems.append(f"{len(run.out.splitlines())} lines of text")
        self.tally.check("100,000 exception domains", problems)


def reached(root, pointer):
    """The value at a JSON Pointer, or its nearest container, and whether it is the value itself."""
    value = root
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return value, False
    return value, True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    arguments = parser.parse_args()
    tally = Tally()
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        print("skipped: Python's jsonschema is not here")
        return 0
    with tempfile.TemporaryDirectory(prefix="reports-") as work:
        reader = junit_reader()
        if not reader:
            tally.note("passed over: junitparser cannot be fetched")
        if not shutil.which("xmllint"):
            tally.note("passed over: xmllint is not here")
        checks = Checks(Tool(arguments.binary, work), tally, work, reader)
        inputs = {
            "hostile, XML": checks.archive("ho<s>'\"&\u202e.ipa", hostile_plist()),
            "hostile, binary": checks.archive("bin ary%.ipa", hostile_plist(), plistlib.FMT_BINARY),
            "a folder": checks.app("Plain.app", hostile_plist()),
            "a folder with a slash": "Plain.app/",
            "a plist": checks.write("odd [x](1).plist", plistlib.dumps(hostile_plist())),
            "no app": checks.write("text{0}.ipa", b"<no app>&"),
            "no file": "nothing.ipa",
            "a name with an ID": checks.write(f"{INSTALLATION_ID}.plist", b"bplist00"),
        }
        published = sorted(glob.glob(os.path.join(ROOT, "..", "shared", "ipas", "*.ipa")))
        for path in (sorted(glob.glob(os.path.join(ROOT, "Samples", "apps", "*.ipa")))
                     + published[::2]):
            inputs[os.path.basename(path)] = os.path.abspath(path)
        for name, path in inputs.items():
            checks.check_formats(name, path)
        checks.check_places()
        checks.check_batch([path for name, path in inputs.items()
                            if name not in ("a folder with a slash", "a name with an ID")])
        checks.check_many(1_000)
        checks.check_hostile()
        checks.check_refusals()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
