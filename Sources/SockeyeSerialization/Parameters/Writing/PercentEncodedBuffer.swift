/// A growable output buffer for percent-encoded text.
///
/// To save a heap allocation for each short query, the buffer can start in memory on the caller's stack, to which it
/// keeps an unsafe pointer. Longer text moves to the heap. Every write first makes room by calling ``reserve(_:)``.
@safe struct PercentEncodedBuffer: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<UInt8>
    /// True if this buffer allocated `memory` and must free it.
    private var isOwner: Bool
    /// The number of written bytes.
    private(set) var count = 0

    /// Starts in `memory`, which must outlive this buffer.
    init(startingIn memory: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.memory = unsafe memory
        isOwner = false
    }

    init() {
        unsafe memory = unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
        isOwner = false
    }

    deinit {
        if isOwner { unsafe memory.deallocate() }
    }

    /// The written text, which is ASCII.
    var text: String { unsafe String(decoding: UnsafeBufferPointer(rebasing: memory[..<count]), as: UTF8.self) }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe memory[count] = byte
        count += 1
    }

    mutating func append(_ other: borrowing PercentEncodedBuffer) {
        reserve(other.count)
        guard other.count > 0 else { return }
        _ = unsafe UnsafeMutableBufferPointer(rebasing: memory[count...]).update(
            fromContentsOf: other.memory[..<other.count])
        count += other.count
    }

    mutating func truncate(to count: Int) {
        self.count = min(self.count, count)
    }

    /// Appends text percent-encoded: each byte becomes one or three.
    mutating func append(_ text: String, spaces: RequestParameters.Style.SpaceFormat) {
        let source = text.utf8Span.span
        reserve(3 * source.count + 8)
        guard let start = unsafe memory.baseAddress else { return }
        count = unsafe QueryPercentEncoding.write(source, spaces: spaces, to: start + count) - start
    }

    /// Appends `name=value` percent-encoded, after `&` unless it is the first pair.
    mutating func append(_ name: String, _ value: String, isFirst: Bool, spaces: RequestParameters.Style.SpaceFormat) {
        let (name, value) = (name.utf8Span.span, value.utf8Span.span)
        reserve(3 * (name.count + value.count) + 10)
        guard let start = unsafe memory.baseAddress else { return }
        var end = unsafe start + count
        if !isFirst {
            unsafe end.pointee = UInt8(ascii: "&")
            unsafe end += 1
        }
        unsafe end = unsafe QueryPercentEncoding.write(name, spaces: spaces, to: end)
        unsafe end.pointee = UInt8(ascii: "=")
        unsafe end = unsafe QueryPercentEncoding.write(value, spaces: spaces, to: end + 1)
        count = unsafe end - start
    }

    /// Makes room for a number of further bytes.
    @inline(__always)
    private mutating func reserve(_ additional: Int) {
        if unsafe memory.count - count < additional { grow(by: additional) }
    }

    @inline(never)
    private mutating func grow(by additional: Int) {
        let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(2 * memory.count, count + additional, 64))
        if count > 0 { _ = unsafe larger.update(fromContentsOf: memory[..<count]) }
        if isOwner { unsafe memory.deallocate() }
        unsafe memory = unsafe larger
        isOwner = true
    }
}

/// Percent-encoding of keys and values (RFC 3986, 2.1), applied to each byte of their UTF-8.
///
/// Letters, digits and `-._~` (RFC 3986, 2.3) stay unchanged. So do `/` and `?`, which a query may contain (RFC 3986,
/// 3.4), as in AFNetworking.
enum QueryPercentEncoding {
    /// Writes text to `output`, which must have room for three bytes per input byte and eight more.
    ///
    /// Eight bytes of text at a time are tested as one 64-bit word (SWAR). The word is copied if all its bytes are
    /// letters, digits, `-`, `.` or `/`. The bytes of other words are looked up in a table, without branches. Each
    /// lookup writes four bytes, of which one or three are the encoding; the next write overwrites the other bytes.
    ///
    /// - Returns: The end of the written text.
    @inline(__always)
    static func write(
        _ text: Span<UInt8>, spaces: RequestParameters.Style.SpaceFormat, to output: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        unsafe text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return unsafe output }
            return unsafe write(start, count: text.count, spaces: spaces, to: output)
        }
    }

    private static func write(
        _ text: UnsafePointer<UInt8>, count: Int, spaces: RequestParameters.Style.SpaceFormat,
        to output: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let half: UInt16 = spaces == .plus ? 0x100 : 0
        var (source, left) = unsafe (UnsafeRawPointer(text), count)
        var end = UnsafeMutableRawPointer(output)
        while left >= 8 {
            let word = unsafe UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
            if areLettersAndDigits(word) {
                unsafe end.storeBytes(of: word.littleEndian, as: UInt64.self)
                unsafe end += 8
            } else {
                for place: UInt64 in 0..<8 {
                    unsafe write(UInt8(truncatingIfNeeded: word &>> (8 &* place)), half, to: &end)
                }
            }
            unsafe source += 8
            left &-= 8
        }
        while left > 0 {
            unsafe write(source.load(as: UInt8.self), half, to: &end)
            unsafe source += 1
            left &-= 1
        }
        return unsafe end.assumingMemoryBound(to: UInt8.self)
    }

    /// Tests with SWAR whether each byte of a word is a letter, a digit, `-`, `.` or `/`.
    ///
    /// The high bits are masked first, so no sum overflows into the next byte. There are two ranges: the letters, after
    /// conversion to lower case, and `-` to `9`. For each range, the first addition sets the high bit of all bytes at
    /// or above the start. The second addition sets the high bit of all bytes above the end. Thus a byte lies in the
    /// range if only the first addition sets its high bit. Bytes of 128 and more fail the test.
    @inline(__always)
    private static func areLettersAndDigits(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7F * ones)
        let small = low | 0x20 * ones
        let letter = (small &+ (0x80 - 0x61) * ones) & ~(small &+ (0x7F - 0x7A) * ones)
        let digit = (low &+ (0x80 - 0x2D) * ones) & ~(low &+ (0x7F - 0x39) * ones)
        return ~((letter | digit) & ~word) & (0x80 * ones) == 0
    }

    /// Writes the encoding of one byte and moves `end` to the end of this encoding.
    ///
    /// - Parameter half: The index at which the used half of the table begins: 0, or 256 if a space becomes `+`.
    @inline(__always)
    private static func write(_ byte: UInt8, _ half: UInt16, to end: inout UnsafeMutableRawPointer) {
        let entry = table[Int((UInt16(byte) | half) & 0x1FF)]
        unsafe end.storeBytes(of: entry.littleEndian, as: UInt32.self)
        unsafe end += Int(entry &>> 24)
    }

    /// An entry for each byte: the one or three bytes of its encoding, the first in the entry's lowest byte, and their
    /// number in the entry's top byte. In the second half of the table, a space becomes `+`.
    private static let table = InlineArray<512, UInt32> { index in
        let byte = UInt8(truncatingIfNeeded: index)
        if index == 0x120 { return 1 << 24 | UInt32(UInt8(ascii: "+")) }
        if isUnreserved(byte) { return 1 << 24 | UInt32(byte) }
        return 3 << 24 | UInt32(digit(byte & 15)) << 16 | UInt32(digit(byte >> 4)) << 8 | UInt32(UInt8(ascii: "%"))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: "/"), UInt8(ascii: "?"): true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}
