/// The start of a malformed field name, safe to print: up to 40 bytes, with `?` in place of each byte that is not
/// printable ASCII. It ends before a colon or an equals sign, because a value may follow it, which may be secret. A
/// peer may also repeat the request's URL there.
package struct FieldNameExcerpt: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private static let limit = 40

    private let text: String

    package init(_ bytes: some Collection<UInt8>) {
        let name = bytes.prefix(Self.limit).prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") }
        let shown = name.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }
        text = String(decoding: shown, as: UTF8.self) + (name.count < bytes.count ? "…" : "")
    }

    package init(stringLiteral value: String) { self.init(value.utf8) }

    /// The excerpt in double quotes.
    package var description: String { "\"\(text)\"" }
}
