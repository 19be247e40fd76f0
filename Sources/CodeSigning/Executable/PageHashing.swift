import AppBundle

/// Hashes the pages of code of all slices, on several threads, in parts that are read once for all
/// CodeDirectories of their slice.
struct PageHashing {
  /// A CodeDirectory among the slices.
  struct Place: Hashable {
    let slice: Int
    let directory: Int
  }

  /// CodeDirectories whose pages have the same hashes, some of which may be cut short.
  private struct Group {
    let algorithm: HashAlgorithm
    let pageSize: Int?
    /// How many bytes from the slice's start are hashed.
    let end: UInt64
    var directories: [(place: Place, directory: CodeDirectory)]
  }

  /// A slice's bytes from its start, as far as any CodeDirectory goes.
  private struct Stretch {
    let source: ByteRange
    let end: UInt64
    let groups: [Group]
  }

  /// One part of a stretch; a nil start is all of it, for hashes over all bytes.
  private struct Part {
    let stretch: Int
    let start: UInt64?
  }

  private struct State {
    var next = 0
    var results: [Place: ExecutableSeal.Pages] = [:]
    var error: SigningError?
  }

  /// Bytes read at once: a multiple of every page size.
  private static let partSize: UInt64 = 1 << 20
  private static let namedPages = 10

  private let stretches: [Stretch]
  private let parts: [Part]
  private let initial: [Place: ExecutableSeal.Pages]

  init(
    _ file: any ByteSource, _ slices: [ExecutableSeal.Slice]
  ) throws(SigningError) {
    var stretches: [Stretch] = []
    var parts: [Part] = []
    var initial: [Place: ExecutableSeal.Pages] = [:]
    for (number, slice) in slices.enumerated() where !slice.directories.isEmpty {
      let groups = Self.groups(slice, number)
      let end = groups.map(\.end).max() ?? 0
      for group in groups {
        for (place, _) in group.directories {
          initial[place] = ExecutableSeal.Pages(pageSize: group.pageSize)
        }
      }
      if groups.contains(where: { $0.pageSize == nil }) {
        parts.append(Part(stretch: stretches.count, start: nil))
      }
      if groups.contains(where: { $0.pageSize != nil }) {
        for start in stride(from: 0, to: end, by: Int(Self.partSize)) {
          parts.append(Part(stretch: stretches.count, start: start))
        }
      }
      stretches.append(
        Stretch(source: try slice.slice.bytes(of: file), end: end, groups: groups))
    }
    self.stretches = stretches
    self.parts = parts
    self.initial = initial
  }

  private static func groups(_ slice: ExecutableSeal.Slice, _ number: Int) -> [Group] {
    var groups: [Group] = []
    for (index, found) in slice.directories.enumerated() {
      let directory = found.codeDirectory
      let algorithm = directory.hashAlgorithm.whole
      let end = min(directory.codeLimit, slice.slice.size)
      let member = (place: Place(slice: number, directory: index), directory: directory)
      let known = groups.firstIndex {
        $0.algorithm == algorithm && $0.pageSize == directory.pageSize && $0.end == end
      }
      if let known {
        groups[known].directories.append(member)
      } else {
        groups.append(
          Group(
            algorithm: algorithm, pageSize: directory.pageSize, end: end, directories: [member]))
      }
    }
    return groups
  }

  /// Hashes all, the caller's thread among the workers.
  func run(workers: Int) throws(SigningError) -> [Place: ExecutableSeal.Pages] {
    let state = Monitor(State(results: initial))
    let others = min(max(workers, 1), parts.count) - 1
    let tasks = (0..<max(others, 0)).map { _ in SideTask { work(state) } }
    work(state)
    for task in tasks { task.value() }
    let (results, error) = state.withLock { ($0.results, $0.error) }
    if let error { throw error }
    return results
  }

  /// Takes parts until none is left, or another thread has failed.
  private func work(_ state: Monitor<State>) {
    var found: [Place: ExecutableSeal.Pages] = [:]
    do throws(SigningError) {
      var hashers: [HashAlgorithm: HashAlgorithm.Hasher] = [:]
      while let part = nextPart(state) {
        let stretch = stretches[part.stretch]
        for algorithm in stretch.groups.map(\.algorithm) where hashers[algorithm] == nil {
          hashers[algorithm] = try HashAlgorithm.Hasher(algorithm)
        }
        if let start = part.start {
          try checkPages(of: stretch, from: start, hashers, &found)
        } else {
          try checkWhole(stretch, hashers, &found)
        }
      }
    } catch {
      state.withLock { $0.error = $0.error ?? error }
      return
    }
    state.withLock { state in
      for (place, pages) in found { state.results[place]?.add(pages, naming: Self.namedPages) }
    }
  }

  private func nextPart(_ state: Monitor<State>) -> Part? {
    state.withLock { state in
      guard state.error == nil, state.next < parts.count else { return nil }
      defer { state.next += 1 }
      return parts[state.next]
    }
  }

  private func checkPages(
    of stretch: Stretch, from start: UInt64, _ hashers: [HashAlgorithm: HashAlgorithm.Hasher],
    _ found: inout [Place: ExecutableSeal.Pages]
  ) throws(SigningError) {
    let bytes = try stretch.source.bytes(
      at: start, count: Int(min(Self.partSize, stretch.end - start)))
    for group in stretch.groups {
      guard let pageSize = group.pageSize, let hasher = hashers[group.algorithm],
        group.end > start
      else { continue }
      let count = min(bytes.count, Int(clamping: group.end - start))
      var results = group.directories.map { _ in ExecutableSeal.Pages() }
      for place in stride(from: 0, to: count, by: pageSize) {
        hasher.update(bytes[place..<min(place + pageSize, count)])
        let hash = try hasher.finish()
        let page = Int(clamping: start) / pageSize + place / pageSize
        for index in results.indices {
          results[index].add(
            page, hash, group.directories[index].directory, naming: Self.namedPages)
        }
      }
      for (member, pages) in zip(group.directories, results) {
        found[member.place, default: ExecutableSeal.Pages()].add(pages, naming: Self.namedPages)
      }
    }
  }

  /// Hashes for which all bytes are one page.
  private func checkWhole(
    _ stretch: Stretch, _ hashers: [HashAlgorithm: HashAlgorithm.Hasher],
    _ found: inout [Place: ExecutableSeal.Pages]
  ) throws(SigningError) {
    for group in stretch.groups where group.pageSize == nil && group.end > 0 {
      guard let hasher = hashers[group.algorithm] else { continue }
      for start in stride(from: 0, to: group.end, by: Int(Self.partSize)) {
        hasher.update(
          try stretch.source.bytes(at: start, count: Int(min(Self.partSize, group.end - start))))
      }
      let hash = try hasher.finish()
      for member in group.directories {
        found[member.place, default: ExecutableSeal.Pages()].add(
          0, hash, member.directory, naming: Self.namedPages)
      }
    }
  }
}

extension ExecutableSeal.Pages {
  fileprivate init(pageSize: Int?) { self.pageSize = pageSize }

  /// Compares a page's hash, which may be longer than the one that is kept.
  fileprivate mutating func add(
    _ page: Int, _ hash: [UInt8], _ directory: CodeDirectory, naming bound: Int
  ) {
    guard let slot = directory.codeSlot(ofPage: page), let kept = directory.codeHash(slot) else {
      unhashed += 1
      return
    }
    checked += 1
    guard !kept.elementsEqual(hash.prefix(kept.count)) else { return }
    wrongCount += 1
    if firstWrong.count < bound { firstWrong.append(page) }
  }

  /// Takes in the pages of another part.
  fileprivate mutating func add(_ other: Self, naming bound: Int) {
    checked += other.checked
    wrongCount += other.wrongCount
    unhashed += other.unhashed
    guard !other.firstWrong.isEmpty else { return }
    firstWrong = Array((firstWrong + other.firstWrong).sorted().prefix(bound))
  }
}
