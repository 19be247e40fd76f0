import Testing

@testable import PlistKit
