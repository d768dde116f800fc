import Sockeye
import SockeyeCore
import SockeyeStreams
import SockeyeTesting
import Testing

/// The test vectors of multipart bodies: a server sends each body over a socket, and a client reads its parts.
@Suite("Multipart body vectors", .timeLimit(.minutes(1))) struct PartWireTests {
    private struct Part: Sendable {
        let name: String?
        let filename: String?
        let content: Bytes
    }

    /// Sends an HTTP chunk for each piece, so that the client reads them apart even if the kernel joins them.
    @Test("the client reads the parts of each body or refuses it, however the server cuts the body")
    func parts() async throws {
        let cases = PartCase.all
        try await withTestServer { request, responder in
            let (key, size) = (Int(request.path.dropFirst()) ?? 0, request.query.flatMap { Int($0) } ?? 1)
            let content = cases[key].body.bytes
            try await responder.sendHead(headers: [.contentType: cases[key].contentType])
            for start in stride(from: 0, to: content.count, by: size) {
                try await responder.write(content.slice(start..<min(start + size, content.count)))
            }
            try await responder.finish()
        } run: { server in
            let client = HTTPClient()
            for (key, vector) in cases.enumerated() {
                for size in [1, 2, 7, 1 << 20] {
                    let outcome = await Self.outcome(of: server.url("/\(key)?\(size)"), with: client)
                    for complaint in Self.complaints(about: outcome, vector) {
                        Issue.record("\(vector.id), in pieces of \(size): \(complaint)")
                    }
                }
            }
        }
    }

    private static func outcome(of url: String, with client: HTTPClient) async -> Result<[Part], SockeyeError> {
        do throws(SockeyeError) {
            var reader = try await client.get(url).parts().makeAsyncIterator()
            var parts: [Part] = []
            while let part = try await reader.next() {
                parts.append(Part(name: part.name, filename: part.filename, content: try await part.bytes()))
            }
            return .success(parts)
        } catch {
            return .failure(error)
        }
    }

    private static func complaints(about outcome: Result<[Part], SockeyeError>, _ vector: PartCase) -> [String] {
        switch (vector.expected, outcome) {
        case (nil, .failure(let error)): error.code == .malformedResponse ? [] : ["the wrong error: \(error)"]
        case (nil, .success(let parts)): ["\(parts.count) parts instead of an error"]
        case (_?, .failure(let error)): ["failed: \(error)"]
        case (let expected?, .success(let parts)) where parts.count != expected.count:
            ["\(parts.count) parts instead of \(expected.count)"]
        case (let expected?, .success(let parts)):
            zip(parts, expected).enumerated().compactMap { index, pair in
                let (part, expected) = pair
                let isNamed = expected.name == nil || part.name == expected.name && part.filename == expected.filename
                return isNamed && part.content == expected.content ? nil : "part \(index) differs: \(part)"
            }
        }
    }
}
