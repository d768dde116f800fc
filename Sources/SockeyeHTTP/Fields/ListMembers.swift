/// The members of a comma-separated list without blanks around them; empty members are skipped (RFC 9110 5.6.1).
/// Not for lists with quoted strings.
@safe struct ListMembers {
    private let base: UnsafeRawPointer
    private var index: Int
    private let end: Int

    init(_ base: UnsafeRawPointer, from start: Int, to end: Int) {
        unsafe self.base = unsafe base
        self.index = start
        self.end = end
    }

    mutating func next() -> Range<Int>? {
        while index < end {
            while index < end, unsafe ByteClass.isBlank(base.byte(index)) { index += 1 }
            let start = index
            while index < end, unsafe base.byte(index) != UInt8(ascii: ",") { index += 1 }
            var stop = index
            while stop > start, unsafe ByteClass.isBlank(base.byte(stop - 1)) { stop -= 1 }
            index += 1
            if stop > start { return start..<stop }
        }
        return nil
    }
}
