import SockeyeSerialization

/// A scanner that replaces the values of secret members, and the secrets in URLs, in JSON.
///
/// It recognizes strings, names and brackets and validates nothing. So it also masks JSON that is cut off, malformed or
/// nested deeper than the parser's limit. The input may be a single JSON text, JSON lines or an event stream. If a
/// secret name occurs twice, both values are masked. A string that is a URL with secrets is replaced by the URL without
/// them. All other bytes are unchanged.
struct JSONMask {
    /// The part of a member's value that is secret.
    enum Secret {
        case nothing
        /// A string that is not empty. In an array, all such strings, including those in nested arrays.
        case strings
        /// Any value except null.
        case all
    }

    private let mark: [UInt8]
    private let secret: (String) -> Secret
    private let withoutSecrets: (String) -> String

    /// - Parameters:
    ///   - secret: Takes the name of a member and returns the secret part of its value.
    ///   - withoutSecrets: Returns a URL without its secrets, and any other text unchanged. Called for each string that
    ///     is neither a name nor secret and begins with `h`, `H` or an escape, because it could be a URL.
    init(mark: String, secret: @escaping (String) -> Secret, withoutSecrets: @escaping (String) -> String) {
        self.mark = Array(mark.utf8)
        self.secret = secret
        self.withoutSecrets = withoutSecrets
    }

    func masking(_ text: [UInt8]) -> [UInt8] {
        var pass = Pass(mask: self, text: text)
        return pass.run()
    }
}

extension JSONMask {
    private struct Pass {
        let mask: JSONMask
        let text: [UInt8]
        private var output: [UInt8] = []
        /// The offset up to which the input was copied or replaced.
        private var copied = 0
        private var position = 0
        /// For each open bracket, true if it begins an array of secret strings.
        private var open: [Bool] = []

        private static let quote = UInt8(ascii: "\"")

        /// The length in bytes to which a name is cut before it is looked up in a set of names. Hashing a name of very
        /// many combining marks takes seconds.
        private static let nameLimit = 1000

        init(mask: JSONMask, text: [UInt8]) {
            self.mask = mask
            self.text = text
        }

        mutating func run() -> [UInt8] {
            while position < text.count {
                switch text[position] {
                case UInt8(ascii: "["): begin(isSecret: open.last == true)
                case UInt8(ascii: "{"): begin(isSecret: false)
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    _ = open.popLast()
                    position += 1
                case Self.quote: readString()
                default: position += 1
                }
            }
            return output + text[copied...]
        }

        private mutating func begin(isSecret: Bool) {
            open.append(isSecret)
            position += 1
        }

        private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
            output += text[copied..<range.lowerBound] + new
            copied = range.upperBound
        }

        /// Reads the string at `position`: masks an element of a secret array, reads the value after a name, or removes
        /// the secrets of a URL.
        private mutating func readString() {
            guard open.last != true else { return maskString() }
            let content = content(after: position, endsWithLine: true)
            position = min(content.upperBound + 1, text.count)
            if text[position - 1] == Self.quote, let value = value(after: position) {
                readValue(at: value, of: unescaped(content.prefix(Self.nameLimit)))
            } else if let first = text[content].first, Self.mayBeginURL(first) {
                let url = unescaped(content)
                let cleaned = mask.withoutSecrets(url)
                guard !cleaned.utf8.elementsEqual(url.utf8) else { return }
                let quoted = Array(JSONValue.string(cleaned).string(options: .withoutEscapingSlashes).utf8)
                replace(content, with: Array(quoted.dropFirst().dropLast()))
            }
        }

        /// Returns true if a string that begins with this byte may be an http or https URL. The `h` may be in upper
        /// case or escaped.
        private static func mayBeginURL(_ byte: UInt8) -> Bool {
            byte | 0x20 == UInt8(ascii: "h") || byte == UInt8(ascii: "\\")
        }

        private mutating func readValue(at start: Int, of name: String) {
            position = start
            guard start < text.count else { return }
            switch mask.secret(name) {
            case .nothing: return
            case .strings:
                if text[start] == Self.quote { maskString() }
                if text[start] == UInt8(ascii: "[") { begin(isSecret: true) }
            case .all:
                let value = start..<end(ofValueAt: start)
                guard !value.isEmpty, !text[value].elementsEqual("null".utf8) else { return }
                replace(value, with: [Self.quote] + mask.mark + [Self.quote])
                position = value.upperBound
            }
        }

        private mutating func maskString() {
            let content = content(after: position, endsWithLine: false)
            if !content.isEmpty { replace(content, with: mask.mark) }
            position = min(content.upperBound + 1, text.count)
        }

        // MARK: Scanning

        /// Returns the content of the string that begins with the quote at an offset. Without a closing quote, the
        /// content ends with the line if `endsWithLine` is true, so that the next line is scanned. If `endsWithLine` is
        /// false, the content ends with the text, so that no part of a secret stays.
        private func content(after quote: Int, endsWithLine: Bool) -> Range<Int> {
            var end = quote + 1
            while end < text.count, text[end] != Self.quote, !endsWithLine || text[end] != 0x0A {
                end += text[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            return quote + 1..<min(end, text.count)
        }

        /// Returns the start of the value after the name that ends at an offset; nil if no colon follows. Returns the
        /// end of the text if the value is missing.
        private func value(after name: Int) -> Int? {
            guard let colon = text[name...].firstIndex(where: { !Self.isBlank($0) }), text[colon] == UInt8(ascii: ":")
            else { return nil }
            return text[(colon + 1)...].firstIndex { !Self.isBlank($0) } ?? text.count
        }

        /// Returns the end of a value of any kind; the end of the text if the value is cut off.
        private func end(ofValueAt start: Int) -> Int {
            var (index, depth) = (start, 0)
            while index < text.count {
                switch text[index] {
                case Self.quote:
                    index = min(content(after: index, endsWithLine: false).upperBound + 1, text.count)
                    guard depth > 0 else { return index }
                    continue
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    guard depth > 1 else { return index + depth }
                    depth -= 1
                case let byte where depth == 0 && (byte == UInt8(ascii: ",") || Self.isBlank(byte)): return index
                default: break
                }
                index += 1
            }
            return text.count
        }

        private static func isBlank(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }

        /// Returns the text of a string. Escapes stay if the string is malformed.
        private func unescaped(_ content: Range<Int>) -> String {
            let bytes = text[content]
            if bytes.contains(UInt8(ascii: "\\")),
                case .string(let text)? = try? JSONValue(parsing: [Self.quote] + bytes + [Self.quote])
            {
                return text
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
