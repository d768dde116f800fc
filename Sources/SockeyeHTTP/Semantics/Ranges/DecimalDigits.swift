/// Numbers as range fields write them: digits and nothing else.
enum DecimalDigits {
    /// Nil for anything else, and for what does not fit: no representation is that long.
    static func parse(_ text: some Collection<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for byte in text {
            guard ByteClass.isDigit(byte) else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(Int(byte &- 0x30))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
        }
        return number
    }
}

extension Substring.UTF8View {
    /// Without OWS at both ends (RFC 9110 5.6.3).
    var withoutBlanks: Substring.UTF8View {
        let start = drop(while: ByteClass.isBlank)
        guard let last = start.lastIndex(where: { !ByteClass.isBlank($0) }) else { return start }
        return start[...last]
    }

    /// Takes `lowercase` off the front, letters in either case; false when something else stands there.
    mutating func skip(_ lowercase: String) -> Bool {
        let length = lowercase.utf8.count
        let head = prefix(length)
        guard head.count == length, zip(head, lowercase.utf8).allSatisfy({ ByteClass.lowercased($0) == $1 }) else {
            return false
        }
        self = dropFirst(length)
        return true
    }
}
