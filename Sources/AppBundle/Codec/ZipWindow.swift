internal import CLibZip

/// A read-only archive of one member that exists only for libzip: made-up headers around a range of
/// the real file.
///
/// So libzip unpacks members of any size from archives that it would not open, and never looks at
/// any other member. An object is owned by the libzip source that reads it.
final class ZipWindow: ZipAnswering {
  private let head: [UInt8]
  private let file: InputFile
  private let data: Range<UInt64>
  private let tail: [UInt8]
  private var position: UInt64 = 0
  /// The first failure of reading the file.
  private(set) var failure: BundleError?

  private var dataCount: UInt64 { data.upperBound - data.lowerBound }
  private var count: UInt64 { UInt64(head.count) + dataCount + UInt64(tail.count) }

  init(file: InputFile, data: Range<UInt64>, record: CentralRecord) {
    self.file = file
    self.data = data
    var wide: [UInt8] = []
    wide.append(integer: ExtraFields.zip64)
    wide.append(integer: UInt16(16))
    wide.append(integer: record.size)
    wide.append(integer: UInt64(data.upperBound - data.lowerBound))
    // The fields that local header and central record share; sizes stand in the zip64 field.
    var shared: [UInt8] = []
    shared.append(integer: UInt16(45))
    shared.append(integer: UInt16(0))
    shared.append(integer: record.method)
    shared.append(integer: UInt32(0x0021_0000))
    shared.append(integer: record.checksum)
    shared.append(integer: UInt64.max)
    shared.append(integer: UInt16(1))
    shared.append(integer: UInt16(wide.count))
    var head: [UInt8] = []
    head.append(integer: LocalHeader.signature)
    head += shared + [UInt8(ascii: "m")] + wide
    var central: [UInt8] = []
    central.append(integer: CentralRecord.signature)
    central.append(integer: UInt16(45))
    central += shared + [UInt8](repeating: 0, count: 14) + [UInt8(ascii: "m")] + wide
    let start = UInt64(head.count) + (data.upperBound - data.lowerBound)
    self.head = head
    tail = central + Self.endRecords(directoryStart: start, directoryCount: central.count)
  }

  private static func endRecords(directoryStart: UInt64, directoryCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(integer: EndRecord.zip64Signature)
    bytes.append(integer: UInt64(44))
    bytes.append(integer: UInt32(0x002D_002D))
    bytes.append(integer: UInt64(0))
    bytes.append(integer: UInt64(1))
    bytes.append(integer: UInt64(1))
    bytes.append(integer: UInt64(directoryCount))
    bytes.append(integer: directoryStart)
    bytes.append(integer: EndRecord.locatorSignature)
    bytes.append(integer: UInt32(0))
    bytes.append(integer: directoryStart + UInt64(directoryCount))
    bytes.append(integer: UInt32(1))
    bytes.append(integer: EndRecord.signature)
    bytes.append(integer: UInt32(0))
    bytes.append(integer: UInt32.max)
    bytes.append(integer: UInt64.max)
    bytes.append(integer: UInt16(0))
    return bytes
  }

  func answer(
    _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
  ) -> zip_int64_t {
    switch command {
    case ZIP_SOURCE_OPEN:
      position = 0
      return 0
    case ZIP_SOURCE_CLOSE: return 0
    case ZIP_SOURCE_TELL: return zip_int64_t(clamping: position)
    case ZIP_SOURCE_READ:
      let buffer = UnsafeMutableRawBufferPointer(start: data, count: Int(clamping: length))
      do throws(BundleError) {
        return zip_int64_t(try read(into: buffer))
      } catch {
        failure = failure ?? error
        return -1
      }
    case ZIP_SOURCE_SEEK:
      let place = zip_source_seek_compute_offset(position, count, data, length, nil)
      guard place >= 0 else { return -1 }
      position = zip_uint64_t(place)
      return 0
    case ZIP_SOURCE_STAT: return report(size: count, to: data, length)
    case ZIP_SOURCE_ERROR: return ZipFailure.report(ZIP_ER_READ, data, length)
    case ZIP_SOURCE_SUPPORTS:
      return ZipFailure.bitmap([
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
        ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
      ])
    default: return -1
    }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) throws(BundleError) -> Int {
    var done = 0
    while done < buffer.count, position < count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let headCount = UInt64(head.count)
      let copied: Int
      if position < headCount {
        copied = Self.copy(head[Int(position)...], to: rest)
      } else if position - headCount < dataCount {
        let place = position - headCount
        let wanted = Int(min(UInt64(rest.count), dataCount - place))
        copied = try file.read(
          at: data.lowerBound + place,
          into: UnsafeMutableRawBufferPointer(rebasing: rest[..<wanted]))
        guard copied > 0 else {
          throw file.becameShorter
        }
      } else {
        copied = Self.copy(tail[Int(position - headCount - dataCount)...], to: rest)
      }
      done += copied
      position += UInt64(copied)
    }
    return done
  }

  private static func copy(
    _ bytes: ArraySlice<UInt8>, to buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let part = bytes.prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
}
