"""PyPI's ak-isign in an environment of its own, which is kept between runs."""

import os
import pathlib
import subprocess
import sys
import tempfile

PACKAGE = "ak-isign==0.10.20"
ROOT = pathlib.Path(__file__).resolve().parents[3]
SHIM = pathlib.Path(__file__).with_name("isignshim.py")


def install(folder):
    """Makes a program `isign` in a folder. Returns its path, or None and why there is none."""
    build = ROOT / ".build"
    around = build if build.is_dir() else pathlib.Path(tempfile.gettempdir())
    home = around / f"isign-{sys.version_info.major}.{sys.version_info.minor}"
    python = home / "bin/python"
    if not (home / "ready").exists():
        for command in (
                [sys.executable, "-m", "venv", "--clear", str(home)],
                [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                 "--timeout", "20", "--retries", "1", PACKAGE, "setuptools<80"]):
            try:
                done = subprocess.run(
                    command, check=False, capture_output=True, text=True, timeout=600,
                    stdin=subprocess.DEVNULL)
            except (OSError, subprocess.TimeoutExpired) as error:
                return None, str(error)
            if done.returncode:
                lines = (done.stderr or done.stdout).strip().splitlines() or ["no word"]
                return None, lines[-1]
        (home / "ready").touch()
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "isign")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec '{python}' -W ignore '{SHIM}' \"$@\"\n")
    os.chmod(path, 0o755)
    return path, None
