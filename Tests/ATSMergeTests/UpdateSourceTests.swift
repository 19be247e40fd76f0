import Testing

@testable import ATSMerge

@Suite struct UpdateSourceTests {
  static let rows: [Row<String, Bool?>] = [
    Row("repository", "gh:owner/repo.name-1", true),
    Row("URL", "https://example.com/a.ipa", false),
    Row("URL with user", "https://user@example.com/a.ipa", false),
    Row("path", "/srv/apps/a.ipa", false),
    Row("relative path", "build/a.ipa", false),
    Row("empty", "", nil),
    Row("no owner", "gh:/repo", nil),
    Row("no repository", "gh:owner", nil),
    Row("three parts", "gh:a/b/c", nil),
    Row("dots", "gh:../repo", nil),
    Row("blank in repository", "gh:a/b c", nil),
    Row("another scheme", "ftp://example.com/a", nil),
    Row("no host", "https:///a.ipa", nil),
    Row("control character", "a\u{0}b", nil),
  ]

  @Test(arguments: rows) func isReadOrRefused(_ row: Row<String, Bool?>) {
    #expect((try? UpdateSource(parsing: row.input))?.hasChannels == row.expected)
  }

  @Test(arguments: [
    ("latest", "latest"), ("pre-release", "pre-release"), ("v1.2.0-beta", "latest"),
  ])
  func aTagFollowsLatest(request: String, channel: String) {
    #expect(ReleaseChannel(request: request).rawValue == channel)
  }
}
