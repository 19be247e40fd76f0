"""What a run wrote and where, from strace's log."""

import os
import re

# Calls that make, change, rename or remove something, and those that write to what is open.
BY_PATH = ("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink",
           "unlinkat", "mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "chmod", "fchmodat",
           "fchmodat2", "chown", "lchown", "fchownat", "truncate", "utime", "utimes", "utimensat",
           "setxattr", "lsetxattr", "creat")
BY_DESCRIPTOR = ("write", "writev", "pwrite64", "pwritev", "pwritev2", "ftruncate", "fallocate",
                 "fchmod", "fchown", "fsetxattr", "copy_file_range", "sendfile", "splice")
OPENING = ("open", "openat", "openat2")
COMMAND = ["strace", "-f", "-y", "-qq", "-s", "8", "-e", "signal=none", "-e",
           "trace=" + ",".join(f"?{call}" for call in BY_PATH + BY_DESCRIPTOR + OPENING)]

CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\)\s+= (-?\d+|\?)")
# Standard output and error go where the checks want them.
PLACE = re.compile(r"\b(?![12]<)\d+<((?:/|pipe:|socket:|anon_inode:)[^>]*)>")
QUOTED = re.compile(r'(?:(?:AT_FDCWD<([^>]*)>|\d+<([^>]*)>), )?"((?:[^"\\]|\\.)*)"')


def strays(log, folder):
    """Lines of a log that write anywhere but below `folder` or to a pipe."""
    found = []
    with open(log, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            call = CALL.match(line)
            if not call or call[3].startswith("-") or call[3] == "?":
                continue
            if not all(_is_inside(place, folder) for place in _places(call[1], call[2])):
                found.append(line.strip()[:200])
    return found


def _places(name, arguments):
    """Where a call writes."""
    if name in OPENING:
        if not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE", arguments):
            return []
        return _paths(arguments)
    if name in BY_DESCRIPTOR:
        places = PLACE.findall(arguments)
        return places[-1:] if name in ("copy_file_range", "splice") else places[:1]
    # What a symbolic link holds is no place that is written to.
    return _paths(arguments)[1 if name in ("symlink", "symlinkat") else 0:]


def _paths(arguments):
    places = []
    for current, base, path in QUOTED.findall(arguments):
        if path.startswith("/proc/self/fd/"):
            continue
        places.append(os.path.normpath(os.path.join(current or base or "/?", path)))
    return places


def _is_inside(place, folder):
    return place.startswith(("pipe:", folder + "/")) or place in (folder, "/dev/null")
