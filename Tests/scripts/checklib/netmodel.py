"""Which of a machine's addresses are destinations, and in which order: a model over what `ip` prints."""

import ipaddress
import re
from collections import Counter, namedtuple

Expected = namedtuple("Expected", "destinations excluded")

# The IANA registries of special-purpose addresses; the first range that holds an address counts.
RANGES = [
    (name, ipaddress.ip_network(network)) for name, networks in (
        ("unspecified", "0.0.0.0/32 ::/128"),
        ("loopback", "127.0.0.0/8 ::1/128"),
        ("link-local", "169.254.0.0/16 fe80::/10"),
        ("multicast", "224.0.0.0/4 ff00::/8"),
        # The last two are Tailscale's own services.
        ("reserved", "0.0.0.0/8 192.0.0.0/24 240.0.0.0/4 100.100.100.100/32 fd7a:115c:a1e0::53/128"),
        ("shared", "100.64.0.0/10"),
        ("benchmark", "198.18.0.0/15 2001:2::/48"),
        ("unique-local", "fc00::/7"),
        ("usable", "0.0.0.0/0 2000::/3"),
        ("reserved", "::/0"),
    ) for network in networks.split()
]
NEVER = {"unspecified", "loopback", "link-local", "multicast", "reserved"}
TAILNET = ipaddress.ip_network("fd7a:115c:a1e0::/48")
VIRTUAL = re.compile(
    r"(docker|br-|virbr|vmnet|vmenet|lxcbr|lxdbr|incusbr|podman|cni|vboxnet|vnic)|bridge[1-9]\d\d+$"
)
TUNNELS = (
    "tun wireguard ovpn ppp ipip sit ip6tnl gre gretap ip6gre ip6gretap erspan ip6erspan vti vti6 xfrm "
    "vxlan geneve gtp bareudp amt"
).split()
KINDS = {
    **dict.fromkeys(TUNNELS, "tunnel"), "bridge": "bridge", "bond": "bond", "team": "bond",
    "vlan": "vlan", "veth": "veth", "netkit": "veth",
}
BARE = {"loopback": "loopback", "ipip": "tunnel", "tunnel6": "tunnel", "sit": "tunnel", "gre": "tunnel"}


def family(address):
    return f"ipv{address.version}"


def class_of(address):
    return next(name for name, network in RANGES if address in network)


def kinds(state):
    """The kind of each interface: all in a new namespace are virtual and have a driver's name."""
    found = {}
    for link in state.links:
        driver = link.get("linkinfo", {}).get("info_kind")
        if driver:
            found[link["ifname"]] = KINDS.get(driver, "other")
        else:
            found[link["ifname"]] = BARE.get(link["link_type"], "other")
    return found


def default_routes(state):
    """The interface of each family's default route of the lowest metric that is not dead."""
    found = {}
    for name, routes in (("ipv4", state.routes4), ("ipv6", state.routes6)):
        ways = []
        for route in routes:
            is_wanted = route["dst"] == "default" and route.get("type", "unicast") == "unicast"
            if not is_wanted or "tos" in route:
                continue
            hops = [hop for hop in route.get("nexthops", [route]) if not is_dead(hop)]
            if hops and hops[0]["dev"] != "lo":
                ways.append((route.get("metric", 0), len(ways), hops[0]["dev"]))
        if ways:
            found[name] = min(ways)[2]
    return found


def is_dead(hop):
    return bool({"dead", "linkdown"} & set(hop.get("flags", [])))


def natural(name):
    """A name's place: numbers by their value, all else byte by byte."""
    return [
        (ord("0"), len(part.lstrip("0")), part.lstrip("0")) if part.isdigit() else (ord(part),)
        for part in re.findall(r"\d+|\D", name)
    ]


class Model:
    def __init__(self, state):
        self._links = {link["ifname"]: link for link in state.links}
        self._kinds = kinds(state)
        self._defaults = default_routes(state)
        self._knows_carrier = any(
            self._is_running(name) for name, link in self._links.items()
            if "LOOPBACK" not in link["flags"]
        )
        self.entries = []
        for link in state.addresses:
            for item in link.get("addr_info", []):
                if item.get("local"):
                    address = ipaddress.ip_address(item["local"])
                    # An IPv4 address inside an IPv6 one is nobody's.
                    if getattr(address, "ipv4_mapped", None) is None:
                        self.entries.append((link["ifname"], address, item))

    def expected(self, bind="::"):
        """The order of the destinations, and how often each address is left out for each reason."""
        bound = None if bind in ("::", "0.0.0.0") else ipaddress.ip_address(bind)
        offered, excluded = [], Counter()
        for number, (name, address, item) in enumerate(self.entries):
            reason = self._reason(name, address, item, bind, bound)
            if reason is None:
                offered.append((self._place(name, address, number), str(address), name, address))
            else:
                zone = f"%{name}" if reason == "link-local" and address.version == 6 else ""
                excluded[f"{address}{zone}", name, reason] += 1
        destinations, seen = [], set()
        for _, text, name, address in sorted(offered):
            if text in seen:
                excluded[text, name, "duplicate"] += 1
                continue
            seen.add(text)
            destinations.append((text, family(address), name))
        return Expected(destinations, excluded)

    def _reason(self, name, address, item, bind, bound):
        flags = self._links[name]["flags"]
        if class_of(address) in NEVER:
            return class_of(address)
        if "LOOPBACK" in flags:
            return "loopback"
        if "UP" not in flags:
            return "interface-down"
        if address.version == 6 and (item.get("tentative") or item.get("dadfailed")):
            return "tentative"
        if bound is not None:
            return None if address == bound else "not-bound"
        if bind == "0.0.0.0" and address.version == 6:
            return "not-bound"
        if address.version == 4:
            return None
        if item.get("deprecated"):
            return "deprecated"
        return "temporary" if item.get("temporary") else None

    def _place(self, name, address, number):
        is_virtual = VIRTUAL.match(name) and name not in self._defaults.values()
        has_no_carrier = self._knows_carrier and not self._is_running(name)
        guide = "ipv6" if address.version == 6 and "ipv6" in self._defaults else "ipv4"
        return (
            bool(is_virtual or has_no_carrier), self._group(name, address),
            self._defaults.get(guide) != name, natural(name), name,
            int(address) if address.version == 6 else 0, number,
        )

    def _group(self, name, address):
        kind = class_of(address)
        is_tunnel = self._kinds[name] == "tunnel" or "POINTOPOINT" in self._links[name]["flags"]
        if kind in ("shared", "benchmark") or is_tunnel or (address.version == 6 and address in TAILNET):
            return 3
        return {"unique-local": 1}.get(kind, 0 if address.version == 4 else 2)

    def _is_running(self, name):
        link = self._links[name]
        return "UP" in link["flags"] and link["operstate"] in ("UP", "UNKNOWN")


def captured_problems(state, interfaces):
    """How what `discover --capture` wrote differs from the machine's interfaces."""
    wanted_kinds, defaults = kinds(state), default_routes(state)
    found = {item["name"]: item for item in interfaces}
    problems = [f"{name} is {'there' if name in found else 'missing'}" for name in found.keys() ^ wanted_kinds]
    for name in found.keys() & wanted_kinds:
        if found[name].get("kind") != wanted_kinds[name]:
            problems.append(f"{name} is {found[name].get('kind')}, not {wanted_kinds[name]}")
        routes = sorted(kind for kind, target in defaults.items() if target == name)
        if found[name].get("defaultRoute", []) != routes:
            problems.append(f"{name} has the default routes {found[name].get('defaultRoute')}, not {routes}")
    return problems
