/// The arguments that are not options: `[METHOD] URL [ITEM…]`, as in httpie. Further URLs may follow, as in curl.
package struct Positionals: Sendable, Hashable {
    package private(set) var method: String?
    package private(set) var urls: [String] = []
    package private(set) var items: [RequestItem] = []
    /// The file of httpie's `@path`, whose content is sent.
    package private(set) var contentFile: String?

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PURGE", "PROPFIND", "PROPPATCH",
        "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH",
    ]

    /// - Parameter urls: The URLs of `--url`, which precede the others.
    package init(_ arguments: [String], urls given: [String] = []) throws {
        var rest = arguments[...]
        if let first = rest.first {
            if Self.isMethod(first), rest.count > 1 || !given.isEmpty {
                method = first.uppercased()
                rest = rest.dropFirst()
            } else if rest.count == 1, given.isEmpty, Self.methods.contains(first.uppercased()) {
                throw UsageFault("the URL is missing after \(first)")
            }
        }
        urls = given
        if urls.isEmpty {
            guard let url = rest.popFirst() else {
                throw UsageFault("the URL is missing: sockeye https://example.com/, or sockeye --help")
            }
            if Self.isWord(url), rest.first.map(Self.isURL) == true {
                throw UsageFault("'\(url)' is no known method: -X \(url), or \(url.uppercased()) before the URL")
            }
            urls.append(url)
        }
        for argument in rest { try add(argument) }
    }

    private mutating func add(_ argument: String) throws {
        if Self.isURL(argument) {
            urls.append(argument)
        } else if argument.hasPrefix("@"), argument.count > 1 {
            guard contentFile == nil else { throw UsageFault("'\(argument)' is a second file with content") }
            contentFile = String(argument.dropFirst())
        } else {
            items.append(try RequestItem(argument))
        }
    }

    /// Returns true for an absolute http or https URL, which cannot be an item: `http` is no name of a field.
    private static func isURL(_ argument: String) -> Bool {
        let start = argument.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func isWord(_ argument: String) -> Bool {
        argument.allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// Returns true for a known method in any case, and for any word in capitals. `localhost` is not a method.
    private static func isMethod(_ word: String) -> Bool {
        if methods.contains(word.uppercased()) { return true }
        return word.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
