import SockeyePlatform

/// Searches and comparisons of raw memory, by SIMD (blocks of 16 bytes) or SWAR (8 bytes in a word) where that is
/// faster.
package enum ByteScan {
    /// Returns the index in `start..<end` of the first control byte (CTL, including HTAB and DEL), or `end`.
    @inline(__always)
    static func firstControl(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var index = start
        if let found = unsafe firstInWords(base, from: &index, to: end, controlFlags) { return found }
        while index < end, unsafe !ByteClass.isControl(base.byte(index)) { index &+= 1 }
        return index
    }

    /// Returns true if all bytes are printable ASCII or spaces. False for fewer than 8 bytes, which are not examined.
    @inline(__always)
    static func isPrintableASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, bytes.count >= 8 else { return false }
        // The last word overlaps the one before it.
        let last = bytes.count &- 8
        var (index, flags): (Int, UInt64) = (0, 0)
        while true {
            let word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            flags |= word | controlFlags(word)
            guard index < last else { return flags & 0x8080_8080_8080_8080 == 0 }
            index = min(index &+ 8, last)
        }
    }

    /// As ``firstControl(_:from:to:)``, but examines only whole words of 8 bytes. Nil if they have no control byte; up
    /// to 7 bytes before `end` are then unexamined.
    @inline(__always)
    static func firstControlInWords(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        #if arch(x86_64) || arch(arm64)
        let found = unsafe firstInBlocks(base, from: &index, to: end) { unsafe SystemMemory.firstControl(inBlock: $0) }
        if let found { return found }
        #endif
        return unsafe firstInWords(base, from: &index, to: end, controlFlags)
    }

    /// Returns the index of the first byte from `start` that is not a letter, digit or hyphen (the usual bytes of field
    /// names). Nil if no whole word of 8 bytes before `end` has such a byte.
    @inline(__always)
    static func firstUnusualInNames(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        #if arch(x86_64) || arch(arm64)
        let found = unsafe firstInBlocks(base, from: &index, to: end) {
            unsafe SystemMemory.firstUnusualInNames(inBlock: $0)
        }
        if let found { return found }
        #endif
        return unsafe firstInWords(base, from: &index, to: end, unusualFlags)
    }

    /// Returns the index in `start..<end` of the first LF or CR, or `end`.
    @inlinable
    @inline(__always)
    package static func firstLineEnd(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var index = start
        if let found = unsafe firstInWords(base, from: &index, to: end, lineEndFlags) { return found }
        while index < end {
            let byte = unsafe base.byte(index)
            if byte == ByteClass.lineFeed || byte == ByteClass.carriageReturn { break }
            index &+= 1
        }
        return index
    }

    /// Returns the index of the first hit in the whole blocks of 16 bytes from `index`. Without a hit, returns nil and
    /// moves `index` after the blocks.
    ///
    /// - Parameter search: Returns the offset of the first hit in a block; 16 or more without a hit.
    @inline(__always)
    private static func firstInBlocks(
        _ base: UnsafeRawPointer, from index: inout Int, to end: Int, _ search: (UnsafeRawPointer) -> Int
    ) -> Int? {
        while index &+ 16 <= end {
            let found = unsafe search(base + index)
            if found < 16 { return index &+ found }
            index &+= 16
        }
        return nil
    }

    /// Returns the index of the first hit in the whole words of 8 bytes from `index`. Without a hit, returns nil and
    /// moves `index` after the words.
    ///
    /// - Parameter flags: Returns a word in which the top bit of the first hit's byte is set, and no bit below it; 0
    ///   without a hit.
    @inlinable
    @inline(__always)
    package static func firstInWords(
        _ base: UnsafeRawPointer, from index: inout Int, to end: Int, _ flags: (UInt64) -> UInt64
    ) -> Int? {
        while index &+ 8 <= end {
            let word = unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = flags(word)
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        return nil
    }

    /// Sets the top bit of each control byte (SWAR). The borrow of a subtraction may also flag a byte above a control
    /// byte, but never a byte below it. So the lowest flag is exact.
    @inline(__always)
    private static func controlFlags(_ word: UInt64) -> UInt64 {
        let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let below = (word &- 0x2020_2020_2020_2020) & ~word
        let equal = (delete &- 0x0101_0101_0101_0101) & ~delete
        return (below | equal) & 0x8080_8080_8080_8080
    }

    /// Sets the top bit of each byte that is not a letter, digit or hyphen (SWAR). The sums of seven-bit values do not
    /// carry into the next byte, so each flag is exact.
    @inline(__always)
    private static func unusualFlags(_ word: UInt64) -> UInt64 {
        let bytes = word & 0x7F7F_7F7F_7F7F_7F7F
        let lower = bytes | 0x2020_2020_2020_2020
        let letters = (lower &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(lower &+ 0x0505_0505_0505_0505)
        let digits = (bytes &+ 0x5050_5050_5050_5050) & ~(bytes &+ 0x4646_4646_4646_4646)
        let hyphens = ~((bytes ^ 0x2D2D_2D2D_2D2D_2D2D) &+ 0x7F7F_7F7F_7F7F_7F7F)
        return (~(letters | digits | hyphens) | word) & 0x8080_8080_8080_8080
    }

    /// Sets the top bit of each LF and CR (SWAR). Borrows can flag further bytes above them, as in `controlFlags`.
    @inlinable
    @inline(__always)
    package static func lineEndFlags(_ word: UInt64) -> UInt64 {
        let (feed, carriage) = (word ^ 0x0A0A_0A0A_0A0A_0A0A, word ^ 0x0D0D_0D0D_0D0D_0D0D)
        let zeros = (feed &- 0x0101_0101_0101_0101) & ~feed | (carriage &- 0x0101_0101_0101_0101) & ~carriage
        return zeros & 0x8080_8080_8080_8080
    }

    /// Returns true if the bytes equal `name`, ignoring the case of letters.
    ///
    /// Bit 5 must be set in every byte of `name`, as in lower-case letters, digits, `-`, `/` and `:`. The comparison
    /// sets bit 5 in every byte of `bytes`, so a CR equals `-`, and some other control bytes equal digits, `/` or `:`.
    /// Therefore `bytes` must not have CR; validated lines have no CR. If `name` has digits, `/` or `:`, the caller
    /// must refuse the other control bytes itself.
    @inline(__always)
    static func equals(_ bytes: UnsafeRawPointer, count: Int, _ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        let expected = unsafe UnsafeRawPointer(name.utf8Start)
        if count >= 8 {
            // The last word overlaps the one before.
            let last = count &- 8
            var index = 0
            while true {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) | 0x2020_2020_2020_2020
                guard unsafe word == expected.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
                    return false
                }
                if index == last { return true }
                index = min(index &+ 8, last)
            }
        }
        for index in 0..<count where unsafe bytes.byte(index) | 0x20 != expected.byte(index) { return false }
        return true
    }

    /// Returns true if two runs of `count` bytes are equal.
    @inline(__always)
    static func equals(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        var index = 0
        while index &+ 8 <= count {
            let one = unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard unsafe one == right.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
            index &+= 8
        }
        while index < count {
            guard unsafe left.byte(index) == right.byte(index) else { return false }
            index &+= 1
        }
        return true
    }

    /// Returns true if two runs of `count` bytes are equal, ignoring the case of ASCII letters.
    @inline(__always)
    static func equalsIgnoringCase(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        for index in 0..<count {
            let (one, other) = unsafe (left.byte(index), right.byte(index))
            if one != other, ByteClass.lowercased(one) != ByteClass.lowercased(other) { return false }
        }
        return true
    }

    /// Returns true if two runs of bytes have the same length and are equal, ignoring the case of ASCII letters.
    @inline(__always)
    static func equalsIgnoringCase(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let one = left.baseAddress, let other = right.baseAddress else { return true }
        return unsafe equalsIgnoringCase(one, other, count: left.count)
    }

    /// Calls `body` with the bytes of a collection. They are not copied if they are contiguous, as those of a native
    /// string are.
    @inline(__always)
    static func withBytes<Result>(
        of bytes: some Collection<UInt8>,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let result = bytes.withContiguousStorageIfAvailable { unsafe body(UnsafeRawBufferPointer($0)) }
        if let result { return result }
        return unsafe Array(bytes).withUnsafeBytes { unsafe body($0) }
    }
}

extension UnsafeRawPointer {
    @inlinable
    @inline(__always)
    package func byte(_ offset: Int) -> UInt8 { unsafe load(fromByteOffset: offset, as: UInt8.self) }
}
