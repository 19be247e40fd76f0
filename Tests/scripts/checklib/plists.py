"""What an Info.plist must be after `inject`, by the update contract, and how it may differ in bytes."""

import copy
import datetime
import plistlib
from xml.parsers.expat import ExpatError

from .subjects import Unreadable
from .tool import DESTINATIONS, INSTALLATION_ID, SOURCE

PURPOSE = "Connect to your Mac to check for and install updates through ipa-hub"
BLANKS = "\u200b\u2060\ufeff"  # zero-width characters that Python's isspace does not count
TYPES = (bool, int, float, str, bytes, datetime.datetime, plistlib.UID, list, dict)


def update_url(host):
    return f"http://{host}:19464/api/app/{INSTALLATION_ID}/update?source=gh%3Aexample%2Fdemo"


def expected(before):
    """The document that `inject` must make of `before`."""
    after = copy.deepcopy(before)
    after["IPAHub"] = {
        "updateURL": [update_url(host) for host in DESTINATIONS],
        "source": SOURCE,
        "release": "latest",
    }
    security = after.setdefault("NSAppTransportSecurity", {})
    exceptions = security.setdefault("NSExceptionDomains", {})
    for host in DESTINATIONS:
        exceptions.setdefault(host, {})["NSExceptionAllowsInsecureHTTPLoads"] = True
    text = after.get("NSLocalNetworkUsageDescription", "")
    if not text.strip().strip(BLANKS).strip():
        after["NSLocalNetworkUsageDescription"] = PURPOSE
    return after


def load(data):
    try:
        return plistlib.loads(data)
    except (ValueError, LookupError, TypeError, AttributeError, ExpatError) as error:
        raise Unreadable(f"plistlib cannot read it: {error}") from error


CONTRACT_KEYS = ("IPAHub", "NSAppTransportSecurity", "NSLocalNetworkUsageDescription")


def differences(wanted, got, path=""):
    """Values that differ, by key path. True is not 1 and 1 is not 1.0; the order of keys is not looked at."""
    if _type(wanted) != _type(got):
        return [f"{path or '/'} is of type {_type(got)}, expected {_type(wanted)}"]
    if isinstance(wanted, dict):
        problems = [f"{path}/{key} is missing" for key in wanted if key not in got]
        problems += [f"{path}/{key} was added" for key in got if key not in wanted]
        for key in wanted:
            if key in got:
                problems += differences(wanted[key], got[key], f"{path}/{key}")
        return problems
    if isinstance(wanted, list):
        if len(wanted) != len(got):
            return [f"{path} holds {len(got)} items, expected {len(wanted)}"]
        problems = []
        for index, pair in enumerate(zip(wanted, got)):
            problems += differences(*pair, f"{path}/{index}")
        return problems
    return [] if wanted == got else [f"{path} changed"]


def order_problems(before, after, path=""):
    """Keys that were there stay in the order in which they were."""
    if isinstance(before, dict) and isinstance(after, dict):
        problems = []
        if [key for key in after if key in before] != [key for key in before if key in after]:
            problems.append(f"the keys of {path or '/'} stand in another order")
        for key in before:
            problems += order_problems(before[key], after.get(key), f"{path}/{key}")
        return problems
    if isinstance(before, list) and isinstance(after, list):
        problems = []
        for index, pair in enumerate(zip(before, after)):
            problems += order_problems(*pair, f"{path}/{index}")
        return problems
    return []


def line_problems(before, after, replaced=()):
    """Of an XML text, lines may only be added; `replaced` are lines whose value had to change."""
    old = [line for line in before.splitlines(keepends=True) if line.strip() not in replaced]
    new = after.splitlines(keepends=True)
    position = 0
    for line in old:
        try:
            position = new.index(line, position) + 1
        except ValueError:
            number = before.splitlines(keepends=True).index(line) + 1
            return [f"line {number} of the input is not in the output: {line.strip()[:60]!r}"]
    if _only_crlf(before) and not _only_crlf(after):
        return ["the input has CRLF line ends, lines without were added"]
    return []


def binary(data):
    return data.startswith(b"bplist00")


def _only_crlf(data):
    return b"\n" in data and data.count(b"\n") == data.count(b"\r\n")


def _type(value):
    """The first that fits: bool stands before int, of which it is a subclass."""
    return next((kind.__name__ for kind in TYPES if isinstance(value, kind)), type(value).__name__)
