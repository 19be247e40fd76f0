#!/usr/bin/env python3
"""Holds what `verify` reads of configuration files to Documentation/ipa-inject.schema.json.

    check-configurations.py BINARY [--write-schema]

The tool and the schema give the same verdict on each file of checklib/configcases.py, and both take the one
in Samples/ci, whose pipelines are looked at too. `--write-schema` writes the tool's rules into the schema.
Skipped, with status 0, where there is no jsonschema. Closes with 'N passed, N failed'.
"""

import argparse
import json
import os
import plistlib
import sys
import tempfile

from checklib import configcases
from checklib.apps import info_plist
from checklib.tally import Tally
from checklib.tool import Tool, leaks, status_problems

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMA = os.path.join(ROOT, "Documentation", "ipa-inject.schema.json")
PIPELINES = os.path.join(ROOT, "Samples", "ci")


class Checks:
    def __init__(self, tool, tally, work):
        self.tool, self.tally, self.work = tool, tally, work

    def path(self, name):
        return os.path.join(self.work, name)

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)

    def check_files(self, writes):
        import jsonschema
        self.write("config/app.plist", plistlib.dumps(info_plist()))
        with open(SCHEMA, encoding="utf-8") as file:
            schema = json.load(file)
        rules = json.loads(self.tool.run(["verify", "--list-rules", "--json"]).out)["rules"]
        ids = [rule["id"] for rule in rules]
        if writes:
            schema["properties"]["rules"]["properties"] = {
                rule: {"$ref": "#/definitions/level"} for rule in ids}
            with open(SCHEMA, "w", encoding="utf-8") as file:
                file.write(json.dumps(schema, indent=2) + "\n")
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        listed = list(schema["properties"]["rules"]["properties"])
        self.tally.check("the schema names the tool's rules", [] if listed == ids else [
            f"missing {sorted(set(ids) - set(listed))}, too many {sorted(set(listed) - set(ids))}"])
        with open(os.path.join(PIPELINES, ".ipa-inject.json"), encoding="utf-8") as file:
            sample = configcases.Case("the sample", file.read(), None)
        for case in [sample, *configcases.CASES]:
            self.write("config/.ipa-inject.json", case.text.encode())
            run = self.tool.run(["verify", "config/app.plist", "--config",
                                 "config/.ipa-inject.json", "--json"])
            problems = leaks(run)
            said = run.err.decode()
            if case.error is None:
                problems += [] if run.status in (0, 1) else [f"refused: {said[:200]}"]
            else:
                problems += status_problems(run, 65)
                start = f"ipa-inject: error: config/.ipa-inject.json: {case.error}"
                if not said.startswith(start):
                    problems.append(f"it says {said[:200]!r}")
                if said.count("\n") != 1:
                    problems.append("it is not one line")
            try:
                verdict = validator.is_valid(json.loads(case.text))
            except (ValueError, RecursionError):
                verdict = False
            if case.is_grammar:
                verdict = case.error is None
            if verdict != (case.error is None):
                problems.append(f"the schema {'takes' if verdict else 'refuses'} it")
            self.tally.check(f"configuration: {case.name}", problems)

    def check_places(self):
        """The nearest file upward counts, and a command line weighs more than it."""
        self.write("up/.ipa-inject.json", b'{"rules": {"metadata.absent": "off"}}')
        self.write("up/a/b/app.plist", plistlib.dumps(info_plist()))
        home = self.path("up/a/b")
        tool = Tool(self.tool.binary, home)

        def run(*arguments):
            done = tool.run(["verify", "app.plist", "--json", *arguments])
            report = json.loads(done.out)
            return done.status, report.get("config"), [
                (item["rule"], item["level"]) for item in report.get("findings", [])]

        absent = ("metadata.absent", "error")
        problems = []
        cases = [
            ("found above", (), (0, "../../.ipa-inject.json", [])),
            ("left aside", ("--config", "none"), (1, None, [absent])),
            ("outweighed", ("--rule", "metadata.absent=error"),
             (1, "../../.ipa-inject.json", [absent])),
            ("named", ("--config", "../../.ipa-inject.json"), (0, "../../.ipa-inject.json", [])),
        ]
        for name, arguments, wanted in cases:
            if run(*arguments) != wanted:
                problems.append(f"{name}: {run(*arguments)}")
        self.write("up/a/.ipa-inject.json", b'{"rules": {"metadata.absent": "note"}}')
        if run() != (0, "../.ipa-inject.json", [("metadata.absent", "note")]):
            problems.append(f"the nearer one does not count: {run()}")
        said = tool.run(["verify", "app.plist", "--verbose"]).err.decode()
        if "../.ipa-inject.json" not in said:
            problems.append("--verbose does not name it")
        self.write("up/a/.ipa-inject.json", b'{"rules": {"metadata.absent": "off"}}')
        text = tool.run(["verify", "app.plist"]).out.decode()
        if "1 off by ../.ipa-inject.json" not in text:
            problems.append(f"the summary does not name it: {text[-120:]!r}")
        self.tally.check("configuration: where it is looked for", problems)

    def check_no_files(self):
        """What is named and not there, and what is no file or too large."""
        home = self.path("up/a/b")
        tool = Tool(self.tool.binary, home)
        problems = []
        missing = tool.run(["verify", "app.plist", "--config", "no.json"])
        problems += status_problems(missing, 66)
        for name, make in (
                ("pipe", lambda path: os.mkfifo(path)), ("folder", lambda path: os.mkdir(path)),
                ("dangling", lambda path: os.symlink("nowhere", path))):
            place = os.path.join(home, ".ipa-inject.json")
            make(place)
            done = tool.run(["verify", "app.plist"], limit=10)
            if done.status not in (65, 66):
                problems.append(f"{name}: status {done.status}")
            os.rmdir(place) if name == "folder" else os.unlink(place)
        self.write("up/a/b/large.json", b'{"os": "ios17"}' + b" " * (1 << 20))
        problems += status_problems(tool.run(["verify", "app.plist", "--config", "large.json"]), 65)
        self.tally.check("configuration: files that are none", problems)


def check_pipelines(tally):
    """The pipelines in Samples/ci are YAML with the parts that their systems want."""
    try:
        import yaml
    except ImportError:
        tally.note("passed over: Python's yaml is not here")
        return
    problems = []
    for name in sorted(os.listdir(PIPELINES)):
        if not name.endswith((".yml", ".yaml")):
            continue
        with open(os.path.join(PIPELINES, name), encoding="utf-8") as file:
            document = yaml.safe_load(file)
        jobs = document.get("jobs") or {
            key: value for key, value in document.items() if isinstance(value, dict)}
        if not any("ipa-inject" in json.dumps(job) for job in jobs.values()):
            problems.append(f"{name}: no job runs ipa-inject")
    tally.check("the samples of pipelines", problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--write-schema", action="store_true")
    arguments = parser.parse_args()
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        print("skipped: Python's jsonschema is not here")
        return 0
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="configurations-") as work:
        checks = Checks(Tool(arguments.binary, work), tally, work)
        checks.check_files(arguments.write_schema)
        checks.check_places()
        checks.check_no_files()
    check_pipelines(tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
