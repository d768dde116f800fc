/// Text of a peer's that no terminal takes for a command.
package enum TerminalText {
    /// C0 controls but line feed and tab, DEL, the C1 controls of ECMA-48, which command terminals as ESC does, and the marks
    /// that change the direction of text, which make it read otherwise than it is.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The text with those written as `\u009b`, which is JSON's way, too.
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
