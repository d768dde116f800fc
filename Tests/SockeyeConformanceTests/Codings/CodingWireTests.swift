import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// The test vectors of content codings: a server sends each coded body over a socket, and a client decodes it.
@Suite(.serialized) struct CodingWireTests {
    /// A body, and the way in which the server frames and cuts it.
    private struct Trial: Sendable {
        let vector: CodingCase
        let body: Bytes
        let cutting: Cutting
        let isChunked: Bool

        var description: String {
            "\(vector.id), \(body.count) bytes, \(cutting)\(isChunked ? ", chunked" : "")"
        }

        /// The response as its head and its body: only the body is sent in pieces.
        var message: (head: String, body: Bytes) {
            let start = "HTTP/1.1 200 OK\r\nContent-Encoding: \(vector.contentEncoding)\r\n"
            guard isChunked else { return (start + "Content-Length: \(body.count)\r\n\r\n", body) }
            return (start + "Transfer-Encoding: chunked\r\n\r\n", Self.chunked(body))
        }

        private static func chunked(_ body: Bytes) -> Bytes {
            var wire: [UInt8] = []
            var start = 0
            while start < body.count {
                let piece = body.slice(start..<min(start + 37, body.count))
                wire += Array("\(String(piece.count, radix: 16))\r\n".utf8) + Array(piece) + [13, 10]
                start += piece.count
            }
            return Bytes(wire + Array("0\r\n\r\n".utf8))
        }
    }

    private static let offered = CodingCase.all.filter(\.isOffered)
    private static let more = CodingCase.more.filter(\.isOffered)

    /// Returns each case whole and byte by byte, in both framings, and in two pieces, in the two framings by turns.
    /// Each body is cut near both ends and at about `cuts` other indices, so small bodies are cut at every index. Of a
    /// large body there are only 8 other indices.
    ///
    /// `VectorTests` decodes large bodies byte by byte; over a socket that takes seconds.
    private static func trials(_ cases: [CodingCase], cuts: Int) -> [Trial] {
        cases.flatMap { vector in
            let body = vector.body.bytes
            let isLarge = body.count > 4096
            let uncut = isLarge ? [Cutting.whole] : [.whole, .byteByByte]
            let pieces = Cutting.halves(of: body.count, cuts: isLarge ? 8 : cuts)
            return uncut.flatMap { cutting in
                [false, true].map { Trial(vector: vector, body: body, cutting: cutting, isChunked: $0) }
            }
                + pieces.enumerated().map {
                    Trial(vector: vector, body: body, cutting: $1, isChunked: $0.isMultiple(of: 2))
                }
        }
    }

    @Test(
        "the client decodes a complete body and refuses a damaged one, however the server cuts the body",
        .timeLimit(.minutes(5)))
    func cases() async throws {
        let count = Self.offered.count + Self.more.count
        let skipped = CodingCase.all.count + CodingCase.more.count - count
        print("content-encoding: \(count) cases; \(skipped) skipped (not linked)")
        // Most bodies of content-encoding-more are large, and many are alike.
        let trials = Self.trials(Self.offered, cuts: 128) + Self.trials(Self.more, cuts: 16)
        try await run(trials) { trial, outcome in
            // - `go-zlib-00`: an empty body, for which the case expects an error. `deflate-zero-bytes` has the same
            //   bytes and allows either. There is no content to which a coding could have been applied (RFC 9110
            //   8.4.1), and servers send such responses, so the client delivers an empty body.
            if trial.vector.id == "go-zlib-00" { return [] }
            return trial.vector.complaints(about: outcome)
        }
    }

    /// The framing of each response is correct, so only the coding shows that bytes are missing.
    @Test("the client refuses a coded body that ends early, wherever it ends", .timeLimit(.minutes(1)))
    func truncated() async throws {
        let vectors = (Self.offered + Self.more).filter { $0.expect == "ok" && $0.isOneStream }
        let trials = vectors.flatMap { vector in
            let body = vector.body.bytes
            let cuts = stride(from: 1, to: body.count, by: max(1, body.count / (body.count > 4096 ? 16 : 64)))
            return cuts.filter { CodingCase.ends[vector.id]?.contains($0) != true }.map { end in
                Trial(vector: vector, body: body.slice(0..<end), cutting: .whole, isChunked: end.isMultiple(of: 2))
            }
        }
        try await run(trials) { trial, outcome in
            if outcome.error?.code == .badContentCoding { return [] }
            return ["a cut body gave \(outcome.body.count) bytes, \(String(describing: outcome.error))"]
        }
    }

    private func run(
        _ trials: [Trial], judge: @escaping @Sendable (Trial, ResponseOutcome) -> [String]
    ) async throws {
        let server = try await CaseServer(count: trials.count) { key, connection in
            let message = trials[key].message
            try await connection.write(message.head)
            try await trials[key].cutting.send(message.body, over: connection)
        }
        let makeClient = { @Sendable in HTTPClient(configuration: .init(timeouts: .init(total: .seconds(30)))) }
        try await concurrently(trials.count, making: makeClient) { key, client in
            let request = try OutgoingRequest(url: server.url("/coded"), headers: CaseServer.fields(for: key))
            let outcome = await ResponseOutcome.of(request, with: client)
            try await server.waitUntilAnswered(key)
            var complaints = judge(trials[key], outcome)
            if let complaint = await client.complaint(afterwards: server, number: key) { complaints.append(complaint) }
            for complaint in complaints { Issue.record("\(trials[key].description): \(complaint)") }
        }
        await server.stop()
    }
}

extension CodingCase {
    /// True if the body has a content coding that the client decodes. Without such a coding, a part of the
    /// body is valid, too.
    fileprivate var isOneStream: Bool {
        !contentEncoding.isEmpty && contentEncoding != "identity" && contentEncoding != "x-unknown"
    }

    fileprivate func complaints(about outcome: ResponseOutcome) -> [String] {
        if let error = outcome.error, error.code == .timeout { return ["timed out: \(error)"] }
        let isRight =
            (size == nil || size == outcome.body.count) && (sha256 == nil || sha256 == hexadecimalSHA256(outcome.body))
        switch (expect, outcome.error) {
        case ("ok", let error?): return ["failed: \(error)"]
        case ("ok", nil) where isRight: return complaintsAboutFields(outcome)
        case ("ok", nil): return ["\(outcome.body.count) bytes instead of \(size ?? -1)"]
        case ("error", nil): return ["no error"]
        case ("error", let error?):
            let isKnown = error.code == .badContentCoding || error.code == .limitExceeded
            return isKnown ? [] : ["an error of the wrong kind: \(error)"]
        case (_, nil):
            // The client must deliver the decoded body, or the coded one with its Content-Encoding.
            let isRaw = outcome.body == body.bytes && outcome.head?.headers[.contentEncoding] == contentEncoding
            return isRight || isRaw || outcome.body.isEmpty ? [] : ["\(outcome.body.count) bytes of something else"]
        default: return []
        }
    }

    /// Returns a complaint if the client decoded the body but left Content-Encoding or Content-Length.
    private func complaintsAboutFields(_ outcome: ResponseOutcome) -> [String] {
        guard let fields = outcome.head?.headers else { return ["no head"] }
        let hidden = fields[.contentEncoding] == nil && fields[.contentLength] == nil
        return hidden || outcome.body == body.bytes ? [] : ["fields of the coded body are left: \(fields)"]
    }
}
