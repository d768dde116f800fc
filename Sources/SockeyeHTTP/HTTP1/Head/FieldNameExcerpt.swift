/// The start of a malformed field name, safe to print: up to 40 bytes, with `?` in place of each byte that is not
/// printable ASCII. Values of secret query items are replaced by `***`, because a peer may repeat the request's URL in
/// a field name.
package struct FieldNameExcerpt: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private static let limit = 40

    private let text: String

    package init(_ bytes: some Collection<UInt8>) {
        let shown = bytes.prefix(Self.limit).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }
        let start = SecretItemMask(mark: "***").masking(url: String(decoding: shown, as: UTF8.self))
        text = start + (bytes.count > Self.limit ? "…" : "")
    }

    package init(stringLiteral value: String) { self.init(value.utf8) }

    /// The excerpt in double quotes.
    package var description: String { "\"\(text)\"" }
}
