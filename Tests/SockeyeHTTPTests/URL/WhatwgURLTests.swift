import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite struct WhatwgURLTests {
    struct Case: Decodable {
        let id: String
        let input: String
        let base: String?
        let failure: Bool?
        let `protocol`: String?
        let host: String?
        let hostname: String?
        let pathname: String?
        let search: String?
        let hash: String?
        let username: String?
        let password: String?
    }

    @Test("every URL of the WHATWG suite leads to the same host as in browsers, or is refused for a listed reason")
    func conformance() throws {
        let files = ["url/whatwg.json", "url-more/whatwg.json"]
        for item in Vectors.load(own: "urls.json", public: files, as: Case.self) {
            let result = Result { try parse(item) }
            guard item.failure != true, item.protocol == "http:" || item.protocol == "https:" else {
                #expect(throws: HTTPURL.Fault.self, "\(item.id): \(item.input)") { try result.get() }
                continue
            }
            switch result {
            case .success(let url): expect(url, item)
            case .failure(let fault):
                let isMeant = Self.refusals.contains { $0.code == (fault as? HTTPURL.Fault)?.code && $0.applies(item) }
                #expect(isMeant, "\(item.id): \(item.input.debugDescription), \(fault)")
            }
        }
    }

    /// The inputs that browsers accept and this parser refuses. In most of them another parser may see another host.
    private static let refusals: [(code: HTTPURL.Fault.Code, applies: @Sendable (Case) -> Bool)] = [
        // Browsers drop tabs and line ends and escape other controls. A check of the original text would see another
        // URL.
        (.control, { trimmed($0.input).utf8.contains { $0 < 0x20 || $0 == 0x7F } }),
        // Only browsers treat a backslash in or before the host as a slash.
        (.backslash, { $0.input.contains("\\") }),
        // "http:x" and "http:/x" have no host in RFC 3986, but one in browsers.
        (
            .missingAuthority,
            { item in ["http:", "https:"].contains { item.input.hasPrefix($0) && !item.input.hasPrefix($0 + "//") } }
        ),
        // "///x" has an empty host in RFC 3986, and the host "x" for browsers.
        (.emptyHost, { trimmed($0.input).contains("///") }),
        // The last "@" counts for most parsers, the first for some.
        (.userInfo, { $0.input.count { $0 == "@" } > 1 }),
        // No server listens on port 0, because binding to it means any port.
        (.port, { $0.host?.hasSuffix(":0") == true }),
        // DNS has neither empty labels nor labels of more than 63 bytes.
        (.invalidHost, { $0.hostname.map { $0 == "." || $0.hasPrefix(".") || $0.contains("..") } == true }),
        (
            .hostTooLong,
            { $0.hostname.map { $0.split(separator: ".").contains { $0.count > 63 } || $0.count > 253 } == true }
        ),
    ]

    private static func trimmed(_ text: String) -> String {
        var rest = text.unicodeScalars[...]
        while let first = rest.first, first.value <= 0x20 { rest.removeFirst() }
        while let last = rest.last, last.value <= 0x20 { rest.removeLast() }
        return String(rest)
    }

    private func parse(_ item: Case) throws -> HTTPURL {
        // No reference can be resolved against about:blank, so it stands for a missing base.
        guard let base = item.base, base != "about:blank" else { return try HTTPURL(item.input) }
        return try HTTPURL(base).resolving(item.input)
    }

    private func expect(_ url: HTTPURL, _ item: Case) {
        #expect("\(url.scheme):" == item.protocol, "\(item.id)")
        #expect(url.authority == item.host, "\(item.id)")
        #expect(url.origin.bracketedHost == item.hostname, "\(item.id)")
        #expect(url.path == item.pathname, "\(item.id)")
        #expect(url.query.map { $0.isEmpty ? "" : "?" + $0 } ?? "" == item.search, "\(item.id)")
        #expect(url.fragment.map { $0.isEmpty ? "" : "#" + $0 } ?? "" == item.hash, "\(item.id)")
        #expect(url.user ?? "" == item.username.map(decoded), "\(item.id)")
        #expect(url.password ?? "" == item.password.map(decoded), "\(item.id)")
    }

    private func decoded(_ text: String) -> String {
        String(decoding: PercentEncoding.decode(text.utf8), as: UTF8.self)
    }
}
