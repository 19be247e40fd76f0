"""Apps that pages are made of: one with many exceptions, hostile ones."""

import plistlib
import struct
import zipfile
import zlib

from .apps import info_plist
from .tool import INSTALLATION_ID

MARKUP = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&amp;--></style>'
STEERING = "a\u202eb\u0007c\u2028d\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301e\ufeff"


def png(side, color=(12, 120, 90, 255)):
    """A plain PNG of one colour."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = (b"\0" + bytes(color) * side) * side
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def binary(plist):
    """XML has no room for control characters."""
    return plistlib.dumps(plist, fmt=plistlib.FMT_BINARY)


def info(name, **more):
    return info_plist(CFBundleDisplayName=name, **more)


def archive(path, plist, members=()):
    """An IPA of an Info.plist and other members of the app."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("Payload/App.app/Info.plist", binary(plist))
        package.writestr("Payload/App.app/App", b"\xcf\xfa\xed\xfe")
        for name, data in members:
            package.writestr("Payload/App.app/" + name, data)
    return path


def many(path):
    """200 exceptions as apps of many partners have them, with all keys that there are."""
    domains = {
        f"media-{number}.partner-{number % 17}.example.com": {
            "NSExceptionAllowsInsecureHTTPLoads": number % 3 > 0, "NSIncludesSubdomains": True,
            "NSExceptionMinimumTLSVersion": "TLSv1.0", "NSExceptionRequiresForwardSecrecy": False,
        } for number in range(200)
    }
    hosts = [f"http://media-{number}.partner-{number % 17}.example.com:19464" for number in range(8)]
    return archive(path, info(
        "Two Hundred", NSAppTransportSecurity={"NSExceptionDomains": domains},
        NSLocalNetworkUsageDescription="Find the server at home",
        IPAHub={"source": "gh:example/many", "release": "latest",
                "updateURL": [f"{host}/api/app/{INSTALLATION_ID}/update" for host in hosts]},
        CFBundleIconFiles=["Icon"]), [("Icon.png", png(180))])


def hostile(path):
    """Texts that would do something, wherever an app has a text."""
    text = MARKUP + STEERING
    url = f"http://h.local/api/app/{INSTALLATION_ID}/update"
    return archive(path, info(
        "Evil " + text, CFBundleShortVersionString=text, CFBundleVersion=text,
        CFBundleSupportedPlatforms=["iPhoneOS", text], MinimumOSVersion="15.0" + text,
        NSLocalNetworkUsageDescription="x" * 100_000 + text, NSBonjourServices=[text] * 100,
        IPAHub={"source": text, "filter": url, "team": INSTALLATION_ID, "release": "r" * 5000,
                "updateURL": [url, text, url + "?" + text, 1] + ["http://" + "a" * 10_000] * 100,
                text: 1, url: 2, **{f"key {number}": number for number in range(1000)}},
        NSAppTransportSecurity={
            "NSAllowsArbitraryLoads": True, text: text, url: INSTALLATION_ID,
            "NSPinnedDomains": {text: [text]},
            **{f"NSKey{number}": {"a": ["b"] * 100} for number in range(1000)},
            "NSExceptionDomains": {
                text: {text: text, "NSExceptionAllowsInsecureHTTPLoads": "YES"}, url: {},
                "العربية": {"NSExceptionAllowsInsecureHTTPLoads": True}, "": 1, "k" * 300: {},
                **{f"a{number}.example.com": {f"key{key}": key for key in range(50)} for number in range(50)},
            }}, CFBundleIconFiles=["Bad", "Worse"]),
        [("Bad.png", png(120)[:-40]), ("Worse.png", b"\x89PNG\r\n\x1a\n" + b"\xff" * 100),
         *((f"PlugIns/{'<b>' * level}x.appex/Info.plist", binary(info("x"))) for level in range(1, 4)),
         ("A.app/" + "B.app/" * 40 + "Info.plist", binary(info(text))),
         *((f"{language}.lproj/InfoPlist.strings", binary({"NSLocalNetworkUsageDescription": text}))
           for language in ("en", "ar", "<i>"))])


def endless(path):
    """As much as an Info.plist has room for: 100,000 exceptions and a key of 10 MB."""
    domains = {f"h{number}.example.com": {"NSExceptionAllowsInsecureHTTPLoads": 1} for number in range(100_000)}
    domains["k" * 10_000_000] = {}
    return archive(path, info("Endless", NSAppTransportSecurity={
        "NSAllowsArbitraryLoads": True, "NSExceptionDomains": domains}))
