internal import AppBundle
internal import Synchronization

/// The hashes of many entries, each read once, on several threads.
enum FileDigests {
  /// An entry and the hashes that are wanted of it.
  struct Job: Sendable {
    let index: Int
    let size: UInt64
    var wantsSHA1: Bool
    var wantsSHA256: Bool
  }

  /// What was found.
  struct Digest: Sendable {
    var sha1: [UInt8]?
    var sha256: [UInt8]?
    var failure: SigningError?
  }

  /// The buffer of a thread: it stays in a processor's own cache between reading and hashing.
  static let bufferSize = 256 << 10
  /// Files from this size on are read before all others, so that none of them is the last.
  static let largeSize: UInt64 = 1 << 20

  /// The hashes by entry. Each thread has one buffer.
  static func of(
    _ jobs: [Job], in source: any EntrySource, workers: Int
  ) -> [Int: Digest] {
    let queue = Queue(ordered(jobs), source)
    let count = max(1, min(workers, jobs.count))
    let others = (1..<count).map { _ in SideTask { queue.work() } }
    var digests = [Int: Digest](minimumCapacity: jobs.count)
    for part in [queue.work()] + others.map({ $0.value() }) {
      for (index, digest) in part { digests[index] = digest }
    }
    return digests
  }

  /// Large ones first, the largest at the start; the others in the order in which they lie.
  private static func ordered(_ jobs: [Job]) -> [Job] {
    let large = jobs.filter { $0.size >= largeSize }.sorted {
      ($1.size, $0.index) < ($0.size, $1.index)
    }
    return large + jobs.filter { $0.size < largeSize }.sorted { $0.index < $1.index }
  }

  /// Work that threads share.
  private final class Queue: Sendable {
    private let jobs: [Job]
    private let source: any EntrySource
    private let next = Atomic<Int>(0)

    init(_ jobs: [Job], _ source: any EntrySource) {
      self.jobs = jobs
      self.source = source
    }

    /// Does jobs until there are no more.
    func work() -> [(index: Int, digest: Digest)] {
      var results: [(index: Int, digest: Digest)] = []
      var buffer: [UInt8] = []
      do throws(SigningError) {
        let sha1 = try HashAlgorithm.Hasher(.sha1)
        let sha256 = try HashAlgorithm.Hasher(.sha256)
        while let job = take() {
          if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: FileDigests.bufferSize) }
          results.append((job.index, digest(job, sha1, sha256, &buffer)))
        }
      } catch {
        while let job = take() { results.append((job.index, Digest(failure: error))) }
      }
      return results
    }

    private func take() -> Job? {
      let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return place < jobs.count ? jobs[place] : nil
    }

    private func digest(
      _ job: Job, _ sha1: HashAlgorithm.Hasher, _ sha256: HashAlgorithm.Hasher,
      _ buffer: inout [UInt8]
    ) -> Digest {
      var digest = Digest()
      do throws(BundleError) {
        try source.forEachBlock(ofEntry: job.index, buffer: &buffer) { block in
          if job.wantsSHA1 { sha1.update(block) }
          if job.wantsSHA256 { sha256.update(block) }
        }
      } catch {
        digest.failure = SigningError(error)
      }
      do throws(SigningError) {
        // Also after a failure: so the next file begins anew.
        if job.wantsSHA1 { digest.sha1 = try sha1.finish() }
        if job.wantsSHA256 { digest.sha256 = try sha256.finish() }
      } catch {
        digest.failure = digest.failure ?? error
      }
      return digest
    }
  }
}
