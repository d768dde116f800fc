import SockeyePlatform

/// A masking key: four bytes with which the payload of a client's frame is XORed (RFC 6455 5.3).
package struct MaskingKey: Sendable, Hashable {
    /// The key as a number whose bytes in memory are in wire order, whatever the machine's byte order.
    package let word: UInt32

    package init(word: UInt32) {
        self.word = word
    }

    package init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        let bigEndian = UInt32(first) << 24 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth)
        word = bigEndian.bigEndian
    }

    /// Returns the key for the rest of a payload after its first `count` bytes.
    package func advanced(by count: Int) -> MaskingKey {
        let shift = UInt32(count & 3) * 8
        guard shift > 0 else { return self }
        let value = word.littleEndian
        return MaskingKey(word: UInt32(littleEndian: value >> shift | value << (32 - shift)))
    }

    /// Masks or unmasks all of `source` into `target`, which is at least as long and may be the same memory.
    ///
    /// Each step handles 32 bytes with vector instructions, so that only the memory limits the speed.
    package func apply(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        precondition(target.count >= source.count, "a target shorter than its source")
        let count = source.count
        let wide = SIMD4<UInt64>(repeating: UInt64(word) << 32 | UInt64(word))
        var offset = 0
        while offset &+ 32 <= count {
            let masked = unsafe from.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self) ^ wide
            unsafe to.storeBytes(of: masked, toByteOffset: offset, as: SIMD4<UInt64>.self)
            offset &+= 32
        }
        while offset &+ 4 <= count {
            let masked = unsafe from.loadUnaligned(fromByteOffset: offset, as: UInt32.self) ^ word
            unsafe to.storeBytes(of: masked, toByteOffset: offset, as: UInt32.self)
            offset &+= 4
        }
        var rest = word.littleEndian
        while offset < count {
            let masked = unsafe from.load(fromByteOffset: offset, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            unsafe to.storeBytes(of: masked, toByteOffset: offset, as: UInt8.self)
            rest >>= 8
            offset &+= 1
        }
    }
}

/// A supply of masking keys from the system's random number generator, 64 per system call.
///
/// Each frame uses a new key: an attacker that makes a client send chosen payloads must not be able to predict the
/// bytes on the wire (RFC 6455 5.3, 10.3).
package struct MaskingKeySource: Sendable {
    private var keys: [UInt32] = []

    package init() {}

    package mutating func next() -> MaskingKey {
        if keys.isEmpty {
            keys = [UInt32](repeating: 0, count: 64)
            unsafe keys.withUnsafeMutableBytes { unsafe SystemRandom.fill($0) }
        }
        return MaskingKey(word: keys.removeLast())
    }
}
