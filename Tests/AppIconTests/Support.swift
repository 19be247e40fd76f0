import Foundation

/// A Python that makes PNGs with struct and zlib alone, in the order of the PNG specification; it shares
/// nothing with the code under test.
enum Oracle {
  /// Makes PNGs of one kind: standard output has each as a line of base 64, its pixels as another.
  static let program = #"""
    import base64, random, struct, sys, zlib

    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))

    def filtered(row, before, step, kind):
        out = bytearray([kind])
        for place, byte in enumerate(row):
            left = row[place - step] if place >= step else 0
            up = before[place]
            corner = before[place - step] if place >= step else 0
            guess = (left + up - corner)
            paeth = min((left, up, corner), key=lambda one: abs(guess - one))
            out.append((byte - (0, left, up, (left + up) // 2, paeth)[kind]) & 255)
        return bytes(out)

    def packed(rows, step, kinds):
        out, before = b"", None
        for number, row in enumerate(rows):
            if before is None or len(before) != len(row):
                before = bytes(len(row))
            out += filtered(row, before, step, kinds[number % len(kinds)])
            before = row
        return out

    PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))

    def image(width, height, form, interlaced, apples, seed):
        """`form` is (colour type, bit depth); the pixels come back as RGBA."""
        random_ = random.Random(seed)
        color, depth = form
        pixels = [[tuple(random_.choice((0, 255, random_.randrange(256))) for _ in range(4))
                   for _ in range(width)] for _ in range(height)]
        if color == 2:
            pixels = [[p[:3] + (255,) for p in row] for row in pixels]
        if color == 0:
            pixels = [[(p[0],) * 3 + (255,) for p in row] for row in pixels]
        if color == 4:
            pixels = [[(p[0],) * 3 + (p[3],) for p in row] for row in pixels]
        stored = pixels
        if apples:
            stored = [[tuple((c * p[3] + 127) // 255 for c in (p[2], p[1], p[0])) + (p[3],)
                       for p in row] for row in pixels]
        def bytes_of(pixel):
            parts = {0: pixel[:1], 2: pixel[:3], 4: (pixel[0], pixel[3]), 6: pixel}[color]
            return b"".join(bytes([part]) * (depth // 8) for part in parts)
        step = len(bytes_of(stored[0][0]))
        kinds = (0, 1, 2, 3, 4)
        if interlaced:
            data = b""
            for x0, y0, dx, dy in PASSES:
                rows = [b"".join(bytes_of(stored[y][x]) for x in range(x0, width, dx))
                        for y in range(y0, height, dy)]
                rows = [row for row in rows if row]
                data += packed(rows, step, kinds)
        else:
            data = packed([b"".join(map(bytes_of, row)) for row in stored], step, kinds)
        if apples:
            worker = zlib.compressobj(9, zlib.DEFLATED, -15)
            data = worker.compress(data) + worker.flush()
        else:
            data = zlib.compress(data)
        png = b"\x89PNG\r\n\x1a\n"
        if apples:
            png += chunk(b"CgBI", b"\x50\x00\x20\x02")
        png += chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))
        half = len(data) // 2
        png += chunk(b"IDAT", data[:half]) + chunk(b"IDAT", data[half:]) + chunk(b"IEND", b"")
        return png, bytes(part for row in pixels for pixel in row for part in pixel)

    width, height, color, depth, interlaced, apples, seed = map(int, sys.argv[1:])
    for part in image(width, height, (color, depth), interlaced, apples, seed):
        print(base64.b64encode(part).decode())
    """#

  struct Image {
    let png: [UInt8]
    let pixels: [UInt8]
  }

  /// Nil where there is no Python.
  static func image(
    width: Int, height: Int, color: Int = 6, depth: Int = 8, interlaced: Bool = false,
    apples: Bool, seed: Int = 1
  ) throws -> Image? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", program,
      "\(width)", "\(height)", "\(color)", "\(depth)", interlaced ? "1" : "0", apples ? "1" : "0",
      "\(seed)",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus == 127 { return nil }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    let parts = lines.compactMap { Data(base64Encoded: String($0)).map(Array.init) }
    return parts.count == 2 ? Image(png: parts[0], pixels: parts[1]) : nil
  }
}

/// A generator whose numbers are the same on every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    var value = state
    value ^= value >> 33
    value = value &* 0xFF51_AFD7_ED55_8CCD
    return value ^ value >> 33
  }
}
