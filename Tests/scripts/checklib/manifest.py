#!/usr/bin/env python3
"""Checks the Indexed Job of Samples/fleet as far as that goes without a cluster, and prints its command.

    manifest.py FILE

With PyYAML the document is read and its parts are checked; without, the command is cut out of the text.
"""

import re
import sys
import textwrap

try:
    import yaml
except ImportError:
    yaml = None


def problems(job):
    spec = job["spec"]
    pod = spec["template"]["spec"]
    container = pod["containers"][0]
    wanted = {
        "apiVersion": job["apiVersion"] == "batch/v1", "kind": job["kind"] == "Job",
        "completionMode": spec["completionMode"] == "Indexed",
        "restartPolicy": pod["restartPolicy"] == "Never",
        "parallelism": spec["parallelism"] <= spec["completions"],
        "command": container["command"] == ["/bin/sh", "-c"] and len(container["args"]) == 1,
        "volumes": [mount["name"] for mount in container["volumeMounts"]]
        == [volume["name"] for volume in pod["volumes"]],
        "env": {item["name"] for item in container["env"]} | {"JOB_COMPLETION_INDEX"}
        == set(re.findall(r"[A-Z][A-Z_]{3,}", container["args"][0])),
        "shards": f"/{spec['completions']}\"" in container["args"][0],
    }
    return [name for name, holds in wanted.items() if not holds]


def command(text):
    block = re.search(r"^( *)args:\n +- \|\n((?:\1   .*\n)+)", text, re.M)
    return textwrap.dedent(block.group(2))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if yaml is None:
        print(command(text))
        return 0
    job = yaml.safe_load(text)
    wrong = problems(job)
    if wrong:
        print(f"{sys.argv[1]}: wrong: {', '.join(wrong)}", file=sys.stderr)
        return 1
    print(job["spec"]["template"]["spec"]["containers"][0]["args"][0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
