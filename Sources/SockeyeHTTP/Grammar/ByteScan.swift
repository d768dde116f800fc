import SockeyePlatform

/// Searches and comparisons of raw memory, by SIMD (blocks of 16 bytes) or SWAR (eight bytes in a word) where that pays.
enum ByteScan {
    /// The index in `start..<end` of the first control byte (CTL, so HTAB and DEL as well), or `end`.
    @inline(__always)
    static func firstControl(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var index = start
        if let found = unsafe firstInWords(base, from: &index, to: end, controlFlags) { return found }
        while index < end, unsafe !ByteClass.isControl(base.byte(index)) { index &+= 1 }
        return index
    }

    /// As ``firstControl(_:from:to:)``, but nil where it would have to look at fewer than eight bytes before `end`.
    @inline(__always)
    static func firstControlInWords(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        #if arch(x86_64)
        let found = unsafe firstInBlocks(base, from: &index, to: end) { unsafe SystemMemory.firstControl(inBlock: $0) }
        if let found { return found }
        #endif
        return unsafe firstInWords(base, from: &index, to: end, controlFlags)
    }

    /// The index of the first byte from `start` on that is no letter, digit or hyphen, which field names hardly ever hold;
    /// nil where it would have to look at fewer than eight bytes before `end`.
    @inline(__always)
    static func firstUnusualInNames(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        #if arch(x86_64)
        let found = unsafe firstInBlocks(base, from: &index, to: end) {
            unsafe SystemMemory.firstUnusualInNames(inBlock: $0)
        }
        if let found { return found }
        #endif
        return unsafe firstInWords(base, from: &index, to: end, unusualFlags)
    }

    /// The index in `start..<end` of the first LF or CR, or `end`.
    @inline(__always)
    static func firstLineEnd(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var index = start
        if let found = unsafe firstInWords(base, from: &index, to: end, lineEndFlags) { return found }
        while index < end {
            let byte = unsafe base.byte(index)
            if byte == ByteClass.lineFeed || byte == ByteClass.carriageReturn { break }
            index &+= 1
        }
        return index
    }

    /// The index of the first hit in the whole blocks of 16 bytes from `index` on, or nil with `index` behind them.
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

    /// The index of the first hit in the whole words of eight bytes from `index` on, or nil with `index` behind them.
    ///
    /// - Parameter flags: Has the top bit of the first byte that is a hit, and none below it.
    @inline(__always)
    private static func firstInWords(
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

    /// SWAR: borrows may also flag a byte above a true hit, never below one, so that the lowest flag is exact.
    @inline(__always)
    private static func controlFlags(_ word: UInt64) -> UInt64 {
        let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let below = (word &- 0x2020_2020_2020_2020) & ~word
        let equal = (delete &- 0x0101_0101_0101_0101) & ~delete
        return (below | equal) & 0x8080_8080_8080_8080
    }

    /// SWAR: sums of seven-bit values do not carry into the byte above, so that each flag is exact.
    @inline(__always)
    private static func unusualFlags(_ word: UInt64) -> UInt64 {
        let bytes = word & 0x7F7F_7F7F_7F7F_7F7F
        let lower = bytes | 0x2020_2020_2020_2020
        let letters = (lower &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(lower &+ 0x0505_0505_0505_0505)
        let digits = (bytes &+ 0x5050_5050_5050_5050) & ~(bytes &+ 0x4646_4646_4646_4646)
        let hyphens = ~((bytes ^ 0x2D2D_2D2D_2D2D_2D2D) &+ 0x7F7F_7F7F_7F7F_7F7F)
        return (~(letters | digits | hyphens) | word) & 0x8080_8080_8080_8080
    }

    /// SWAR, with borrows as those of control bytes.
    @inline(__always)
    private static func lineEndFlags(_ word: UInt64) -> UInt64 {
        let (feed, carriage) = (word ^ 0x0A0A_0A0A_0A0A_0A0A, word ^ 0x0D0D_0D0D_0D0D_0D0D)
        let zeros = (feed &- 0x0101_0101_0101_0101) & ~feed | (carriage &- 0x0101_0101_0101_0101) & ~carriage
        return zeros & 0x8080_8080_8080_8080
    }

    /// Whether `count` bytes are `name`, letters in either case. `name` is lower-case letters, digits and `-`, and the
    /// bytes hold no CR (setting bit 5 would make it `-`), which is so wherever a line was validated.
    @inline(__always)
    static func equals(_ bytes: UnsafeRawPointer, count: Int, _ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        let expected = unsafe UnsafeRawPointer(name.utf8Start)
        if count >= 8 {
            // The last word overlaps the one before it.
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

    /// Whether two runs of `count` bytes are equal.
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

    /// Whether two runs of `count` bytes are equal, ASCII letters in either case.
    @inline(__always)
    static func equalsIgnoringCase(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        for index in 0..<count {
            let (one, other) = unsafe (left.byte(index), right.byte(index))
            if one != other, ByteClass.lowercased(one) != ByteClass.lowercased(other) { return false }
        }
        return true
    }

    /// Whether two runs of bytes are as long and equal, ASCII letters in either case.
    @inline(__always)
    static func equalsIgnoringCase(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let one = left.baseAddress, let other = right.baseAddress else { return true }
        return unsafe equalsIgnoringCase(one, other, count: left.count)
    }

    /// The bytes of a collection in memory: directly where it is contiguous, which a native string always is.
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
    /// The byte at `offset`.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { unsafe load(fromByteOffset: offset, as: UInt8.self) }
}
