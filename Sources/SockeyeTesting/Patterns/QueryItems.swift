import SockeyeHTTP

/// The decoded names and values of a query or a form (`application/x-www-form-urlencoded`), in their order.
struct QueryItems: Sendable, Hashable {
    struct Item: Sendable, Hashable {
        let name: String
        /// Empty for a name without `=`.
        let value: String

        /// Compares bytes: canonically equivalent texts are different queries.
        static func == (one: Item, other: Item) -> Bool {
            one.name.utf8.elementsEqual(other.name.utf8) && one.value.utf8.elementsEqual(other.value.utf8)
        }
    }

    let items: [Item]

    /// Splits bytes, because a separator and a following combining mark are one `Character`.
    init(_ text: some StringProtocol) {
        items = Array(text.utf8).split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return Item(name: Self.decodedForm(name), value: Self.decodedForm(pair[name.endIndex...].dropFirst()))
        }
    }

    func values(of name: String) -> [String] { items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value) }

    func contains(_ name: String, _ value: String) -> Bool { items.contains(Item(name: name, value: value)) }

    /// The items sorted by the bytes of name and value.
    var sorted: [Item] {
        items.sorted { one, other in
            if one.name.utf8.elementsEqual(other.name.utf8) {
                return one.value.utf8.lexicographicallyPrecedes(other.value.utf8)
            }
            return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
        }
    }

    /// Decodes form text, which writes a space as `+`.
    private static func decodedForm(_ text: ArraySlice<UInt8>) -> String {
        let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decode(spaced), as: UTF8.self)
    }

    static func decoded(_ text: some StringProtocol) -> String {
        String(decoding: PercentEncoding.decode(Array(text.utf8)), as: UTF8.self)
    }
}
