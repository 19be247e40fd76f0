import Testing

@testable import PlistKit

/// Where values stand in the bytes, many at once.
@Suite struct PlistPlaceTests {
  static let xml = """
    <plist version="1.0">
    <dict>
    \t<key>é</key><string>one</string>
    \t<key>list</key>\t<array><true/>
    \t\t<dict><key>deep</key><integer>1</integer></dict></array>
    </dict>
    </plist>
    """

  struct Row: CustomTestStringConvertible, Sendable {
    let path: PlistKeyPath
    let place: PlistPlace
    var testDescription: String { path.description }
  }

  static let rows: [Row] = [
    .init(path: .root, place: PlistPlace(.line(2, column: 1), scalarColumn: 1)),
    // Two bytes of the line are one character.
    .init(
      path: PlistKeyPath(keys: "é"), place: PlistPlace(.line(3, column: 15), scalarColumn: 14)),
    .init(
      path: PlistKeyPath(keys: "list"), place: PlistPlace(.line(4, column: 18), scalarColumn: 18)),
    .init(
      path: PlistKeyPath(keys: "list").appending(index: 0),
      place: PlistPlace(.line(4, column: 25), scalarColumn: 25)),
    .init(
      path: PlistKeyPath(keys: "list", "1", "deep"),
      place: PlistPlace(.line(5, column: 24), scalarColumn: 24)),
    .init(
      path: PlistKeyPath(keys: "list", "1", "none", "at", "all"),
      place: PlistPlace(.line(5, column: 3), scalarColumn: 3, isExact: false)),
    .init(
      path: PlistKeyPath(keys: "list").appending(index: 2),
      place: PlistPlace(.line(4, column: 18), scalarColumn: 18, isExact: false)),
    .init(
      path: PlistKeyPath(keys: "list", "01"),
      place: PlistPlace(.line(4, column: 18), scalarColumn: 18, isExact: false)),
    .init(
      path: PlistKeyPath(keys: "é", "x"),
      place: PlistPlace(.line(3, column: 15), scalarColumn: 14, isExact: false)),
    .init(
      path: PlistKeyPath(keys: "none"),
      place: PlistPlace(.line(2, column: 1), scalarColumn: 1, isExact: false)),
    // The same letter of two scalars is another key.
    .init(
      path: PlistKeyPath(keys: "e\u{301}"),
      place: PlistPlace(.line(2, column: 1), scalarColumn: 1, isExact: false)),
  ]

  @Test func findsAllAtOnceInAnyOrder() throws {
    let document = try PlistDocument(parsing: Array(Self.xml.utf8))
    for rows in [Self.rows, Self.rows.reversed(), Self.rows + Self.rows] {
      #expect(document.places(of: rows.map(\.path)) == rows.map(\.place))
    }
    #expect(document.places(of: []).isEmpty)
  }

  @Test(arguments: rows) func findsOneByItself(_ row: Row) throws {
    let document = try PlistDocument(parsing: Array(Self.xml.utf8))
    #expect(document.places(of: [row.path]) == [row.place])
    if row.place.isExact { #expect(document.location(of: row.path) == row.place.location) }
  }

  @Test func namesTheObjectOfABinaryFile() throws {
    let value: PlistValue = ["a": "x", "list": [true, ["deep": 1]]]
    let bytes = try PlistDocument(root: value, format: .binary).serialized()
    let document = try PlistDocument(parsing: bytes)
    let paths = [
      PlistKeyPath.root, PlistKeyPath(keys: "list", "1", "deep"), PlistKeyPath(keys: "a", "b"),
    ]
    let places = document.places(of: paths)
    #expect(places.map { $0?.isExact } == [true, true, false])
    #expect(places[0]?.object == 0)
    #expect(places[0]?.location == .offset(8))
    for (path, place) in zip([paths[0], paths[1], PlistKeyPath(keys: "a")], places) {
      #expect(place?.location == document.location(of: path))
    }
    let objects = places.compactMap { $0?.object }
    #expect(Set(objects).count == 3)
    // The table of offsets, at whose end the trailer begins, has each object where it was found.
    let table = Int(bytes[bytes.count - 1])
    for place in places {
      guard case .offset(let offset)? = place?.location, let object = place?.object else {
        continue
      }
      #expect(Int(bytes[table + object]) == offset)
    }
  }

  @Test func findsPlacesInOpenStepText() throws {
    let document = try PlistDocument(parsing: Array("{\n  \"é\" = (a, b);\n}".utf8))
    let paths = [
      PlistKeyPath(keys: "é").appending(index: 1), PlistKeyPath(keys: "é").appending(index: 2),
    ]
    let places = document.places(of: paths)
    #expect(places[0] == PlistPlace(.line(2, column: 14), scalarColumn: 13))
    #expect(places[1]?.isExact == false)
    #expect(places[1]?.location == document.location(of: PlistKeyPath(keys: "é")))
  }

  @Test func aNewDocumentHasNoPlaces() {
    let document = PlistDocument(root: ["a": true], format: .xml)
    #expect(document.places(of: [.root]) == [nil])
  }

  /// Neither many paths nor a key that is long in each of them take a time that grows with their
  /// product.
  @Test(.timeLimit(.minutes(5))) func manyPathsTakeOneWalk() throws {
    let long = String(repeating: "k", count: 1 << 20)
    let entries = (0..<10_000).map { ("key\($0)", PlistValue.boolean(true)) }
    let value: PlistValue = .dictionary(
      PlistDictionary([(long, .dictionary(PlistDictionary(entries)))]))
    for format in [PlistFormat.xml, .binary] {
      let document = try PlistDocument(
        parsing: PlistDocument(root: value, format: format).serialized())
      let base = PlistKeyPath(keys: document.root.dictionary?.keys.first ?? "")
      let places = document.places(of: entries.map { base.appending(key: $0.0) })
      #expect(places.count == entries.count)
      #expect(places.allSatisfy { $0?.isExact == true })
    }
  }
}
