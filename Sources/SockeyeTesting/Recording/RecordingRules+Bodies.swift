import Sockeye
import SockeyeHTTP
import SockeyeSerialization

extension RecordingRules {
    /// Returns the body without secret values. The user's replacements and rewrites apply only to text in UTF-8.
    func cleaned(_ body: Bytes, _ type: InternetMediaType?) -> Bytes {
        guard !body.isEmpty else { return body }
        let bytes = masked(Array(body), type, depth: 0)
        guard let text = String(validating: bytes, as: UTF8.self) else { return Bytes(bytes) }
        return Bytes(replaced(text))
    }

    /// The number of levels of nested multipart bodies that are examined. A multipart body at a deeper level is
    /// replaced as a whole. There is a limit because the peer chooses the depth and each level takes stack.
    private static let depthLimit = 8

    private func masked(_ body: [UInt8], _ type: InternetMediaType?, depth: Int) -> [UInt8] {
        if let type, type.type == "multipart", let boundary = type["boundary"], !boundary.isEmpty {
            guard depth < Self.depthLimit else { return Array(Self.mark.utf8) }
            return MultipartParts(boundary: boundary).rewriting(body) { head, content in
                if head.names.contains(where: removesFormItem) { return Array(Self.mark.utf8) }
                return masked(content, head.mediaType, depth: depth + 1)
            }
        }
        if type?.essence == "application/x-www-form-urlencoded" { return maskedForm(body) }
        return maskedXML(type, body) ?? maskedJSON(type, body)
    }

    /// Removes the values of secret items from a form, which may contain bytes that are not UTF-8.
    private func maskedForm(_ body: [UInt8]) -> [UInt8] {
        let mask = SecretItemMask(mark: Self.mark, isSecret: removesFormItem)
        let separator = UInt8(ascii: "&")
        let items = body.split(separator: separator, omittingEmptySubsequences: false).map { item in
            // In a form, a byte and its percent-encoded form have the same meaning.
            let text = String(validating: item, as: UTF8.self) ?? PercentEncoding.encodingBeyondASCII(item)
            let masked = mask.masking(items: text)
            return masked.utf8.elementsEqual(text.utf8) ? Array(item) : Array(masked.utf8)
        }
        return Array(items.joined(separator: [separator]))
    }

    // MARK: XML

    /// Removes the values of secret attributes and the text of secret elements from XML. UTF-16 stays UTF-16, because
    /// the XML declaration or Content-Type may name it. Returns nil if the body is not XML.
    private func maskedXML(_ type: InternetMediaType?, _ body: [UInt8]) -> [UInt8]? {
        let isBigEndian = Self.isBigEndianUTF16(body)
        let text = isBigEndian.map { Self.utf8(ofUTF16: body, isBigEndian: $0) } ?? body
        guard Self.isXML(type, text) else { return nil }
        let masked = XMLMask(mark: Self.mark) { removesMember($0) || isSecretMember($0) }.masking(text)
        guard masked != text else { return body }
        return isBigEndian.map { Self.utf16(ofUTF8: masked, isBigEndian: $0) } ?? masked
    }

    private static func isXML(_ type: InternetMediaType?, _ text: [UInt8]) -> Bool {
        let start = text.starts(with: "\u{FEFF}".utf8) ? text.dropFirst(3) : text[...]
        return type?.subtype == "xml" || type?.subtype.hasSuffix("+xml") == true || start.starts(with: "<?xml".utf8)
    }

    /// Returns true for text in big-endian UTF-16, false for little-endian, and nil for other bytes. Such text begins
    /// with a byte order mark, or with an ASCII character, which has one zero byte (XML 1.0 Appendix F.1).
    private static func isBigEndianUTF16(_ body: [UInt8]) -> Bool? {
        guard body.count >= 2 else { return nil }
        switch (body[0], body[1]) {
        case (0xFE, 0xFF), (0, 0x01...0x7F): return true
        case (0xFF, 0xFE), (0x01...0x7F, 0): return false
        default: return nil
        }
    }

    private static func utf8(ofUTF16 bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index -> UInt16 in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func utf16(ofUTF8 text: [UInt8], isBigEndian: Bool) -> [UInt8] {
        String(decoding: text, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    // MARK: JSON

    /// Removes the values of secret members from a body that is, or looks like, JSON: a JSON text, a sequence of JSON
    /// texts (RFC 7464), JSON lines or an event stream. Returns other bodies unchanged.
    private func maskedJSON(_ type: InternetMediaType?, _ body: [UInt8]) -> [UInt8] {
        let text = Self.utf8(ofJSON: body)
        guard Self.isJSON(type, text) else { return body }
        let mask = JSONMask(mark: Self.mark) { name in
            removesMember(name) ? .all : isSecretMember(name) ? .strings : .nothing
        } withoutSecrets: { text in
            let start = String(decoding: text.utf8.prefix("https://".utf8.count), as: UTF8.self).lowercased()
            return start.hasPrefix("https://") || start.hasPrefix("http://") ? cleanedURL(text) : text
        }
        let masked = mask.masking(text)
        return masked == text ? body : masked
    }

    /// Converts well-formed JSON from UTF-16 or UTF-32 to UTF-8, and returns other bodies unchanged. In UTF-16 and
    /// UTF-32 one of the first four bytes is zero, because the first characters of JSON are ASCII.
    private static func utf8(ofJSON body: [UInt8]) -> [UInt8] {
        let options = JSONValue.ReadingOptions(duplicateKeys: .error)
        guard body.prefix(4).contains(0), let value = try? JSONValue(parsing: body, options: options) else {
            return body
        }
        return Array(value.string(options: .withoutEscapingSlashes).utf8)
    }

    /// Returns true if the media type names JSON or an event stream. Also returns true if a line begins like JSON,
    /// because servers also send JSON as plain text.
    private static func isJSON(_ type: InternetMediaType?, _ body: [UInt8]) -> Bool {
        if let type, type.subtype.contains("json") || type.subtype == "event-stream" { return true }
        return body.split(separator: 0x0A).contains { line in
            let start = line.starts(with: eventData) ? line.dropFirst(eventData.count) : line
            let first = start.first { !ignoredBeforeJSON.contains($0) }
            return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        }
    }

    /// The name of the field that holds an event's data (text/event-stream).
    private static let eventData = Array("data:".utf8)

    /// Blanks, the separator of a sequence (RFC 7464) and the bytes of a byte order mark.
    private static let ignoredBeforeJSON: [UInt8] = [0x20, 0x09, 0x0D, 0x1E, 0xEF, 0xBB, 0xBF]
}
