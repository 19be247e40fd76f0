import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

extension RuleTests {
  static let metadataExamples: [Example] = [
    Example("metadata.absent", "none", ["CFBundleName": "Demo"], ["inject"]),
    Example("metadata.absent", "there", ready),
    Example("metadata.type", "a string", ["IPAHub": "x"], ["a string"]),
    Example(
      "metadata.type", "URLs are a dictionary", ["IPAHub": ["updateURL": [:], "source": "a"]],
      ["updateURL"]),
    Example(
      "metadata.type", "an integer among the URLs", metadata([.string(urlText("h")), 1]), ["item 1"]
    ),
    Example("metadata.type", "source is an integer", ["IPAHub": ["source": 1]], ["source"]),
    Example("metadata.type", "right", ready),
    Example("metadata.update-url.empty", "empty", metadata([]), ["no destination"]),
    Example(
      "metadata.update-url.empty", "missing", ["IPAHub": ["source": "a"]], ["no destination"]),
    Example(
      "metadata.update-url.empty", "beside another problem",
      ["IPAHub": ["updateURL": [], "source": 1]], ["no destination"]),
    Example("metadata.update-url.empty", "one", ready),
    Example(
      "metadata.update-url.invalid", "port 0",
      metadata([.string("http://h:0/api/app/\(id)/update")]), ["port"]),
    Example(
      "metadata.update-url.invalid", "an ID of 49 digits",
      metadata([.string(urlText("h", id: id + "0"))]), ["49"]),
    Example("metadata.update-url.invalid", "right", ready),
    Example(
      "metadata.update-url.mixed", "two",
      metadata([.string(urlText("a")), .string(urlText("b", id: otherID))]), ["0123…, fedc…"]),
    Example("metadata.update-url.mixed", "one", metadata("a", "b")),
    Example(
      "metadata.update-url.duplicate", "another spelling", metadata("[fd00::10]", "[fd00:0::10]"),
      ["fd00::10"]),
    Example("metadata.update-url.duplicate", "different hosts", metadata("a", "b")),
    Example(
      "metadata.update-url.release", "item",
      metadata([.string(urlText("h", query: "?release=latest"))]), ["release"]),
    Example("metadata.update-url.release", "none", ready),
    Example("metadata.update-url.unreachable", "loopback", metadata("127.0.0.1"), ["loopback"]),
    Example(
      "metadata.update-url.unreachable", "link-local", metadata("169.254.1.1"), ["link-local"]),
    Example("metadata.update-url.unreachable", "unspecified", metadata("0.0.0.0"), ["unspecified"]),
    Example("metadata.update-url.unreachable", "multicast", metadata("[ff02::fb]"), ["multicast"]),
    Example("metadata.update-url.unreachable", "localhost", metadata("localhost"), ["loopback"]),
    Example(
      "metadata.update-url.unreachable", "with a zone", metadata("[fe80::1%25en0]"), ["zone"]),
    Example("metadata.update-url.unreachable", "private", metadata("10.0.0.1")),
    Example(
      "metadata.update-url.unreachable", "localhost in a simulator",
      on(["iPhoneSimulator"], metadata("localhost"))),
    Example(
      "metadata.update-url.unreachable", "loopback in a simulator",
      on(["XRSimulator"], metadata("127.0.1.1"))),
    Example(
      "metadata.update-url.unreachable", "link-local in a simulator",
      on(["iPhoneSimulator"], metadata("169.254.1.1")), ["link-local"]),
    Example(
      "metadata.update-url.unreachable", "localhost on a device too",
      on(["iPhoneSimulator", "iPhoneOS"], metadata("localhost")), ["loopback"]),
    Example(
      "metadata.update-url.unreachable", "localhost on a Mac",
      on(["MacOSX"], metadata("localhost")), ["loopback"]),
    Example(
      "metadata.update-url.query", "another source",
      metadata([.string(urlText("h", query: "?source=gh%3Aother%2Fone"))]), ["gh:other/one"]),
    Example(
      "metadata.update-url.query", "another source behind the right one",
      metadata([.string(urlText("h", query: "?source=gh%3Aexample%2Fdemo&source=gh%3Aevil%2Fone"))]
      ), ["gh:evil/one"]),
    Example(
      "metadata.update-url.query", "a filter that the dictionary lacks",
      metadata([.string(urlText("h", query: "?filter=tv"))]), ["filter"]),
    Example(
      "metadata.update-url.query", "the same source",
      metadata([.string(urlText("h", query: "?source=gh%3Aexample%2Fdemo"))])),
    Example(
      "metadata.update-url.legacy", "older path", metadata([.string("http://h/update/\(id)")]),
      ["older path"]),
    Example(
      "metadata.update-url.legacy", "one string", metadata(.string(urlText("h"))), ["one string"]),
    Example("metadata.update-url.legacy", "present form", ready),
    Example(
      "metadata.source.missing", "missing", ["IPAHub": ["updateURL": [.string(urlText("h"))]]],
      ["source"]),
    Example("metadata.source.missing", "there", ready),
    Example(
      "metadata.release", "a tag",
      metadata([.string(urlText("h"))], PlistDictionary([("release", "v1.0")])), ["v1.0"]),
    Example(
      "metadata.release", "for a file",
      metadata(
        [.string(urlText("h"))], PlistDictionary([("source", "/a.ipa"), ("release", "latest")])),
      ["/a.ipa"]),
    Example(
      "metadata.release", "right",
      metadata([.string(urlText("h"))], PlistDictionary([("release", "pre-release")]))),
    Example("metadata.nested", "in an extension", ready, ["Share.appex"]) { subject in
      subject.bundles = [nested(["IPAHub": [:]])]
    },
    Example("metadata.nested", "nowhere else", ready) { $0.bundles = [nested([:])] },
    Example(
      "metadata.unknown-key", "one",
      metadata([.string(urlText("h"))], PlistDictionary([("channel", "x")])), ["channel"]),
    Example("metadata.unknown-key", "none", ready),
  ]
}
