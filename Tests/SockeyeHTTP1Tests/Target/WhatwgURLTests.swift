import SockeyeHTTP1
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

    // Skipped where the conformance data is not beside the checkout.
    @Test(
        "sends every URL of the WHATWG suite where browsers do, or refuses it for a reason",
        .enabled(if: ConformanceCases.exist("url/whatwg.json"), "no conformance data beside the package")
    )
    func conformance() throws {
        for item in try ConformanceCases.load("url/whatwg.json", as: Case.self) {
            let result = Result { try parse(item) }
            guard item.failure != true, item.protocol == "http:" || item.protocol == "https:" else {
                #expect(throws: URLFault.self, "\(item.id): \(item.input)") { try result.get() }
                continue
            }
            switch result {
            case .success(let url): expect(url, item)
            case .failure(let fault): Issue.record("\(item.id): \(item.input.debugDescription) \(item.base ?? "") \(fault)")
            }
        }
    }

    private func parse(_ item: Case) throws -> HTTPURL {
        guard let base = item.base else { return try HTTPURL(item.input) }
        return try HTTPURL(base).resolving(item.input)
    }

    private func expect(_ url: HTTPURL, _ item: Case) {
        #expect("\(url.scheme):" == item.protocol, "\(item.id)")
        #expect(String(Substring(url.authority)) == item.host, "\(item.id)")
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
