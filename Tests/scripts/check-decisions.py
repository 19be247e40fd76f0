#!/usr/bin/env python3
"""Holds `ats` of the tool against a second model of App Transport Security, on random settings.

    check-decisions.py BINARY [--trials N] [--seed N] [--list]

A trial is an Info.plist of random settings, some URLs that touch them, some systems and what loads. The
model shares no code with the tool: it is written from the rules alone, with plistlib and ipaddress.
Compared are whether a URL is allowed, the key path that decides, and what HTTPS must meet. That all that
can decide did decide somewhere is checked too. Closes with 'N passed, N failed'.
"""

import argparse
import collections
import json
import os
import plistlib
import random
import sys
import tempfile

from checklib.atsmodel import Model
from checklib.atstrials import Trial
from checklib.tally import Tally
from checklib.tool import Tool, status_problems

# What decided, and how often it must have in so many trials that the comparison means something.
DECIDERS = (
    "exempt", "own name", "own address", "parent", "range", "older key", "wrong type", "local",
    "web", "media", "any", "default allows", "default denies", "other scheme", "pinned",
)
LEAST = 10


def shown(decision):
    wanted = ("allowed", "path", "requirements")
    return json.dumps({key: decision[key] for key in wanted}, sort_keys=True)


def problems_of(trial, tool, path, seen):
    """Runs one trial; counts in `seen` what decided."""
    with open(path, "wb") as file:
        plistlib.dump(trial.root, file, fmt=trial.format, sort_keys=False)
    arguments = ["ats", path, "--json", "--context", trial.context]
    for name, _ in trial.systems:
        arguments += ["--os", name]
    run = tool.run([*arguments, "--", *(url.text for url in trial.urls)])
    model = Model(trial.root)
    expected = []
    for url in trial.urls:
        for name, generation in trial.systems:
            decision, deciders = model.decision(url, generation, trial.context)
            expected.append(dict(decision, url=url.text, os=name, context=trial.context))
            seen.update(deciders)
    problems = status_problems(run, 0 if all(one["allowed"] for one in expected) else 1)
    try:
        decisions = json.loads(run.out)["decisions"]
    except (ValueError, KeyError):
        return problems or ["the output is no report"]
    if len(decisions) != len(expected):
        problems.append(f"{len(decisions)} decisions, expected {len(expected)}")
    for got, wanted in zip(decisions, expected):
        if any(got[key] != wanted[key] for key in wanted):
            problems.append(
                f"{wanted['url']} on {wanted['os']} for {trial.context}: {shown(got)}, expected "
                f"{shown(wanted)}, settings {trial.root!r:.600}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--trials", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    tally = Tally(options.list)
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        tool = Tool(options.binary, work)
        path = os.path.join(work, "Info.plist")
        decisions = 0
        for number in range(options.trials):
            trial = Trial(random.Random(f"{options.seed}/{number}"))
            decisions += len(trial.urls) * len(trial.systems)
            tally.check(
                f"seed {options.seed}, trial {number}", problems_of(trial, tool, path, seen))
    for decider in DECIDERS if options.trials >= 100 else ():
        count = seen[decider]
        tally.check(
            f"decided by: {decider}",
            [] if count >= LEAST else [f"{count} times, expected at least {LEAST}"])
    tally.note(f"{decisions} decisions; " + ", ".join(f"{name} {seen[name]}" for name in DECIDERS))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
