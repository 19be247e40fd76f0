"""Looks at an app that was signed ad hoc: every slot, page and sealed resource, and that nothing else of it
changed.

It shares nothing with the project's own readers: struct, hashlib, plistlib, re.
"""

import hashlib
import os
import pathlib
import plistlib
import re
import stat
import struct

MAGICS = {
    b"\xcf\xfa\xed\xfe": "<", b"\xce\xfa\xed\xfe": "<", b"\xfe\xed\xfa\xcf": ">",
    b"\xfe\xed\xfa\xce": ">"}
FAT = (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf")
BUNDLES = (".app", ".appex", ".framework", ".xpc", ".bundle", ".systemextension", ".dext")
LIST = "_CodeSignature/CodeResources"
ARM = 12


class Slice:
    """A thin file: its commands, and what they say."""

    def __init__(self, data):
        self.data = data
        self.order = MAGICS[data[:4]]
        is_64_bit = data[3 if self.order == ">" else 0] == 0xCF
        self.cpu, _, self.type, self.count, self.size = struct.unpack_from(
            self.order + "5I", data, 4)
        self.start = 32 if is_64_bit else 28
        self.signature = self.signature_command = None
        self.segments = {}
        self.info_plist = None
        self.encrypted = 0
        place = self.start
        for _ in range(self.count):
            number, size = struct.unpack_from(self.order + "II", data, place)
            if number == 0x1D:
                self.signature = struct.unpack_from(self.order + "II", data, place + 8)
                self.signature_command = place
            elif number in (0x1, 0x19):
                self._segment(place, size, "Q" if number == 0x19 else "I")
            elif number in (0x21, 0x2C):
                self.encrypted, = struct.unpack_from(self.order + "I", data, place + 16)
            place += size
        self.commands_end = place

    def _segment(self, place, size, word):
        data = self.data
        name = data[place + 8:place + 24].rstrip(b"\0").decode()
        values = struct.unpack_from(f"{self.order}4{word}", data, place + 24)
        self.segments[name] = (place, word, *values)
        width = struct.calcsize(word)
        step = 80 if word == "Q" else 68
        for at in range(place + (72 if word == "Q" else 56), place + size, step):
            if data[at:at + 16].rstrip(b"\0") == b"__info_plist":
                length, = struct.unpack_from(self.order + word, data, at + 32 + width)
                start, = struct.unpack_from(self.order + "I", data, at + 32 + 2 * width)
                self.info_plist = data[start:start + length]

    def content(self):
        """The bytes before the signature without what a signer may change."""
        place, word, _, _, start, length = self.segments["__LINKEDIT"]
        end = self.signature[0] if self.signature else start + length
        data = bytearray(self.data[:end])
        data[16:24] = bytes(8)
        width = struct.calcsize(word)
        data[place + 24 + width:place + 24 + 2 * width] = bytes(width)
        data[place + 24 + 3 * width:place + 24 + 4 * width] = bytes(width)
        at = self.signature_command or self.commands_end
        data[at:at + 16] = bytes(16)
        return bytes(data)


def slices(data):
    """Thin files of a file, with the power of two to which each is aligned and its place."""
    if data[:4] not in FAT:
        return [(Slice(data), 0, 0)]
    count, = struct.unpack_from(">I", data, 4)
    found = []
    for index in range(count):
        if data[:4] == FAT[1]:
            _, _, start, size, power, _ = struct.unpack_from(">IIQQII", data, 8 + 32 * index)
        else:
            _, _, start, size, power = struct.unpack_from(">5I", data, 8 + 20 * index)
        found.append((Slice(data[start:start + size]), power, start))
    return found


def is_code(data):
    if data[:4] in FAT:
        return 0 < struct.unpack_from(">I", data, 4)[0] < 45
    return data[:4] in MAGICS and len(data) >= 28 and Slice(data).type not in (1, 4, 9, 10)


class Wants:
    """What differs from what is wanted, each in words."""

    def __init__(self):
        self.problems = []

    def __call__(self, what, found, wanted):
        if found != wanted:
            self.problems.append(f"{what} is {found!r}, expected {wanted!r}")


def signature_problems(thin, info_plist, resources, identifier):
    """What is wrong with the signature of a slice, and its CDHash."""
    if not thin.signature:
        return ["no signature"], None
    want = Wants()
    start, size = thin.signature
    want("the signature's place modulo 16", (start % 16, size % 16), (0, 0))
    want("the signature's end", start + size, len(thin.data))
    _, _, _, in_memory, linkedit, length = thin.segments["__LINKEDIT"]
    want("the end of __LINKEDIT", linkedit + length, len(thin.data))
    page = 0x4000 if thin.cpu & 0xFFFFFF == ARM else 0x1000
    want("__LINKEDIT in memory", in_memory, -(-length // page) * page)
    blobs = blobs_of(thin.data[start:], want)
    has_entitlements = 5 in blobs
    want("blobs", list(blobs), [0, 2, 5, 7, 0x10000] if has_entitlements else [0, 2, 0x10000])
    want("requirements", blobs[2].hex(), "fade0c010000000c00000000")
    want("CMS", blobs[0x10000].hex(), "fade0b0100000008")
    sealed = [info_plist or thin.info_plist, blobs[2], resources, None, blobs.get(5), None,
              blobs.get(7)]
    check_directory(thin, blobs, sealed, identifier, want)
    return want.problems, hashed(blobs[0])[:20]


def blobs_of(data, want):
    """The blobs of a SuperBlob by type, one behind the other."""
    magic, whole, count = struct.unpack_from(">III", data)
    want("the SuperBlob's magic", magic, 0xFADE0CC0)
    want("the padding", data[whole:].strip(b"\0"), b"")
    want("the padding's length", len(data) - whole < 16, True)
    blobs, end = {}, 12 + 8 * count
    for index in range(count):
        kind, at = struct.unpack_from(">II", data, 12 + 8 * index)
        want(f"the place of blob {kind}", at, end)
        end = at + struct.unpack_from(">I", data, at + 4)[0]
        blobs[kind] = data[at:end]
    want("the last blob's end", end, whole)
    return blobs


def check_directory(thin, blobs, sealed, identifier, want):
    """Holds the CodeDirectory to the code, and to what its special slots seal, from the first on."""
    directory, (start, _) = blobs[0], thin.signature
    head = struct.unpack_from(">9I4B4I4Q", directory)
    want("magic, length, version, flags", head[:4], (0xFADE0C02, len(directory), 0x20400, 2))
    hashes, name, special, code, limit = head[4:9]
    want("hash size, type, platform, page", head[9:13], (32, 2, 0, 12))
    want("spare, scatter, team, spare, codeLimit64", head[13:18], (0, 0, 0, 0, 0))
    _, _, _, _, text, text_size = thin.segments["__TEXT"]
    flags = 0
    if thin.type == 2:
        flags = 1
        if 5 in blobs and plistlib.loads(blobs[5][8:]).get("get-task-allow") is True:
            flags |= 0x10
    want("the segment with the code", head[18:21], (text, text_size, flags))
    want("the identifier", directory[name:directory.index(0, name)].decode(), identifier)
    want("the code limit", limit, start)
    want("code slots", code, -(-limit // 4096))
    while sealed[-1] is None:
        sealed.pop()
    want("special slots", special, len(sealed))
    for number, content in enumerate(sealed, 1):
        found = directory[hashes - 32 * number:hashes - 32 * number + 32]
        want(f"special slot {number}", found.hex(), hashed(content).hex())
    for index in range(code):
        content = thin.data[4096 * index:min(4096 * (index + 1), limit)]
        found = directory[hashes + 32 * index:hashes + 32 * index + 32]
        want(f"the hash of page {index}", found.hex(), hashed(content).hex())
    want("the CodeDirectory's length", len(directory), hashes + 32 * code)


def hashed(content):
    return hashlib.sha256(content).digest() if content is not None else bytes(32)


def verdict(path, rules):
    """What rules say: None, or the flags of the one that counts."""
    best, strength = None, -1
    for pattern, value in rules.items():
        flags = value if isinstance(value, dict) else {"omit": not value}
        weight = flags.get("weight", 1)
        if re.search(pattern, path) and (
                weight > strength or weight == strength and flags.get("omit")):
            best, strength = flags, weight
    return None if best is None or best.get("omit") else best


def resource_problems(folder, executable, code):
    """Compares a bundle's list with its files. `code` has the CDHashes of signed code by path."""
    found = plistlib.loads((folder / LIST).read_bytes())
    files, files2 = {}, {}
    sealed = {
        path: hashes for path, hashes in code.items()
        if folder in path.parents
        and (verdict(path.relative_to(folder).as_posix(), found["rules2"]) or {}).get("nested")}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink() or name in (executable, "CodeResources"):
            continue
        if name.split("/")[0] in ("_CodeSignature", "_MASReceipt"):
            continue
        if path in sealed or any(each in sealed for each in path.parents):
            continue
        content = None if path.is_symlink() else path.read_bytes()
        rule = verdict(name, found["rules"])
        if rule is not None and content is not None:
            sha1 = hashlib.sha1(content).digest()
            files[name] = {"hash": sha1, "optional": True} if rule.get("optional") else sha1
        rule = verdict(name, found["rules2"])
        if rule is not None:
            entry = ({"symlink": os.readlink(path)} if content is None
                     else {"hash2": hashlib.sha256(content).digest()})
            files2[name] = entry | ({"optional": True} if rule.get("optional") else {})
    for path, hashes in sealed.items():
        if any(each in sealed for each in path.parents):
            continue
        text = " or ".join(f'cdhash H"{each.hex()}"' for each in hashes)
        files2[path.relative_to(folder).as_posix()] = {"cdhash": hashes[0], "requirement": text}
    problems = []
    for key, wanted in (("files", files), ("files2", files2)):
        if list(found[key]) != sorted(found[key], key=str.encode):
            problems.append(f"{key} is not sorted")
        for name in sorted(set(wanted) | set(found[key])):
            if wanted.get(name) != found[key].get(name):
                problems.append(
                    f"{key} has {found[key].get(name)!r} for {name}, expected {wanted.get(name)!r}")
    return problems


def bundles(root):
    """Folder of the list, bundle, Info.plist, identifier and executable of each bundle with code."""
    found = []
    for bundle in [root, *root.rglob("*")]:
        if bundle.suffix not in BUNDLES or not bundle.is_dir() or bundle.is_symlink():
            continue
        folder, prefix = bundle, ""
        if (bundle / "Contents").is_dir():
            folder, prefix = bundle / "Contents", "MacOS/"
        elif (bundle / "Versions/A").is_dir():
            folder = bundle / "Versions/A"
        info = folder / "Info.plist"
        if not info.is_file():
            info = folder / "Resources/Info.plist"
        values = plistlib.loads(info.read_bytes()) if info.is_file() else {}
        executable = folder / (prefix + values.get("CFBundleExecutable", bundle.stem))
        if executable.is_file() and is_code(executable.read_bytes()):
            identifier = values.get("CFBundleIdentifier") or bundle.stem
            found.append((folder, bundle, info if info.is_file() else None, identifier, executable))
    return found


def seal_problems(root):
    """All that is wrong with the signatures of an app's folder."""
    problems, code = [], {}
    by_executable = {each[4]: each for each in bundles(root)}
    for path in sorted(root.rglob("*"), key=lambda each: -len(each.parts)):
        if path.is_symlink() or not path.is_file() or ".dSYM/" in path.as_posix():
            continue
        data = path.read_bytes()
        if not is_code(data):
            continue
        info = resources = None
        identifier = path.stem
        if path in by_executable:
            folder, bundle, plist, identifier, _ = by_executable[path]
            info = plist.read_bytes() if plist else None
            if not (folder / LIST).is_file():
                problems.append(f"{folder}: no list of resources")
                continue
            resources = (folder / LIST).read_bytes()
        hashes = []
        for thin, power, start in slices(data):
            found, cdhash = signature_problems(thin, info, resources, identifier)
            if power and start % (1 << power):
                found.append(f"a slice at {start} is not aligned to 2^{power}")
            problems += [f"{path.relative_to(root)}: {each}" for each in found]
            hashes.append(cdhash)
        code[by_executable[path][1] if path in by_executable else path] = hashes
    for folder, bundle, _, _, executable in by_executable.values():
        if executable not in by_executable or not (folder / LIST).is_file():
            continue
        own = executable.relative_to(folder).as_posix()
        nested = {path: hashes for path, hashes in code.items() if path != bundle}
        problems += [
            f"{bundle.relative_to(root)}: {each}"
            for each in resource_problems(folder, own, nested)]
    return problems if code else ["no code was found"]


def change_problems(before, after, times=True):
    """What differs between two folders, but for the signatures, and the execute bits of programs that had
    none."""
    problems = []
    names = {
        folder: {each.relative_to(folder).as_posix() for each in folder.rglob("*")}
        for folder in (before, after)}
    for name in sorted(names[before] ^ names[after]):
        if pathlib.PurePath(name).name not in ("CodeResources", "_CodeSignature"):
            problems.append(f"{name} is there only {'before' if name in names[before] else 'after'}")
    for name in sorted(names[before] & names[after]):
        old, new = before / name, after / name
        was, now = old.lstat(), new.lstat()
        modes = {was.st_mode}
        if stat.S_ISREG(was.st_mode) and not was.st_mode & 0o111 and is_code(old.read_bytes()):
            modes.add(was.st_mode | (was.st_mode & 0o444) >> 2)
        if now.st_mode not in modes and not name.endswith(LIST):
            problems.append(f"{name} has the mode {now.st_mode:o}, and had {was.st_mode:o}")
        if stat.S_ISLNK(was.st_mode):
            if os.readlink(old) != os.readlink(new):
                problems.append(f"{name} leads elsewhere")
            continue
        if not stat.S_ISREG(was.st_mode):
            continue
        if times and int(was.st_mtime) != int(now.st_mtime):
            problems.append(f"{name} has another time")
        old, new = old.read_bytes(), new.read_bytes()
        if old == new or name.endswith(LIST):
            continue
        if not is_code(old) or not is_code(new):
            problems.append(f"{name} was changed")
            continue
        pairs = list(zip(slices(old), slices(new)))
        if len(slices(old)) != len(slices(new)):
            problems.append(f"{name} has other slices")
        for (was, _, _), (now, _, _) in pairs:
            old, new = was.content(), now.content()
            if new[:len(old)] != old or new[len(old):].strip(b"\0") or len(new) - len(old) > 15:
                problems.append(f"{name}: code was changed")
    return problems


def app_of(folder):
    """The app in a folder, which may be the app itself."""
    folder = pathlib.Path(folder).resolve()
    if folder.suffix == ".app":
        return folder
    apps = sorted((folder / "Payload").glob("*.app"))
    return apps[0] if apps else sorted(folder.glob("*.app"))[0]
