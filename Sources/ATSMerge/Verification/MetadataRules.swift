internal import NetDiscovery
internal import PlistKit

extension RuleTable {
  /// The rules on the `IPAHub` dictionary.
  static let metadataRules: [Rule] = [
    Rule(
      "metadata.absent", .error, "the app holds no update metadata",
      help: """
        Without an IPAHub dictionary in the main app's Info.plist an update client stays hidden. \
        Run 'ipa-inject inject' before signing.
        """, examples: .metadataAbsent
    ) { facts in
      guard facts.metadata.state == .absent else { return [] }
      return [
        Observation("there is no IPAHub dictionary; prepare the app with 'ipa-inject inject'")
      ]
    },
    Rule(
      "metadata.type", .error, "update metadata of the wrong type",
      help: """
        IPAHub is a dictionary, updateURL an array of strings, source, filter, team and release are \
        strings. An update client ignores metadata of any other form.
        """, examples: .metadataType
    ) { facts in
      facts.metadata.typeProblems.map { Observation($0.message, at: $0.path) }
    },
    Rule(
      "metadata.update-url.empty", .error, "no destination in the update metadata",
      help: "An update client needs at least one URL in updateURL. Run 'ipa-inject inject' again.",
      examples: .metadataUpdateURLEmpty
    ) { facts in
      let metadata = facts.metadata
      guard facts.root[UpdateMetadata.path]?.dictionary != nil, metadata.entries.isEmpty,
        !metadata.typeProblems.contains(where: { $0.path == UpdateMetadata.updateURLPath })
      else { return [] }
      return [Observation("updateURL names no destination", at: UpdateMetadata.updateURLPath)]
    },
    Rule(
      "metadata.update-url.invalid", .error, "an update URL that is against the contract",
      help: """
        Each URL has scheme http or https, no user info, a host, a port of 1 to 65535 if any, the \
        path /api/app/<48 hexadecimal digits>/update and no fragment. One invalid URL makes an update \
        client ignore the whole list.
        """, examples: .metadataUpdateURLInvalid
    ) { facts in
      facts.metadata.entries.compactMap { entry in
        guard case .failure(let error) = entry.url, error.code != .release else { return nil }
        return Observation(
          "'\((entry.text ?? "").shortened)': \(error.detail.shortened)", at: entry.path)
      }
    },
    Rule(
      "metadata.update-url.mixed", .error, "update URLs of different installations",
      help:
        "Every URL of one list belongs to the same installation. Run 'ipa-inject inject' again.",
      examples: .metadataUpdateURLMixed
    ) { facts in
      guard facts.metadata.hasMixedInstallations else { return [] }
      let ids = facts.metadata.urls.map { "\($0.installationID)" }
      return [
        Observation(
          "the URLs are of different installations: \(ids.uniqued.shortList)",
          at: UpdateMetadata.updateURLPath)
      ]
    },
    Rule(
      "metadata.update-url.duplicate", .warning, "the same destination twice",
      help: "A destination that failed once is tried again for nothing. Keep each once.",
      examples: .metadataUpdateURLDuplicate
    ) { facts in
      var seen: Set<String> = []
      return facts.metadata.entries.compactMap { entry in
        guard let url = try? entry.url?.get(),
          !seen.insert("\(url.scheme) \(url.host) \(url.port)").inserted
        else { return nil }
        return Observation("\(url.host) port \(url.port) stands there twice", at: entry.path)
      }
    },
    Rule(
      "metadata.update-url.release", .error, "a release item in an update URL's query",
      help: "The server knows the channel from the installation's record. Leave the item out.",
      examples: .metadataUpdateURLRelease
    ) { facts in
      facts.metadata.entries.compactMap { entry in
        guard case .failure(let error) = entry.url, error.code == .release else { return nil }
        return Observation(
          "'\((entry.text ?? "").shortened)': \(error.detail.shortened)", at: entry.path)
      }
    },
    Rule(
      "metadata.update-url.unreachable", .warning, "a host that no other device can reach",
      help: """
        Loopback, link-local, unspecified and multicast addresses and those with a zone mean another \
        machine, or none, on the device that runs the app. Loopback is fine in an app for simulators \
        alone, which have the network of the machine they run on.
        """, examples: .metadataUpdateURLUnreachable
    ) { facts in
      facts.metadata.entries.compactMap { entry in
        if case .failure(let error) = entry.url, error.code == .zone {
          return Observation("a zone means nothing on another device", at: entry.path)
        }
        guard let url = try? entry.url?.get(), let reason = url.host.unreachableReason,
          !(facts.platforms.isSimulator && url.host.isLoopback)
        else { return nil }
        return Observation("\(url.host) is \(reason); no other device reaches it", at: entry.path)
      }
    },
    Rule(
      "metadata.update-url.query", .warning, "a query that differs from the dictionary",
      help: """
        The URLs carry source, filter and team as the dictionary has them. The server goes by its own \
        record, so a difference is a sign of metadata put together by hand.
        """, examples: .metadataUpdateURLQuery
    ) { facts in
      let fields = [
        ("source", facts.metadata.source), ("filter", facts.metadata.filter),
        ("team", facts.metadata.team),
      ]
      return facts.metadata.entries.flatMap { entry -> [Observation] in
        guard let url = try? entry.url?.get() else { return [] }
        return fields.flatMap { name, value in
          url.query.filter { $0.name == name && $0.value != value }.map { item in
            let there = value.map { "'\($0.shortened)'" } ?? "missing"
            return Observation(
              "\(name) is '\(item.value.shortened)' in the URL to \(url.host) and \(there) in the dictionary",
              at: entry.path)
          }
        }
      }
    },
    Rule(
      "metadata.update-url.legacy", .note, "an older form of the update URLs",
      help: """
        Older installations have the path /update/<id>, or one string in place of the array. Update \
        clients still read both; a new injection writes the present form.
        """, examples: .metadataUpdateURLLegacy
    ) { facts in
      let single =
        facts.metadata.isSingleString
        ? [Observation("updateURL is one string, not an array", at: UpdateMetadata.updateURLPath)]
        : []
      return single
        + facts.metadata.entries.compactMap { entry in
          guard let url = try? entry.url?.get(), url.isLegacy else { return nil }
          return Observation("the URL to \(url.host) has the older path /update/", at: entry.path)
        }
    },
    Rule(
      "metadata.source.missing", .warning, "no source in the update metadata",
      help: "The dictionary names where updates come from, for people and for a later injection.",
      examples: .metadataSourceMissing
    ) { facts in
      let metadata = facts.metadata
      guard metadata.state != .absent, facts.root[UpdateMetadata.path]?.dictionary != nil,
        facts.root[sourcePath] == nil || metadata.source == ""
      else { return [] }
      let path = metadata.source == nil ? UpdateMetadata.path : sourcePath
      return [Observation("IPAHub names no source", at: path)]
    },
    Rule(
      "metadata.release", .error, "a release channel that there is not",
      help: """
        release is 'latest' or 'pre-release', and only for a source with releases (gh:OWNER/REPO): a \
        file or a plain URL has no channel.
        """, examples: .metadataRelease
    ) { facts in
      guard let release = facts.metadata.release else { return [] }
      let path = UpdateMetadata.path.appending(key: "release")
      if ReleaseChannel(rawValue: release) == nil {
        return [
          Observation("'\(release.shortened)' is neither 'latest' nor 'pre-release'", at: path)
        ]
      }
      guard let text = facts.metadata.source, let source = try? UpdateSource(parsing: text),
        !source.hasChannels
      else { return [] }
      return [Observation("the source '\(text.shortened)' has no release channel", at: path)]
    },
    Rule(
      "metadata.nested", .warning, "update metadata in a nested bundle",
      help: "Only the main app's Info.plist counts. Take IPAHub out of extensions and nested apps.",
      examples: .metadataNested, needs: .app
    ) { facts in
      facts.bundles.readable.compactMap { bundle, dictionary in
        guard dictionary[UpdateMetadata.key] != nil else { return nil }
        return Observation(
          "\(bundle.path.shortened) holds an IPAHub dictionary; only the main app's counts",
          file: bundle.infoPlistPath, at: UpdateMetadata.path)
      }
    },
    Rule(
      "metadata.unknown-key", .note, "a field that the contract does not name",
      help: "Update clients ignore it.", examples: .metadataUnknownKey
    ) { facts in
      facts.metadata.unknownKeys.map { key in
        Observation(
          "'\(key.shortened)' is no field of the contract",
          at: UpdateMetadata.path.appending(key: key))
      }
    },
  ]

  private static let sourcePath = UpdateMetadata.path.appending(key: "source")
}

extension Host {
  /// Why no other device can reach the host, nil where one may.
  var unreachableReason: String? {
    switch addressClass {
    case nil where isLoopback: "a loopback name"
    case .loopback: "a loopback address"
    case .linkLocal: "a link-local address"
    case .unspecified: "the unspecified address"
    case .multicast: "a multicast address"
    default: nil
    }
  }
}

extension [String] {
  /// The strings, each once, in their order.
  var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
