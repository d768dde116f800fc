/// A bounds-checked writer to raw memory of fixed size. A write beyond that size traps: the caller must have computed
/// the size beforehand.
@safe struct ByteWriter {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private(set) var count = 0

    /// - Precondition: `buffer` is not empty.
    init(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let base = buffer.baseAddress else { preconditionFailure("an empty buffer") }
        unsafe self.base = unsafe base
        self.capacity = buffer.count
    }

    @inline(__always)
    private mutating func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        precondition(size <= capacity &- count, "the bytes exceed the size that the caller computed")
        let place = unsafe base + count
        count &+= size
        return unsafe place
    }

    @inline(__always)
    mutating func put(_ literal: StaticString) {
        let size = literal.utf8CodeUnitCount
        unsafe reserve(size).copyMemory(from: UnsafeRawPointer(literal.utf8Start), byteCount: size)
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        unsafe reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    }

    /// Writes `bytes` if there is at least one byte, and if `isMember` is true for every byte. Returns true if the
    /// bytes were written.
    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer, all isMember: (UInt8) -> Bool) -> Bool {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return false }
        for index in 0..<bytes.count where unsafe !isMember(base.byte(index)) { return false }
        unsafe put(bytes)
        return true
    }

    /// - Precondition: `number` is not negative.
    mutating func put(decimal number: Int) {
        var digits = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        let place = unsafe reserve(digits)
        rest = number
        for index in stride(from: digits - 1, through: 0, by: -1) {
            unsafe place.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: index, as: UInt8.self)
            rest /= 10
        }
    }

    /// - Precondition: `number` is positive.
    mutating func put(hexadecimal number: Int) {
        let digits = (Int.bitWidth - number.leadingZeroBitCount + 3) / 4
        let place = unsafe reserve(digits)
        for index in 0..<digits {
            let nibble = UInt8(truncatingIfNeeded: number >> (4 * (digits - 1 - index))) & 0xF
            unsafe place.storeBytes(of: ByteClass.hexDigit(nibble), toByteOffset: index, as: UInt8.self)
        }
    }
}
