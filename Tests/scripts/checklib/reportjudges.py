"""Judges of SARIF logs and JUnit documents that share no code with the tool."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(SCRIPTS, "data")
BUILD = os.path.join(os.path.dirname(os.path.dirname(SCRIPTS)), ".build")
READER = ("junitparser==4.0.2",
          "sha256:94c3570e41fcaedc64cc3c634ca99457fe41a84dd1aa8ff74e9e12e66223a155")
REGION_KEYS = ({"startLine", "startColumn"}, {"byteOffset"})


class SARIFJudge:
    """The official schema, and the specification's prose; `rules` are the IDs of the tool's."""

    def __init__(self, rules):
        self.rules = rules
        with open(os.path.join(DATA, "sarif-schema-2.1.0.json"), encoding="utf-8") as file:
            self.schema = json.load(file)

    def problems(self, text, status=None):
        """What is wrong with a log, and its run."""
        import jsonschema
        try:
            log = json.loads(text)
        except ValueError as error:
            return [f"it is no JSON: {error}"], None
        problems = [f"{list(error.absolute_path)}: {error.message[:100]}" for error in
                    jsonschema.Draft7Validator(self.schema).iter_errors(log)]
        if problems:
            return problems, None
        run, = log["runs"]
        rules, artifacts = run["tool"]["driver"]["rules"], run["artifacts"]
        if [rule["id"] for rule in rules] != self.rules:
            problems.append("its rules are not the tool's")
        for number, artifact in enumerate(artifacts):
            parent = artifact.get("parentIndex")
            if parent is not None and not (
                    0 <= parent < number and "analysisTarget" in artifacts[parent]["roles"]):
                problems.append(f"artifact {number} has no parent")
            if (parent is None) != ("uriBaseId" in artifact["location"]
                                    or artifact["location"]["uri"].startswith("file:///")):
                problems.append(f"artifact {number} is not where its form says")
        fingerprints = set()
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                problems.append(f"{result['ruleId']} has another rule's index")
            location, = result["locations"]
            physical = location["physicalLocation"]
            there = physical["artifactLocation"]
            artifact = artifacts[there["index"]]["location"]
            if {**artifact, "index": there["index"]} != there:
                problems.append(f"{there} is not artifact {artifact}")
            if "region" in physical and set(physical["region"]) not in REGION_KEYS:
                problems.append(f"a region has {sorted(physical['region'])}")
            uri = there["uri"]
            if re.search(r"[^A-Za-z0-9._~/%:-]", uri) or "//" in uri.replace("file:///", "/"):
                problems.append(f"no URI: {uri[:60]}")
            # GitHub tells results apart by their rule and this.
            mark = (result["ruleId"], result["partialFingerprints"]["primaryLocationLineHash"])
            if mark in fingerprints:
                problems.append(f"{mark} stands twice")
            fingerprints.add(mark)
        invocation, = run["invocations"]
        if status is not None and invocation["exitCode"] != status:
            problems.append(f"it says exit code {invocation['exitCode']}, which was {status}")
        if invocation["executionSuccessful"] != (invocation["exitCode"] in (0, 1)):
            problems.append("executionSuccessful is not what the exit code says")
        return problems, run


class JUnitJudge:
    """A schema by xmllint, and PyPI's `junitparser` in the folder `reader`, where they are to be had."""

    def __init__(self, work, reader):
        self.work, self.reader = work, reader

    def problems(self, data):
        """What is wrong with a document, and its root."""
        path = os.path.join(self.work, "checked.xml")
        with open(path, "wb") as file:
            file.write(data)
        problems = []
        if shutil.which("xmllint"):
            done = subprocess.run(
                ["xmllint", "--noout", "--nonet", "--schema", os.path.join(DATA, "junit.xsd"), path],
                capture_output=True, check=False)
            if done.returncode != 0:
                problems.append(done.stderr.decode("utf-8", "replace").splitlines()[0])
        try:
            root = ElementTree.fromstring(data)
        except ElementTree.ParseError as error:
            return [f"it is no XML: {error}"], None
        for suite in root:
            cases = list(suite)
            for word, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                count = sum(case.find(tag) is not None for case in cases)
                if int(suite.get(word)) != count:
                    problems.append(f"{suite.get('name')}: {count} {word}, said {suite.get(word)}")
            if int(suite.get("tests")) != len(cases):
                problems.append(f"{suite.get('name')}: {len(cases)} tests")
        if self.reader:
            problems += self._read_by_junitparser(path, root)
        return problems, root

    def _read_by_junitparser(self, path, root):
        program = ("import sys, json, junitparser\n"
                   "x = junitparser.JUnitXml.fromfile(sys.argv[1])\n"
                   "print(json.dumps([[s.name, s.tests, s.failures, s.errors, s.skipped,"
                   " [[c.name, [type(r).__name__ for r in c.result]] for c in s]] for s in x]))")
        done = subprocess.run(
            [sys.executable, "-c", program, path], capture_output=True, check=False,
            env={**os.environ, "PYTHONPATH": self.reader})
        if done.returncode != 0:
            return [f"junitparser: {done.stderr.decode()[-200:]}"]
        tags = {"failure": "Failure", "error": "Error", "skipped": "Skipped"}
        wanted = [
            [suite.get("name"), *(int(suite.get(word))
                                  for word in ("tests", "failures", "errors", "skipped")),
             [[case.get("name"), [tags[part.tag] for part in case if part.tag in tags]]
              for case in suite]] for suite in root]
        return [] if json.loads(done.stdout) == wanted else ["junitparser reads something else"]


def junit_reader():
    """The folder of junitparser, None where it cannot be had."""
    package, digest = READER
    folder = os.path.join(BUILD, "check-reports-reader")
    mark = os.path.join(folder, package)
    if os.path.exists(mark):
        return folder
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write(f"{package} --hash={digest}\n")
        wanted.flush()
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--no-input", "--no-deps", "--only-binary", ":all:", "--target", folder, "--upgrade",
             "--require-hashes", "--requirement", wanted.name], capture_output=True, check=False)
    if done.returncode != 0:
        return None
    with open(mark, "wb"):
        pass
    return folder
