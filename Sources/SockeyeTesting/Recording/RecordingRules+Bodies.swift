import Sockeye
import SockeyeHTTP
import SockeyeSerialization

extension RecordingRules {
    /// Returns the body without secret values. Replacements and rewrites of the user apply only to text.
    func cleaned(_ body: Bytes, _ type: InternetMediaType?) -> Bytes {
        guard !body.isEmpty else { return body }
        let bytes = masked(Array(body), type, depth: 0)
        guard let text = String(validating: bytes, as: UTF8.self) else { return Bytes(bytes) }
        return Bytes(replaced(text))
    }

    /// The maximum nesting of multipart bodies. A deeper body is replaced as a whole, because the peer chooses the
    /// depth and each level takes stack.
    private static let depthLimit = 8

    private func masked(_ body: [UInt8], _ type: InternetMediaType?, depth: Int) -> [UInt8] {
        if let type, type.type == "multipart", let boundary = type["boundary"], !boundary.isEmpty {
            guard depth < Self.depthLimit else { return Array(Self.mark.utf8) }
            return MultipartParts(boundary: boundary).rewriting(body) { head, content in
                if head.names.contains(where: removesFormItem) { return Array(Self.mark.utf8) }
                return masked(content, head.mediaType, depth: depth + 1)
            }
        }
        if type?.essence == "application/x-www-form-urlencoded" {
            guard let text = String(validating: body, as: UTF8.self) else { return body }
            return Array(SecretItemMask(mark: Self.mark, isSecret: removesFormItem).masking(items: text).utf8)
        }
        if Self.isXML(type, body) {
            return XMLMask(mark: Self.mark) { removesMember($0) || isSecretMember($0) }.masking(body)
        }
        return maskedJSON(body[...], separators: Self.separators) ?? body
    }

    private static func isXML(_ type: InternetMediaType?, _ body: [UInt8]) -> Bool {
        type?.subtype == "xml" || type?.subtype.hasSuffix("+xml") == true || body.starts(with: "<?xml".utf8)
    }

    // MARK: JSON

    /// The bytes that separate JSON texts in a sequence (RFC 7464) and in JSON lines.
    private static let separators: ArraySlice<UInt8> = [0x1E, 0x0A]

    /// The name of the field that holds an event's data (text/event-stream).
    private static let eventData = Array("data:".utf8)

    /// Masks the values of secret members in a JSON text, a sequence of JSON texts, or JSON lines. Returns nil if
    /// nothing was masked.
    ///
    /// The media type is ignored, because servers label JSON lines as JSON, and JSON as text.
    private func maskedJSON(_ bytes: ArraySlice<UInt8>, separators: ArraySlice<UInt8>) -> [UInt8]? {
        let start = bytes.starts(with: Self.eventData) ? Self.eventData.count : 0
        let text = bytes.dropFirst(start)
        if separators.count == Self.separators.count || Self.beginsLikeJSON(text),
            let value = try? JSONValue(parsing: text), !value.isFragment
        {
            return masked(value, of: text).map { Array(bytes.prefix(start)) + $0 }
        }
        guard let separator = separators.first else { return nil }
        let pieces = bytes.split(separator: separator, omittingEmptySubsequences: false)
        let changes = pieces.map { maskedJSON($0, separators: separators.dropFirst()) }
        guard changes.contains(where: { $0 != nil }) else { return nil }
        return Array(zip(pieces, changes).map { $1 ?? Array($0) }.joined(separator: [separator]))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func beginsLikeJSON(_ text: ArraySlice<UInt8>) -> Bool {
        let first = text.first { !isBlank($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Returns the text of a value without secrets, with its surrounding whitespace. A one-line text stays on one line.
    /// Returns nil if nothing was masked.
    private func masked(_ value: JSONValue, of text: ArraySlice<UInt8>) -> [UInt8]? {
        var isChanged = false
        let cleaned = withoutMembers(value, &isChanged)
        guard isChanged else { return nil }
        let start = text.firstIndex { !Self.isBlank($0) } ?? text.startIndex
        let end = text.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? text.endIndex
        let options: JSONValue.WritingOptions = text[start..<end].contains(0x0A) ? .prettyPrinted : []
        let written = cleaned.string(options: options.union(.withoutEscapingSlashes))
        return Array(text[..<start]) + Array(written.utf8) + Array(text[end...])
    }

    /// Replaces the values of secret members and the secrets in URLs. The recursion is bounded because the parser
    /// limits the depth.
    private func withoutMembers(_ value: JSONValue, _ isChanged: inout Bool) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map { withoutMembers($0, &isChanged) })
        case .object(let object):
            return .object(
                JSONValue.Object(
                    object.map { key, value in
                        if removesMember(key), value != .null {
                            isChanged = true
                            return (key, .string(Self.mark))
                        }
                        let value = isSecretMember(key) ? withoutStrings(value, &isChanged) : value
                        return (key, withoutMembers(value, &isChanged))
                    }))
        case .string(let text) where text.hasPrefix("https://") || text.hasPrefix("http://"):
            let url = cleanedURL(text)
            isChanged = isChanged || url != text
            return .string(url)
        default: return value
        }
    }

    /// Replaces a string, or the strings of an array, with the mark. An empty string is not a secret.
    private func withoutStrings(_ value: JSONValue, _ isChanged: inout Bool) -> JSONValue {
        switch value {
        case .string(let text) where !text.isEmpty:
            isChanged = true
            return .string(Self.mark)
        case .array(let values): return .array(values.map { withoutStrings($0, &isChanged) })
        default: return value
        }
    }
}
