import SockeyeCore

/// A scanner that replaces the values of secret items, such as `token=…`, in URLs, references and forms.
package struct SecretItemMask {
    /// The text that replaces a value.
    private let mark: String
    private let isSecret: (String) -> Bool

    /// - Parameter isSecret: Returns true if the value of an item with this percent-decoded name must be replaced.
    package init(mark: String, isSecret: @escaping (String) -> Bool = SecretNames.isSecretItem) {
        self.mark = mark
        self.isSecret = isSecret
    }

    /// Returns a URL or reference with the secret items of its query and fragment masked. User information is kept.
    package func masking(url: String) -> String {
        let bytes = url.utf8
        guard let start = bytes.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) else { return url }
        let first = bytes.index(after: start)
        guard let masked = maskedItems(bytes[first...], isForm: false) else { return url }
        return url[..<first] + masked
    }

    /// Returns a query or form (`a=1&b=2`) with its secret items masked.
    package func masking(items: String) -> String {
        maskedItems(items.utf8[...], isForm: true) ?? items
    }

    /// Returns the text with its secret values replaced; nil if it has no secret value. A secret value ends at `&`, and
    /// in a URL also at `#`.
    ///
    /// A name can begin not only after `&` but also after `;`, `?`, `#` and the `=` of an item that is not secret. Some
    /// services separate items by `;`, a fragment can hold a path with its own query, and a value can itself contain an
    /// item.
    private func maskedItems(_ bytes: Substring.UTF8View, isForm: Bool) -> String? {
        var output: [UInt8] = []
        var copied = bytes.startIndex
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let end = bytes[position...].firstIndex(where: Self.endsName) ?? bytes.endIndex
            guard end < bytes.endIndex else { break }
            let next = bytes.index(after: end)
            guard bytes[end] == 0x3D, isSecretName(bytes[position..<end]) else {
                position = next
                continue
            }
            let rest = bytes[next...]
            let valueEnd = rest.firstIndex { $0 == 0x26 || $0 == 0x23 && !isForm } ?? bytes.endIndex
            if next < valueEnd {
                output += bytes[copied..<next]
                output += mark.utf8
                copied = valueEnd
            }
            position = valueEnd < bytes.endIndex ? bytes.index(after: valueEnd) : valueEnd
        }
        guard copied > bytes.startIndex else { return nil }
        output += bytes[copied...]
        return String(decoding: output, as: UTF8.self)
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == 0x3D || byte == 0x26 || byte == 0x3B || byte == 0x3F || byte == 0x23
    }

    private func isSecretName(_ name: Substring.UTF8View) -> Bool {
        isSecret(String(decoding: PercentEncoding.decode(name), as: UTF8.self))
    }
}

extension SecretItemMask {
    private static let referenceFields: Set<Headers.Name> = [.location, "Content-Location", "Referer"]

    /// Returns a URL or reference without user information, and with the secret items of its query and fragment masked.
    package func masking(reference: String) -> String {
        masking(url: Self.withoutUserInformation(reference))
    }

    /// Returns the value of a field with its URLs masked by ``masking(reference:)``.
    ///
    /// Location, Content-Location and Referer are one reference as a whole. In other fields, such as Link and Refresh,
    /// each word with a query, a fragment or `://` is a reference. Words end at blanks, double quotes and angle
    /// brackets.
    package func masking(_ value: String, of name: Headers.Name) -> String {
        if Self.referenceFields.contains(name) { return masking(reference: value) }
        guard value.utf8.contains(where: { $0 == 0x3F || $0 == 0x23 || $0 == 0x40 }) else { return value }
        var output = ""
        var start = value.startIndex
        for end in value.utf8.indices where Self.endsWord(value.utf8[end]) {
            let next = value.utf8.index(after: end)
            output += masking(word: String(value[start..<end])) + value[end..<next]
            start = next
        }
        return output + masking(word: String(value[start...]))
    }

    private func masking(word: String) -> String {
        let isReference =
            word.utf8.contains { $0 == 0x3F || $0 == 0x23 } || word.utf8.firstRange(of: "://".utf8) != nil
        return isReference ? masking(reference: word) : word
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x22 || byte == 0x3C || byte == 0x3E
    }

    private static func withoutUserInformation(_ text: String) -> String {
        let bytes = text.utf8.prefix { $0 != 0x3F && $0 != 0x23 }
        let separator = bytes.starts(with: "//".utf8) ? "//" : "://"
        guard let start = bytes.firstRange(of: separator.utf8)?.upperBound else { return text }
        let authority = bytes[start...].prefix { $0 != 0x2F }
        guard let sign = authority.lastIndex(of: 0x40) else { return text }
        return String(text[..<authority.startIndex]) + text[authority.index(after: sign)...]
    }
}

extension HTTPURL {
    /// The URL for errors and descriptions: without user information, and with `***` in place of the values of secret
    /// items in query and fragment.
    package var masked: String {
        hasQueryOrFragment ? SecretItemMask(mark: "***").masking(url: description) : description
    }
}

extension Headers.Name {
    /// True if fields of this name hold secrets; see ``SecretNames``.
    package var isSecret: Bool { SecretNames.isSecret(text) }
}
