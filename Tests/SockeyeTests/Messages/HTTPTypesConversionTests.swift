import HTTPTypes
import Sockeye
import SockeyeTesting
import Testing

@Suite("Messages of swift-http-types", .timeLimit(.minutes(1)))
struct HTTPTypesConversionTests {
    private func request(scheme: String? = "https", authority: String? = "a.example", path: String?) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
    }

    @Test(
        "a request gets the URL of its scheme, authority and path",
        arguments: [
            ("https", "a.example", "/x?y=1&y=2", "https://a.example/x?y=1&y=2"),
            ("HTTP", "A.example:8080", "/a%2Fb", "http://a.example:8080/a%2Fb"),
            ("http", "[::1]:80", nil, "http://[::1]/"),
            ("https", "a.example", "//b.example/", "https://a.example//b.example/"),
        ] as [(String, String, String?, String)])
    func urls(scheme: String, authority: String, path: String?, url: String) throws {
        let outgoing = try OutgoingRequest(request(scheme: scheme, authority: authority, path: path))
        #expect(outgoing.url.description == url)
        let back = HTTPRequest(outgoing)
        #expect(back.path == path ?? "/")
        #expect(try OutgoingRequest(back).url == outgoing.url)
    }

    @Test(
        "a request whose parts form no http URL, or would change the host, is refused",
        arguments: [
            (nil, "a.example", "/"), ("ftp", "a.example", "/"), ("https://b.example/", "a.example", "/"),
            ("https", nil, "/"), ("https", "", "/b.example/"), ("https", "a.example", "@b.example/"),
            ("https", "a.example", ".b.example/"), ("https", "a.example", "*"), ("https", "a.example", ""),
            ("https", "user:password@a.example", "/"), ("https", "b.example/", "/"), ("https", "b.example#", "/"),
            ("https", "b.example?", "/"), ("https", "b.example\\", "/"), ("https", "a.example:0", "/"),
            ("https", "a b", "/"),
        ] as [(String?, String?, String)])
    func refused(scheme: String?, authority: String?, path: String) {
        let error = #expect(throws: SockeyeError.self) {
            try OutgoingRequest(request(scheme: scheme, authority: authority, path: path))
        }
        #expect(error?.code == .invalidURL)
        #expect(error?.blame == .caller)
    }

    @Test("a request and a response keep the order and the repetitions of their fields, over a socket")
    func overSocket() async throws {
        let names = ["X-Tag", "X-Other", "X-Tag"]
        try await withTestServer { request in
            #expect(request.method == .put)
            #expect(request.target == "/a?b=c")
            let fields = request.headers.filter { $0.name.description.hasPrefix("X-") }
            #expect(fields.map(\.name.description) == names && fields.map(\.value) == ["1", "2", "3"])
            return .text(
                try await request.text(), status: 201,
                headers: ["Set-Cookie": "a=1", "X-Other": "x", "Set-Cookie": "b=2"])
        } run: { server in
            var sent = HTTPRequest(
                method: .put, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/a?b=c")
            for (index, name) in names.enumerated() {
                sent.headerFields.append(HTTPField(name: HTTPField.Name(name)!, value: "\(index + 1)"))
            }
            let response = try await HTTPClient().send(OutgoingRequest(sent, body: "content"))
            let received = HTTPResponse(response)
            #expect(received.status == .created)
            #expect(received.headerFields[values: .setCookie] == ["a=1", "b=2"])
            #expect(try await response.text() == "content")
        }
    }

    @Test("a request of the library becomes one of swift-http-types, without the password of its URL")
    func outgoing() throws {
        let request = HTTPRequest(
            try OutgoingRequest(
                method: .delete, url: "http://user:password@a.example:8080/x?y#z", headers: ["A": "1", "a": "2"],
                body: "content"))
        #expect(request.method == .delete && request.scheme == "http")
        #expect(request.authority == "a.example:8080" && request.path == "/x?y")
        #expect(request.headerFields[values: HTTPField.Name("A")!] == ["1", "2"])
    }

    @Test("a transport of the caller returns a response of swift-http-types")
    func incoming() async throws {
        let fields: HTTPFields = [.contentType: "text/plain", .setCookie: "a=1"]
        let response = IncomingResponse(
            HTTPResponse(status: .accepted, headerFields: fields), body: Bytes("content"),
            url: try HTTPURL("https://a.example/"))
        #expect(HTTPResponse(response) == HTTPResponse(status: .accepted, headerFields: fields))
        #expect(response.url.description == "https://a.example/")
        #expect(try await response.text() == "content")
    }
}
