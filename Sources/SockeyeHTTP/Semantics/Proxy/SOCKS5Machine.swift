/// The state machine of a SOCKS 5 client until the connection is open (RFC 1928; user name and password: RFC 1929).
///
/// ```
/// greeting ──► method ──► (password ──►) connect ──► (open)
/// ```
///
/// Bytes after the last reply belong to the tunnel. The machine therefore tells how many bytes of a reply are missing,
/// and the client reads no more than that. If the host is a name, the proxy resolves it.
package struct SOCKS5Machine: SOCKSMachine {
    private enum Stage: Sendable { case method, password, connect }

    private let host: String
    private let port: Int
    private let credentials: (user: String, password: String)?
    private var stage = Stage.method
    /// The received bytes of the current reply.
    private var reply: [UInt8] = []
    /// The length of the current reply in bytes. For the reply to the connect request, it is 5 until the first five
    /// bytes have arrived, which determine the whole length.
    private var length = 2

    /// - Parameter credentials: At most 255 bytes each; see ``canSend(_:)``. Access without authentication is always
    ///   offered, a password only if `credentials` is not nil.
    package init(host: String, port: Int, credentials: (user: String, password: String)?) {
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// Returns true if the protocol can carry the text as a user name or password: at most 255 bytes.
    package static func canSend(_ text: String) -> Bool { text.utf8.count <= 255 }

    /// The first message: the offered authentication methods.
    package var greeting: [UInt8] { credentials == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    /// The maximum number of bytes to read; at least 1 until the connection is open.
    package var missingByteCount: Int { length - reply.count }

    /// Handles the next bytes, at most ``missingByteCount`` of them, and returns the next step.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(SOCKSFault) -> SOCKSStep {
        reply += bytes
        // Checks the first byte at once: a peer that does not speak SOCKS may send nothing more.
        guard reply.first == (stage == .password ? 1 : 5) else {
            throw reply.isEmpty || stage != .method ? .malformed : .badVersion
        }
        guard missingByteCount <= 0 else { return .read }
        switch stage {
        case .method: return try chosen(reply[1])
        case .password:
            guard reply[1] == 0 else { throw .badCredentials }
            return request()
        case .connect: return try connected()
        }
    }

    private mutating func chosen(_ method: UInt8) throws(SOCKSFault) -> SOCKSStep {
        switch (method, credentials) {
        case (0, _): return request()
        case (2, let (user, password)?):
            expect(2, in: .password)
            return .send([1] + Self.counted(user) + Self.counted(password))
        case (0xFF, _): throw .noAcceptableMethod(offeredPassword: credentials != nil)
        default: throw .malformed
        }
    }

    private mutating func request() -> SOCKSStep {
        // Expects the first five bytes of the reply. The last two of them, the address type and the first byte of the
        // address, determine the length of the whole reply.
        expect(5, in: .connect)
        var message: [UInt8] = [5, 1, 0]
        if let address = IPNetwork(address: host) {
            message += [address.bytes.count == 4 ? 1 : 4] + address.bytes
        } else {
            message += [3] + Self.counted(host)
        }
        return .send(message + [UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)])
    }

    private mutating func connected() throws(SOCKSFault) -> SOCKSStep {
        guard reply[1] == 0 else { throw .refused(.version5(reply[1])) }
        let addressLength: Int
        switch reply[3] {
        case 1: addressLength = 4
        case 3: addressLength = 1 + Int(reply[4])
        case 4: addressLength = 16
        default: throw .malformed
        }
        length = 4 + addressLength + 2
        return missingByteCount > 0 ? .read : .open
    }

    /// Returns one byte with the length, followed by the text.
    private static func counted(_ text: String) -> [UInt8] {
        [UInt8(clamping: text.utf8.count)] + text.utf8.prefix(255)
    }

    private mutating func expect(_ count: Int, in stage: Stage) {
        self.stage = stage
        reply = []
        length = count
    }
}
