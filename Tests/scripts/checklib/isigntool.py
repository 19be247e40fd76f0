"""PyPI's ak-isign in an environment of its own, which is kept between runs."""

import os
import pathlib

from checklib.virtualenv import python_with

PACKAGE = "ak-isign==0.10.20"
SHIM = pathlib.Path(__file__).with_name("isignshim.py")


def install(folder):
    """Makes a program `isign` in a folder. Returns its path, or None and why there is none."""
    python, why = python_with("isign", PACKAGE, "setuptools<80")
    if not python:
        return None, why
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "isign")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec '{python}' -W ignore '{SHIM}' \"$@\"\n")
    os.chmod(path, 0o755)
    return path, None
