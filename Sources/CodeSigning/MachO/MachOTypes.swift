/// A load command as it stands, whatever it is.
public struct MachOLoadCommand: Sendable, Equatable {
  /// `cmd`, an `LC_…` number, with its `LC_REQ_DYLD` bit.
  public let number: UInt32
  /// Its first byte from the slice's start.
  public let offset: Int
  /// `cmdsize`, its bytes with the 8 of its head.
  public let size: Int
}

/// The `LC_…` numbers of `<mach-o/loader.h>` that are read.
enum MachOCommandNumber {
  static let segment: UInt32 = 0x1
  static let loadDylib: UInt32 = 0xC
  static let idDylib: UInt32 = 0xD
  static let loadWeakDylib: UInt32 = 0x8000_0018
  static let segment64: UInt32 = 0x19
  static let uuid: UInt32 = 0x1B
  static let runPath: UInt32 = 0x8000_001C
  static let codeSignature: UInt32 = 0x1D
  static let reexportDylib: UInt32 = 0x8000_001F
  static let lazyLoadDylib: UInt32 = 0x20
  static let encryptionInfo: UInt32 = 0x21
  static let loadUpwardDylib: UInt32 = 0x8000_0023
  static let versionMinMacOS: UInt32 = 0x24
  static let versionMinIOS: UInt32 = 0x25
  static let encryptionInfo64: UInt32 = 0x2C
  static let versionMinTVOS: UInt32 = 0x2F
  static let versionMinWatchOS: UInt32 = 0x30
  static let buildVersion: UInt32 = 0x32
}

/// `filetype` of a Mach-O header.
public struct MachOFileType: RawRepresentable, Sendable, Hashable {
  /// An `MH_…` number.
  public let rawValue: UInt32

  /// A type of this number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `MH_OBJECT`
  public static let object = MachOFileType(rawValue: 1)
  /// `MH_EXECUTE`
  public static let executable = MachOFileType(rawValue: 2)
  /// `MH_CORE`
  public static let core = MachOFileType(rawValue: 4)
  /// `MH_DYLIB`
  public static let dynamicLibrary = MachOFileType(rawValue: 6)
  /// `MH_BUNDLE`
  public static let bundle = MachOFileType(rawValue: 8)
  /// `MH_DYLIB_STUB`
  public static let dynamicLibraryStub = MachOFileType(rawValue: 9)
  /// `MH_DSYM`
  public static let debugSymbols = MachOFileType(rawValue: 10)
}

/// A part of the address space that a slice fills: `segment_command` or `segment_command_64`.
public struct MachOSegment: Sendable, Equatable {
  /// `segname`: `__TEXT`, `__LINKEDIT`.
  public let name: String
  /// Its command's index among ``MachOSlice/loadCommands``.
  public let command: Int
  /// `vmaddr`.
  public let address: UInt64
  /// `vmsize`.
  public let addressSize: UInt64
  /// `fileoff`, from the slice's start.
  public let fileOffset: UInt64
  /// `filesize`.
  public let fileSize: UInt64
  /// `maxprot`.
  public let maximumProtection: UInt32
  /// `initprot`.
  public let initialProtection: UInt32
  /// Its sections in their order.
  public let sections: [MachOSection]
}

/// A part of a segment: `section` or `section_64`.
public struct MachOSection: Sendable, Equatable {
  /// `sectname`: `__text`, `__info_plist`.
  public let name: String
  /// `segname`.
  public let segmentName: String
  /// `addr`.
  public let address: UInt64
  /// `size`.
  public let size: UInt64
  /// `offset`, from the slice's start.
  public let fileOffset: UInt64
  /// `flags`; the lowest byte is the type.
  public let flags: UInt32

  /// Whether it has bytes in the file: it is not empty, nor of the types `S_ZEROFILL`, `S_GB_ZEROFILL`
  /// and `S_THREAD_LOCAL_ZEROFILL`.
  public var hasBytes: Bool { size > 0 && ![0x1, 0xC, 0x12].contains(flags & 0xFF) }
}

/// Where a slice's code signature lies: LC_CODE_SIGNATURE.
public struct MachOSignaturePlace: Sendable, Equatable {
  /// Its command's index among ``MachOSlice/loadCommands``.
  public let command: Int
  /// `dataoff` and the end it gives with `datasize`, from the slice's start.
  public let range: Range<UInt64>
}

/// What is encrypted: LC_ENCRYPTION_INFO and LC_ENCRYPTION_INFO_64.
public struct MachOEncryption: Sendable, Equatable {
  /// Its command's index among ``MachOSlice/loadCommands``.
  public let command: Int
  /// `cryptoff` and the end it gives with `cryptsize`, from the slice's start.
  public let range: Range<UInt64>
  /// `cryptid`, 0 where nothing is encrypted yet.
  public let cryptID: UInt32

  /// Whether the bytes are encrypted.
  public var isEncrypted: Bool { cryptID != 0 }
}

/// A library that a slice loads: LC_LOAD_DYLIB and its kin.
public struct MachOLibrary: Sendable, Equatable {
  /// The install name: `@rpath/A.framework/A`.
  public let name: String
  /// Whether the system goes on without it (LC_LOAD_WEAK_DYLIB).
  public let isWeak: Bool
}

/// A version of a system, `xxxx.yy.zz` in 32 bits.
public struct MachOVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The bits.
  public let rawValue: UInt32

  /// A version of these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `15.0`, `15.0.1`.
  public var description: String {
    let patch = rawValue & 0xFF
    return "\(rawValue >> 16).\(rawValue >> 8 & 0xFF)" + (patch == 0 ? "" : ".\(patch)")
  }

  /// Orders by age.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// For which system a slice was built: LC_BUILD_VERSION, or the older LC_VERSION_MIN_….
public struct MachOBuild: Sendable, Equatable {
  /// The system.
  public let platform: MachOPlatform
  /// The oldest version that it runs on.
  public let minimumVersion: MachOVersion
  /// The version of the SDK.
  public let sdk: MachOVersion
}

/// A system: a `PLATFORM_…` number of `<mach-o/loader.h>`.
public struct MachOPlatform: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The number.
  public let rawValue: UInt32

  /// A system of this number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `PLATFORM_MACOS`
  public static let macOS = MachOPlatform(rawValue: 1)
  /// `PLATFORM_IOS`
  public static let iOS = MachOPlatform(rawValue: 2)
  /// `PLATFORM_TVOS`
  public static let tvOS = MachOPlatform(rawValue: 3)
  /// `PLATFORM_WATCHOS`
  public static let watchOS = MachOPlatform(rawValue: 4)
  /// `PLATFORM_BRIDGEOS`
  public static let bridgeOS = MachOPlatform(rawValue: 5)
  /// `PLATFORM_MACCATALYST`
  public static let macCatalyst = MachOPlatform(rawValue: 6)
  /// `PLATFORM_IOSSIMULATOR`
  public static let iOSSimulator = MachOPlatform(rawValue: 7)
  /// `PLATFORM_TVOSSIMULATOR`
  public static let tvOSSimulator = MachOPlatform(rawValue: 8)
  /// `PLATFORM_WATCHOSSIMULATOR`
  public static let watchOSSimulator = MachOPlatform(rawValue: 9)
  /// `PLATFORM_DRIVERKIT`
  public static let driverKit = MachOPlatform(rawValue: 10)
  /// `PLATFORM_VISIONOS`
  public static let visionOS = MachOPlatform(rawValue: 11)
  /// `PLATFORM_VISIONOSSIMULATOR`
  public static let visionOSSimulator = MachOPlatform(rawValue: 12)

  /// The system's name, or its number where it has none here.
  public var description: String {
    switch self {
    case .macOS: "macOS"
    case .iOS: "iOS"
    case .tvOS: "tvOS"
    case .watchOS: "watchOS"
    case .bridgeOS: "bridgeOS"
    case .macCatalyst: "Mac Catalyst"
    case .iOSSimulator: "iOS Simulator"
    case .tvOSSimulator: "tvOS Simulator"
    case .watchOSSimulator: "watchOS Simulator"
    case .driverKit: "DriverKit"
    case .visionOS: "visionOS"
    case .visionOSSimulator: "visionOS Simulator"
    default: "platform \(rawValue)"
    }
  }
}

/// Names of processors.
enum MachOArchitecture {
  /// `CPU_TYPE_I386`, and `CPU_TYPE_X86_64` with the bit of 64-bit ones.
  static func isIntel(_ cpuType: UInt32) -> Bool { cpuType & 0xFF_FFFF == 7 }

  static func name(cpuType: UInt32, cpuSubtype: UInt32) -> String {
    // The highest byte holds capabilities (CPU_SUBTYPE_MASK).
    switch (cpuType, cpuSubtype & 0xFF_FFFF) {
    case (7, _): "i386"
    case (0x0100_0007, 8): "x86_64h"
    case (0x0100_0007, _): "x86_64"
    case (12, 6): "armv6"
    case (12, 9): "armv7"
    case (12, 11): "armv7s"
    case (12, 12): "armv7k"
    case (12, _): "arm"
    case (0x0100_000C, 2): "arm64e"
    case (0x0100_000C, _): "arm64"
    case (0x0200_000C, _): "arm64_32"
    case (18, _): "ppc"
    case (0x0100_0012, _): "ppc64"
    default: "cputype \(cpuType) subtype \(cpuSubtype & 0xFF_FFFF)"
    }
  }
}
