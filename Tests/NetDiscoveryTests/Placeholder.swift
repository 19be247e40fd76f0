import Testing

@testable import NetDiscovery
