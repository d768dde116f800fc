/// Copies of names and values that validate on the way, by SIMD: sixteen bytes a step, in one pass for both.
enum FieldCopy {
    /// How many bytes behind the copy may be overwritten.
    static let slack = 8

    private typealias Lanes = SIMD16<UInt8>
    private typealias Flags = SIMDMask<SIMD16<Int8>>

    /// Copies the bytes of a field name and says whether they are a token (RFC 9110 5.6.2).
    /// - Parameter place: Room for the bytes and ``slack``.
    @inline(__always)
    static func copy(name bytes: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) -> Bool {
        guard let base = bytes.baseAddress, unsafe !bytes.isEmpty else { return false }
        // What is no letter, digit or hyphen may still be of a token; few names have such.
        let usual = unsafe copy(base, count: bytes.count, to: place, flags: usualInNames)
        return unsafe areAll(usual) || isToken(bytes)
    }

    /// Copies the bytes of a field value and says whether RFC 9110 5.5 allows them: no control bytes but HTAB.
    /// - Parameter place: Room for the bytes and ``slack``.
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

    /// Copies, and returns the flags that all steps have. The last step overlaps the one before it.
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

    /// Copies one to fifteen bytes and returns them, some of them twice, with others that are fine everywhere.
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

    /// One to seven bytes as the low ones of a word, without reading beyond them.
    @inline(__always)
    private static func shortWord(_ source: UnsafeRawPointer, count: Int) -> UInt64 {
        guard count < 4 else {
            let low = unsafe UInt64(UInt32(littleEndian: source.loadUnaligned(as: UInt32.self)))
            let high = unsafe UInt64(
                UInt32(littleEndian: source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
            return low | high &<< UInt64(8 &* (count &- 4))
        }
        // The first byte, the middle one and the last: of one or two bytes some of them are the same.
        let (middle, last) = (count &>> 1, count &- 1)
        return unsafe UInt64(source.byte(0)) | UInt64(source.byte(middle)) &<< UInt64(8 &* middle)
            | UInt64(source.byte(last)) &<< UInt64(8 &* last)
    }

    // Vectors on both sides: with a scalar on one of them the operators of Swift 6.3 are not vectorised.

    /// Flags letters, digits and hyphens.
    @inline(__always)
    private static func usualInNames(_ bytes: Lanes) -> Flags {
        let letters = ((bytes | Lanes(repeating: 0x20)) &- Lanes(repeating: 0x61)) .< Lanes(repeating: 26)
        let digits = (bytes &- Lanes(repeating: 0x30)) .< Lanes(repeating: 10)
        return letters .| digits .| (bytes .== Lanes(repeating: 0x2D))
    }

    /// Flags what is no control byte.
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
