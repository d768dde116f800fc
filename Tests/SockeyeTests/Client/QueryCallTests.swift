import Sockeye
import SockeyeTesting
import Testing

@Suite("Queries of calls", .timeLimit(.minutes(1)))
struct QueryCallTests {
    private let client = HTTPClient()

    struct Row: Sendable, CustomTestStringConvertible {
        let path: String
        let query: RequestParameters
        let target: String

        init(_ path: String, _ query: RequestParameters, _ target: String) {
            self.path = path
            self.query = query
            self.target = target
        }

        var testDescription: String { "\(path) becomes \(target)" }
    }

    @Test(
        "a query is appended with a question mark or an ampersand, before the fragment",
        arguments: [
            Row("/s", ["b": 2], "/s?b=2"), Row("/s?", ["b": 2], "/s?b=2"), Row("/s?a=1", ["b": 2], "/s?a=1&b=2"),
            Row("/s?a=1", ["a": 2], "/s?a=1&a=2"), Row("/s#f", ["b": 2], "/s?b=2"),
            Row("/s?a=1#f?", ["b": 2], "/s?a=1&b=2"),
            Row("/s", [:], "/s"), Row("/s?a", [:], "/s?a"), Row("/s", ["b": [] as ParameterValue], "/s"),
            Row("/s", ["b": nil], "/s"), Row("/s", ["b": .null], "/s?b"),
            Row("/s", ["q": "what?/where #1"], "/s?q=what?/where%20%231"),
        ])
    func targets(row: Row) async throws {
        try await withTestServer {
            .ok($0.target)
        } run: { server in
            let target = try await client.get(server.url(row.path), query: row.query).text()
            #expect(target == row.target)
        }
    }

    @Test("a query that cannot be encoded is the caller's error, and nothing is sent")
    func unencodable() async throws {
        try await withTestServer {
            .ok($0.target)
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url(), query: ["a": ["b": Double.nan]])
            }
            #expect(error?.code == .encodingFailed && error?.phase == .prepare && error?.blame == .caller)
            let reason = error?.underlying as? RequestParameters.EncodingError
            #expect(reason?.code == .nonFiniteNumber && reason?.path == ["a", "b"])
            #expect(server.activity.requests == 0)
        }
    }
}
