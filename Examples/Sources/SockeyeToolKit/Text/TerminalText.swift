/// Escapes text from a peer, so that it contains no commands for a terminal.
package enum TerminalText {
    /// Returns true for C0 controls other than line feed and tab, for DEL, and for the C1 controls of ECMA-48, which
    /// control terminals as ESC does. Also for marks that change the direction of text, because they can make it
    /// misleading.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns the text with harmful characters escaped like `\u009b`, as in JSON.
    package static func escaping(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) {
                let digits = String(scalar.value, radix: 16)
                safe += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
