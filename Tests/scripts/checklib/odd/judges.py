"""Other programs that read archives, and what each says of one: the same of the output as of the input."""

import ctypes
import ctypes.util
import os
import re
import shutil
import subprocess
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
QUIET = {"stdin": subprocess.DEVNULL, "check": False}
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")


def missing():
    """The judges that are not here, in words."""
    absent = [name for name in ("unzip", "bsdtar", "zipcmp", "java") if not shutil.which(name)]
    return absent + ([] if _library() else ["libzip"])


def _output(command, **options):
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=120,
                          **{**QUIET, **options})
    return done.returncode, done.stdout, done.stderr


def _plain(path, *texts):
    """Texts without the archive's own name, and without numbers, of which offsets move."""
    return tuple(re.sub(rb"[0-9]+", b"N", text.replace(path.encode(), b"ARCHIVE")) for text in texts)


def _unzip(path, _plist):
    status, out, err = _output(["unzip", "-t", path])
    return status, *_plain(path, out, err)


def _bsdtar(path, _plist):
    status, out, err = _output(["bsdtar", "-tf", path])
    return status, out, *_plain(path, err)


def _bsdtar_pipe(path, _plist):
    with open(path, "rb") as file:
        status, out, err = _output(["bsdtar", "-tf", "-"], stdin=file)
    return status, out, *_plain(path, err)


def _zipfile(path, plist):
    """Each member's checksum, or the name of what zipfile raises, which may be anything."""
    said = []
    try:
        with zipfile.ZipFile(path) as archive:
            for item in archive.infolist():
                name = item.orig_filename
                try:
                    checksum = zlib.crc32(archive.read(item))
                except Exception as error:
                    said.append((name, type(error).__name__))
                    continue
                edited = plist in (name.encode("utf-8", "replace"), name.encode("cp437", "replace"))
                said.append((name, None if edited else checksum))
    except Exception as error:
        said.append(type(error).__name__)
    return said


def _library():
    name = ctypes.util.find_library("zip")
    return ctypes.CDLL(name) if name else None


def _libzip(path, _plist):
    """What libzip's own check of consistency says."""
    library = _library()
    library.zip_open.restype = ctypes.c_void_p
    library.zip_discard.argtypes = [ctypes.c_void_p]
    code = ctypes.c_int(0)
    archive = library.zip_open(path.encode(), 4 | 16, ctypes.byref(code))
    if archive:
        library.zip_discard(archive)
    return code.value


JUDGES = {"unzip -t": ("unzip", _unzip), "bsdtar": ("bsdtar", _bsdtar),
          "bsdtar from a pipe": ("bsdtar", _bsdtar_pipe), "zipfile": ("zipfile", _zipfile),
          "libzip": ("libzip", _libzip)}


def differences(before, after, plist, absent):
    """Judges that say something else of `after` than of `before`; those in `absent` are not asked."""
    problems = []
    for name, (program, judge) in JUDGES.items():
        if program in absent:
            continue
        old, new = judge(before, plist), judge(after, plist)
        if old != new:
            problems.append(f"{name} said {str(old)[:150]} and now says {str(new)[:150]}")
    if "zipcmp" not in absent:
        problems += _zipcmp(before, after, plist)
    return problems


def _zipcmp(before, after, plist):
    """libzip's comparison may name Info.plist alone; an archive that it cannot open tells nothing."""
    if _output(["zipcmp", "-q", before, before])[0] != 0:
        return []
    status, out, _ = _output(["zipcmp", before, after])
    lines = [line for line in out.splitlines() if line[:2] in (b"+ ", b"- ")]
    # A line ends where the name has a line end; other bytes are shown in UTF-8.
    end = plist.split(b"\n")[0] if b"\n" in plist else b"/Info.plist"
    others = [line for line in lines if not line.endswith(end)]
    if status != 1 or others or len(lines) != 2:
        return [f"zipcmp says {status}, {out[:200]!r}"]
    return []


def java(paths):
    """What java.util.zip says of each path; one process for all."""
    done = subprocess.run(
        ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", os.path.join(HERE, "JudgeArchives.java")],
        input="\n".join(paths) + "\n", capture_output=True, text=True, check=False, timeout=300)
    said = {}
    for line in done.stdout.splitlines():
        path, *rest = line.split("\t")
        said[path] = tuple(rest)
    return said, done.stderr
