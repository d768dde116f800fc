/// A read budget against floods of TLS records without content. A pure count.
///
/// OpenSSL goes on by itself for as long as there are records without content: HelloRequests in a handshake, KeyUpdates and
/// tickets after it, empty records. It knows no deadline and no cancellation, and changing keys costs more than asking
/// for it. So each call into it may take in so many bytes, and a peer that sends nothing else is refused.
struct ReadBudget {
    enum Verdict {
        case read
        /// The budget of this call is spent: deadlines and cancellation come first.
        case mustYield
        /// No honest peer sends as much.
        case flood
    }

    /// What one call takes in: four full records, as it reads ahead.
    static let turn = 64 << 10
    /// What a read counts for at least in a turn, so that a call makes no thousands of them for a byte each.
    static let leastRead = 1 << 10
    /// The largest handshake: all that OpenSSL takes of each message, 100 KiB of certificates and as much of the names of
    /// authorities among them, comes to less.
    static let handshakeLimit = 512 << 10
    /// What may come from one piece of content to the next. Four times what is read ahead, which may hold content; a ticket
    /// has some 200 bytes, and some KiB with a client's certificates.
    static let emptyLimit = 256 << 10

    private var allowance = 0
    /// How much came since the last content.
    private var emptyCount = 0
    private var limit = handshakeLimit

    var hasSpentTurn: Bool { allowance <= 0 }
    var isInHandshake: Bool { limit == Self.handshakeLimit }

    mutating func beginTurn() {
        allowance = Self.turn
    }

    var verdict: Verdict {
        if allowance > 0, emptyCount <= limit { return .read }
        return allowance > 0 ? .flood : .mustYield
    }

    /// So many bytes came.
    mutating func note(_ count: Int) {
        allowance -= max(count, Self.leastRead)
        emptyCount += count
    }

    /// Content came.
    mutating func noteContent() {
        emptyCount = 0
    }

    mutating func noteEstablished() {
        emptyCount = 0
        limit = Self.emptyLimit
    }

    /// What a flood is called.
    var failure: TLSError {
        let what = isInHandshake ? "of a TLS handshake that has no end" : "of TLS without any content"
        return TLSError(reason: .flood, message: "the peer sent more than \(limit >> 10) KiB \(what)")
    }
}
