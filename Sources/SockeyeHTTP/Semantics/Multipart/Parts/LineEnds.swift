/// Line ends as the HTML standard has them in forms (4.10.21.8, "multipart/form-data encoding algorithm").
package enum LineEnds {
    /// The text with every CR, LF and CRLF as CRLF.
    package static func normalized(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return text }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 16)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0A, previous == 0x0D {
                previous = byte
                continue
            }
            output.append(contentsOf: byte == 0x0D || byte == 0x0A ? [0x0D, 0x0A] : [byte])
            previous = byte
        }
        return String(decoding: output, as: UTF8.self)
    }
}
