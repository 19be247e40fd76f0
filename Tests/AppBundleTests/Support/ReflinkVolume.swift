import Foundation

/// A folder on a file system whose files can share blocks: that of `REFLINK_FOLDER`, or one that
/// `Tests/scripts/with-reflink` mounts for as long as the tests run.
enum ReflinkVolume {
  /// Nil where no such file system can be had here.
  static let folder: String? = {
    let given = ProcessInfo.processInfo.environment["REFLINK_FOLDER"]
    let folder = given ?? mount?.folder
    if folder == nil {
      print("no file system that shares blocks can be mounted: tests that need one are skipped")
    }
    return folder
  }()

  /// A folder of a test's own there.
  static func workplace() throws -> Workplace? {
    try folder.map { try Workplace(in: $0) }
  }

  private struct Mount {
    let folder: String
    /// The script unmounts when this pipe closes, at the latest with the process.
    let lifeline: Pipe
  }

  private static let mount: Mount? = {
    guard getuid() == 0, Tool.exists("mkfs.xfs") else { return nil }
    var script = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { script.deleteLastPathComponent() }
    let process = Process()
    process.executableURL = script.appendingPathComponent("scripts/with-reflink")
    process.arguments = ["sh", "-c", "echo ${REFLINK_FOLDER-}; cat"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    var line: [UInt8] = []
    while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
      line.append(byte)
    }
    guard !line.isEmpty else { return nil }
    return Mount(folder: String(decoding: line, as: UTF8.self), lifeline: input)
  }()
}
