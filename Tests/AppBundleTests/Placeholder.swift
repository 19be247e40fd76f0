import Testing

@testable import AppBundle
