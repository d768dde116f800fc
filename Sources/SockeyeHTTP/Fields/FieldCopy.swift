/// Copies names and values and validates them in the same pass, by SIMD: 16 bytes per step.
enum FieldCopy {
    /// The number of bytes after the copy that may be overwritten.
    static let slack = 8

    private typealias Lanes = SIMD16<UInt8>
    private typealias Flags = SIMDMask<SIMD16<Int8>>

    /// Copies a field name. Returns true if it is a token (RFC 9110 5.6.2).
    /// - Parameter place: Memory for the bytes plus ``slack``.
    @inline(__always)
    static func copy(name bytes: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) -> Bool {
        guard let base = bytes.baseAddress, unsafe !bytes.isEmpty else { return false }
        // The fast check knows letters, digits and hyphens only. Other token characters are rare in names.
        let usual = unsafe copy(base, count: bytes.count, to: place, flags: usualInNames)
        return unsafe areAll(usual) || isToken(bytes)
    }

    /// Copies a field value. Returns true if RFC 9110 5.5 allows it: no control bytes except HTAB.
    /// - Parameter place: Memory for the bytes plus ``slack``.
    @inline(__always)
    static func copy(value bytes: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) -> Bool {
        guard let base = bytes.baseAddress, unsafe !bytes.isEmpty else { return true }
        let usual = unsafe copy(base, count: bytes.count, to: place, flags: noControls)
        return unsafe areAll(usual) || isValue(bytes)
    }

    @inline(never)
    private static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool { unsafe bytes.allSatisfy(ByteClass.isToken) }

    @inline(never)
    private static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.allSatisfy { !ByteClass.isControl($0) || $0 == ByteClass.horizontalTab }
    }

    /// Copies the bytes and returns the conjunction of the flags of all steps. The last step overlaps the one before.
    @inline(__always)
    private static func copy(
        _ source: UnsafeRawPointer, count: Int, to place: UnsafeMutableRawPointer, flags: (Lanes) -> Flags
    ) -> Flags {
        guard count >= 16 else { return unsafe flags(copyShort(source, count: count, to: place)) }
        let last = count &- 16
        var (found, index) = (Flags(repeating: true), 0)
        while index < last {
            let bytes = unsafe source.loadUnaligned(fromByteOffset: index, as: Lanes.self)
            unsafe place.storeBytes(of: bytes, toByteOffset: index, as: Lanes.self)
            let both = found .& flags(bytes)
            found = both
            index &+= 16
        }
        let bytes = unsafe source.loadUnaligned(fromByteOffset: last, as: Lanes.self)
        unsafe place.storeBytes(of: bytes, toByteOffset: last, as: Lanes.self)
        return found .& flags(bytes)
    }

    /// Copies 1 to 15 bytes and returns them in a vector. Unused lanes repeat some of the bytes or hold `a`, which
    /// every check accepts.
    @inline(__always)
    private static func copyShort(
        _ source: UnsafeRawPointer, count: Int, to place: UnsafeMutableRawPointer
    ) -> Lanes {
        guard count < 8 else {
            let low = unsafe source.loadUnaligned(as: UInt64.self)
            let high = unsafe source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            unsafe place.storeBytes(of: low, as: UInt64.self)
            unsafe place.storeBytes(of: high, toByteOffset: count &- 8, as: UInt64.self)
            return unsafe unsafeBitCast(SIMD2(low, high), to: Lanes.self)
        }
        let word = unsafe shortWord(source, count: count)
        unsafe place.storeBytes(of: word.littleEndian, as: UInt64.self)
        let filled = word | 0x6161_6161_6161_6161 &<< UInt64(8 &* count)
        return unsafe unsafeBitCast(SIMD2(filled, filled), to: Lanes.self)
    }

    /// Loads 1 to 7 bytes as the low bytes of a word, without reading beyond them.
    @inline(__always)
    private static func shortWord(_ source: UnsafeRawPointer, count: Int) -> UInt64 {
        guard count < 4 else {
            let low = unsafe UInt64(UInt32(littleEndian: source.loadUnaligned(as: UInt32.self)))
            let high = unsafe UInt64(
                UInt32(littleEndian: source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
            return low | high &<< UInt64(8 &* (count &- 4))
        }
        // The first, middle and last byte, some of which coincide for 1 or 2 bytes.
        let (middle, last) = (count &>> 1, count &- 1)
        return unsafe UInt64(source.byte(0)) | UInt64(source.byte(middle)) &<< UInt64(8 &* middle)
            | UInt64(source.byte(last)) &<< UInt64(8 &* last)
    }

    // Both operands are vectors: Swift 6.3 does not vectorise the operators if one operand is a scalar.

    /// Returns the flags of letters, digits and hyphens.
    @inline(__always)
    private static func usualInNames(_ bytes: Lanes) -> Flags {
        let letters = ((bytes | Lanes(repeating: 0x20)) &- Lanes(repeating: 0x61)) .< Lanes(repeating: 26)
        let digits = (bytes &- Lanes(repeating: 0x30)) .< Lanes(repeating: 10)
        return letters .| digits .| (bytes .== Lanes(repeating: 0x2D))
    }

    /// Returns the flags of bytes that are not control bytes.
    @inline(__always)
    private static func noControls(_ bytes: Lanes) -> Flags {
        (bytes .>= Lanes(repeating: 0x20)) .& (bytes .!= Lanes(repeating: 0x7F))
    }

    @inline(__always)
    private static func areAll(_ flags: Flags) -> Bool {
        let words = unsafe unsafeBitCast(flags, to: SIMD2<UInt64>.self)
        return words[0] & words[1] == .max
    }
}
