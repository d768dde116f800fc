/// The state machine of a SOCKS client until the connection is open. Without I/O.
///
/// Bytes after the last reply belong to the tunnel. The machine therefore tells how many bytes of a reply are missing,
/// and the client reads no more than that.
package protocol SOCKSMachine: Sendable {
    /// The first message.
    var greeting: [UInt8] { get }
    /// The maximum number of bytes to read; at least 1 until the connection is open.
    var missingByteCount: Int { get }
    /// Handles the next bytes, at most ``missingByteCount`` of them, and returns the next step.
    mutating func receive(_ bytes: some Collection<UInt8>) throws(SOCKSFault) -> SOCKSStep
}

/// The next step of a client.
package enum SOCKSStep: Sendable, Hashable {
    /// Send these bytes, then read ``SOCKSMachine/missingByteCount`` bytes.
    case send([UInt8])
    /// Read ``SOCKSMachine/missingByteCount`` more bytes.
    case read
    /// The connection is open.
    case open
}

/// A proxy's reason for not connecting: the code of its reply.
package enum SOCKSReply: Sendable, Hashable {
    /// The code of a SOCKS 4 reply, for example 91.
    case version4(UInt8)
    /// The code of a SOCKS 5 reply (RFC 1928 section 6).
    case version5(UInt8)

    package var code: UInt8 {
        switch self {
        case .version4(let code), .version5(let code): code
        }
    }

    /// True if the proxy tried to connect but could not reach the target.
    package var isAboutTarget: Bool {
        if case .version5(3...6) = self { true } else { false }
    }
}

extension SOCKSReply: CustomStringConvertible {
    /// The reason as text, for example `the host is unreachable`.
    package var description: String {
        switch self {
        case .version4(91): "rejected or failed"
        case .version4(92): "the proxy cannot ask this machine's identd about the user"
        case .version4(93): "this machine's identd names another user"
        case .version5(1): "general failure"
        case .version5(2): "forbidden by the proxy's rules"
        case .version5(3): "the network is unreachable"
        case .version5(4): "the host is unreachable"
        case .version5(5): "the connection was refused"
        case .version5(6): "the time to live expired"
        case .version5(7): "the proxy does not support the command"
        case .version5(8): "the proxy does not support this type of address"
        case .version4(let code), .version5(let code): "code \(code)"
        }
    }
}

/// The reason why a SOCKS proxy did not open a connection.
package enum SOCKSFault: Error, Sendable, Hashable {
    /// The first byte of the first reply is not the version of the protocol.
    case badVersion
    /// The proxy requires an authentication method that was not offered. `offeredPassword` is true if credentials were
    /// offered.
    case noAcceptableMethod(offeredPassword: Bool)
    /// The proxy refused user name and password (RFC 1929 2).
    case badCredentials
    /// The proxy could not connect, or refused to.
    case refused(SOCKSReply)
    /// SOCKS 4 does not support IPv6 addresses.
    case noIPv6
    /// The reply violates the protocol.
    case malformed
}

extension SOCKSFault {
    /// True if the proxy followed the protocol and refused.
    package var isRefusal: Bool {
        switch self {
        case .noAcceptableMethod, .badCredentials, .refused: true
        case .badVersion, .noIPv6, .malformed: false
        }
    }
}

extension SOCKSFault: CustomStringConvertible {
    /// A sentence for people, without bytes of the peer and without credentials.
    package var description: String {
        switch self {
        case .badVersion: "the proxy does not speak this version of SOCKS"
        case .noAcceptableMethod(offeredPassword: false): "the SOCKS proxy refuses access without credentials"
        case .noAcceptableMethod: "the SOCKS proxy accepts neither a password nor access without authentication"
        case .badCredentials: "the SOCKS proxy refused the user name or password"
        case .refused(let reply): "the SOCKS proxy did not open the connection: \(reply)"
        case .noIPv6: "SOCKS 4 cannot reach an IPv6 address"
        case .malformed: "the SOCKS proxy's reply is malformed"
        }
    }
}
