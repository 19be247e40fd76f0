"""Rewrites an archive as users of Python's zipfile do: every member read and written again.

    peers.py SOURCE OUTPUT MEMBER FILE
"""

import sys
import zipfile


def main(source, output, member, path):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(output, "w") as new:
        for item in old.infolist():
            if item.filename == member:
                with open(path, "rb") as file:
                    new.writestr(item, file.read())
                continue
            with old.open(item) as reading, new.open(item, "w") as writing:
                while block := reading.read(1 << 20):
                    writing.write(block)


main(*sys.argv[1:])
