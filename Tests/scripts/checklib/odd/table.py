"""Documentation/archives.md as data: what is carried through, and what is refused with which words."""

import os
import re
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))))
PAGE = os.path.join(ROOT, "Documentation", "archives.md")

# Rows whose archives are too large for a list of files; check-sizes.py makes them.
LARGE = {"offsets-cut"}

Refusal = namedtuple("Refusal", "code text")


def read():
    """The kinds that are carried through, and {kind: Refusal}, of the page's two tables."""
    carried, refusals = set(), {}
    with open(PAGE, encoding="utf-8") as page:
        for line in page:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            if not cells[0].startswith("`"):
                continue
            kind = cells[0].strip("`")
            if len(cells) == 3:
                carried.add(kind)
            elif len(cells) == 4:
                refusals[kind] = Refusal(cells[1].strip("`"), cells[2].strip("`"))
    return carried, refusals


def matches(text, said):
    """Whether a message is that of the table, in which an ellipsis stands for any words or none."""
    pattern = ".*".join(re.escape(part) for part in text.split("\u2026"))
    return re.fullmatch(pattern, said) is not None


def problems(cases):
    """What is out of step between the table and the cases."""
    carried, refusals = read()
    used = {True: set(), False: set()}
    for case in cases.values():
        used[case.prepared].add(case.kind)
        if case.unpacking:
            used[False].add(case.unpacking[0])
    found = [f"no row for {kind}" for kind in sorted(used[True] - carried)]
    found += [f"no row for {kind}" for kind in sorted(used[False] - set(refusals))]
    texts = [refusal.text for refusal in refusals.values()]
    found += [f"{kind} has no words of its own" for kind in sorted(refusals)
              if texts.count(refusals[kind].text) > 1]
    found += [f"no case for {kind}" for kind in sorted(carried - used[True])]
    found += [f"no case for {kind}" for kind in sorted(set(refusals) - used[False] - LARGE)]
    return found
