import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization
import Testing

/// The cases of curl with a counterpart in this client: framing, chunks, uploads, Expect, codings, deadlines, TLS,
/// redirects, authentication, cookies, retries, and proxies of every kind.
@Suite struct CurlTests {
    /// The differences between this client and curl, with their reasons.
    private static let differences: [String: String] = [
        "curl-0008": "a quoted Path means the default path; older cookies come first (RFC 6265bis 5.6.4, 5.8.3)",
        "curl-0046": "a host has no empty label (RFC 1035 2.3.1)",
        "curl-0064": "a quote in a target is percent-encoded (RFC 3986 2)",
        "curl-0129": "HTTP/1.2 is of the same major version and is read as 1.1 (RFC 9110 2.5)",
        "curl-0153": "a nonce is reused for the next request (RFC 7616 3.3)",
        "curl-0168": "the uri of a Digest answer is the sent target, which is absolute to a proxy (RFC 7616 3.4)",
        "curl-0175": "a request that was not refused is sent once; curl first sends one without the content",
        "curl-0335": "credentials of a URL are sent as Basic without a challenge",
        "curl-0388": "a nonce is reused for the next request (RFC 7616 3.3)",
        "curl-0427":
            "cookies with equally long paths are sent in order of age, until the field is full (RFC 6265bis 5.8.3)",
        "curl-0442": "cookies with equally long paths are sent in order of age (RFC 6265bis 5.8.3)",
        "curl-0443":
            "cookies with equally long paths are sent in order of age, until the field is full (RFC 6265bis 5.8.3)",
        "curl-0663": "a space in a query is %20, as everywhere in a URL (RFC 3986 2.1); + is for forms",
        "curl-0770": "6 and 06 are not the same Content-Length repeated; it may be refused (RFC 9110 8.6)",
        "curl-0796": "302 changes only POST to GET; other methods stay unchanged (RFC 9110 15.4.3)",
        "curl-0899": "credentials in a Location are the server's, not the caller's, and are not used",
        "curl-1071": "a request has the client's own version, whatever the server answered before (RFC 9110 2.5)",
        "curl-1072": "content in memory has a length, so it is sent without chunks and can be sent again",
        "curl-1074": "a request has the client's own version, whatever the server answered before (RFC 9110 2.5)",
        "curl-1088": "another origin gets a handler's credentials only after a challenge",
        "curl-1141": "an http URL without a host is refused (RFC 9110 4.2.1)",
        "curl-1216": "cookies with equally long paths are sent in order of age (RFC 6265bis 5.8.3)",
        "curl-1229": "credentials of a URL are sent as Basic without a challenge",
        "curl-1296": "a user name with a control character cannot be a Basic credential (RFC 7617 2)",
        "curl-0478": "a password with a control character cannot be a Basic credential (RFC 7617 2)",
        "curl-0708": "proxies from the environment are not used for this machine, as in Go",
        "curl-0709": "proxies from the environment are not used for this machine, as in Go",
        "curl-1002": "a nonce is reused for the next request (RFC 7616 3.3)",
        "curl-1056": "an IPv6 address in a URL has no zone (RFC 9844 obsoletes 6874; WHATWG URL 3.5)",
        "curl-0258": "the uri of a Digest answer is the sent target, which is absolute to a proxy (RFC 7616 3.4)",
        "curl-0259": "the uri of a Digest answer is the sent target, which is absolute to a proxy (RFC 7616 3.4)",
        "curl-1561":
            "cookies belong to the URL's host, not to the Host field; loopback counts as secure (RFC 6265bis 5.8.3)",
        "curl-1318": "Host has the normal form of the name, which is lower case (RFC 3986 6.2.2.1)",
        "curl-1412": "a nonce is reused for the next request (RFC 7616 3.3)",
        "curl-1437": "a challenge whose parameters contradict each other is not answered (RFC 9110 11.2)",
        "curl-1473": "a space before the first field, and a bare LF, are refused (RFC 9112 2.2)",
        "curl-1483": "chunked twice is not a valid coding (RFC 9112 6.1)",
        "curl-1633": "only the failed request is repeated, not also the POST that led to it (RFC 9110 9.2.2)",
        "curl-1677": "chunk sizes end in CRLF, not in a bare LF (RFC 9112 7.1)",
        "curl-1909": "a body that breaks off is not requested again, because its start was delivered",
        "curl-2311": "the prefixes of cookie names are matched without regard to case (RFC 6265bis 4.1.3)",
    ]

    /// The cases about proxies or with several servers that do not run here, with their reasons.
    private static let unmapped: [String: String] = [
        "curl-0080": "CONNECT of HTTP/1.0: a client sends its own version (RFC 9110 2.5)",
        "curl-0094": "CONNECT of HTTP/1.0: a client sends its own version (RFC 9110 2.5)",
        "curl-0170": "NTLM, which is out of scope like all schemes that authenticate connections",
        "curl-0424": "curl's output about URLs, without a recorded request",
        "curl-0440": "HSTS (RFC 6797), which needs a stored state that this client does not have",
        "curl-0780": "HSTS (RFC 6797), which needs a stored state that this client does not have",
        "curl-2100": "DNS over HTTPS, in curl's debug build",
        "curl-3201": "the PROXY protocol with an address that the caller chooses; this client sends its own",
        "curl-5027": "AWS signatures, which an interceptor may add",
    ]

    @Test("the client refuses a recorded response if lines of its head end in bare LF", .timeLimit(.minutes(1)))
    func bareLineFeeds() async throws {
        let vectors = CurlCase.chosen.filter { $0.section("data")?.hasBareLineFeeds == true }
        let server = try await CaseServer(count: vectors.count) { key, connection in
            try await connection.write(vectors[key].section("data") ?? Bytes())
        }
        try await concurrently(vectors.count) { key, client in
            let request = try OutgoingRequest(url: server.url(), headers: CaseServer.fields(for: key))
            let outcome = await ResponseOutcome.of(request, with: client)
            #expect(outcome.error?.code == .malformedResponse, "\(vectors[key].id)")
        }
        await server.stop()
    }

    private struct Tally {
        var ran = 0
        var skipped: [String: Int] = [:]
        var skippedProxies: [String: String] = [:]
        var differing: Set<String> = []
    }

    @Test("the client behaves as in curl's recordings or differs for a listed reason", .timeLimit(.minutes(1)))
    func recordings() async throws {
        let tally = Mutex(Tally())
        let vectors = CurlCase.chosen
        try await concurrently(vectors.count) { index, _ in
            let vector = vectors[index]
            do {
                let complaints = try await CurlRun(vector: vector).complaints()
                tally.withLock {
                    $0.ran += 1
                    if !complaints.isEmpty { $0.differing.insert(vector.id) }
                }
                guard Self.differences[vector.id] == nil else { return }
                for complaint in complaints { Issue.record("\(vector.id) (\(vector.name)): \(complaint)") }
            } catch let reason as CurlCommand.Unsupported {
                tally.withLock {
                    $0.skipped[reason.description, default: 0] += 1
                    if vector.isAboutProxies { $0.skippedProxies[vector.id] = reason.description }
                }
            }
        }
        let result = tally.withLock { $0 }
        let skipped = result.skipped.values.reduce(0, +)
        let counts = "\(result.ran) run, \(skipped) skipped, \(Self.differences.count) differ"
        print("curl: \(vectors.count) cases, \(counts)")
        let reasons = result.skipped.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
        print("curl: skipped for " + reasons.joined(separator: ", "))
        let count = vectors.filter(\.isAboutProxies).count
        print("curl: \(count) cases about proxies, \(count - result.skippedProxies.count) run")
        let ids = Set(vectors.map(\.id))
        let unmapped = Self.unmapped.keys.filter(ids.contains).sorted()
        #expect(result.skippedProxies.keys.sorted() == unmapped, "\(result.skippedProxies)")
        let stale = ids.intersection(Self.differences.keys).subtracting(result.differing)
        #expect(stale.isEmpty, "recorded differences that no longer occur: \(stale)")
    }
}
