/// Finds the nested code that a path lies in. Paths that come sorted are quicker, for neighbours share most
/// folders.
struct CodeFolders {
  private var last: [UInt8] = []
  /// The folders above the last path by the count of their bytes, outermost first, each with its code.
  private var folders: [(count: Int, code: Int?)] = []
  private static let slash = UInt8(ascii: "/")
  /// Folders of a path in which nested code is looked for: each look takes as long as its path.
  private static let depthLimit = 64

  /// The code of the outermost folder that has one.
  mutating func code(
    above path: ArraySlice<UInt8>, _ find: (ArraySlice<UInt8>) -> Int?
  ) -> Int? {
    let bytes = Array(path)
    let shared = zip(last, bytes).prefix { $0 == $1 }.count
    while let folder = folders.last, folder.count >= shared { folders.removeLast() }
    let start = (folders.last?.count ?? -1) + 1
    for place in bytes.indices.dropFirst(start) where bytes[place] == Self.slash {
      guard folders.count < Self.depthLimit else { break }
      folders.append((place, find(bytes[..<place])))
    }
    last = bytes
    return folders.first { $0.code != nil }?.code
  }
}
