/// Numbers that a peer may send, at the limits of the usual number types.
enum ExtremeNumber {
    private static let values: [UInt128] = [
        0, 1, 1 << 31 - 1, 1 << 31, 1 << 31 + 1, 1 << 32 - 1, 1 << 32, 1 << 32 + 1, 1 << 53 - 1, 1 << 53, 1 << 53 + 1,
        1 << 62 - 1, 1 << 62, 1 << 62 + 1, 1 << 63 - 65, 1 << 63 - 64, 1 << 63 - 1, 1 << 63, 1 << 64 - 1, 1 << 64,
    ]

    /// Decimal texts: the numbers, forty digits, negative numbers, fractions, and an empty text.
    static let decimal =
        values.map { "\($0)" } + [
            String(repeating: "9", count: 40), "-1", "-9223372036854775808", "1.5", "1e309", "",
        ]

    /// Hexadecimal texts, for chunk sizes.
    static let hexadecimal =
        values.map { String($0, radix: 16) } + [String(repeating: "f", count: 40), "-1", "-8000000000000000", ""]
}
