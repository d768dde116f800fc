import SockeyeCore

/// Quoting for a POSIX shell (XCU 2.2.2): what comes out is one word that means exactly the text, whatever is in it.
enum ShellText {
    /// What needs no quotes in any place of a command.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "%+,-./:=@_".utf8.contains(byte)
        }
    }

    /// A word of a command. Within single quotes nothing means anything but a single quote.
    static func word(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(isPlain) else { return text }
        // By scalars: a quote with a combining accent is one Character, and not a quote to Swift.
        var quoted = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }

    /// A command that writes exactly these bytes: printf(1) with `%b`, whose escapes are in octal, in ASCII alone.
    static func printing(_ bytes: Bytes) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"): text += "\\n"
            case UInt8(ascii: "\\"): text += "\\\\"
            case 0x20...0x7E where byte != UInt8(ascii: "'"): text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let octal = String(byte, radix: 8)
                text += "\\0" + String(repeating: "0", count: 3 - octal.count) + octal
            }
        }
        return "printf %b '\(text)'"
    }

    /// Bytes as text that may stand in a command; nil for what a command cannot hold, or a terminal might take for orders.
    static func text(of bytes: Bytes) -> String? {
        let isHarmless = bytes.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t")
        }
        guard isHarmless, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        // The control characters beyond ASCII (C1).
        return text.unicodeScalars.contains { 0x80..<0xA0 ~= $0.value } ? nil : text
    }
}
