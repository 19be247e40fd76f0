internal import NetDiscovery
internal import PlistKit

extension Injection {
  /// What App Transport Security on the oldest OS that an edited app runs on makes of the addresses
  /// among the hosts: one sentence, none where it reads their exceptions.
  ///
  /// Before iOS 17 addresses are no exception domains. iOS 10 to 16 do not restrict them; on iOS 9
  /// there is no way to except them.
  func notesOnOldestOS(of root: PlistValue) -> [String] {
    let addresses = exceptionHosts.filter(\.isAddress)
    guard let (name, generation) = AppPlatforms(infoPlist: root).oldest, generation < .os17,
      !addresses.isEmpty
    else { return [] }
    let policy = ATSPolicy(infoPlist: root)
    let refused = addresses.filter {
      !policy.decision(scheme: .http, host: $0, on: generation).isAllowed
    }
    guard refused.isEmpty else {
      return [
        "on \(name) no exception lets HTTP to an address pass: names alone lead to the server "
          + "there, not \(refused.map(\.description).joined(separator: ", "))"
      ]
    }
    let system = name.prefix { $0 != " " }
    let first = ["macOS": 14, "watchOS": 10][system] ?? 17
    return [
      "on \(name) HTTP to an address needs no exception; exceptions of addresses count from "
        + "\(system) \(first) on"
    ]
  }
}
