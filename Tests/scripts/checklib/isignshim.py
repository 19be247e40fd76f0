"""Runs PyPI's ak-isign on a Python that is newer than it: `isignshim.py ARGUMENTS`, in its environment.

It calls functions that plistlib lost in Python 3.9 and a logger that is nowhere defined. For distutils, which
Python 3.12 lost, setuptools must be there.
"""

import builtins
import logging
import os
import plistlib
import runpy
import sys

try:
    import setuptools  # noqa: F401, it brings distutils back
except ImportError:
    pass


def read(source):
    if hasattr(source, "read"):
        return plistlib.load(source)
    with open(source, "rb") as file:
        return plistlib.load(file)


def write(value, target):
    if hasattr(target, "write"):
        plistlib.dump(value, target)
        return
    with open(target, "wb") as file:
        plistlib.dump(value, file)


class Data(bytes):
    @property
    def data(self):
        return bytes(self)


if not hasattr(plistlib, "readPlist"):
    plistlib.readPlist, plistlib.writePlist, plistlib.Data = read, write, Data
    plistlib.readPlistFromBytes, plistlib.writePlistToBytes = plistlib.loads, plistlib.dumps
# The package of the same name is meant, and nothing beside this file.
sys.path.pop(0)
builtins.log = logging.getLogger("isign")

runpy.run_path(os.path.join(os.path.dirname(sys.executable), "isign"), run_name="__main__")
