"""What an app consists of, before it is written as an archive or as a folder."""

from collections import namedtuple

DIRECTORY_MODE, PROGRAM_MODE, FILE_MODE, LINK_MODE = 0o040755, 0o100755, 0o100644, 0o120755

Entry = namedtuple("Entry", "path mode data")  # `data` of a link is its target; of a directory None


class Tree:
    """Files, links and their directories, in the order in which they were added."""

    def __init__(self):
        self.entries = []
        self._directories = set()

    def file(self, path, data):
        self._add(path, FILE_MODE, data)

    def program(self, path, data):
        self._add(path, PROGRAM_MODE, data)

    def link(self, path, target):
        self._add(path, LINK_MODE, target.encode())

    def graft(self, path, other):
        """Adds another tree below `path`."""
        for entry in other.entries:
            if entry.mode != DIRECTORY_MODE:
                self._add(path + "/" + entry.path, entry.mode, entry.data)

    def _add(self, path, mode, data):
        parents = path.split("/")[:-1]
        for depth in range(1, len(parents) + 1):
            parent = "/".join(parents[:depth])
            if parent not in self._directories:
                self._directories.add(parent)
                self.entries.append(Entry(parent, DIRECTORY_MODE, None))
        self.entries.append(Entry(path, mode, data))
