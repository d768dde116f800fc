/// Walks over the parameters of a Content-Disposition field as browsers write it.
///
/// They do not escape backslashes, senders that follow RFC 2183 do. `\"` is a quote unless a parameter or the end follows
/// it, as it does where a name ends in a backslash.
struct ParameterScan {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// What stands before the next semicolon or equals sign.
    mutating func takeToken() -> String {
        let start = index
        while index < bytes.count, !";=".utf8.contains(bytes[index]) { index += 1 }
        return text(bytes[start..<index])
    }

    /// The next parameter with its name in lower case; nil when there is none.
    mutating func nextParameter() -> (name: String, value: String)? {
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: ";") { index += 1 }
            let name = takeToken().lowercased()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { continue }
            index += 1
            skipBlanks()
            let value = index < bytes.count && bytes[index] == UInt8(ascii: "\"") ? quoted() : unquoted()
            return (name, value)
        }
        return nil
    }

    private mutating func unquoted() -> String {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: ";") { index += 1 }
        return text(bytes[start..<index])
    }

    private mutating func quoted() -> String {
        var content: [UInt8] = []
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), isEscape { index += 1 }
            content.append(bytes[index])
            index += 1
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: ";") { index += 1 }
        return String(decoding: content, as: UTF8.self)
    }

    /// Whether the backslash here stands before a quote that does not end the value.
    private var isEscape: Bool {
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") else { return false }
        let next = bytes[(index + 2)...].first { !Self.isBlank($0) }
        return next != nil && next != UInt8(ascii: ";")
    }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        let start = bytes.drop(while: Self.isBlank)
        let end = start.lastIndex { !Self.isBlank($0) }
        return String(decoding: end.map { start[...$0] } ?? [], as: UTF8.self)
    }
}
