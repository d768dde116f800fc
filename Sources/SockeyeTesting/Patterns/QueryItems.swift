import SockeyeHTTP

/// The decoded names and values of a query or a form (`application/x-www-form-urlencoded`), in their order.
struct QueryItems: Sendable, Hashable {
    struct Item: Sendable, Hashable {
        let name: String
        /// Empty for a name without `=`.
        let value: String
    }

    let items: [Item]

    init(_ text: some StringProtocol) {
        items = text.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return Item(
                name: Self.decodedForm(name), value: Self.decodedForm(pair.dropFirst(name.count).dropFirst()))
        }
    }

    func values(of name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

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
