"""Run by a Python that has macholib: what that reads of Mach-O files, as JSON.

    machosections.py FILE...

For each file a list of slices: [processor, segments by name with offset and size, signature's offset and size].
"""

import json
import sys

from macholib.mach_o import CPU_TYPE_NAMES, LC_CODE_SIGNATURE
from macholib.MachO import MachO


def slice_of(header):
    segments, signature = {}, None
    for load, command, _ in header.commands:
        if hasattr(command, "segname"):
            segments[command.segname.rstrip(b"\0").decode()] = [
                int(command.fileoff), int(command.filesize)]
        elif load.cmd == LC_CODE_SIGNATURE:
            signature = [int(command.dataoff), int(command.datasize)]
    processor = CPU_TYPE_NAMES.get(int(header.header.cputype), "?")
    return [processor, segments, signature, int(header.size)]


print(json.dumps([[slice_of(each) for each in MachO(path).headers] for path in sys.argv[1:]]))
