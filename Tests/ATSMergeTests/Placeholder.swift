import Testing

@testable import ATSMerge
