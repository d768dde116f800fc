/// What stands around a place, for errors.
enum XMLExcerpt {
    /// How many bytes are shown on either side.
    static let reach = 80

    /// The text with an arrow at the place, in one line. Characters that were cut at either end are left out.
    static func text(_ before: [UInt8], _ after: [UInt8]) -> String {
        let head = before.drop { UTF8.isContinuation($0) }
        var end = after.count
        // Not more than one character, or there would be nothing left of what is no UTF-8 at all.
        if end == reach, let last = after.lastIndex(where: { !UTF8.isContinuation($0) }), after[last] >= 0xC0,
            end - last < 4
        {
            end = last
        }
        return visible(String(decoding: head, as: UTF8.self)) + "→"
            + visible(String(decoding: after[..<end], as: UTF8.self))
    }

    private static func visible(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // The block of control pictures has one for each control, in their order.
            output.append(scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? " " : scalar)
        }
        return String(output)
    }
}
