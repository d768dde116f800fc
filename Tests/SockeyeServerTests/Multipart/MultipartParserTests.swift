import Foundation
import Sockeye
import Testing

/// The library's forms as independent parsers read them.
@Suite(
    "Multipart forms read by Python",
    .enabled(if: MultipartParserServer.isInstalled, "\(MultipartParserServer.missing)"), .timeLimit(.minutes(1)))
struct MultipartParserTests {
    typealias Parser = MultipartParserServer.Parser
    typealias Part = MultipartParserServer.Part

    private func part(_ name: String, _ filename: String?, _ type: String?, _ content: some Collection<UInt8>) -> Part {
        let digest = Digest.of(Bytes(content)).map { String(format: "%02x", $0) }.joined()
        return Part(name: name, filename: filename, type: type, size: content.count, sha256: digest)
    }

    @Test(
        "forms arrive byte for byte, from memory, file and stream, chunked or not", arguments: Parser.allCases,
        [true, false])
    func contents(parser: Parser, isKnown: Bool) async throws {
        let folder = try Scratch.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/ünï ☺.png"
        let (onDisk, inMemory, streamed) = (
            RandomBytes.make(2_000_003), RandomBytes.make(70_000), RandomBytes.make(300_000)
        )
        try Data(onDisk).write(to: URL(filePath: path))
        var form = MultipartForm()
        form.field("text", "line\r\n--\r\n\r\nü")
        form.field("empty", "")
        try form.file("file", at: path)
        form.data("data", inMemory, filename: "d.bin")
        form.stream("stream", Pieces(cutting: streamed), length: isKnown ? streamed.count : nil, filename: "s")
        form.data("none", [], filename: "n.txt")
        let parts = try await MultipartParserServer.shared.get().parse(form, with: parser)
        let binary = "application/octet-stream"
        #expect(
            parts == [
                part("text", nil, nil, "line\r\n--\r\n\r\nü".utf8), part("empty", nil, nil, []),
                part("file", "ünï ☺.png", "image/png", onDisk), part("data", "d.bin", binary, inMemory),
                part("stream", "s", binary, streamed), part("none", "n.txt", "text/plain", []),
            ])
    }

    @Test("no name of a part can break out of its quotes", arguments: Parser.allCases)
    func names(parser: Parser) async throws {
        var form = MultipartForm()
        let hostile = "a\"; filename=\"x\r\nX-Evil: 1\r\n\r\nbody"
        form.field(hostile, "1")
        form.data("f", [1], filename: "\"\r\n--" + form.boundary + "--")
        form.field("'%;=", "2")
        let parts = try await MultipartParserServer.shared.get().parse(form, with: parser)
        // Neither parser decodes escaped line ends; werkzeug decodes an escaped quote.
        let quote = parser == .werkzeug ? "\"" : "%22"
        #expect(
            parts.map(\.name) == [
                "a\(quote); filename=\(quote)x%0D%0AX-Evil: 1%0D%0A%0D%0Abody", "f", "'%;=",
            ])
        #expect(parts.map(\.filename) == [nil, "\(quote)%0D%0A--\(form.boundary)--", nil])
    }

    @Test("a form can have a custom boundary, and content that resembles it", arguments: Parser.allCases)
    func boundary(parser: Parser) async throws {
        var form = try MultipartForm(boundary: "Own_Boundary.1")
        let content = "--Own_Boundary.\r\n--Own_Boundary.\r\r\n-\r\n--\r\n"
        form.field("a", content)
        let parts = try await MultipartParserServer.shared.get().parse(form, with: parser)
        #expect(parts == [part("a", nil, nil, content.utf8)])
    }

    @Test("a form can have parameters as parts", arguments: Parser.allCases)
    func parameters(parser: Parser) async throws {
        var form = MultipartForm()
        try form.parameters([
            "user": ["name": "ä", "tags": ["x", "y"]] as ParameterValue, "raw": Data([0, 13, 10, 255]), "nil": .null,
            "absent": nil,
        ])
        let parts = try await MultipartParserServer.shared.get().parse(form, with: parser)
        #expect(
            parts == [
                part("nil", nil, nil, []), part("raw", nil, nil, [0, 13, 10, 255]),
                part("user[name]", nil, nil, "ä".utf8),
                part("user[tags]", nil, nil, "x".utf8), part("user[tags]", nil, nil, "y".utf8),
            ])
    }
}
