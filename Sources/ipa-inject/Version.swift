internal import CLibCrypto
internal import CLibXML2
internal import CLibZip

/// The version of the tool and of the libraries it runs with.
enum Version {
  static let number = "0.1.0"

  static var report: String {
    let zip = zip_libzip_version().map { String(cString: $0) } ?? "unknown"
    let openSSL = OpenSSL_version(OPENSSL_VERSION_STRING).map { String(cString: $0) } ?? "unknown"
    return """
      ipa-inject \(number)
      libxml2 \(libXML2), libzip \(zip), OpenSSL \(openSSL)

      """
  }

  /// libxml2 says 20914 for 2.9.14, with a suffix in some builds.
  private static var libXML2: String {
    guard let text = libxml2_version_in_use().map({ String(cString: $0) }),
      let number = Int(text.prefix { $0.isNumber })
    else { return LIBXML_DOTTED_VERSION }
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
