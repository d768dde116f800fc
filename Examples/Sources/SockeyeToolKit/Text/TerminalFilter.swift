import Sockeye

/// Escapes control sequences in content for a terminal, piece by piece.
///
/// Line feed, tab, and CR before a line feed stay. Other control characters become text such as `\u001b`, and bytes
/// that are not UTF-8 become text such as `\x9b`, because a terminal with another character set may take them for
/// controls.
package struct TerminalFilter: Sendable {
    /// The end of the previous piece: an incomplete UTF-8 sequence, or a CR.
    private var rest: [UInt8] = []

    package init() {}

    /// Returns the text for the terminal. The end of an incomplete sequence waits for the next piece.
    package mutating func escaping(_ piece: Bytes) -> Bytes {
        Bytes(take(rest + Array(piece), isLast: false))
    }

    /// Returns the text for an end that was incomplete.
    package mutating func finish() -> Bytes {
        Bytes(take(rest, isLast: true))
    }

    private mutating func take(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        rest = []
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            let isLastByte = position + 1 == bytes.count
            if (0x20..<0x7F).contains(byte) || byte == 0x0A || byte == 0x09 {
                output.append(byte)
                position += 1
            } else if byte == 0x0D, isLastByte, !isLast {
                rest = [byte]
                position += 1
            } else if byte == 0x0D, !isLastByte, bytes[position + 1] == 0x0A {
                output += [0x0D, 0x0A]
                position += 2
            } else {
                let length = Self.length(byte)
                let sequence = bytes[position..<min(position + length, bytes.count)]
                if sequence.count < length, !isLast, Self.isStart(sequence) {
                    rest = Array(sequence)
                    return output
                }
                if let text = String(validating: sequence, as: UTF8.self) {
                    output += Array(TerminalText.escaping(text).utf8)
                    position += length
                } else {
                    output += Array("\\x\(String(Int(byte) + 0x100, radix: 16).dropFirst())".utf8)
                    position += 1
                }
            }
        }
        return output
    }

    /// Returns the length of the UTF-8 sequence that a byte starts; 1 for a byte that starts none.
    private static func length(_ byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// True if all bytes after the first are continuation bytes.
    private static func isStart(_ sequence: ArraySlice<UInt8>) -> Bool {
        sequence.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    }
}
