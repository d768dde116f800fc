/// A protection against floods of TLS records without content (application data). This type only counts bytes;
/// ``StreamBIO`` reads the bytes and enforces the limits.
///
/// ``TLSEngine/attempt(_:)`` processes records without content in a loop: HelloRequests in a handshake, KeyUpdates and
/// tickets after it, and empty records. Each call may read only a limited number of bytes, because the loop checks no
/// deadline and no cancellation. The bytes between two pieces of content have a limit, too, because a KeyUpdate costs
/// its receiver more than its sender.
struct ReadBudget {
    enum Verdict {
        case read
        /// The budget of this call is spent: check deadlines and cancellation before the next call.
        case mustYield
        /// The peer has sent more bytes of records without application data than any legitimate peer.
        case flood
    }

    /// The number of bytes that one call of ``TLSEngine/attempt(_:)`` may read: the size of OpenSSL's read-ahead
    /// buffer, almost four full records.
    static let bytesPerCall = 64 << 10
    /// The minimum cost of a read: a shorter read counts as this number of bytes. Without this minimum, one call could
    /// make thousands of reads of one byte each.
    static let minimumReadCost = 1 << 10
    /// The limit of a handshake in bytes. The largest messages that OpenSSL accepts add up to less, including 100 KiB
    /// of certificates and 100 KiB of authorities' names.
    static let handshakeLimit = 512 << 10
    /// The limit of bytes between two pieces of content: four times the size of OpenSSL's read-ahead buffer. The limit
    /// must exceed that size, because bytes are counted when they are read ahead, before OpenSSL finds content in them.
    /// A legitimate peer's tickets stay far below the limit: each has about 200 bytes, or some KiB if it contains a
    /// client's certificates.
    static let contentlessLimit = 256 << 10

    /// The number of bytes that the current call may still read; not positive if the budget is spent.
    private var allowance = 0
    /// The number of bytes since the last content.
    private var contentlessCount = 0
    private var limit = handshakeLimit

    var isUsedUp: Bool { allowance <= 0 }
    var isInHandshake: Bool { limit == Self.handshakeLimit }

    /// Renews the budget for the next call.
    mutating func beginTurn() {
        allowance = Self.bytesPerCall
    }

    var verdict: Verdict {
        if allowance > 0, contentlessCount <= limit { return .read }
        return allowance > 0 ? .flood : .mustYield
    }

    /// Counts the bytes of a read.
    mutating func note(_ count: Int) {
        allowance -= max(count, Self.minimumReadCost)
        contentlessCount += count
    }

    /// Resets the count: content arrived.
    mutating func noteContent() {
        contentlessCount = 0
    }

    mutating func noteEstablished() {
        contentlessCount = 0
        limit = Self.contentlessLimit
    }

    /// The error for a flood.
    var failure: TLSError {
        let what = isInHandshake ? "without finishing the TLS handshake" : "of TLS records without application data"
        return TLSError(reason: .flood, message: "the peer sent more than \(limit >> 10) KiB \(what)")
    }
}
