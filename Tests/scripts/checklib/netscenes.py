"""The situations in which check-networks.py puts a machine, by lines of `ip`."""

import ipaddress
import random
from collections import namedtuple

# `needs` are kinds of interfaces that must be granted; `settings` stand before the lines are run.
Scene = namedtuple("Scene", "name lines needs settings", defaults=((), ()))

# How to make an interface of each kind, for the kernels that have it.
MAKERS = {
    "veth": "link add {0} type veth peer name {0}p",
    "bridge": "link add {0} type bridge",
    "tun": "tuntap add mode tun dev {0}",
    "tap": "tuntap add mode tap dev {0}",
    "dummy": "link add {0} type dummy",
    "vlan": "link add link base name {0} type vlan id 5",
    "macvlan": "link add link base name {0} type macvlan",
    "ipvlan": "link add link base name {0} type ipvlan",
    "wireguard": "link add {0} type wireguard",
    "bond": "link add {0} type bond",
    "team": "link add {0} type team",
    "vxlan": "link add {0} type vxlan id 7 dstport 4789",
    "sit": "link add {0} type sit local 192.0.2.9 remote 192.0.2.10",
    "ip6tnl": "link add {0} type ip6tnl local fd00::9 remote fd00::10",
    "gre": "link add {0} type gre local 192.0.2.9 remote 192.0.2.11",
    "vrf": "link add {0} type vrf table 9",
    "netkit": "link add {0} type netkit",
}

ADDRESSES = {
    "private": "10.1.2.3/8 172.16.4.5/12 192.168.7.8/24",
    "shared": "100.64.1.2/10 100.100.100.100/32",
    "public": "8.8.4.4/24 2600:1f18::5/64",
    "documentation": "192.0.2.3/24 198.51.100.4/24 203.0.113.5/24 2001:db8::3/64 3fff::7/64",
    "benchmark": "198.18.0.9/15 2001:2::9/64",
    "link-local": "169.254.3.4/16 fe80::77/64",
    "reserved": "192.0.0.5/24 240.0.0.6/24 0.1.2.3/24 255.255.255.255/32 ::1.2.3.4/128 fec0::7/64",
    "multicast": "224.0.0.9/24",
    "mapped": "::ffff:9.8.7.6/128",
    "unallocated": "4000::1/64 64:ff9b::5/96 100::4/64",
    "unique local": "fd12:3456::9/64 fc00::8/64",
    "Tailscale's": "fd7a:115c:a1e0::8/64 fd7a:115c:a1e0::53/128",
    "loopback": "127.5.5.5/8",
    "single": "192.168.7.9/32 2600:1f18::9/128",
}


def add(interface, *addresses, more=""):
    return [f"addr add {address} dev {interface} {more}" for address in addresses]


def up(*names):
    return [f"link set {name} up" for name in names]


def veth(name, *addresses):
    """A veth that has a carrier, with addresses; its other end has none that count."""
    peer = f"{name[:14]}~"
    return [f"link add {name} type veth peer name {peer}", *up(name, peer), *add(name, *addresses)]


def route(interface, gateway=None, metric=None, version=4):
    way = f"via {gateway} dev {interface} onlink" if gateway else f"dev {interface}"
    target = "::/0" if version == 6 else "0.0.0.0/0"
    return f"route add {target} {way}" + (f" metric {metric}" if metric else "")


LONG = "interface-of-15"

SCENES = [
    Scene("nothing at all", []),
    Scene("only loopback", up("lo")),
    Scene("loopback with more addresses", up("lo") + add("lo", "10.66.66.66/32", "fd66::6/128")),
    Scene("one veth", up("lo") + veth("eth0", "172.17.0.2/16")),
    Scene("both families", up("lo") + veth("eth0", "192.168.1.10/24", "fd00::10/64", "2600::10/64")),
    Scene("only IPv6", up("lo") + veth("eth0", "2600::10/64", "fd00::10/64")),
    Scene(
        "IPv6 switched off", up("lo") + veth("eth0", "192.168.1.10/24"),
        settings=("ipv6/conf/all/disable_ipv6=1", "ipv6/conf/default/disable_ipv6=1"),
    ),
    *[
        Scene(f"{name} addresses", up("lo") + veth("eth0", *addresses.split()))
        for name, addresses in ADDRESSES.items()
    ],
    Scene("an interface that is down", up("lo") + [
        *veth("eth0", "192.168.1.10/24"), *veth("eth1", "192.168.2.10/24"), "link set eth1 down",
    ]),
    Scene("one interface, and that is down", ["link add eth0 type veth peer name p", *add("eth0", "10.0.0.1/8")]),
    Scene("no carrier", up("lo") + [
        *veth("eth0", "192.168.1.10/24"), *veth("eth1", "192.168.2.10/24", "fd00::5/64"), "link set eth0~ down",
    ]),
    Scene("no carrier anywhere", up("lo") + [*veth("eth0", "192.168.1.10/24"), "link set eth0~ down"]),
    Scene("a default route without carrier", up("lo") + [
        *veth("eth0", "192.168.1.10/24"), *veth("eth1", "192.168.2.10/24"),
        route("eth0", "192.168.1.1", 10), route("eth1", "192.168.2.1", 20), "link set eth0~ down",
    ]),
    Scene("peers", up("lo") + [
        *veth("eth0"), "addr add 10.1.1.1 peer 10.9.9.9 dev eth0", "addr add fd00::1 peer fd00::9 dev eth0",
        "addr add 10.1.1.1 peer 10.9.9.8/24 dev eth0",
    ]),
    Scene("secondary addresses", up("lo") + veth("eth0", "10.0.0.9/24", "10.0.0.3/24", "10.0.0.5/24")),
    Scene("labels", up("lo") + [
        *veth("eth0"), *add("eth0", "10.0.0.1/24", more="label eth0:1"),
        *add("eth0", "10.0.1.1/24", more="label eth0:long-one"),
        *add("eth0", "10.0.2.1/24", more="label other"), *add("eth0", "10.0.3.1/24"),
    ]),
    Scene("a label that is another interface's name", up("lo") + [
        *veth("eth0"), *veth("eth1", "192.168.2.10/24"), *add("eth0", "10.0.2.1/24", more="label eth1"),
        *add("eth0", "10.0.3.1/24", more="label lo"), route("eth1", "192.168.2.1"),
    ]),
    Scene("one address twice", up("lo") + [
        *veth("eth1", "10.0.0.1/24", "fd00::1/64"), *veth("eth0", "10.0.0.1/24", "fd00::1/64"),
    ]),
    Scene("deprecated addresses", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *add("eth0", "fd00::2/64", more="preferred_lft 0"),
        *add("eth0", "10.0.0.2/24", more="preferred_lft 0"),
    ]),
    Scene("only a deprecated address", up("lo") + veth("eth0") + add("eth0", "fd00::2/64", more="preferred_lft 0")),
    Scene("renamed", up("lo") + [
        *veth("old", "10.0.0.1/24", "10.0.0.2/24", "fd00::1/64"), "link set old down", "link set old name new",
        "link set new up",
    ]),
    Scene("another name for it", up("lo") + [
        *veth("eth0", "10.0.0.1/24"), "link property add dev eth0 altname enp0s3 altname a-long-name-of-more-than-15-bytes",
    ]),
    Scene("names by their numbers", up("lo") + [
        line for number in (10, 9, 2, 1, 100) for line in veth(f"eth{number}", f"10.0.{number}.1/24")
    ]),
    Scene("odd names", up("lo") + [
        line for number, name in enumerate((LONG, "ä", "Z", "e.5", "e-5", "wlan0", "007", "7", "eth01", "eth1"))
        for line in [
            f"link add {name} type veth peer name p{number}", *up(name, f"p{number}"),
            *add(name, f"10.0.{number}.1/24", f"fd00:{number}::1/64"),
        ]
    ]),
    Scene("bridges of containers", up("lo") + [
        line for number, name in enumerate(
            ("docker0", "br-0123456789ab", "virbr0", "br0", "bridge100", "bridge0", "podman1", "lxdbr0")
        ) for line in [
            f"link add {name} type bridge", *up(name), *add(name, f"172.{20 + number}.0.1/16"),
            *veth(f"e{number}"), f"link set e{number} master {name}",
        ]
    ] + veth("eth0", "192.168.1.10/24") + [route("eth0", "192.168.1.1")], ("bridge",)),
    Scene("a bridge with the default route", up("lo") + [
        "link add br-lan type bridge", *veth("eth0"), "link set eth0 master br-lan", *up("br-lan"),
        *add("br-lan", "192.168.1.10/24"), *veth("eth1", "192.168.2.10/24"), route("br-lan", "192.168.1.1"),
    ], ("bridge",)),
    Scene("default routes by metric", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        *veth("eth2", "10.0.2.1/24", "fd02::1/64"), route("eth0", "10.0.0.9", 300),
        route("eth1", "10.0.1.9", 100), route("eth2", "10.0.2.9", 200),
    ]),
    Scene("default routes of both families by different interfaces", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        *veth("eth2", "10.0.2.1/24", "fd02::1/64"), route("eth2", "10.0.2.9"),
        route("eth1", "fd01::9", version=6),
    ]),
    Scene("only IPv6 has a default route", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        route("eth1", version=6),
    ]),
    Scene("default routes that lead nowhere", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        "route add unreachable default metric 1", "route add blackhole ::/0 metric 1",
        "route add default dev lo metric 2", route("eth1", "10.0.1.9", 50), route("eth1", "fd01::9", 50, 6),
    ]),
    Scene("default routes of other tables, sources and services", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        "route add default via 10.0.0.9 dev eth0 table 52", "route add ::/0 via fd00::9 dev eth0 table 52",
        "route add default via 10.0.0.9 dev eth0 tos 4", "route add ::/0 from fd00::/64 via fd00::9 dev eth0",
        "route add 0.0.0.0/1 via 10.0.0.9 dev eth0", "route add 128.0.0.0/1 via 10.0.0.9 dev eth0",
        route("eth1", "10.0.1.9", 500), route("eth1", "fd01::9", 500, 6),
    ]),
    Scene("one default route with several ways", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        "route add default nexthop via 10.0.1.9 dev eth1 nexthop via 10.0.0.9 dev eth0",
        "route add ::/0 nexthop via fd01::9 dev eth1 nexthop via fd00::9 dev eth0",
    ]),
    Scene("several ways, the first without carrier", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        "route add default nexthop via 10.0.0.9 dev eth0 nexthop via 10.0.1.9 dev eth1", "link set eth0~ down",
    ]),
    Scene("a default route by a nexthop of its own", up("lo") + [
        *veth("eth0", "10.0.0.1/24", "fd00::1/64"), *veth("eth1", "10.0.1.1/24", "fd01::1/64"),
        "nexthop add id 5 via 10.0.1.9 dev eth1", "route add default nhid 5",
        "nexthop add id 6 via fd01::9 dev eth1", "route add ::/0 nhid 6",
    ]),
    Scene("a point-to-point interface", up("lo") + [
        *veth("eth0", "192.168.1.10/24"), MAKERS["tun"].format("tun0"),
        "addr add 10.8.0.6 peer 10.8.0.5 dev tun0", "addr add fd08::6/64 dev tun0", *up("tun0"),
        route("tun0"), route("eth0", "192.168.1.1", 100),
    ], ("tun",)),
    Scene("only a tunnel", up("lo") + [
        MAKERS["tun"].format("tun0"), *add("tun0", "10.8.0.6/24", "fd08::6/64"), *up("tun0"),
    ], ("tun",)),
    Scene("Tailscale's interface while it does not answer", up("lo") + [
        *veth("eth0", "192.168.1.10/24", "fd00::10/64"), MAKERS["tun"].format("tailscale0"), *up("tailscale0"),
        *add("tailscale0", "100.101.102.103/32", "fd7a:115c:a1e0::5/128"),
    ], ("tun",)),
    Scene("many addresses", up("lo") + [
        *veth("eth0"), *[line for n in range(250) for line in add("eth0", f"10.7.{n}.1/24", f"fd07::{n}:1/64")],
    ]),
]


def kinds_scene(granted):
    """One interface of each kind that the kernel grants."""
    lines = [*up("lo"), "link add base type veth peer name base~", *up("base", "base~")]
    for number, kind in enumerate(granted):
        name = f"k-{kind}"
        lines += [MAKERS[kind].format(name), *up(name)]
        if kind != "vrf":
            lines += add(name, f"10.30.{number}.1/24")
    return Scene("one of each kind", lines)


NAMES = (
    "eth0 eth1 eth2 eth10 en0 wlan0 wlp3s0 docker0 br-0123456789ab virbr0 br0 vmnet8 tun0 tailscale0 utun3 "
    "lan wan a1b2 a1b10 A1 x.5 bridge100 bridge5 cni0 podman0 interface-of-15"
).split()


def random_address(chosen):
    pools = " ".join(ADDRESSES.values()).split()
    if chosen.random() < 0.5:
        network = ipaddress.ip_interface(chosen.choice(pools)).network
        if network.num_addresses > 1:
            return f"{network[chosen.randrange(network.num_addresses)]}/{network.prefixlen}"
    return chosen.choice(pools)


def random_scene(seed, granted):
    """Interfaces, addresses and routes by a seed; what the kernel refuses of it is left out."""
    chosen = random.Random(seed)
    lines = up("lo") if chosen.random() < 0.9 else []
    lines += ["link add base type veth peer name base~"]
    names = chosen.sample(NAMES, chosen.randint(0, 6))
    for name in names:
        kind = chosen.choice(["veth", "veth", *granted])
        lines.append(MAKERS[kind].format(name) if len(name) < 15 else f"link add {name} type veth peer name z")
        for address in range(chosen.choice([0, 1, 1, 2, 3, 5])):
            more = chosen.choice(["", "", "", "preferred_lft 0", "noprefixroute"])
            lines += add(name, random_address(chosen), more=more)
        lines += up(*[each for each in (name, f"{name}p") if chosen.random() < 0.8])
    for _ in range(chosen.randint(0, 4) if names else 0):
        target, metric = chosen.choice(names), chosen.choice([None, 5, 100, 600])
        lines.append(route(target, metric=metric, version=chosen.choice([4, 6])))
    return Scene(f"seed {seed}", lines)
