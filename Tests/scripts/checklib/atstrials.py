"""Random settings of App Transport Security, with URLs that touch them."""

import datetime
import ipaddress
import plistlib
from collections import namedtuple

from .atsmodel import CONTEXT_FLAGS, OS9, OS10, OS17, PREFIXES, canonical, parents

URL = namedtuple("URL", "text scheme host")

NAMES = (
    "example.com", "a.example.com", "b.a.example.com", "c.b.a.example.com", "notexample.com",
    "my-mac.local", "tv.my-mac.local", "local", "my-mac", "localhost", "a.localhost",
    "my-mac.tail1.ts.net", "xn--bcher-kva.example", "local.example",
)
# First and last addresses of the ranges that count, and their neighbours.
ADDRESSES = (
    "9.255.255.255", "10.0.0.0", "10.1.2.3", "10.255.255.255", "11.0.0.0", "100.63.255.255",
    "100.64.0.0", "100.101.102.103", "100.127.255.255", "100.128.0.0", "126.255.255.255",
    "127.0.0.1", "127.255.255.255", "128.0.0.0", "169.253.255.255", "169.254.0.0",
    "169.254.255.255", "169.255.0.0", "172.15.255.255", "172.16.0.0", "172.31.255.255",
    "172.32.0.0", "192.167.255.255", "192.168.0.0", "192.168.1.10", "192.168.255.255",
    "192.169.0.0", "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1",
    "93.184.216.34", "::", "::1", "::2", "fbff::1", "fc00::", "fd00::10", "fd7a:115c:a1e0::c",
    "fdff:ffff::1", "fe00::", "fe7f::1", "fe80::1", "febf:ffff::1", "fec0::1", "ff02::1",
    "2001:db8:12::34", "2606:4700::1111", "::ffff:192.168.1.10", "::ffff:8.8.8.8",
)
SYSTEMS = (
    ("ios9", OS9), ("ios10.0", OS10), ("ios16.7", OS10), ("ios17", OS17), ("ios26.1", OS17),
    ("tvos9.2", OS9), ("tvos16", OS10), ("tvos17", OS17), ("watchos2", OS9), ("watchos9.6", OS10),
    ("watchos10", OS17), ("visionos1", OS17), ("macos10.11", OS9), ("macos10.15", OS10),
    ("macos11", OS10), ("macos13.6", OS10), ("macos14", OS17), ("os9", OS9), ("os10", OS10),
    ("os17", OS17),
)
SDKS = (
    "iphoneos8.4", "iphoneos9.3", "iphoneos10.0", "iphoneos16.4", "iphoneos17.0", "iphoneos26.1",
    "iphonesimulator16.4", "appletvos16.4", "appletvos17.0", "watchos9.4", "watchos10.0",
    "macosx10.10", "macosx10.11", "macosx13.3", "macosx14.0", "xros1.0", "unknown17.0", "iphoneos",
    "macosx-5", "macosx9223372036854775807", "iphoneos99999999999999999999.4",
)
OTHER_TYPES = (
    1, 0, 1.0, "YES", "NO", "true", "", b"\1", [], [True], {}, {"NSAllowsArbitraryLoads": True},
    datetime.datetime(2026, 1, 1),
)
TLS_VALUES = ("TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3", "TLSv1.4", "1.0", "tlsv1.0", "", 1, True)
PIN = {"SPKI-SHA256-BASE64": "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="}


class Trial:
    """`root` is the Info.plist, `systems` pairs of an OS and its generation."""

    def __init__(self, rng):
        self._rng = rng
        self.context = rng.choice(("session", "web", "media"))
        self.systems = rng.sample(SYSTEMS, 4)
        self.urls = [self._url() for _ in range(12)]
        self.format = rng.choice((plistlib.FMT_XML, plistlib.FMT_BINARY))
        self.root = {"CFBundleIdentifier": "com.example.decisions", "CFBundleExecutable": "App"}
        self._add_sdk()
        if not self._is(0.03):
            self.root["NSAppTransportSecurity"] = (
                rng.choice(OTHER_TYPES) if self._is(0.03) else self._settings())

    def _is(self, probability):
        return self._rng.random() < probability

    def _add_sdk(self):
        if self._is(0.6):
            return
        name = self._rng.choice(SDKS)
        if self._is(0.2):
            platform = name.rstrip("0123456789.")
            self.root.update(DTPlatformName=platform, DTPlatformVersion=name[len(platform):])
        else:
            self.root["DTSDKName"] = name

    def _url(self):
        scheme = self._rng.choices(("http", "https", "ftp"), (70, 28, 2))[0]
        host = self._host()
        text = host
        if ":" in host:
            text = f"[{ipaddress.ip_address(host).exploded}]" if self._is(0.2) else f"[{host}]"
        if self._is(0.1):
            text = text.upper()
        port = self._rng.choice(("", "", ":8080"))
        return URL(f"{scheme}://{text}{port}/some/path", scheme, host)

    def _host(self):
        kind = self._rng.random()
        if kind < 0.45:
            return self._rng.choice(NAMES)
        if kind < 0.9:
            return self._rng.choice(ADDRESSES)
        if kind < 0.95:
            return str(ipaddress.IPv4Address(self._rng.getrandbits(32)))
        return str(ipaddress.IPv6Address(0x2000 << 112 | self._rng.getrandbits(112)))

    def _settings(self):
        settings = {}
        for key, probability in (
                ("NSAllowsArbitraryLoads", 0.35), ("NSAllowsLocalNetworking", 0.3),
                *((key, 0.2) for key in CONTEXT_FLAGS.values())):
            if self._is(probability):
                settings[key] = self._flag()
        if self._is(0.9):
            settings["NSExceptionDomains"] = (
                self._rng.choice(OTHER_TYPES) if self._is(0.03)
                else {self._key(): self._entry() for _ in range(self._rng.randint(0, 10))})
        if self._is(0.5):
            settings["NSPinnedDomains"] = (
                self._rng.choice(OTHER_TYPES) if self._is(0.1)
                else {self._key(): self._pins() for _ in range(self._rng.randint(0, 8))})
        entries = list(settings.items())
        self._rng.shuffle(entries)
        return dict(entries)

    def _flag(self):
        if self._is(0.12):
            return self._rng.choice(OTHER_TYPES)
        return self._is(0.7)

    def _key(self):
        """A key for one of the URLs' hosts: one that matches, or one that is near to it."""
        text, address = canonical(self._rng.choice(self.urls).host)
        if self._is(0.15):
            return self._odd(text)
        if address is None:
            return self._rng.choice([text, text, *parents(text)])
        if self._is(0.5):
            return text
        length = self._rng.randint(0, address.max_prefixlen)
        if self._is(0.5):
            return f"{text}/{length}"
        return str(ipaddress.ip_network(f"{text}/{length}", strict=False))

    def _odd(self, text):
        return self._rng.choice((
            text.upper(), text + ".", text + ":8080", f"[{text}]", "http://" + text, text + "/path",
            "*." + text, " " + text, text + " ", text + "\n", "." + text, text + "%en0", "",
            text + "/", text + "/33", text + "/129", text + "/08", text + "/-1", text + "/+8",
            text + "/8/8", text + "/255.0.0.0", f"[{text}]/8", text + "/ 8", "bücher.example", "*",
            text + "/\u0668", "::ffff:192.168.1.10", "::ffff:0:0/96",
        ))

    def _entry(self):
        if self._is(0.06):
            return self._rng.choice(OTHER_TYPES)
        entry = {}
        for key, probability in (
                ("NSIncludesSubdomains", 0.5), ("NSRequiresCertificateTransparency", 0.2),
                (PREFIXES[0] + "AllowsInsecureHTTPLoads", 0.6),
                (PREFIXES[0] + "RequiresForwardSecrecy", 0.3),
                *((prefix + "AllowsInsecureHTTPLoads", 0.12) for prefix in PREFIXES[1:]),
                *((prefix + "RequiresForwardSecrecy", 0.1) for prefix in PREFIXES[1:])):
            if self._is(probability):
                entry[key] = self._flag()
        for prefix in PREFIXES:
            if self._is(0.2):
                entry[prefix + "MinimumTLSVersion"] = self._rng.choice(TLS_VALUES)
        return entry

    def _pins(self):
        if self._is(0.1):
            return self._rng.choice(OTHER_TYPES)
        entry = {"NSIncludesSubdomains": self._flag()} if self._is(0.5) else {}
        for key in ("NSPinnedCAIdentities", "NSPinnedLeafIdentities"):
            if self._is(0.5):
                entry[key] = self._rng.choice(([], [PIN], [PIN], [PIN, PIN], {}, "pin"))
        return entry
