"""The ways that are measured: how each turns one archive into another, or lists one."""

import os
import plistlib
import shutil
import sys
import zipfile

from . import inputs
from .running import Failed

PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.py")
DESTINATIONS = ("my-mac.local", "192.168.1.10")


class Place:
    """The folder in which ways work: an output, a copy to edit, a folder to unpack into."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.output = os.path.join(folder, "output.ipa")
        self.scratch = os.path.join(folder, "scratch.ipa")
        self.unpacked = os.path.join(folder, "unpacked")
        # Where `zip -u` looks for the member: its path from here is the member's name.
        self.update = os.path.join(folder, "update")
        self.plist = os.path.join(self.update, inputs.INFO_PLIST)
        os.makedirs(os.path.dirname(self.plist), exist_ok=True)
        with open(self.plist, "wb") as file:
            file.write(edited_plist())

    def clear(self):
        for path in (self.output, self.scratch):
            if os.path.lexists(path):
                os.remove(path)
        shutil.rmtree(self.unpacked, ignore_errors=True)


def edited_plist():
    """What the peers put in: about what `inject` writes."""
    values = plistlib.loads(inputs.info_plist())
    values["IPAHub"] = {
        "updateURL": [f"http://{host}:8080/api/app/{'0' * 48}/update" for host in DESTINATIONS],
        "source": "gh:example/demo", "release": "latest",
    }
    return plistlib.dumps(values, sort_keys=False)


def inject(binary, source, where, *more):
    command = [binary, "inject", source, *where, "--source", "gh:example/demo"]
    for host in DESTINATIONS:
        command += ["--destination", host]
    return [*command, "--installation-id", "7e3a90c4d15b862f" * 3, *more]


class Way:
    """One way. `on_scratch` ways edit a copy of the archive, others write an output."""

    on_scratch = False
    is_slow = False
    is_ours = False
    folder = None

    def __init__(self, name, command, **options):
        self.name, self._command = name, command
        for option, value in options.items():
            setattr(self, option, value)

    def command(self, source, place):
        return self._command(source, place)

    def prepare(self, source, place):
        place.clear()
        if self.on_scratch:
            shutil.copyfile(source, place.scratch)

    def check(self, source, place):
        """The result must hold the edited Info.plist and as many members as before."""
        result = place.scratch if self.on_scratch else place.output
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(result) as new:
            is_edited = "IPAHub" in plistlib.loads(new.read(inputs.INFO_PLIST))
            if len(old.namelist()) > len(new.namelist()) or not is_edited:
                raise Failed(f"{self.name} did not write what it had to")


class Copy(Way):
    def check(self, source, place):
        if os.path.getsize(source) != os.path.getsize(place.output):
            raise Failed(f"{self.name} made another size")


class Listing(Way):
    def prepare(self, source, place):
        pass

    def check(self, source, place):
        pass


def copies():
    flushed = 'cp "$1" "$2" && sync "$2" "$3"'
    return [
        Copy("cp", lambda source, place: ["cp", source, place.output]),
        Copy("cp+fsync", lambda source, place: [
            "sh", "-c", flushed, "sh", source, place.output, place.folder
        ]),
    ]


def ours(binary):
    def outside(*more):
        return lambda source, place: inject(binary, source, ["-o", place.output], *more)

    def inside(*more):
        return lambda source, place: inject(binary, place.scratch, ["--in-place"], *more)

    return [
        Way("inject", outside("--no-sync"), is_ours=True),
        Way("inject+fsync", outside(), is_ours=True),
        Way("in-place", inside("--no-sync"), is_ours=True, on_scratch=True),
        Way("in-place+fsync", inside(), is_ours=True, on_scratch=True),
    ]


def peers(rewriter):
    def libzip(_, place):
        return [rewriter, place.scratch, inputs.INFO_PLIST, place.plist]

    def zip_u(_, place):
        # zip reads the name from the folder it works in.
        return ["sh", "-c", 'cd "$1" && exec zip -q -u "$2" "$3"', "sh",
                place.update, place.scratch, inputs.INFO_PLIST]

    def zipfile_rewrite(source, place):
        return [sys.executable, PEERS, source, place.output, inputs.INFO_PLIST, place.plist]

    def unzip_zip(source, place):
        script = ('unzip -q "$1" -d "$2" && cp "$3" "$2/$4" && cd "$2" && exec zip -qry "$5" .')
        return ["sh", "-c", script, "sh", source, place.unpacked, place.plist,
                inputs.INFO_PLIST, place.output]

    return [
        Way("libzip", libzip, on_scratch=True),
        Way("zip -u", zip_u, on_scratch=True),
        Way("zipfile", zipfile_rewrite, is_slow=True),
        Way("unzip+zip", unzip_zip, is_slow=True),
    ]


def listings(binary):
    return [
        Listing("unzip -l", lambda source, place: ["unzip", "-l", source]),
        Listing("inspect", lambda source, place: [binary, "inspect", source], is_ours=True),
    ]
