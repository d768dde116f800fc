/// What a JSON number is worth, in one form for each value: `digits` times ten to the power of `exponent`.
struct DecimalValue: Hashable {
    private let isNegative: Bool
    /// ASCII digits without zeros at either end; none for zero.
    private let digits: [UInt8]
    private let exponent: Int
    /// The exponent as it was written, if no `Int` holds it; then only numbers that are written alike are equal.
    private let remoteExponent: String

    /// `text` is a number of RFC 8259, 6.
    init(_ text: String) {
        let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0]
        let fraction = mantissa.firstIndex(of: UInt8(ascii: ".")).map { mantissa[$0...].count - 1 } ?? 0
        let all = mantissa.filter { $0 >= UInt8(ascii: "0") }
        let trailing = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let significant = Array(all.dropLast(trailing).drop { $0 == UInt8(ascii: "0") })
        let written = parts.count > 1 ? String(Substring(parts[1])) : "0"
        let (sum, overflow) = (Int(written) ?? 0).addingReportingOverflow(trailing - fraction)
        digits = significant
        isNegative = text.utf8.first == UInt8(ascii: "-") && !significant.isEmpty
        let isRemote = Int(written) == nil || overflow
        exponent = significant.isEmpty || isRemote ? 0 : sum
        remoteExponent = isRemote && !significant.isEmpty ? written : ""
    }

    /// The value as an integer, if it is one and the type holds it.
    func integer<Value: FixedWidthInteger>() -> Value? {
        guard !digits.isEmpty else { return 0 }
        // No value of 128 bits has more than 39 digits.
        guard remoteExponent.isEmpty, exponent >= 0, exponent < 40, digits.count + exponent <= 40 else { return nil }
        let zeros = String(repeating: "0", count: exponent)
        return Value((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + zeros)
    }
}
