import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

// The snippets of Serializers.md and of the protocols' documentation, compiled and tested.

extension ResponseSerializer where Self == BodySerializer<[[Substring]]> {
    static var csv: Self {
        BodySerializer(accept: "text/csv", handling: BodyHandling(contentTypes: ["text/csv"])) { body, _ in
            String(decoding: body, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
        }
    }
}

/// Reads the body itself, piece by piece.
struct LineCount: ResponseSerializer {
    func value(of response: IncomingResponse) async throws -> Int {
        var lines = 0
        for try await chunk in try await response.validated().body { lines += chunk.count { $0 == 0x0A } }
        return lines
    }
}

extension RequestSerializer where Self == ParameterSerializer {
    static var lines: Self {
        ParameterSerializer(contentType: "text/x-lines") { parameters in
            .string(try RequestParameters.Style.standard.encode(parameters).replacing("&", with: "\n"))
        }
    }
}

struct ReversedJSONDecoder: ResponseDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.reversed()))
    }
}

@Suite("Custom serializers", .timeLimit(.minutes(1)))
struct CustomSerializerTests {
    @Test("a custom style also encodes empty parameters, but calls without parameters have no query")
    func emptyParameters() async throws {
        let mock = MockTransport { .ok($0.query ?? "none") }
        let style = RequestParameters.Style.custom { $0.isEmpty ? "empty" : "full" }
        let serializer = ParameterSerializer.form(style)
        let api = HTTPClient(transport: mock).scoped(requestSerializer: serializer)
        let empty = RequestParameters()
        #expect(try await api.request(.get, "http://a.test/", .parameters(empty)).text() == "empty")
        #expect(try await api.get("http://a.test/").text() == "none")
        #expect(
            try await HTTPClient(transport: mock).request(.get, "http://a.test/", .parameters(empty)).text() == "none")
    }

    @Test("a closure defines a response format")
    func csv() async throws {
        let client = HTTPClient.answering(.bytes(Bytes("a,b\n1,2\n"), contentType: "text/csv; header=absent"))
        let api = client.scoped(baseURL: "http://example.com/")
        let rows = try await api.get("report", as: .csv)
        #expect(rows == [["a", "b"], ["1", "2"]])
        let other = HTTPClient.answering(.text("a,b"))
        let error = await #expect(throws: SockeyeError.self) { try await other.get("http://example.com/", as: .csv) }
        #expect(error?.code == .unacceptableContentType)
    }

    @Test("a serializer can read a body piece by piece")
    func streaming() async throws {
        try await withTestServer { _ in
            .stream(Elements((0..<1000).map { _ in Array("line\n".utf8) }))
        } run: { server in
            let lines = try await HTTPClient().get(server.url(), as: LineCount())
            #expect(lines == 1000)
        }
    }

    @Test("an error of a serializer is the cause of the call's error, and an error of the library stays unchanged")
    func errors() async throws {
        struct Unwanted: Error {}
        struct Refusing: ResponseSerializer {
            func value(of response: IncomingResponse) async throws -> Int { throw Unwanted() }
        }
        let client = HTTPClient.answering(.ok())
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: Refusing())
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.underlying is Unwanted)
        let failing = HTTPClient.answering(.status(503))
        let status = await #expect(throws: SockeyeError.self) {
            try await failing.get("http://example.com/", as: LineCount())
        }
        #expect(status?.code == .unacceptableStatus)
    }

    @Test("a closure defines a request format")
    func lines() async throws {
        let mock = MockTransport { _ in .ok() }
        let api = HTTPClient(transport: mock).scoped(requestSerializer: .lines)
        try await api.post("http://example.com/", .parameters(["a": 1, "b": 2]))
        #expect(mock.requests.first?.text == "a=1\nb=2")
        #expect(mock.requests.first?["Content-Type"] == "text/x-lines")
        try await api.delete("http://example.com/", .parameters(["a": 1]))
        #expect(mock.requests.last?.query == "a=1")
    }

    @Test("a decoder with one method decodes the values of calls")
    func decoder() async throws {
        let client = HTTPClient.answering(.bytes(Bytes("]2,1["), contentType: "application/x-reversed"))
        let api = client.scoped(baseURL: "http://example.com/", decoder: ReversedJSONDecoder())
        let numbers = try await api.get("x", as: [Int].self)
        #expect(numbers == [1, 2])
    }
}
