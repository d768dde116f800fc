import SockeyeCore

/// A seeded generator (SplitMix64).
struct SoakRandom: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Bytes derived from a number, so that both ends know the expected content without exchanging it.
enum Content {
    static func bytes(_ nonce: UInt64, _ count: Int) -> Bytes {
        unsafe Bytes(count: count) { buffer in
            var random = SoakRandom(state: nonce)
            var place = 0
            while place + 8 <= count {
                unsafe buffer.storeBytes(of: random.next(), toByteOffset: place, as: UInt64.self)
                place += 8
            }
            var last = random.next()
            while place < count {
                unsafe buffer[place] = UInt8(truncatingIfNeeded: last)
                last >>= 8
                place += 1
            }
        }
    }
}

/// A digest of content that arrives in pieces (FNV-1a, 64 bits).
struct Digest: Sendable, Equatable, CustomStringConvertible {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    init(_ bytes: Bytes) { add(bytes) }

    mutating func add(_ bytes: Bytes) {
        let span = bytes.span
        for index in span.indices { state = (state ^ UInt64(span[index])) &* 0x100_0000_01B3 }
    }

    var description: String { String(state, radix: 16) }
}

/// A condition that did not hold.
struct UnmetCondition: Error, CustomStringConvertible {
    let description: String

    init(_ what: String) {
        description = "unmet: \(what)"
    }
}
