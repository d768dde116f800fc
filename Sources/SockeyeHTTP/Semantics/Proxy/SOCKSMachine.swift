/// A state machine of a SOCKS client, up to the open connection. Without I/O.
///
/// It says of each reply how many bytes are still missing, so that not one byte behind the last reply is read: those are
/// the tunnel's.
package protocol SOCKSMachine: Sendable {
    /// The first message.
    var greeting: [UInt8] { get }
    /// How many bytes to read at most; at least 1 until the connection is open.
    var missing: Int { get }
    /// Goes on with the next bytes, at most ``missing`` of them.
    mutating func receive(_ bytes: some Collection<UInt8>) throws(SOCKSFault) -> SOCKSStep
}

/// What a client does next.
package enum SOCKSStep: Sendable, Hashable {
    /// Send this, then read ``SOCKSMachine/missing`` bytes.
    case send([UInt8])
    /// Read ``SOCKSMachine/missing`` bytes more.
    case read
    case open
}

/// Why a proxy did not connect: the code of its reply.
package enum SOCKSReply: Sendable, Hashable {
    case version4(UInt8)
    /// RFC 1928 section 6.
    case version5(UInt8)

    package var code: UInt8 {
        switch self {
        case .version4(let code), .version5(let code): code
        }
    }

    /// Whether the proxy says that it tried, and that the target could not be reached.
    package var isAboutTarget: Bool {
        if case .version5(3...6) = self { true } else { false }
    }
}

extension SOCKSReply: CustomStringConvertible {
    /// For example `the host is unreachable`.
    package var description: String {
        switch self {
        case .version4(91): "rejected or failed"
        case .version4(92): "it cannot ask this machine's identd about the user"
        case .version4(93): "this machine's identd names another user"
        case .version5(1): "general failure"
        case .version5(2): "forbidden by its rules"
        case .version5(3): "the network is unreachable"
        case .version5(4): "the host is unreachable"
        case .version5(5): "the connection was refused"
        case .version5(6): "the time to live expired"
        case .version5(7): "it does not know the command"
        case .version5(8): "it does not know this type of address"
        case .version4(let code), .version5(let code): "code \(code)"
        }
    }
}

/// Why a SOCKS proxy opens no connection.
package enum SOCKSFault: Error, Sendable, Hashable {
    /// The first byte is not the protocol's.
    case badVersion
    /// The proxy wants a way to authenticate that was not offered; with credentials it would have had the other choice.
    case noAcceptableMethod(offeredPassword: Bool)
    /// User name and password were refused (RFC 1929 2).
    case badCredentials
    /// The proxy could not connect, or would not.
    case refused(SOCKSReply)
    /// SOCKS 4 has no IPv6 addresses.
    case noIPv6
    /// A reply that the protocol does not know.
    case malformed
}

extension SOCKSFault {
    /// Whether the proxy answered as its protocol says, and said no.
    package var isRefusal: Bool {
        switch self {
        case .noAcceptableMethod, .badCredentials, .refused: true
        case .badVersion, .noIPv6, .malformed: false
        }
    }
}

extension SOCKSFault: CustomStringConvertible {
    /// A sentence for people, without a byte of the peer's and without credentials.
    package var description: String {
        switch self {
        case .badVersion: "the proxy does not speak this version of SOCKS"
        case .noAcceptableMethod(offeredPassword: false): "the SOCKS proxy asks for credentials"
        case .noAcceptableMethod: "the SOCKS proxy accepts neither password nor anonymous access"
        case .badCredentials: "the SOCKS proxy refused the user name or password"
        case .refused(let reply): "the SOCKS proxy could not connect: \(reply)"
        case .noIPv6: "SOCKS 4 cannot reach an IPv6 address"
        case .malformed: "the SOCKS proxy's reply is malformed"
        }
    }
}
