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

    init(_ text: some StringProtocol) {
        items = text.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return Item(
                name: Self.decodedForm(name), value: Self.decodedForm(pair.dropFirst(name.count).dropFirst()))
        }
    }

    func values(of name: String) -> [String] { items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value) }

    func contains(_ name: String, _ value: String) -> Bool { items.contains(Item(name: name, value: value)) }

    /// The items in an order that is independent of the order of sending.
    var sorted: [Item] { items.sorted { ($0.name, $0.value) < ($1.name, $1.value) } }

    /// Decodes form text, which writes a space as `+`.
    private static func decodedForm(_ text: some StringProtocol) -> String {
        decoded(String(text.map { $0 == "+" ? " " : $0 }))
    }

    static func decoded(_ text: some StringProtocol) -> String {
        String(decoding: PercentEncoding.decode(Array(text.utf8)), as: UTF8.self)
    }
}
