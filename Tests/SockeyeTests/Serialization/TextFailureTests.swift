import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Text in unknown charsets", .timeLimit(.minutes(1)))
struct TextFailureTests {
    private func response(_ body: Bytes, charset: String?) async throws -> IncomingResponse {
        let type = "text/plain" + (charset.map { "; charset=\($0)" } ?? "")
        return try await HTTPClient.answering(.bytes(body, contentType: type)).get("http://example.com/")
    }

    @Test("the error about an unknown charset blames the peer and has the response")
    func unknown() async throws {
        for read in [{ try await $0.text() }, { try await $0.value(as: .text) }]
            as [(IncomingResponse) async throws -> String]
        {
            let response = try await response("x".bytes, charset: "klingon")
            let error = await #expect(throws: SockeyeError.self) { try await read(response) }
            #expect(error?.code == .decodingFailed)
            #expect(error?.phase == .decode)
            #expect(error?.blame == .peer)
            #expect(error?.message == "the charset of the text is not known: klingon")
            #expect(error?.response?.body == "x".bytes)
            #expect(error?.url == "http://example.com/")
        }
    }

    @Test("the error about an unknown fallback charset blames the caller")
    func unknownFallback() async throws {
        let response = try await response("x".bytes, charset: nil)
        let error = await #expect(throws: SockeyeError.self) {
            try await response.value(as: .text(fallbackCharset: "klingon"))
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.blame == .caller)
    }

    @Test(
        "a byte order mark overrides an unknown charset",
        arguments: [[0xEF, 0xBB, 0xBF, 0x61], [0xFE, 0xFF, 0, 0x61], [0xFF, 0xFE, 0x61, 0]] as [[UInt8]])
    func mark(body: [UInt8]) async throws {
        let text = try await response(Bytes(body), charset: "klingon").text()
        #expect(text == "a")
    }
}
