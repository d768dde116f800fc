/// Why a SOCKS proxy opens no connection.
package enum SOCKSFault: Error, Sendable, Hashable {
    /// The first byte is not SOCKS 5's.
    case badVersion
    /// The proxy wants a way to authenticate that was not offered; with credentials it would have had the other choice.
    case noAcceptableMethod(offeredPassword: Bool)
    /// User name and password were refused (RFC 1929 2).
    case badCredentials
    /// The proxy could not connect: the reply's code (RFC 1928 6).
    case refused(UInt8)
    /// A reply that RFC 1928 does not know.
    case malformed
}

extension SOCKSFault: CustomStringConvertible {
    /// A sentence for people, without a byte of the peer's and without credentials.
    package var description: String {
        switch self {
        case .badVersion: "the proxy does not speak SOCKS 5"
        case .noAcceptableMethod(offeredPassword: false): "the SOCKS proxy asks for credentials"
        case .noAcceptableMethod: "the SOCKS proxy accepts neither password nor anonymous access"
        case .badCredentials: "the SOCKS proxy refused the user name or password"
        case .refused(let code): "the SOCKS proxy could not connect: \(Self.reason(code))"
        case .malformed: "the SOCKS proxy's reply is malformed"
        }
    }

    private static func reason(_ code: UInt8) -> String {
        switch code {
        case 1: "general failure"
        case 2: "forbidden by its rules"
        case 3: "the network is unreachable"
        case 4: "the host is unreachable"
        case 5: "the connection was refused"
        case 6: "the time to live expired"
        case 7: "it does not know the command"
        case 8: "it does not know this type of address"
        default: "code \(code)"
        }
    }
}
