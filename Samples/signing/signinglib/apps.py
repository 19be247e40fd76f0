"""Small apps with every kind of nested code, unsigned or with ad hoc signatures."""

import hashlib
import os
import pathlib
import plistlib
import re

from . import macho, signature

RESOURCE = "Grüße.txt"  # a name that is no ASCII
LEFT_OUT = re.compile(r"^(_CodeSignature/|\.DS_Store$)")
RULES = {
    "^.*": True,
    "^.*\\.lproj/": {"optional": True, "weight": 1000.0},
    "^.*\\.lproj/locversion.plist$": {"omit": True, "weight": 1100.0},
    "^Base\\.lproj/": {"weight": 1010.0},
    "^version.plist$": True,
}
RULES2 = {
    ".*\\.dSYM($|/)": {"weight": 11.0},
    "^(.*/)?\\.DS_Store$": {"omit": True, "weight": 2000.0},
    "^.*": True,
    "^.*\\.lproj/": {"optional": True, "weight": 1000.0},
    "^.*\\.lproj/locversion.plist$": {"omit": True, "weight": 1100.0},
    "^Base\\.lproj/": {"weight": 1010.0},
    "^Info\\.plist$": {"omit": True, "weight": 20.0},
    "^PkgInfo$": {"omit": True, "weight": 20.0},
    "^embedded\\.provisionprofile$": {"weight": 20.0},
    "^version\\.plist$": {"weight": 20.0},
}


class Writer:
    """Writes an app's folder. `old` makes what a signer of 2016 knows: armv7 and arm64, with
    LC_VERSION_MIN_IPHONEOS."""

    def __init__(self, root, identifier="com.example.demo", old=False):
        self.root = pathlib.Path(root)
        self.identifier = identifier
        self.old = old
        self.bundles = []  # folders, inside out
        self.libraries = []

    def write(self, name, content, mode=0o644):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)

    def program(self, name, identifier, **fields):
        """An executable's bytes."""
        fields.setdefault("platform", macho.IOS)
        if self.old:
            fields.update(minimum="8.0", sdk="10.0", build_version=False)
        made = [
            macho.thin(macho.Spec(cpu=cpu, name=identifier, **fields))
            for cpu in (("armv7", "arm64") if self.old else ("arm64",))]
        self.write(name, macho.fat(made) if self.old else made[0], 0o755)

    def bundle(self, folder, package, executable, suffix, platform=macho.IOS, plist=(), **fields):
        """A bundle with its executable and one resource."""
        identifier = self.identifier + suffix
        name = {macho.WATCHOS: "WatchOS"}.get(platform, "iPhoneOS")
        info = {
            "CFBundleDevelopmentRegion": "en", "CFBundleExecutable": executable,
            "CFBundleIdentifier": identifier, "CFBundleInfoDictionaryVersion": "6.0",
            "CFBundleName": executable, "CFBundlePackageType": package,
            "CFBundleShortVersionString": "1.0", "CFBundleVersion": "1",
            "CFBundleSupportedPlatforms": [name],
            "MinimumOSVersion": "8.0" if self.old else "15.0", **dict(plist),
        }
        self.write(f"{folder}/Info.plist", plistlib.dumps(info, fmt=plistlib.FMT_BINARY))
        self.write(f"{folder}/text.txt", f"{identifier}\n".encode())
        self.program(f"{folder}/{executable}", identifier, platform=platform, **fields)
        self.bundles.append(folder)

    def framework(self, parent, name, suffix):
        self.bundle(
            f"{parent}/Frameworks/{name}.framework", "FMWK", name, suffix, kind="dylib",
            install_name=f"@rpath/{name}.framework/{name}")

    def resources(self, app):
        """A bundle without code, a link and a name that is no ASCII."""
        self.write(f"{app}/PkgInfo", b"APPL????")
        self.write(f"{app}/{RESOURCE}", "Grüße\n".encode())
        self.write(f"{app}/en.lproj/InfoPlist.strings", b'"CFBundleDisplayName" = "Demo";\n')
        self.write(f"{app}/Resources.bundle/Info.plist", plistlib.dumps(
            {"CFBundleIdentifier": self.identifier + ".resources", "CFBundlePackageType": "BNDL"}))
        self.write(f"{app}/Resources.bundle/data.json", b"{}\n")
        os.symlink("text.txt", self.root / app / "link.txt")


def demo(root, **options):
    """Payload/Demo.app in a folder: one of each kind of nested code. Returns the writer."""
    writer = Writer(root, **options)
    app = "Payload/Demo.app"
    writer.framework(app, "Core", ".core")
    library = f"{app}/Frameworks/libplain.dylib"
    writer.program(library, "libplain", kind="dylib", install_name="@rpath/libplain.dylib")
    writer.libraries.append(library)
    share = f"{app}/PlugIns/Share.appex"
    writer.framework(share, "Inner", ".share.inner")
    writer.bundle(share, "XPC!", "Share", ".share", plist={
        "NSExtension": {"NSExtensionPointIdentifier": "com.apple.share-services"}},
        libraries=("@rpath/Inner.framework/Inner",), run_paths=("@executable_path/Frameworks",))
    writer.bundle(f"{app}/AppClips/Clip.app", "APPL", "Clip", ".Clip", plist={
        "NSAppClip": {"NSAppClipRequestEphemeralUserNotification": False}})
    if not writer.old:
        watch = f"{app}/Watch/Watch.app"
        writer.bundle(
            f"{watch}/PlugIns/WatchExtension.appex", "XPC!", "WatchExtension", ".watch.extension",
            macho.WATCHOS, {"NSExtension": {
                "NSExtensionPointIdentifier": "com.apple.watchkit",
                "NSExtensionAttributes": {"WKAppBundleIdentifier": writer.identifier + ".watch"}}})
        writer.bundle(watch, "APPL", "Watch", ".watch", macho.WATCHOS, {
            "WKCompanionAppBundleIdentifier": writer.identifier})
    writer.bundle(
        app, "APPL", "Demo", "", libraries=("@rpath/Core.framework/Core",),
        run_paths=("@executable_path/Frameworks",))
    writer.resources(app)
    return writer


def plain(root, **options):
    """Payload/Demo.app with nothing nested."""
    writer = Writer(root, **options)
    writer.bundle("Payload/Demo.app", "APPL", "Demo", "")
    writer.resources("Payload/Demo.app")
    return writer


def sign(
        writer, directories=(signature.Directory(),), team=None, entitlements=None,
        authority=None, room=0):
    """Signs an app inside out: ad hoc, or with a CMS that `authority` makes of a CodeDirectory. Each signature
    takes `room` bytes at least."""
    for library in writer.libraries:
        parts = signature.Parts(
            identifier=pathlib.PurePath(library).stem, team=team, authority=authority, room=room)
        _sign_file(writer.root / library, parts, directories)
    for folder in writer.bundles:
        path = writer.root / folder
        info = (path / "Info.plist").read_bytes()
        values = plistlib.loads(info)
        sealed = path / "_CodeSignature" / "CodeResources"
        sealed.parent.mkdir(exist_ok=True)
        sealed.write_bytes(code_resources(path, values["CFBundleExecutable"]))
        takes = entitlements is not None and values["CFBundlePackageType"] != "FMWK"
        has_der = takes and any(each.version >= 0x20400 for each in directories)
        parts = signature.Parts(
            identifier=values["CFBundleIdentifier"], team=team, info_plist=info, room=room,
            resources=sealed.read_bytes(),
            entitlements=plistlib.dumps(entitlements) if takes else None,
            der=signature.der(entitlements) if has_der else None, authority=authority)
        _sign_file(path / values["CFBundleExecutable"], parts, directories)


def _sign_file(path, parts, directories):
    path.write_bytes(signature.sign(path.read_bytes(), parts, directories))


def code_resources(folder, executable):
    """_CodeSignature/CodeResources of a flat bundle: both lists of files, and the rules."""
    files, files2 = {}, {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name == executable or LEFT_OUT.match(name) or path.is_dir() and not path.is_symlink():
            continue
        if path.is_symlink():
            files2[name] = {"symlink": os.readlink(path)}
            continue
        content = path.read_bytes()
        old, new = hashlib.sha1(content).digest(), hashlib.sha256(content).digest()
        is_optional = ".lproj/" in name
        files[name] = {"hash": old, "optional": True} if is_optional else old
        if name not in ("Info.plist", "PkgInfo"):
            files2[name] = {"hash": old, "hash2": new} | ({"optional": True} if is_optional else {})
    return plistlib.dumps({"files": files, "files2": files2, "rules": RULES, "rules2": RULES2})
