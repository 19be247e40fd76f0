#!/usr/bin/env python3
"""Writes the odd and hostile archives that check-archives.py judges the tool by, and their verdicts.

    odd-archives.py DIR [NAME...]    all of them, or those whose name begins so, and MANIFEST.json
    odd-archives.py --list           their names, verdicts and reasons
    odd-archives.py --check          whether Documentation/archives.md has the rows that they need

The same bytes in every run: no clock and no chance.
"""

import json
import os
import sys

from checklib.odd import CASES, made, table


def verdict(case, refusals):
    """What `inject` must do with a case, for MANIFEST.json."""
    entry = {"why": case.why, "kind": case.kind,
             "verdict": "prepared" if case.prepared else "refused"}
    if case.prepared:
        entry["infoPlist"] = case.plist.decode("utf-8", "backslashreplace")
    else:
        entry.update(code=refusals[case.kind].code, text=refusals[case.kind].text, member=case.member)
    return entry


def write(folder, prefixes):
    _, refusals = table.read()
    os.makedirs(folder, exist_ok=True)
    manifest = {}
    for name, case in CASES.items():
        if prefixes and not name.startswith(tuple(prefixes)):
            continue
        manifest[f"{name}.ipa"] = verdict(case, refusals)
        with open(os.path.join(folder, f"{name}.ipa"), "wb") as file:
            file.write(made(case)[0])
    with open(os.path.join(folder, "MANIFEST.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=1)
        file.write("\n")
    print(f"{len(manifest)} archives in {folder}")


def main():
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if arguments == ["--list"]:
        for name, case in CASES.items():
            print(f"{name:32} {'prepared' if case.prepared else 'refused':9} {case.kind:22} {case.why}")
        return 0
    if arguments == ["--check"]:
        problems = table.problems(CASES)
        print("\n".join(problems) or f"{len(CASES)} cases, all with a row")
        return 1 if problems else 0
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 64
    write(arguments[0], arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
