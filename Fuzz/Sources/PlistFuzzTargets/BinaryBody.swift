/// The objects of a binary property list one after the other, of which a file is made.
///
/// The second byte chooses the sizes of references and offsets, and whether references may lead
/// anywhere or are turned so that each leads to a later object and each key to a string: the latter
/// makes files without cycles, in which much is shared.
struct BinaryBody {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let leadsForward: Bool

  init(_ input: [UInt8]) {
    let choice = Int(input.dropFirst().first ?? 0)
    bytes = Array(input.dropFirst(2))
    offsetSize = [2, 3, 4, 8][choice & 3]
    referenceSize = [2, 1, 3, 4][choice >> 2 & 3]
    leadsForward = choice & 0x10 == 0
  }

  /// An object's place, and where its references stand.
  private struct Object {
    let offset: Int
    var references = 0..<0
    var keys = 0
    var isString = false
  }

  /// The file.
  var file: [UInt8] {
    let objects = objects
    guard !objects.isEmpty else { return Array("bplist00".utf8) }
    var file = Array("bplist00".utf8) + bytes
    if leadsForward { turnForward(objects, in: &file) }
    let table = file.count
    for object in objects { append(8 + object.offset, size: offsetSize, to: &file) }
    file += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    append(objects.count, size: 8, to: &file)
    append(0, size: 8, to: &file)
    append(table, size: 8, to: &file)
    return file
  }

  private var objects: [Object] {
    var objects: [Object] = []
    var place = 0
    // What one byte can number, less one, so that any size of a reference will do.
    while place < bytes.count, objects.count < 255 {
      let object = Object(offset: place)
      place = end(of: object, &objects)
    }
    return objects
  }

  /// Adds the object at a place, and returns where it ends.
  private func end(of object: Object, _ objects: inout [Object]) -> Int {
    var object = object
    let marker = bytes[object.offset]
    var start = object.offset + 1
    var count = Int(marker & 0x0F)
    let isCounted = marker >= 0x40 && marker >> 4 != 8
    if isCounted, count == 0x0F { (count, start) = length(at: start) }
    let size: Int
    switch marker >> 4 {
    case 1, 2: size = 1 << min(count, 4)
    case 3: size = 8
    case 4, 5: size = count
    case 6: size = 2 * count
    case 8: size = count + 1
    case 0xA, 0xC: size = count * referenceSize
    case 0xD: size = 2 * count * referenceSize
    default: size = 0
    }
    let end = min(start + size, bytes.count)
    object.isString = marker >> 4 == 5 || marker >> 4 == 6
    if marker >= 0xA0, start <= end {
      object.references = start..<end
      object.keys = marker >> 4 == 0xD ? count : 0
    }
    objects.append(object)
    return max(end, object.offset + 1)
  }

  /// The length after a marker, of one or two bytes here.
  private func length(at place: Int) -> (count: Int, end: Int) {
    guard place + 2 < bytes.count else { return (0, place) }
    return bytes[place] & 1 == 0
      ? (Int(bytes[place + 1]), place + 2)
      : (Int(bytes[place + 1] & 3) << 8 | Int(bytes[place + 2]), place + 3)
  }

  private func turnForward(_ objects: [Object], in file: inout [UInt8]) {
    for (index, object) in objects.enumerated() {
      let later = objects.count - index - 1
      let strings = ((index + 1)..<objects.count).filter { objects[$0].isString }
      for (position, place) in stride(
        from: object.references.lowerBound, to: object.references.upperBound - referenceSize + 1,
        by: referenceSize
      ).enumerated() where later > 0 {
        let wish = Int(file[8 + place + referenceSize - 1])
        let target =
          position < object.keys && !strings.isEmpty
          ? strings[(wish + position) % strings.count] : index + 1 + wish % later
        for byte in 0..<referenceSize { file[8 + place + byte] = 0 }
        file[8 + place + referenceSize - 1] = UInt8(target)
      }
    }
  }

  private func append(_ number: Int, size: Int, to file: inout [UInt8]) {
    for byte in (0..<size).reversed() {
      file.append(byte < 8 ? UInt8(truncatingIfNeeded: UInt64(number) >> (8 * UInt64(byte))) : 0)
    }
  }
}
