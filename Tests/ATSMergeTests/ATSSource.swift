/// Where a row of the decision table comes from: Apple's page of that name, and its sentence.
enum ATSSource: String, Sendable, CaseIterable {
  case https = "NSAppTransportSecurity: ATS requires that all HTTP connections … use HTTPS"
  case versions9 = """
    NSAppTransportSecurity, Versioning, iOS 9.0 or macOS 10.11: uses the NSAllowsArbitraryLoads \
    value that you set, or NO by default, and ignores the other global exceptions
    """
  case versions10 = """
    NSAppTransportSecurity, Versioning, iOS 10.0 or later: ignores the NSAllowsArbitraryLoads \
    value that you set and instead obeys the other key or keys
    """
  case oldSDK = """
    Preventing Insecure Network Connections: If you link your app against an SDK older than \
    iOS 9.0 or macOS 10.11, ATS is disabled no matter which version of the operating system
    """
  case linked17 = """
    Release notes of iOS 17, 101967030: For apps linked on or after iOS 17 and aligned OS versions, \
    ATS now requires secure connections to external IP addresses by default
    """
  case exceptions17 = """
    Release notes of iOS 17, 101967030: Exceptions can be made using NSExceptionDomains, which now \
    supports exceptions for individual IP addresses and ranges
    """
  case local9 = """
    NSAllowsLocalNetworking: In iOS 9 and macOS 10.11, ATS disallows connections to all three \
    domain types
    """
  case local9Exceptions = """
    NSAllowsLocalNetworking, iOS 9: You can add exceptions for unqualified domains and .local \
    domains in NSExceptionDomains, but you can't add IP addresses
    """
  case local9Addresses = """
    NSAllowsLocalNetworking, iOS 9: Instead you use NSAllowsArbitraryLoads when you want to load \
    directly from an IP address
    """
  case local10 = """
    NSAllowsLocalNetworking: In iOS 10 through iOS 16 … and macOS 10.12 through macOS 13, ATS \
    allows all three of these connections by default
    """
  case local17 = """
    NSAllowsLocalNetworking: In iOS 17, iPadOS 17, and macOS 14, ATS no longer allows connections \
    to IP addresses by default
    """
  case local17Names = """
    NSAllowsLocalNetworking, note: ATS doesn't block local loads by default in newer versions
    """
  case localScope = """
    NSAllowsLocalNetworking: controls whether ATS allows your app to connect to unqualified \
    domains, .local domains, and IP addresses using IPv4 or IPv6
    """
  case localMeasured = """
    Measured: zotero-ios #1092, agent-orchestrator #3852 and #5488, MantaUI #1452: the key lets \
    private and link-local addresses through, 100.64.0.0/10 not
    """
  case localNotPublic = """
    Not documented: the page says "IP addresses", users measured private ones; others are taken \
    as refused
    """
  case localIgnoresAny = """
    NSAllowsLocalNetworking: tells newer versions of the OS to ignore the arbitrary loads key
    """
  case domains = """
    NSExceptionDomains: The values for the keys in each individual domain's dictionary control how \
    ATS treats connections made to that domain
    """
  case domainsEmpty = """
    NSExceptionDomains, note: ATS ignores any global configuration keys … for that domain … even \
    if you leave the domain-specific dictionary empty
    """
  case domainsLowerCase = "NSExceptionDomains: Use lowercase"
  case domainsAddresses = """
    NSExceptionDomains: In iOS 17, iPadOS 17, and macOS 14, you can use an IPv4 address … or an \
    IPv6 address … You can also use a CIDR range
    """
  case wholeRange = """
    Not documented: an app's notes (Orbit, after developer forums 731217) say that the system takes \
    /0 for no range, and measured that two of /1 work
    """
  case domainsNames = """
    NSExceptionDomains, note: If you exclude a DNS domain name and your app contacts a host by IP \
    address, the ATS exclusion … doesn't apply (and the reverse)
    """
  case domainsPort = "NSExceptionDomains: Don't include a port number"
  case domainsDot = """
    NSExceptionDomains: example.com. (with a trailing dot) matches "example.com." but not \
    "example.com"
    """
  case domainsWildcard = "NSExceptionDomains: Don't use wildcard domains"
  case domainsForm = """
    NSExceptionDomains: Use a DNS domain name, IP address, or range of IP addresses: what is none \
    matches no host
    """
  case subdomains = """
    NSIncludesSubdomains: apply the configuration for the given domain to all subdomains of the \
    domain that have one additional path component
    """
  case subdomainsOff = """
    NSIncludesSubdomains: If the value is NO the configuration applies only to example.com; the \
    default is NO
    """
  case subdomainsDeep = """
    Not as the page of NSIncludesSubdomains says (one more label only): apps reach \
    machine.tailnet.ts.net through ts.net, agent-orchestrator #5488, MantaUI #1452
    """
  case subdomainsAddresses = """
    NSIncludesSubdomains: for an IP address or a range of addresses, the key has no effect
    """
  case precedence = "Not documented: the more specific key is taken to win"
  case insecureLoads = """
    NSExceptionAllowsInsecureHTTPLoads: YES to allow insecure HTTP loads for the given domain; \
    optional, default NO
    """
  case insecureLoadsOnly = """
    NSExceptionAllowsInsecureHTTPLoads: Using only this key also doesn't change the TLS or forward \
    secrecy requirements
    """
  case any = """
    NSAllowsArbitraryLoads: YES to disable ATS restrictions for all domains not specified in the \
    NSExceptionDomains dictionary
    """
  case anyDomains = """
    NSAllowsArbitraryLoads: Domains you specify in that dictionary aren't affected by this key
    """
  case anyIgnored = """
    NSAllowsArbitraryLoads: In iOS 10 and later … ignored … if any of the following keys are \
    present
    """
  case anySecure = """
    NSAllowsArbitraryLoads: HTTPS connections are also allowed … However, extended security checks \
    … are disabled
    """
  case web = """
    NSAllowsArbitraryLoadsInWebContent: exempt your app's web views from ATS restrictions without \
    affecting your URLSession connections
    """
  case webDomains = """
    NSAllowsArbitraryLoadsInWebContent: Domains you specify in the NSExceptionDomains dictionary \
    aren't affected by this key's value
    """
  case media = """
    NSAllowsArbitraryLoadsForMedia: disable ATS restrictions for media loaded using the AV \
    Foundation framework, without affecting your URLSession connections
    """
  case mediaDomains = """
    NSAllowsArbitraryLoadsForMedia: Domains you specify in the NSExceptionDomains dictionary \
    aren't affected by this key's value
    """
  case minimum = """
    Preventing Insecure Network Connections: must use TLS protocol version 1.2 or later … must \
    support perfect forward secrecy
    """
  case tls = """
    NSExceptionMinimumTLSVersion: TLSv1.0 to TLSv1.3: require that minimum; default TLSv1.2
    """
  case forwardSecrecy = """
    NSExceptionRequiresForwardSecrecy: NO to override the requirement that a server support \
    perfect forward secrecy for the given domain; default YES
    """
  case transparency = """
    NSRequiresCertificateTransparency: Earlier versions of the system used this key to enable or \
    disable CT for a given domain; default NO
    """
  case pins = """
    NSPinnedDomains: a dictionary with keys that specify the domain names for which you want to \
    set the expected certificates
    """
  case pinsSubdomains = """
    NSPinnedDomains: extend the pinning to cover subdomains by setting NSIncludesSubdomains to YES
    """
  case pinsAlone = """
    NSPinnedDomains: Pinning a certificate for a given domain has no impact on other security \
    requirements or configuration
    """
  case pinsSince = "NSPinnedDomains: Availability: iOS 14.0+, macOS 11.0+"
  case pinsEmpty = """
    NSPinnedDomains: For any domain that you specify, you must include one or more … certificates; \
    what none holds, nothing can be pinned to
    """
  case older = """
    Information Property List Key Reference of 2015: the NSThirdPartyException… keys, for domains \
    you do not control; NSTemporaryException… from the betas of iOS 9
    """
  case olderAndNewer = "Not documented: the newer name is taken to win over the older one"
  case types = """
    Each key's page gives its type: Boolean, String, Dictionary. What the system makes of another \
    one is not documented: it is taken as not set
    """
}
