/// The arguments that are not options: `[METHOD] URL [ITEM…]`, as in httpie.
package struct Positionals: Sendable, Hashable {
    package let method: String?
    package let url: String
    package let items: [RequestItem]

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PURGE", "PROPFIND", "PROPPATCH",
        "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH",
    ]

    package init(_ arguments: [String]) throws {
        guard let first = arguments.first else {
            throw UsageFault("the URL is missing: sockeye https://example.com/, or sockeye --help")
        }
        let hasMethod = arguments.count > 1 && Self.isMethod(first)
        if arguments.count == 1, Self.methods.contains(first.uppercased()) {
            throw UsageFault("the URL is missing after \(first)")
        }
        method = hasMethod ? first.uppercased() : nil
        url = arguments[hasMethod ? 1 : 0]
        items = try arguments.dropFirst(hasMethod ? 2 : 1).map { try RequestItem($0) }
    }

    /// Returns true for a known method in any case, and for any word in capitals. `localhost` is not a method.
    private static func isMethod(_ word: String) -> Bool {
        if methods.contains(word.uppercased()) { return true }
        return word.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
