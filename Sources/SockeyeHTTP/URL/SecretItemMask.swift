import SockeyeCore

/// A scanner that replaces the values of secret items in URLs, references and forms.
package struct SecretItemMask {
    /// The text that replaces a value.
    private let mark: String
    private let isSecret: (String) -> Bool

    /// - Parameter isSecret: Whether the value of an item with this name, percent-decoded, is replaced.
    package init(mark: String, isSecret: @escaping (String) -> Bool = SecretNames.isSecretItem) {
        self.mark = mark
        self.isSecret = isSecret
    }

    /// A URL or a reference with the secret items of its query and its fragment masked. User information stays.
    package func masking(url: String) -> String {
        let bytes = url.utf8
        guard let start = bytes.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) else { return url }
        let first = bytes.index(after: start)
        guard let masked = maskedItems(bytes[first...], isForm: false) else { return url }
        return url[..<first] + masked
    }

    /// A query or a form (`a=1&b=2`) with its secret items masked.
    package func masking(items: String) -> String {
        maskedItems(items.utf8[...], isForm: true) ?? items
    }

    /// Nil if nothing is secret. The value of a secret item ends at `&`, and in a URL at `#`. Names begin after `;`, `?` and
    /// `#`, too: some services separate items by `;`, and fragments hold paths with queries of their own.
    private func maskedItems(_ bytes: Substring.UTF8View, isForm: Bool) -> String? {
        var output: [UInt8]?
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
                output = (output ?? []) + Array(bytes[copied..<next]) + Array(mark.utf8)
                copied = valueEnd
            }
            position = valueEnd < bytes.endIndex ? bytes.index(after: valueEnd) : valueEnd
        }
        return output.map { String(decoding: $0 + Array(bytes[copied...]), as: UTF8.self) }
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == 0x3D || byte == 0x26 || byte == 0x3B || byte == 0x3F || byte == 0x23
    }

    private func isSecretName(_ name: Substring.UTF8View) -> Bool {
        isSecret(String(decoding: PercentEncoding.decode(name), as: UTF8.self))
    }
}

extension HTTPURL {
    /// The URL for errors and descriptions: without user information, and with `***` for the values of secret items.
    package var masked: String {
        hasQueryOrFragment ? SecretItemMask(mark: "***").masking(url: description) : description
    }
}

extension FieldName {
    /// Whether fields of this name hold secrets; see ``SecretNames``.
    package var isSecret: Bool { SecretNames.isSecret(text) }
}
