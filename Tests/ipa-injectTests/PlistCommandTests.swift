import Foundation
import Testing

/// What the commands on property lists write: read back by Python, and to the byte.
@Suite struct PlistCommandTests {
  /// An edit of XML that is taken back gives the very bytes.
  @Test(arguments: [
    "plists/odd-layout.plist", "plists/plain-xml.plist", "plists/every-type-xml.plist",
    "Harbor.app/Info.plist",
  ])
  func anEditThatIsTakenBackLeavesTheBytes(_ file: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      cp \(file) before; set -e
      ipa-inject plist set \(file) /ZZNew --json '{"a":[1,2.5,"x"]}' --in-place
      ! cmp -s \(file) before
      ipa-inject plist remove \(file) /ZZNew --in-place
      cmp \(file) before
      old=$(ipa-inject plist get \(file) /CFBundleVersion)
      ipa-inject plist set \(file) /CFBundleVersion --string 'a <&> b' --in-place
      ipa-inject plist set \(file) /CFBundleVersion --string "$old" --in-place
      ipa-inject plist set \(file) /CFBundleVersion --string "$old" --in-place
      cmp \(file) before
      """)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.hasSuffix(": nothing to do\n"))
  }

  static let values: [(option: String, python: String)] = [
    ("--string ' a\"<&>é '", "' a\\\"<&>é '"), ("--string ''", "''"), ("--integer -9", "-9"),
    ("--integer 18446744073709551615", "2**64-1"), ("--integer -0x8000000000000000", "-2**63"),
    ("--real 0.1", "0.1"), ("--real 1", "1.0"), ("--bool no", "False"), ("--bool TRUE", "True"),
    ("--date 2024-02-29T23:59:59Z", "datetime.datetime(2024, 2, 29, 23, 59, 59)"),
    ("--data AP8=", "bytes([0, 255])"), ("--data ''", "b''"),
    ("--json '{\"b\": [1, 1.0, true], \"a\": {}}'", "{'b': [1, 1.0, True], 'a': {}}"),
  ]

  @Test(arguments: values, ["xml", "binary"])
  func pythonReadsWhatIsSet(_ row: (option: String, python: String), _ form: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      ipa-inject plist set plists/plain-\(form).plist /New \(row.option) -o new.plist > /dev/null
      python3 -c "import plistlib, datetime
      old = plistlib.load(open('plists/plain-\(form).plist', 'rb'))
      old['New'] = \(row.python)
      new = plistlib.load(open('new.plist', 'rb'))
      assert repr(old) == repr(new), repr(new['New'])"
      """)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  /// Only the member that was edited differs, whatever reads the archive.
  @Test func aMemberIsExchangedAlone() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let member = "Payload/Harbor.app/PlugIns/HarborWidget.appex/Info.plist"
    let outcome = try workplace.run(
      """
      ipa-inject plist set Harbor.ipa /New --bool true --member \(member) -o new.ipa > /dev/null
      unzip -tqq new.ipa
      python3 -c "import zipfile, plistlib
      old, new = zipfile.ZipFile('Harbor.ipa'), zipfile.ZipFile('new.ipa')
      assert old.namelist() == new.namelist()
      print([n for n in old.namelist() if old.read(n) != new.read(n)])
      print(plistlib.loads(new.read('\(member)'))['New'])"
      """)
    #expect(outcome.output == "['\(member)']\nTrue\n", "\(outcome.output)")
  }

  /// Every form is made of every other without a loss.
  @Test func formsAreMadeOfOneAnother() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      set -e
      for file in plists/plain-xml.plist plists/plain-binary.plist Pod.ipa HarborTV.ipa; do
        ipa-inject plist convert $file --to json -o a.json --force
        ipa-inject plist convert a.json --to binary -o b.plist --force
        ipa-inject plist convert b.plist --to xml -o c.plist --force
        ipa-inject plist convert c.plist --to json -o d.json --force
        cmp a.json d.json
        ipa-inject plist diff $file c.plist
        python3 -c "import json, plistlib
      a = json.load(open('a.json')); b = plistlib.load(open('b.plist', 'rb'))
      assert repr(a) == repr(b)"
      done
      """)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  /// Standard output gets the bytes as they are.
  @Test func aBinaryDocumentPassesThroughPipes() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      ipa-inject plist set - /A --bool true < plists/every-type-binary.plist | \
        ipa-inject plist remove - /A | ipa-inject plist diff - plists/every-type-binary.plist && echo same
      ipa-inject plist convert plists/plain-xml.plist --to binary -o - > piped
      ipa-inject plist convert plists/plain-xml.plist --to binary -o file.plist --quiet > /dev/null
      cmp piped file.plist && echo same
      ipa-inject plist convert plists/plain-xml.plist --to binary -o - > /dev/full; echo $?
      """)
    #expect(outcome.output.hasPrefix("same\nsame\n"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("74\n"), "\(outcome.output)")
  }

  static let id = "0123456789abcdef0123456789abcdef0123456789abcdef"

  /// A document with an ID in it is not printed by halves.
  @Test(arguments: ["convert s.plist --to json -o -", "set - /A --bool true < s.plist"])
  func aDocumentWithCredentialsIsNotPrinted(_ command: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    try Data("<plist><dict><key>k</key><string>\(Self.id)</string></dict></plist>".utf8)
      .write(to: workplace.folder.appending(path: "s.plist"))
    let refused = try workplace.run("ipa-inject plist \(command)")
    #expect(refused.status == 64)
    #expect(!refused.output.contains("01234"))
    let printed = try workplace.run("ipa-inject plist \(command) --show-secrets")
    #expect(printed.status == 0 && printed.output.contains(Self.id), "\(printed.output)")
    let written = try workplace.run(
      "ipa-inject plist convert s.plist --to binary -o b.plist && grep -c \(Self.id) b.plist")
    #expect(written.output.hasSuffix("\n1\n"), "\(written.output)")
  }

  /// Names that differ only in their Unicode form stay two, in a report too.
  @Test func namesOfTwoUnicodeFormsStayTwo() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      printf '{"\\\\u00e9": 1, "e\\\\u0301": 2}' > n.json
      ipa-inject plist print n.json --json > report.json
      ipa-inject plist convert n.json --to json -o out.json > /dev/null
      python3 -c "import json
      print(json.load(open('report.json'))['value'] == json.load(open('n.json')), \
      list(json.load(open('out.json')).values()))"
      """)
    #expect(outcome.output == "True [1, 2]\n", "\(outcome.output)")
  }

  /// A file of a few hundred bytes that means more values than any memory holds ends soon.
  @Test(arguments: [
    "print l.plist", "print l.plist --format json", "print l.plist --json", "get l.plist /K",
    "convert l.plist --to xml -o x.plist", "convert l.plist --to json -o -",
    "set l.plist /L --bool true -o -",
  ])
  func sharedValuesAreNotWrittenOut(_ command: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      python3 -c "import struct
      objects = [bytes([0xD1, 1, 2]), b'QK'] + [bytes([0xAA]) + bytes([i + 3]) * 10 for i in range(30)] + [b'Qx']
      out, offsets = b'bplist00', []
      for o in objects:
          offsets.append(len(out)); out += o
      trailer = bytes(6) + bytes([2, 1]) + struct.pack('>QQQ', len(objects), 0, len(out))
      open('l.plist', 'wb').write(out + b''.join(struct.pack('>H', o) for o in offsets) + trailer)"
      ipa-inject plist \(command) | head -c 4096; ipa-inject plist lint l.plist
      """)
    #expect(outcome.output.hasSuffix("l.plist: OK (binary)\n"), "\(outcome.output)")
    #expect(outcome.output.contains("too") || outcome.output.contains("more than"))
  }

  static let refusals: [(name: String, command: String, status: Int32)] = [
    ("the output is there", "set p.plist /A --bool true -o mine.txt", 73),
    ("the output is the input", "set p.plist /A --bool true -o p.plist", 73),
    ("the output's folder is missing", "set p.plist /A --bool true -o no/o.plist", 73),
    ("the output is a folder", "convert p.plist --to binary -o x --force", 73),
    ("the output is a pipe", "convert p.plist --to binary -o pipe --force", 73),
    ("the output is in the app", "set Harbor.app /A --bool true -o Harbor.app/x.plist", 73),
    ("the extract is the input", "convert link.plist --to json -o Harbor.plist --force", 73),
    ("the path is missing", "set p.plist /A/B --bool true --in-place", 65),
    ("the value has no form", "set p.plist /A --json null --in-place", 65),
    ("the fraction has no form", "set p.plist /A --date 2026-01-01T00:00:00.5Z --in-place", 65),
    ("the input is no property list", "set mine.txt /A --bool true --in-place", 65),
    ("the conversion would lose dates", "convert e.plist --to json --in-place", 65),
    ("two values", "set p.plist /A --bool true --integer 1 --in-place", 64),
    ("no place for the result", "remove p.plist /CFBundleName", 64),
    ("JSON for an app", "convert Harbor.app --to json --in-place", 64),
  ]

  @Test(arguments: refusals) func leavesEverythingAsItWas(
    _ row: (name: String, command: String, status: Int32)
  ) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    _ = try workplace.run(
      "echo mine > mine.txt; mkfifo pipe; mkdir x; cp plists/plain-xml.plist p.plist; "
        + "cp plists/every-type-xml.plist e.plist; mv Harbor.ipa Harbor.plist; "
        + "ln -s Harbor.plist link.plist")
    let state = "find . ! -type p -exec ls -ldn --time-style=full-iso {} + | sort; cksum *.plist"
    try workplace.expectRefusal(
      of: "ipa-inject plist \(row.command)", status: row.status, keeping: state)
  }
}
