/// Appends to raw memory that the caller sized beforehand. Exceeding it is a mistake in that arithmetic, hence a trap.
struct ByteWriter {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private(set) var count = 0

    /// - Precondition: `buffer` is not empty.
    init(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let base = buffer.baseAddress else { preconditionFailure("an empty buffer") }
        self.base = base
        self.capacity = buffer.count
    }

    @inline(__always)
    private mutating func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        precondition(size <= capacity &- count, "the buffer is smaller than its bound")
        let place = base + count
        count &+= size
        return place
    }

    @inline(__always)
    mutating func put(_ literal: StaticString) {
        let size = literal.utf8CodeUnitCount
        reserve(size).copyMemory(from: UnsafeRawPointer(literal.utf8Start), byteCount: size)
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    }

    /// Writes a field value if RFC 9110 5.5 allows it: no control bytes but HTAB. Says whether it did.
    @inline(__always)
    private mutating func put(value bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var control = ByteScan.firstControl(base, from: 0, to: bytes.count)
        while control < bytes.count {
            guard base.byte(control) == ByteClass.horizontalTab else { return false }
            control = ByteScan.firstControl(base, from: control + 1, to: bytes.count)
        }
        put(bytes)
        return true
    }

    /// Writes `bytes` if there is at least one and all are of a class. Says whether it did.
    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer, all isMember: (UInt8) -> Bool) -> Bool {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return false }
        for index in 0..<bytes.count where !isMember(base.byte(index)) { return false }
        put(bytes)
        return true
    }

    /// Writes one field line, or says what is wrong with it.
    ///
    /// By way of spans, which look at a string without counting a reference to it.
    @inline(__always)
    mutating func put(field: borrowing Headers.Field) -> RequestFault? {
        let isName = field.name.text.utf8Span.span.withUnsafeBytes { put($0, all: ByteClass.isToken) }
        guard isName else { return .invalidFieldName(field.name) }
        put(": ")
        guard field.value.utf8Span.span.withUnsafeBytes({ put(value: $0) }) else {
            return .invalidFieldValue(field.name)
        }
        put("\r\n")
        return nil
    }

    mutating func put(decimal number: Int) {
        var digits = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        let place = reserve(digits)
        rest = number
        for index in stride(from: digits - 1, through: 0, by: -1) {
            place.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: index, as: UInt8.self)
            rest /= 10
        }
    }

    /// - Precondition: `number` is positive.
    mutating func put(hexadecimal number: Int) {
        let digits = (Int.bitWidth - number.leadingZeroBitCount + 3) / 4
        let place = reserve(digits)
        for index in 0..<digits {
            let nibble = UInt8(truncatingIfNeeded: number >> (4 * (digits - 1 - index))) & 0xF
            place.storeBytes(of: nibble < 10 ? nibble + 0x30 : nibble + 0x57, toByteOffset: index, as: UInt8.self)
        }
    }
}
