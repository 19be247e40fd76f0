@testable import NetDiscovery

extension SituationTests {
  static let noLoopback: Set<String> = ["loopback 127.0.0.1", "loopback ::1"]

  static let machines: [Situation] = [
    .init(name: "nothing at all"),
    .init(name: "only loopback", machine: Situation.loopback, leftOut: noLoopback),
    .init(
      name: "only loopback, with an address of its own",
      machine: "lo loopback ULR - 127.0.0.1 10.66.66.66",
      leftOut: ["loopback 127.0.0.1", "loopback 10.66.66.66"]),
    .init(
      name: "a name alone", machine: Situation.loopback, answered: "my-mac",
      offered: ["my-mac.local"], leftOut: noLoopback),
    .init(
      name: "a laptop on Wi-Fi",
      machine: Situation.loopback
        + "wlan0 wireless UBRM 46 192.168.1.20 fe80::1%wlan0 2600::20+t 2600::21 fd00::21",
      answered: "laptop", offered: ["laptop.local", "192.168.1.20", "[fd00::21]", "[2600::21]"],
      leftOut: noLoopback.union(["link-local fe80::1%wlan0", "temporary 2600::20"])),
    .init(
      name: "a Mac with AWDL, iCloud relays and a Thunderbolt bridge",
      machine: """
        lo0 loopback ULRM - 127.0.0.1 ::1 fe80::1%lo0
        anpi0 other UBRM - fe80::2%anpi0
        en0 ethernet UBRM 4 192.168.1.10 fe80::3%en0 fd00::10
        awdl0 peer-to-peer UBRM - fe80::4%awdl0
        llw0 peer-to-peer UBRM - fe80::4%llw0
        bridge0 bridge UBM - 10.3.3.3
        utun0 tunnel UPRM - fe80::5%utun0
        """, answered: "My-Mac",
      offered: ["my-mac.local", "192.168.1.10", "[fd00::10]", "10.3.3.3"],
      leftOut: noLoopback.union([
        "link-local fe80::1%lo0", "link-local fe80::2%anpi0", "link-local fe80::3%en0",
        "link-local fe80::4%awdl0", "link-local fe80::4%llw0", "link-local fe80::5%utun0",
      ])),
    .init(
      name: "a Mac that runs virtual machines and shares its network",
      machine: """
        en0 ethernet UBRM 4 192.168.1.10
        bridge100 bridge UBRM - 192.168.64.1 fd9b::1
        vmenet0 other UBRM - 192.168.65.1
        """, offered: ["192.168.1.10", "192.168.64.1", "192.168.65.1", "[fd9b::1]"]),
    .init(
      name: "Docker's bridge, a network of its own, and the ends of its pairs",
      machine: """
        br-0123456789ab bridge UBRM - 172.18.0.1
        docker0 bridge UBM - 172.17.0.1
        eth0 ethernet UBRM 4 10.0.0.5
        veth12ab veth UBRM - fe80::9%veth12ab
        """, offered: ["10.0.0.5", "172.18.0.1", "172.17.0.1"],
      leftOut: ["link-local fe80::9%veth12ab"]),
    .init(
      name: "libvirt's, LXD's, Podman's and VirtualBox's bridges",
      machine: """
        virbr0 bridge UBRM - 192.168.122.1
        lxdbr0 bridge UBRM - 10.76.0.1
        podman0 bridge UBRM - 10.88.0.1
        vboxnet0 other UBRM - 192.168.56.1
        eth0 ethernet UBRM 4 192.168.1.2
        """,
      offered: ["192.168.1.2", "10.76.0.1", "10.88.0.1", "192.168.56.1", "192.168.122.1"]),
    .init(
      name: "VMware on Linux",
      machine: "vmnet8 other UBRM - 172.16.8.1\nens33 ethernet UBRM 4 192.168.1.3",
      offered: ["192.168.1.3", "172.16.8.1"]),
    .init(
      name: "inside a container: one end of a pair",
      machine: Situation.loopback + "eth0 veth UBRM 4 172.17.0.2", unanswered: "f00dfeed0123",
      offered: ["172.17.0.2"], leftOut: noLoopback.union(["no-responder f00dfeed0123.local"])),
    .init(
      name: "a host whose own bridge carries its address",
      machine: "br0 bridge UBRM 4 192.168.1.4\neth0 ethernet UBRM -", offered: ["192.168.1.4"]),
    .init(
      name: "a router whose br-lan has the default route beside Docker",
      machine: "docker0 bridge UBRM - 172.17.0.1\nbr-lan bridge UBRM 46 192.168.1.1 fd01::1",
      offered: ["192.168.1.1", "[fd01::1]", "172.17.0.1"]),
    .init(
      name: "a Proxmox bridge", machine: "vmbr0 bridge UBRM 4 10.1.1.1", offered: ["10.1.1.1"]),
    .init(
      name: "a tagged network beside the untagged",
      machine: "eth0.20 vlan UBRM - 10.20.0.5\neth0 ethernet UBRM 4 10.0.0.5",
      offered: ["10.0.0.5", "10.20.0.5"]),
    .init(
      name: "a bond", machine: "bond0 bond UBRM 4 10.0.0.6\neth0 ethernet UBRM -",
      offered: ["10.0.0.6"]),
    .init(
      name: "cable and Wi-Fi, the default route over Wi-Fi",
      machine: "eth0 ethernet UBRM - 10.0.0.5 fd00::5\nwlan0 wireless UBRM 46 10.0.0.6 fd00::6",
      offered: ["10.0.0.6", "10.0.0.5", "[fd00::6]", "[fd00::5]"]),
    .init(
      name: "default routes of the two families over two interfaces",
      machine: "eth0 ethernet UBRM 4 10.0.0.5 fd00::5\neth1 ethernet UBRM 6 10.0.1.5 fd00:1::5",
      offered: ["10.0.0.5", "10.0.1.5", "[fd00:1::5]", "[fd00::5]"]),
    .init(
      name: "no default route for IPv6: that for IPv4 stands in",
      machine: "eth0 ethernet UBRM - fd00::5\neth1 ethernet UBRM 4 10.0.1.5 fd00:1::5",
      offered: ["10.0.1.5", "[fd00:1::5]", "[fd00::5]"]),
    .init(
      name: "no default route: names decide, numbers by their value",
      machine: """
        eth10 ethernet UBRM - 10.0.10.1
        eth2 ethernet UBRM - 10.0.2.1
        enp3s0 ethernet UBRM - 10.0.3.1
        eth02 ethernet UBRM - 10.0.22.1
        """, offered: ["10.0.3.1", "10.0.22.1", "10.0.2.1", "10.0.10.1"]),
    .init(
      name: "several addresses of one interface",
      machine: "eth0 ethernet UBRM 4 10.0.0.9 10.0.0.5 fd00::9 fd00::5 2600::9 2600::5",
      offered: ["10.0.0.9", "10.0.0.5", "[fd00::5]", "[fd00::9]", "[2600::5]", "[2600::9]"]),
    .init(
      name: "only IPv6", machine: "eth0 ethernet UBRM 6 fe80::1%eth0 2600::1 fd00::1",
      answered: "six", offered: ["six.local", "[fd00::1]", "[2600::1]"],
      leftOut: ["link-local fe80::1%eth0"]),
    .init(
      name: "only link-local addresses",
      machine: "eth0 ethernet UBRM - 169.254.7.7 fe80::1%eth0",
      leftOut: ["link-local 169.254.7.7", "link-local fe80::1%eth0"]),
    .init(
      name: "only an address that is on its way out",
      machine: "eth0 ethernet UBRM 6 2600::1+d", leftOut: ["deprecated 2600::1"]),
    .init(
      name: "an address that another machine has too, and one not yet known to be its own",
      machine: "eth0 ethernet UBRM 6 2600::1+n 2600::2",
      offered: ["[2600::2]"], leftOut: ["tentative 2600::1"]),
    .init(
      name: "an unplugged cable and Wi-Fi",
      machine: "eth0 ethernet UBM - 10.0.0.5\nwlan0 wireless UBRM 4 10.0.0.6",
      offered: ["10.0.0.6", "10.0.0.5"]),
    .init(
      name: "an interface that is switched off", machine: "eth0 ethernet BM - 10.0.0.5",
      leftOut: ["interface-down 10.0.0.5"]),
    .init(
      name: "public addresses alone",
      machine: "eth0 ethernet UBRM 46 8.8.4.4 2001:4860:4860::8844",
      offered: ["8.8.4.4", "[2001:4860:4860::8844]"]),
    .init(
      name: "addresses of documentation and benchmark ranges",
      machine: "eth0 ethernet UBRM 46 192.0.2.5 198.51.100.5 203.0.113.5 198.18.0.5 2001:db8::5",
      offered: ["192.0.2.5", "198.51.100.5", "203.0.113.5", "[2001:db8::5]", "198.18.0.5"],
      warnings: ["192.0.2.5", "198.51.100.5", "203.0.113.5", "2001:db8::5", "198.18.0.5"]),
    .init(
      name: "every address that no phone can use",
      machine: """
        odd0 - UBRM - 0.0.0.0 0.1.2.3 127.9.9.9 169.254.1.1 192.0.0.2 224.0.0.251 239.1.1.1 \
        240.0.0.1 255.255.255.255 100.100.100.100 :: ::1 ::7 fe80::1 fec0::1 ff02::fb \
        fd7a:115c:a1e0::53 64:ff9b::a00:5 fe80::2%odd0
        """.replacing("\n", with: ""),
      leftOut: [
        "unspecified 0.0.0.0", "reserved 0.1.2.3", "loopback 127.9.9.9", "link-local 169.254.1.1",
        "reserved 192.0.0.2", "multicast 224.0.0.251", "multicast 239.1.1.1", "reserved 240.0.0.1",
        "reserved 255.255.255.255", "reserved 100.100.100.100", "unspecified ::", "loopback ::1",
        "reserved ::7", "link-local fe80::1", "reserved fec0::1", "multicast ff02::fb",
        "reserved fd7a:115c:a1e0::53", "reserved 64:ff9b::a00:5", "link-local fe80::2%odd0",
      ]),
    .init(
      name: "an address with a zone that is not link-local",
      machine: "eth0 ethernet UBRM - fd00::5%eth0", leftOut: ["zone fd00::5%eth0"]),
    .init(
      name: "an IPv4-mapped address is the IPv4 address",
      machine: "eth0 ethernet UBRM 4 ::ffff:10.0.0.5", offered: ["10.0.0.5"]),
    .init(
      name: "one address in four spellings on two interfaces",
      machine: """
        eth0 ethernet UBRM 6 fd00::10 FD00:0:0::0010
        eth1 ethernet UBRM - fd00:0:0:0:0:0:0:10 fd00::0.0.0.16
        """, offered: ["[fd00::10]"], leftOut: ["duplicate fd00::10"]),
    .init(
      name: "a WireGuard client beside the LAN",
      machine: "wg0 tunnel UPR - 10.8.0.2 fd99::2\neth0 ethernet UBRM 4 10.0.0.5",
      offered: ["10.0.0.5", "10.8.0.2", "[fd99::2]"]),
    .init(
      name: "a VPN that has taken the default route",
      machine: "tun0 tunnel UPRM 4 10.9.0.2\neth0 ethernet UBRM - 10.0.0.5",
      offered: ["10.0.0.5", "10.9.0.2"]),
    .init(
      name: "a VPN that bridges (tap)",
      machine: "tap0 tunnel UBRM - 10.10.0.2\neth0 ethernet UBRM 4 10.0.0.5",
      offered: ["10.0.0.5", "10.10.0.2"]),
    .init(
      name: "a VPN with a network of its own, and no default route",
      machine: "tap0 tunnel UBRM - 10.10.0.2\nwlan0 wireless UBRM - 10.0.0.5",
      offered: ["10.0.0.5", "10.10.0.2"]),
    .init(
      name: "a VPN alone", machine: "utun4 tunnel UPRM 4 10.8.0.3", offered: ["10.8.0.3"]),
    .init(
      name: "behind a provider's shared addresses",
      machine: "wwan0 - UPR 4 100.72.1.1\neth0 ethernet UBRM - 192.168.8.2",
      offered: ["192.168.8.2", "100.72.1.1"]),
    .init(
      name: "a phone's tether with the inner side of CLAT",
      machine: "clat4 tunnel UPR 4 192.0.0.4\nwlan0 wireless UBRM 6 2600::4",
      offered: ["[2600::4]"], leftOut: ["reserved 192.0.0.4"]),
    .init(
      name: "Tailscale beside the LAN",
      machine: """
        tailscale0 tunnel UPRM - 100.64.0.12 fd7a:115c:a1e0::c fe80::7%tailscale0
        eth0 ethernet UBRM 46 192.168.1.10 fd00::10
        """, answered: "my-mac",
      tailscale: "Running my-mac.tail1.ts.net. 100.64.0.12 fd7a:115c:a1e0::c",
      offered: [
        "my-mac.local", "192.168.1.10", "[fd00::10]", "my-mac.tail1.ts.net", "100.64.0.12",
        "[fd7a:115c:a1e0::c]",
      ], leftOut: ["link-local fe80::7%tailscale0"]),
    .init(
      name: "Tailscale in user space, without an interface",
      machine: "eth0 ethernet UBRM 4 192.168.1.10",
      tailscale: "Running nas.tail1.ts.net. 100.64.0.13",
      offered: ["192.168.1.10", "nas.tail1.ts.net", "100.64.0.13"]),
    .init(
      name: "Tailscale without MagicDNS", tailscale: "Running nas.tail1.ts.net. 100.64.0.13",
      magicDNS: false, offered: ["100.64.0.13"]),
    .init(
      name: "Tailscale stopped, its addresses still known",
      machine: "eth0 ethernet UBRM 4 192.168.1.10",
      tailscale: "Stopped nas.tail1.ts.net. 100.64.0.13", offered: ["192.168.1.10"],
      leftOut: ["not-running nas.tail1.ts.net", "not-running 100.64.0.13"],
      warnings: ["'Stopped'"]),
    .init(
      name: "Tailscale starting", tailscale: "Starting nas.tail1.ts.net. 100.64.0.13",
      leftOut: ["not-running nas.tail1.ts.net", "not-running 100.64.0.13"],
      warnings: ["'Starting'"]),
    .init(
      name: "Tailscale of another user of the machine", tailscale: "InUseOtherUser .",
      warnings: ["'InUseOtherUser'", "no host name"]),
    .init(
      name: "Tailscale not wanted",
      machine: "tailscale0 tunnel UPRM - 100.64.0.12\neth0 ethernet UBRM 4 10.0.0.5",
      tailscale: "Running my-mac.tail1.ts.net. 100.64.0.12",
      options: SelectionOptions(includeTailscale: false), offered: ["10.0.0.5"],
      leftOut: ["switched-off 100.64.0.12", "switched-off my-mac.tail1.ts.net"]),
    .init(
      name: "the .local name not wanted", machine: "eth0 ethernet UBRM 4 10.0.0.5",
      answered: "my-mac", options: SelectionOptions(includeLocalName: false),
      offered: ["10.0.0.5"], leftOut: ["switched-off my-mac.local"]),
    .init(
      name: "no mDNS responder", machine: "eth0 ethernet UBRM 4 10.0.0.5",
      unanswered: "build-7.example.com", offered: ["10.0.0.5"],
      leftOut: ["no-responder build-7.local"]),
    .init(
      name: "no mDNS responder, and a name that could not have one",
      machine: "eth0 ethernet UBRM 4 10.0.0.5", unanswered: "localhost", offered: ["10.0.0.5"]),
    .init(
      name: "a name that the responder changed after a conflict",
      machine: "eth0 ethernet UBRM 4 10.0.0.5", answered: "my-mac-2.local",
      offered: ["my-mac-2.local", "10.0.0.5"]),
  ]
}
