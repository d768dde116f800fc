import SockeyePlatform

/// The kernel's answers about routes and links.
enum RouteTargets {
    /// Reads a datagram of rtnetlink, which is skipped if it belongs to another request.
    static let messages: FuzzTarget = { bytes in
        for sequence in [0, 1, 7, UInt32.max] {
            switch RouteMessage.answer(to: sequence, in: bytes) {
            case .link(let link): require(link.name.utf8.count <= 3 * bytes.count, link.name)
            case .refused(let error): require(error.code > 0, "\(error)")
            case .route, nil: break
            }
        }
        // The reader finds an answer after any other message.
        let other = message(kind: 24, sequence: 6, bytes)
        let padding = [UInt8](repeating: 0, count: -other.count & 3)
        let refusal = message(kind: 2, sequence: 7, words([UInt32(bitPattern: -101)]))
        let answer = RouteMessage.answer(to: 7, in: other + padding + refusal)
        require(answer == .refused(SystemError(101)), "\(String(describing: answer))")
    }

    private static func message(kind: UInt16, sequence: UInt32, _ body: [UInt8]) -> [UInt8] {
        words([UInt32(16 + body.count), UInt32(kind), sequence, 0]) + body
    }

    /// Returns the bytes of the words in the machine's order, which is little-endian on every supported machine.
    private static func words(_ words: [UInt32]) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }
}
