import Foundation
import Sockeye
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Tables of cookie jars, run by a client over a transport in memory, and tables of dates and public suffixes.
@Suite struct CookieJarTests {
    struct JarCase: Decodable, Sendable {
        struct Query: Decodable, Sendable {
            let url: String
            let cookie: String
        }

        struct Step: Decodable, Sendable {
            let title: String
            let setUrl: String
            let setCookie: [String]
            let queries: [Query]
        }

        let id: String
        let steps: [Step]
    }

    /// The differences between this client and Go's jar, with their reasons.
    private static let differences: [String: String] = [
        "basicsTests-01": "a secure cookie cannot be set without TLS (RFC 6265bis 5.7, step 13)"
    ]

    private static let jars: [JarCase] = Vectors.load(own: "cookie-jars.json", public: ["cookies/go-jar.json"])

    @Test("a jar stores and returns cookies as in Go's tables", arguments: jars)
    func jar(_ vector: JarCase) async throws {
        let mock = MockTransport { _ in .ok("") }
        let client = HTTPClient(transport: mock).adding(.cookies(CookiePolicy.Jar()))
        for step in vector.steps {
            var headers = Headers()
            for cookie in step.setCookie { headers.append(.setCookie, cookie) }
            mock.enqueue(TestServerResponse(status: .ok, headers: headers))
            _ = try await client.get(step.setUrl)
            for query in step.queries {
                // One query is for a host that ends in a number and is not an address, so no request can be made.
                guard let url = try? HTTPURL(query.url) else { continue }
                _ = try await client.send(OutgoingRequest(url: url))
                let expected = Self.differences[vector.id] == nil ? query.cookie : ""
                #expect(mock.requests.last?[.cookie] ?? "" == expected, "\(step.title) \(query.url)")
            }
        }
    }

    struct DateCase: Decodable, Sendable {
        let id: String
        let input: String
        let expected: String?
    }

    private static let dates: [DateCase] = Vectors.load(own: "cookie-dates.json", public: ["cookies/dates.json"])

    @Test("a cookie's date is read as RFC 6265bis 5.1.1 says", arguments: dates)
    func date(_ vector: DateCase) throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = CookieDate.seconds(Array(vector.input.utf8)[...]).map {
            formatter.string(from: Date(timeIntervalSince1970: Double($0)))
        }
        #expect(date == vector.expected)
    }

    @Test("a cookie's date is accepted exactly if the table of tough-cookie says that it is valid")
    func validity() {
        for vector in ToughCase.all {
            guard let input = vector.input else { continue }
            let seconds = CookieDate.seconds(Array(input.utf8)[...])
            #expect((seconds != nil) == (vector.expected != nil), "\(vector.id): \(input)")
        }
    }

    struct SuffixCase: Decodable, Sendable {
        let id: String
        let domain: String
        let registrable: String?
    }

    private static let suffixes: [SuffixCase] = Vectors.load(
        own: "public-suffixes.json", public: ["public-suffix/checks.json"])

    @Test("the list of public suffixes gives the registrable domain", arguments: suffixes)
    func suffix(_ vector: SuffixCase) throws {
        func canonical(_ domain: String) throws -> String {
            // A URL cannot have an empty label, so such names are used unchanged.
            domain.hasPrefix(".") ? domain : try HTTPURL("http://\(domain)/").host
        }
        let registrable = PublicSuffixList.registrableDomain(of: try canonical(vector.domain))
        #expect(try registrable == vector.registrable.map(canonical))
    }
}
