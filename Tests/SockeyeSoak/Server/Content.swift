import SockeyeCore
import SockeyeHTTP

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
    /// The number of bytes after which long content repeats, because a debug build makes them slowly. It is prime, so
    /// two pieces of a usual size are never equal.
    private static let period = 65_521

    static func bytes(_ nonce: UInt64, _ count: Int) -> Bytes {
        unsafe Bytes(count: count) { buffer in
            var random = SoakRandom(state: nonce)
            let made = min(count, period)
            var place = 0
            while place + 8 <= made {
                unsafe buffer.storeBytes(of: random.next(), toByteOffset: place, as: UInt64.self)
                place += 8
            }
            var last = random.next()
            while place < made {
                unsafe buffer[place] = UInt8(truncatingIfNeeded: last)
                last >>= 8
                place += 1
            }
            while place < count {
                let copied = min(place, count - place)
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
                unsafe rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<copied]))
                place += copied
            }
        }
    }
}

/// The SHA-256 of content that arrives in pieces.
struct Digest: Sendable {
    private let hash: IncrementalHash

    init() {
        guard let hash = IncrementalHash(.sha256) else { preconditionFailure("no SHA-256") }
        self.hash = hash
    }

    func add(_ bytes: Bytes) { hash.update(bytes) }

    /// Returns the digest in hexadecimal. No bytes can be added afterwards.
    func finish() -> String { hash.finish().map { String($0, radix: 16) }.joined(separator: ":") }

    static func of(_ bytes: Bytes) -> String {
        let digest = Digest()
        digest.add(bytes)
        return digest.finish()
    }
}

/// A condition that did not hold.
struct UnmetCondition: Error, CustomStringConvertible {
    let description: String

    init(_ what: String) {
        description = "unmet: \(what)"
    }
}
