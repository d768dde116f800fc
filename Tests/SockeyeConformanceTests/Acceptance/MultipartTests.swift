import Foundation
import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// Multipart forms. SockeyeServerTests checks them with Python's parsers.
@Suite struct MultipartTests {
    /// A part as sent, split without the library: by its boundary and its first empty line.
    private struct Part: Equatable {
        let disposition: String
        let type: String?
        let content: [UInt8]
    }

    private func parts(of body: Bytes, boundary: String) -> [Part] {
        let bytes = Array("\r\n".utf8) + Array(body)
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var parts: [Part] = []
        var rest = bytes[...]
        while let start = rest.firstRange(of: delimiter) {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: delimiter), let head = rest.firstRange(of: Array("\r\n\r\n".utf8))
            else {
                break
            }
            let fields = String(decoding: rest[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
            func field(_ name: String) -> String? {
                fields.first { $0.lowercased().hasPrefix(name + ":") }.map { $0.dropFirst(name.count + 2).description }
            }
            parts.append(
                Part(
                    disposition: field("content-disposition") ?? "", type: field("content-type"),
                    content: Array(rest[head.upperBound..<end.lowerBound])))
        }
        return parts
    }

    @Test("multipart-01: fields and files in memory, from disk, from streams, mixed", .timeLimit(.minutes(1)))
    func mixed() async throws {
        let path = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString).txt"
        try Data("from disk".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await withEchoServer { server, log in
            let chunks = AsyncStream<[UInt8]> { continuation in
                for piece in ["from ", "", "a stream"] { continuation.yield(Array(piece.utf8)) }
                continuation.finish()
            }
            _ = try await HTTPClient().post(
                server.url(),
                .multipart { form in
                    form.field("title", "Küste")
                    form.data("memory", [0, 13, 10, 255], filename: "m.bin", contentType: "application/x-test")
                    try form.file("disk", at: path)
                    form.stream("stream", chunks, filename: "s.txt", contentType: "text/plain")
                })
            let type = try #require(log.all.first?.values("content-type").first)
            let boundary = try #require(type.split(separator: "boundary=").last).trimming("\"")
            let parts = parts(of: log.all[0].body, boundary: boundary)
            #expect(
                parts.map(\.content) == [
                    Array("Küste".utf8), [0, 13, 10, 255], Array("from disk".utf8), Array("from a stream".utf8),
                ])
            #expect(parts.map(\.type) == [nil, "application/x-test", "text/plain", "text/plain"])
            #expect(parts[0].disposition == "form-data; name=\"title\"")
            #expect(parts[1].disposition == "form-data; name=\"memory\"; filename=\"m.bin\"")
            #expect(parts[2].disposition.hasSuffix(".txt\""))
        }
    }

    @Test("multipart-03: user-given boundary; content that contains a boundary-like line", .timeLimit(.minutes(1)))
    func boundary() async throws {
        try await withEchoServer { server, log in
            var form = try MultipartForm(boundary: "own-boundary")
            let content = "--own-boundar\r\n--other--\r\n-own-boundary"
            form.field("text", content)
            var request = try OutgoingRequest(method: .post, url: server.url())
            try request.setBody(form)
            _ = try await HTTPClient().send(request)
            #expect(log.all[0].values("content-type") == ["multipart/form-data; boundary=own-boundary"])
            #expect(parts(of: log.all[0].body, boundary: "own-boundary").map(\.content) == [Array(content.utf8)])
        }
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> String {
        String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
    }
}
