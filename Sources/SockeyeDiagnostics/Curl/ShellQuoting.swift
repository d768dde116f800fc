import SockeyeCore
import SockeyeEngine

/// Quoting for a POSIX shell (XCU 2.2.2). The result is one word that stands for exactly the given text.
enum ShellQuoting {
    /// True for bytes that never need quotes in a command.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "%+,-./:=@_".utf8.contains(byte)
        }
    }

    /// Returns the text as one word. Within single quotes only a single quote is special.
    static func word(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(isPlain) else { return text }
        // By scalars, because Swift treats a quote with a combining accent as one Character that is not a quote.
        var quoted = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }

    /// Returns a command that writes exactly these bytes: printf(1) with `%b` and octal escapes. The command's text is
    /// ASCII.
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

    /// Returns bytes as text for a command. Nil if a command cannot contain them, or if a terminal might interpret
    /// them.
    static func text(of bytes: Bytes) -> String? {
        let isHarmless = bytes.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t")
        }
        guard isHarmless, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.unicodeScalars.contains { $0.value >= 0x80 && $0.steersDisplay } ? nil : text
    }

    /// Returns true if an argument has no character that steers a terminal's display, such as a line feed or an escape.
    /// A tab is harmless within quotes.
    static func isShown(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !$0.steersDisplay || $0 == "\t" }
    }
}
