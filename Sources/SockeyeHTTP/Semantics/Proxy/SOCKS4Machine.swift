/// The state machine of a SOCKS 4 client until the connection is open: one message, and one reply of eight bytes. It
/// includes the extension 4A for names (Ying-Da Lee's memos "SOCKS: A protocol for TCP proxy across firewalls" and
/// "SOCKS 4A").
package struct SOCKS4Machine: SOCKSMachine {
    package let greeting: [UInt8]
    private var reply: [UInt8] = []

    private static let replyLength = 8

    /// - Parameters:
    ///   - host: An IPv4 address, or a name, which needs a proxy that supports 4A.
    ///   - user: The user name; nil to send an empty name. See ``canSend(_:)`` for its limits. The proxy may compare it
    ///     with the answer of the identd on this computer.
    /// - Throws: ``SOCKSFault/noIPv6`` for an IPv6 address.
    package init(host: String, port: Int, user: String?) throws(SOCKSFault) {
        var message: [UInt8] = [4, 1, UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)]
        let userID = Array((user ?? "").utf8) + [0]
        if let address = IPNetwork(address: host) {
            guard address.bytes.count == 4 else { throw .noIPv6 }
            message += address.bytes + userID
        } else {
            // The invalid address 0.0.0.1 announces that a name follows (SOCKS 4A).
            message += [0, 0, 0, 1] + userID + Array(host.utf8) + [0]
        }
        greeting = message
    }

    /// Returns true if the user name can be sent. It may have at most 255 bytes, as with SOCKS 5, and no NUL, which
    /// would end it.
    package static func canSend(_ user: String) -> Bool { user.utf8.count <= 255 && !user.utf8.contains(0) }

    package var missingByteCount: Int { Self.replyLength - reply.count }

    package mutating func receive(_ bytes: some Collection<UInt8>) throws(SOCKSFault) -> SOCKSStep {
        reply += bytes
        // The version of a reply is 0, but some proxies send 4.
        guard let version = reply.first, version == 0 || version == 4 else { throw .badVersion }
        guard missingByteCount <= 0 else { return .read }
        guard reply[1] == 90 else { throw .refused(.version4(reply[1])) }
        return .open
    }
}
