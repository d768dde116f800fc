/// A piece of the content: text, or a file that is read when the request is made.
package enum ContentPiece: Sendable, Hashable {
    /// Text, sent as it is.
    case text(String)
    /// A file, sent unchanged; `-` is standard input.
    case file(String)
    /// A file that is sent without its line breaks and NUL bytes, as curl sends the file of `--data @FILE`.
    case joinedFile(String)
    /// A file that is percent-encoded and follows `name=`, or stands alone if the name is nil.
    case encodedFile(name: String?, path: String)

    /// The path of the file, or `-` for standard input; nil for text.
    package var path: String? {
        switch self {
        case .text: nil
        case .file(let path), .joinedFile(let path), .encodedFile(_, let path): path
        }
    }

    /// Returns the bytes to send.
    ///
    /// - Parameter content: The content of the file; ignored for text.
    package func bytes(_ content: [UInt8]) -> [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .file: content
        case .joinedFile: content.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        case .encodedFile(let name, _):
            Array((name.map { "\($0)=" } ?? "").utf8) + Array(FormEncoding.encoded(content, spaces: "+").utf8)
        }
    }
}

extension RequestDraft {
    /// An argument of one of curl's options for content.
    package enum Data: Sendable, Hashable {
        /// `--data`: text, `@path` for a file, `@-` for standard input.
        case text(String)
        /// `--data-raw`: text, also if it starts with `@`.
        case raw(String)
        /// `--data-binary`: text, or `@path` for a file that is sent unchanged.
        case binary(String)
        /// `--data-urlencode`: `name=value`, `=value`, `value`, `name@path` or `@path`.
        case encoded(String)

        /// - Parameter isForm: True if the content is a form, in which line breaks of files are removed.
        package func piece(isForm: Bool) -> ContentPiece {
            switch self {
            case .raw(let text): return .text(text)
            case .text(let text), .binary(let text):
                guard text.hasPrefix("@") else { return .text(text) }
                let path = String(text.dropFirst())
                if case .text = self, isForm { return .joinedFile(path) }
                return .file(path)
            case .encoded(let text):
                // As in curl, an equals sign takes precedence over an at sign.
                guard let sign = text.firstIndex(of: "=") ?? text.firstIndex(of: "@") else {
                    return .text(FormEncoding.encoded(text, spaces: "+"))
                }
                let name = sign == text.startIndex ? nil : String(text[..<sign])
                let value = String(text[text.index(after: sign)...])
                if text[sign] == "@" { return .encodedFile(name: name, path: value) }
                let encoded = FormEncoding.encoded(value, spaces: "+")
                return .text(name.map { "\($0)=\(encoded)" } ?? encoded)
            }
        }
    }
}
