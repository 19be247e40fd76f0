"""Writes a tree as a folder."""

import os

from .archive import SECONDS


def write(tree, folder):
    """Makes `folder`, which must not exist, with fixed modes and times whatever the umask."""
    os.makedirs(folder)
    made = [(folder, 0o755)]
    for entry in tree.entries:
        path = os.path.join(folder, *entry.path.split("/"))
        if entry.data is None:
            os.mkdir(path)
        elif entry.mode & 0o170000 == 0o120000:
            os.symlink(entry.data.decode(), path)
            os.utime(path, (SECONDS, SECONDS), follow_symlinks=False)
            continue
        else:
            with open(path, "wb") as file:
                file.write(entry.data)
        made.append((path, entry.mode & 0o777))
    for path, mode in reversed(made):
        os.chmod(path, mode)
        os.utime(path, (SECONDS, SECONDS))
