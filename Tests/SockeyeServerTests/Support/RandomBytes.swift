import Sockeye

/// Random bytes, which cannot be compressed.
enum RandomBytes {
    static func make(_ count: Int) -> Bytes {
        var generator = SystemRandomNumberGenerator()
        var words: [UInt64] = []
        words.reserveCapacity(count / 8 + 1)
        for _ in 0...(count / 8) { words.append(generator.next()) }
        return unsafe words.withUnsafeBytes { unsafe Bytes($0.prefix(count)) }
    }
}
