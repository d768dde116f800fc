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
        if type?.essence == "application/x-www-form-urlencoded" {
            guard let text = String(validating: body, as: UTF8.self) else { return body }
            return Array(SecretItemMask(mark: Self.mark, isSecret: removesFormItem).masking(items: text).utf8)
        }
        if Self.isXML(type, body) {
            return XMLMask(mark: Self.mark) { removesMember($0) || isSecretMember($0) }.masking(body)
        }
        return maskedJSON(type, body)
    }

    private static func isXML(_ type: InternetMediaType?, _ body: [UInt8]) -> Bool {
        type?.subtype == "xml" || type?.subtype.hasSuffix("+xml") == true || body.starts(with: "<?xml".utf8)
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
            let start = text.prefix("https://".count).lowercased()
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
