"""A model of App Transport Security's decision, from the rules alone.

Sources: Apple's pages NSAppTransportSecurity, NSExceptionDomains, NSAllowsLocalNetworking,
NSAllowsArbitraryLoads and NSPinnedDomains; the release notes of iOS 17 (101967030).
"""

import ipaddress

# The generations: iOS 9; iOS 10 to 16; iOS 17 and later.
OS9, OS10, OS17 = 9, 10, 17
EXEMPT = 0

# Where each system's generations begin, and what an SDK of it is called.
BEGINS = {
    "ios": ((9,), (10,), (17,)), "tvos": ((9,), (10,), (17,)), "watchos": ((2,), (3,), (10,)),
    "macos": ((10, 11), (10, 12), (14,)), "visionos": (None, None, (1,)),
}
SDKS = {
    "iphoneos": "ios", "iphonesimulator": "ios", "appletvos": "tvos", "watchos": "watchos",
    "macosx": "macos", "xros": "visionos",
}
LOCAL = [ipaddress.ip_network(text) for text in (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8",
    "fc00::/7", "fe80::/10", "::1/128",
)]
ARBITRARY = "NSAllowsArbitraryLoads"
LOCAL_NETWORKING = "NSAllowsLocalNetworking"
CONTEXT_FLAGS = {
    "web": "NSAllowsArbitraryLoadsInWebContent", "media": "NSAllowsArbitraryLoadsForMedia",
}
NARROWING = (*CONTEXT_FLAGS.values(), LOCAL_NETWORKING)
PREFIXES = ("NSException", "NSTemporaryException", "NSThirdPartyException")
TLS_VERSIONS = ("TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3")


def generation_of(system, version):
    """The generation of a version (a tuple) of a system; EXEMPT for one from before them all."""
    found = EXEMPT
    for generation, begin in zip((OS9, OS10, OS17), BEGINS[system]):
        if begin and version >= begin:
            found = generation
    return found


def dictionary(value):
    return value if isinstance(value, dict) else {}


def pointer(*keys):
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)


def canonical(host):
    """A host's text as keys have it, and the address, None for a name."""
    text = host.removeprefix("[").removesuffix("]").lower()
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text, None
    address = getattr(address, "ipv4_mapped", None) or address
    return str(address), address


def network(key):
    """The range that a key names, None for any other key."""
    base, slash, length = key.partition("/")
    if not slash or not (length.isascii() and length.isdigit()) or str(int(length)) != length:
        return None
    text, address = canonical(base)
    if address is None or text != base or int(length) > address.max_prefixlen:
        return None
    return ipaddress.ip_network(f"{base}/{length}", strict=False)


def parents(name):
    labels = name.split(".")
    return [".".join(labels[first:]) for first in range(1, len(labels))]


def first_of(entry, name, kind):
    """The value of the right type under a key or one of its older names."""
    for prefix in PREFIXES:
        value = entry.get(prefix + name)
        if kind(value):
            return value
    return None


class Model:
    def __init__(self, root):
        self._ats = dictionary(root.get("NSAppTransportSecurity"))
        self._domains = dictionary(self._ats.get("NSExceptionDomains"))
        self._pinned = dictionary(self._ats.get("NSPinnedDomains"))
        self._sdk_key, self._sdk = self._linked_with(root)

    @staticmethod
    def _linked_with(root):
        key, name = "DTSDKName", root.get("DTSDKName")
        if not isinstance(name, str):
            key = "DTPlatformVersion"
            name = root.get("DTPlatformName", "") + root.get("DTPlatformVersion", "")
        platform = name.rstrip("0123456789.")
        if platform not in SDKS or platform == name:
            return key, OS17
        version = tuple(int(number) for number in name[len(platform):].split("."))
        return key, generation_of(SDKS[platform], version)

    def decision(self, url, os, context):
        """The decision in the form of the tool's JSON, and what decided."""
        if url.scheme not in ("http", "https"):
            return self._answer(True, None), ["other scheme"]
        if self._sdk == EXEMPT:
            return self._answer(True, pointer(self._sdk_key)), ["exempt"]
        generation = OS10 if os == OS17 and self._sdk < OS17 else os
        text, address = canonical(url.host)
        match, kind = self._match(text, address, generation)
        lifting = self._app_wide(generation, context)
        if url.scheme == "http":
            return self._insecure(match, kind, lifting, text, address, generation)
        if match is None and lifting:
            return self._answer(True, pointer("NSAppTransportSecurity", lifting[0])), [lifting[1]]
        pinned = self._is_pinned(text, address, generation)
        entry = dictionary(self._domains[match]) if match is not None else {}
        secrecy = first_of(entry, "RequiresForwardSecrecy", lambda value: isinstance(value, bool))
        answer = self._answer(True, None if match is None else self._domain(match), {
            "minimumTLSVersion": first_of(
                entry, "MinimumTLSVersion",
                lambda value: isinstance(value, str) and value in TLS_VERSIONS) or "TLSv1.2",
            "forwardSecrecy": secrecy is not False,
            "certificateTransparency": entry.get("NSRequiresCertificateTransparency") is True,
            "pinned": pinned,
        })
        return answer, [kind or "default allows", *(["pinned"] if pinned else [])]

    def _insecure(self, match, kind, lifting, text, address, generation):
        if match is not None:
            allowed, key, more = self._verdict(self._domains[match])
            return self._answer(allowed, self._domain(match, *key)), [kind, *more]
        if self._ats.get(LOCAL_NETWORKING) is True and self._is_local(text, address, generation):
            return self._answer(True, pointer("NSAppTransportSecurity", LOCAL_NETWORKING)), ["local"]
        if lifting:
            return self._answer(True, pointer("NSAppTransportSecurity", lifting[0])), [lifting[1]]
        if address is None:
            allowed = generation > OS9 and self._is_local_name(text)
        else:
            allowed = generation == OS10
        return self._answer(allowed, None), ["default allows" if allowed else "default denies"]

    @staticmethod
    def _answer(allowed, path, requirements=None):
        return {"allowed": allowed, "path": path, "requirements": requirements}

    @staticmethod
    def _domain(*keys):
        return pointer("NSAppTransportSecurity", "NSExceptionDomains", *keys)

    def _match(self, text, address, generation):
        """The key of the exception domain that matches best, and how."""
        if address is None:
            if text in self._domains:
                return text, "own name"
            for parent in parents(text):
                if dictionary(self._domains.get(parent)).get("NSIncludesSubdomains") is True:
                    return parent, "parent"
            return None, None
        if generation < OS17:
            return None, None
        if text in self._domains:
            return text, "own address"
        best, length = None, -1
        for key in self._domains:
            found = network(key)
            if found and found.version == address.version and address in found:
                if found.prefixlen > length:
                    best, length = key, found.prefixlen
        return best, None if best is None else "range"

    @staticmethod
    def _verdict(entry):
        """Whether an entry allows HTTP, and the key below it that says so."""
        if not isinstance(entry, dict):
            return False, (), ["wrong type"]
        newer, *older = (prefix + "AllowsInsecureHTTPLoads" for prefix in PREFIXES)
        if newer in entry:
            wrong = [] if isinstance(entry[newer], bool) else ["wrong type"]
            return entry[newer] is True, (newer,), wrong
        for key in older:
            if entry.get(key) is True:
                return True, (key,), ["older key"]
        return False, (), []

    def _app_wide(self, generation, context):
        """The app-wide flag in force, and what it is called here."""
        flag = CONTEXT_FLAGS.get(context)
        if flag and generation > OS9 and self._ats.get(flag) is True:
            return flag, context
        narrowed = generation > OS9 and any(key in self._ats for key in NARROWING)
        return (ARBITRARY, "any") if self._ats.get(ARBITRARY) is True and not narrowed else None

    @staticmethod
    def _is_local_name(text):
        return "." not in text or text.endswith(".local")

    def _is_local(self, text, address, generation):
        if generation == OS9:
            return False
        if address is None:
            return self._is_local_name(text)
        return generation == OS17 and any(
            address in found for found in LOCAL if found.version == address.version)

    def _is_pinned(self, text, address, generation):
        if generation == OS9:
            return False
        for name in [text, *(parents(text) if address is None else [])]:
            entry = self._pinned.get(name)
            if isinstance(entry, dict) and (
                    name == text or entry.get("NSIncludesSubdomains") is True):
                keys = ("NSPinnedCAIdentities", "NSPinnedLeafIdentities")
                return any(isinstance(entry.get(key), list) and entry[key] for key in keys)
        return False
