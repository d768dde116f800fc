import SockeyeTesting
import Testing

@Suite("Range requests for a resource of a test server", .timeLimit(.minutes(1)))
struct ResourceTests {
    private static let cases: [(fields: Headers, status: Int, range: String?, body: String)] = [
        ([:], 200, nil, "0123456789"),
        (["Range": "bytes=3-"], 206, "bytes 3-9/10", "3456789"),
        (["Range": "bytes=3-5"], 206, "bytes 3-5/10", "345"),
        (["Range": "bytes=8-99"], 206, "bytes 8-9/10", "89"),
        (["Range": "bytes=-3"], 206, "bytes 7-9/10", "789"),
        (["Range": "bytes=10-"], 416, "bytes */10", ""),
        (["Range": "bytes=-0"], 416, "bytes */10", ""),
        (["Range": "bytes=99999999999999999999-"], 416, "bytes */10", ""),
        (["Range": "bytes=3-99999999999999999999"], 206, "bytes 3-9/10", "3456789"),
        (["Range": "bytes=-99999999999999999999"], 206, "bytes 0-9/10", "0123456789"),
        (["Range": "bytes=99999999999999999999-5"], 200, nil, "0123456789"),
        (["Range": "bytes=5-3"], 200, nil, "0123456789"),
        (["Range": "bytes=1-2,4-5"], 200, nil, "0123456789"),
        (["Range": "lines=1-2"], 200, nil, "0123456789"),
        (["Range": "bytes=3-", "If-Range": "\"v1\""], 206, "bytes 3-9/10", "3456789"),
        (["Range": "bytes=3-", "If-Range": "\"v0\""], 200, nil, "0123456789"),
    ]

    @Test("a resource is served in the parts that the request's fields ask for", arguments: cases)
    func parts(fields: Headers, status: Int, range: String?, body: String) async throws {
        try await withTestServer { request in
            .resource("0123456789".utf8Bytes, for: request, eTag: "\"v1\"")
        } run: { server in
            let response = try await HTTPClient().get(server.url(), headers: fields)
            #expect(response.status.code == status)
            #expect(response[.contentRange] == range)
            #expect(response[.eTag] == "\"v1\"")
            #expect(try await response.text() == body)
        }
    }
}

extension String {
    fileprivate var utf8Bytes: Bytes { Bytes(self) }
}
