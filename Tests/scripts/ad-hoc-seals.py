#!/usr/bin/env python3
"""ad-hoc-seals.py AFTER [BEFORE]: what is wrong with an app that was signed ad hoc, a line each.

Both are folders with the app. Where it is given as it was BEFORE, all but its signatures must be the same.
"""

import pathlib
import sys

from checklib import adhocseals


def main():
    after = adhocseals.app_of(sys.argv[1])
    problems = adhocseals.seal_problems(after)
    if len(sys.argv) > 2:
        problems += adhocseals.change_problems(
            pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[1]))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
