import Foundation
import Testing

/// What a command leaves behind: never a harmed input, never half a result.
@Suite struct OutputTests {
  /// Commands that must fail, with the status, and leave every file as it was.
  static let refusals: [(name: String, command: String, status: Int32)] = [
    ("the record is the input", "inject Harbor.ipa --in-place --record Harbor.ipa", 73),
    (
      "the record is the input by another path",
      "inject Harbor.ipa -o o.ipa --record ./x/../Harbor.ipa", 73
    ),
    ("the record is the output", "inject Harbor.ipa -o o.ipa --record o.ipa", 73),
    ("the record links to the input", "inject Harbor.ipa --in-place --record link.ipa --force", 73),
    ("the record is there", "inject Harbor.ipa -o o.ipa --record mine.txt", 73),
    ("the record is a folder", "inject Harbor.ipa -o o.ipa --record Harbor.app", 73),
    ("the record is a pipe", "inject Harbor.ipa -o o.ipa --force --record pipe", 73),
    ("the record's folder is missing", "inject Harbor.ipa -o o.ipa --record no/r.json", 73),
    ("the output is in the input", "inject Harbor.app -o Harbor.app/o.ipa", 73),
    ("the output is deep in the input", "inject Harbor.app -o Harbor.app/PlugIns/o.app", 73),
    ("the output is there", "inject Harbor.ipa -o mine.txt", 73),
    ("the output is a file, not a folder", "inject Harbor.app -o mine.txt --force", 73),
    ("the output is a folder of another kind", "inject Harbor.app -o x --force", 73),
    ("the output holds the input", "inject w/Harbor.ipa -o w --force", 73),
    ("the output is a project with an Info.plist", "inject Harbor.app -o src --force", 73),
    ("the output is a project that ends in .app", "inject Harbor.ipa -o src --force", 73),
    ("the output is a pipe", "inject Harbor.ipa -o pipe --force", 73),
    ("the output archive is a pipe", "inject plists/plain-xml.plist -o pipe --force", 73),
    ("the output is a link", "inject plists/plain-xml.plist -o link.ipa.plist --force", 73),
    (
      "the record is in the output", "inject Harbor.app -o Old.app --force --record Old.app/r.json",
      73
    ),
    ("another app was asked for", "inject Harbor.app -o o.app --app Other", 65),
    ("an app of a plist was asked for", "inject plists/plain-xml.plist -o o.plist --app X", 65),
    (
      "the input is a framework", "inject Harbor.app/Frameworks/HarborKit.framework -o o.framework",
      65
    ),
    (
      "the input is a framework's plist",
      "inject Harbor.app/Frameworks/HarborKit.framework/Info.plist -o o.plist", 65
    ),
    ("the input is an archive of a framework", "inject Fw.xcarchive --in-place", 65),
    ("the output's folder is missing", "inject Harbor.ipa -o no/o.ipa", 73),
    ("the output's path is empty", "inject Harbor.ipa -o ''", 64),
    ("the input's path is empty", "inject '' -o o.ipa", 64),
    ("a plist does not go into an archive", "inject plists/plain-xml.plist -o o.ipa", 64),
  ]

  @Test(arguments: refusals) func leavesEverythingAsItWas(
    _ row: (name: String, command: String, status: Int32)
  ) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    _ = try workplace.run(
      "echo mine > mine.txt; ln -s Harbor.ipa link.ipa; mkfifo pipe; mkdir x w src; echo 1 > x/y; "
        + "ln -s mine.txt link.ipa.plist; cp Harbor.ipa w/; cp -R Harbor.app Old.app; "
        + "cp plists/plain-xml.plist src/Info.plist; echo code > src/main.swift; "
        + "mkdir -p Fw.xcarchive/Products/Library; cp plists/plain-xml.plist Fw.xcarchive/Info.plist"
    )
    let state =
      "find . ! -type p -exec ls -ldn --time-style=full-iso {} + | sort; cat mine.txt; cksum *.ipa"
    try workplace.expectRefusal(
      of: "ipa-inject \(row.command) --source gh:a/b --destination my-mac.local",
      status: row.status, keeping: state)
  }

  @Test(arguments: [
    "0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-",
  ]) func noFileTakesThePlaceOfAClosedStream(_ closed: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "ipa-inject inject Harbor.ipa -o o.ipa --record r.json --data-dir . --verbose --source gh:a/b "
        + "--destination h.local \(closed)")
    #expect(outcome.status == (closed.contains("1>&-") ? 74 : 0), "\(outcome.output)")
    #expect(try workplace.run("ipa-inject verify --unsigned o.ipa").status == 0)
    for name in ["r.json", "server/config.json"] {
      #expect(throws: Never.self, "\(name)") {
        try JSONSerialization.jsonObject(with: workplace.bytes(name))
      }
    }
  }

  @Test func anInPlaceEditOfALinkEditsWhatItLeadsTo() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "ln -s Harbor.ipa link.ipa && ipa-inject inject link.ipa --in-place --source gh:a/b "
        + "--destination h.local >/dev/null && test -L link.ipa && ipa-inject verify Harbor.ipa")
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test func anAppMayHaveAFolderNamedPayload() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "mkdir Harbor.app/Payload && cp -R Harbor.app/PlugIns/HarborWidget.appex Harbor.app/Payload/X.app && "
        + "ipa-inject inject Harbor.app --in-place --source gh:a/b --destination h.local")
    #expect(outcome.output.hasPrefix("Harbor.app: 3 changes in Info.plist"), "\(outcome.output)")
  }

  /// An app may hold archives of its own, even as its last member.
  @Test func anArchiveAmongTheMembersIsNoSecondArchive() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      python3 -c "import zipfile, io
      inner = io.BytesIO()
      zipfile.ZipFile(inner, 'w').writestr('a', 'b')
      zipfile.ZipFile('Harbor.ipa', 'a').writestr('Payload/Harbor.app/z.zip', inner.getvalue())"
      ipa-inject inject Harbor.ipa --in-place --source gh:a/b --destination h.local > /dev/null
      ipa-inject verify Harbor.ipa
      """)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test func anAppMayHaveAFolderNamedProducts() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "mkdir Harbor.app/Products && ipa-inject inspect Harbor.app --json")
    #expect(outcome.output.contains("\"kind\" : \"app\""), "\(outcome.output)")
  }

  @Test func aPayloadFolderMayHaveAnInfoPlistBesideIt() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "mkdir -p u/Payload && cp -R Harbor.app u/Payload/ && cp plists/plain-xml.plist u/Info.plist && "
        + "ipa-inject inspect u --json")
    #expect(outcome.output.contains("Payload/Harbor.app"), "\(outcome.output)")
  }

  /// What a first run made, a second one may replace, however it is called.
  @Test(arguments: ["Harbor.app", "Harbor.xcarchive", "Harbor.ipa"])
  func anOutputFolderIsReplacedAgain(_ input: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let command = "ipa-inject inject \(input) -o out --force --source gh:a/b --destination h.local"
    let outcome = try workplace.run("\(command) > /dev/null && \(command)")
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
  func aRecordGoesWithAnOutputThatCannotBeMade() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    // The record gets its name first; the second name, the output's, cannot be given.
    let outcome = try workplace.run(
      """
      strace -f -o /dev/null -e trace=linkat -e inject=linkat:error=EIO:when=2 \
        ipa-inject inject Harbor.ipa -o o.ipa --record r.json --source gh:a/b --destination h.local \
        2> /dev/null; echo $?; ls o.ipa r.json 2> /dev/null
      """)
    #expect(outcome.output == "74\n", "\(outcome.output)")
  }

  @Test func anArgumentThatIsNoUTF8IsRefused() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run("ipa-inject inspect \"$(printf 'caf\\351.ipa')\"")
    #expect(outcome.status == 64)
    #expect(outcome.output.contains("argument 2 is no UTF-8"))
  }

  @Test func twoRunsDoNotLoseEachOthersEdit() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      python3 -c "import fcntl, subprocess, sys
      file = open('Harbor.ipa', 'rb')
      fcntl.flock(file, fcntl.LOCK_EX)
      sys.exit(subprocess.call(['ipa-inject', 'inject', 'Harbor.ipa', '--in-place', '--source', 'gh:a/b',
                                '--destination', 'h.local']))"
      """)
    #expect(outcome.status == 74)
    #expect(outcome.output.contains("another run is editing it"))
  }

  @Test func aReplacedFolderIsWhole() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "cp -R Harbor.app Old.app; touch Old.app/stale; chmod 555 Old.app Old.app/PlugIns; "
        + "ipa-inject inject Harbor.app -o Old.app --force --source gh:a/b --destination h.local "
        + "> /dev/null; echo $?; ls -A | grep -c ipa-inject; ls Old.app/stale 2>/dev/null; "
        + "ipa-inject verify Old.app > /dev/null && echo fine")
    #expect(outcome.output == "0\n0\nfine\n", "\(outcome.output)")
  }

  /// What unpacking does to modes by its own rules is no difference.
  @Test func anArchiveEqualsItsOwnUnpacking() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      python3 -c "import zipfile
      with zipfile.ZipFile('Harbor.ipa', 'a') as archive:
        for name, mode in [('set', 0o104755), ('none', 0), ('read/', 0o040555)]:
          item = zipfile.ZipInfo('Payload/Harbor.app/' + name)
          item.external_attr = mode << 16
          archive.writestr(item, b'')"
      ipa-inject inject Harbor.ipa -o Out --source gh:a/b --destination h.local > /dev/null
      ipa-inject verify Out --before Harbor.ipa
      """)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test func aDryRunWritesNothing() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let state = "find . -exec ls -ldn --time-style=full-iso {} + | sort"
    let before = try workplace.run(state).output
    let outcome = try workplace.run(
      "ipa-inject inject Harbor.ipa -o o.ipa --dry-run --source gh:a/b --destination h.local")
    #expect(outcome.status == 0)
    #expect(try workplace.run(state).output == before)
  }

  @Test func aRecordIsForItsOwnerAlone() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "umask 0; ipa-inject inject Harbor.ipa -o o.ipa --record r.json --source gh:a/b "
        + "--destination h.local >/dev/null; ls -l r.json | cut -c1-10; "
        + "grep -o '[0-9a-f]\\{64\\}' r.json; sha256sum o.ipa | cut -d' ' -f1")
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == 3, "\(outcome.output)")
    #expect(lines[0] == "-rw-------")
    #expect(lines[1] == lines[2])
  }

  @Test func aReaderMayGoAway() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "(ipa-inject inspect Harbor.app --json; echo $? > status) | head -c 1; cat status")
    #expect(outcome.output == "{0\n")
  }

  @Test func aFullOutputIsAnError() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run("ipa-inject inspect Harbor.ipa > /dev/full")
    #expect(outcome.status == 74)
    #expect(outcome.output.contains("standard output"))
  }

  @Test func inputsOfOptionsMayBePipes() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "(sleep 0.2; cat interfaces.json) | ipa-inject discover --interfaces-from /dev/stdin --host-name none"
    )
    #expect(outcome.output.contains("http://192.168.1.10:19464"))
  }

  @Test func capturedFilesGiveTheSameDestinations() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      ipa-inject discover --quiet --capture . --interfaces-from interfaces.json \
      --tailscale-from tailscale.json --host-name m > a 2>&1
      ipa-inject discover --interfaces-from interfaces.json --tailscale-from tailscale.json \
      --host-name m > b 2>&1
      cmp a b && wc -l < a
      """)
    #expect(outcome.output.contains("7"))
  }

  /// What the other form cannot hold is refused, not rounded in silence.
  @Test(arguments: [
    ("a fraction of a second", "datetime.datetime(2020, 1, 2, 3, 4, 5, 250000)"),
    ("half a surrogate pair", "'HALF'"),
    ("a dictionary like a UID", "{'CF\\$UID': 5}"),
  ])
  func anotherFormKeepsEveryValue(name: String, value: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      """
      python3 -c "import plistlib, datetime
      open('b.plist', 'wb').write(plistlib.dumps({'K': \(value)}, fmt=plistlib.FMT_BINARY)
        .replace(b'THALF', bytes([0x62, 0xD8, 0, 0, 0x41])))"
      ipa-inject inject b.plist -o x.plist --plist-format xml --source gh:a/b --destination h.local
      """)
    #expect(outcome.status == 65)
    #expect(outcome.output.contains("/K: the xml form cannot hold this"), "\(outcome.output)")
  }

  /// An app's text must not become a command of the CI system that reads the annotations.
  @Test(arguments: ["&#13;&#10;", "&#10;", "&#13;", "&#x2028;", "&#x85;"])
  func annotationsAreOneLineEach(_ lineEnd: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let key = "x\(lineEnd)::error::injected"
    try Data(
      "<plist><dict><key>NSAppTransportSecurity</key><dict><key>\(key)</key><true/></dict></dict></plist>"
        .utf8
    ).write(to: workplace.folder.appending(path: "evil.plist"))
    let outcome = try workplace.run("ipa-inject verify evil.plist --format github")
    let lines = outcome.output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 2)
    #expect(!lines.contains { $0.hasPrefix("::error::") })
  }

  /// A property list by itself is one however it starts.
  @Test(arguments: [
    "", "<?xml version='1.0'?>", "<!-- licence -->", "<?xml version='1.0'?><!-- licence -->", " \n",
  ])
  func aBareDictionaryIsAPropertyList(_ head: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    for padding in [0, 5000] {
      let start = head.replacing("licence", with: String(repeating: "x", count: 7 + padding))
      try Data("\(start)<dict><key>CFBundleName</key><string>Bare</string></dict>".utf8)
        .write(to: workplace.folder.appending(path: "bare"))
      let outcome = try workplace.run("ipa-inject inspect bare")
      #expect(outcome.output.hasPrefix("Bare\n"), "\(outcome.output)")
    }
  }

  static let helpLookalikes = ["--filter -h", "--purpose --help", "--team=--help"]

  @Test(arguments: helpLookalikes) func aValueIsNoFlag(_ options: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "ipa-inject inject Harbor.ipa -o o.ipa --source gh:a/b --destination h.local \(options)")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("o.ipa: 3 changes"))
  }

  @Test func versionNamesTheLibraries() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run("ipa-inject --version")
    #expect(
      outcome.output.wholeMatch(
        of: /ipa-inject \d+\.\d+\.\d+\nlibxml2 \d+\.\d+\.\d+, libzip [\d.]+, OpenSSL [\d.]+\n/)
        != nil,
      "\(outcome.output)")
  }
}
