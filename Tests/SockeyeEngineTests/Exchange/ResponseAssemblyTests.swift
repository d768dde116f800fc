import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("The assembly of a response") struct ResponseAssemblyTests {
    /// "hello hello hello", coded with gzip.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 87, 200, 64, 144, 0, 128, 136, 249, 229, 17, 0, 0, 0,
    ]

    private func prepared(
        limit: Int? = nil, clientLimit: Int? = nil, decompresses: Bool = true, upgrade: String? = nil
    ) throws -> PreparedRequest {
        var configuration = EngineConfiguration()
        configuration.decompresses = decompresses
        configuration.limits.bodyBytes = clientLimit
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.bodyLimit = limit
        request.options.upgrade = upgrade
        return try EngineParts.prepared(request, configuration: configuration)
    }

    private func head(_ fields: String) throws -> ResponseHead {
        try EngineParts.head("HTTP/1.1 200 OK\r\n\(fields)\r\n")
    }

    // MARK: Refusals

    @Test("a body with a transfer coding besides chunked is refused, with the head as evidence")
    func transferCoding() throws {
        let request = try prepared()
        let coded = try head("Transfer-Encoding: gzip, chunked\r\n")
        let error = #expect(throws: SockeyeError.self) {
            _ = try ResponseAssembly.check(coded, .chunked, for: request)
        }
        #expect(error?.code == .malformedResponse && error?.response?.status == .ok)
        // The answer to a HEAD has no body that would have the coding.
        #expect(try ResponseAssembly.check(coded, .none, for: request).isEmpty)
        #expect(try ResponseAssembly.check(head("Transfer-Encoding: chunked\r\n"), .chunked, for: request).isEmpty)
    }

    @Test(
        "codings are undone if the client asked for codings, knows them all, and there is a body",
        arguments: [
            ("gzip", true, BodyFraming.length(5), 1), ("GZip , deflate", true, .length(5), 2),
            ("identity", true, .length(5), 0), ("gzip, secret", true, .length(5), 0),
            ("gzip", false, .length(5), 0), ("gzip", true, .none, 0),
        ] as [(String, Bool, BodyFraming, Int)])
    func codings(field: String, decompresses: Bool, framing: BodyFraming, count: Int) throws {
        let request = try prepared(decompresses: decompresses)
        let codings = try ResponseAssembly.check(head("Content-Encoding: \(field)\r\n"), framing, for: request)
        #expect(codings.count == count)
    }

    @Test("too many codings are refused, with the head as evidence")
    func manyCodings() throws {
        let field = [String](repeating: "gzip", count: 6).joined(separator: ", ")
        let error = #expect(throws: SockeyeError.self) {
            _ = try ResponseAssembly.check(head("Content-Encoding: \(field)\r\n"), .length(5), for: prepared())
        }
        #expect(error?.response?.headers[.contentEncoding] == field)
    }

    @Test("a switch of protocols is accepted only to protocols that the request asked for")
    func protocols() throws {
        let rows: [(asked: String, chosen: String, isAccepted: Bool)] = [
            ("websocket", "Upgrade: WebSocket\r\n", true), ("a/1, b", "Upgrade: b, A/1\r\n", true),
            ("a", "Upgrade: a, b\r\n", false), ("a", "Upgrade: b\r\n", false), ("a", "Upgrade: \r\n", false),
            ("a", "", false),
        ]
        for (asked, chosen, isAccepted) in rows {
            let request = try prepared(upgrade: asked)
            let head = try head(chosen)
            if isAccepted {
                try ResponseAssembly.checkProtocol(of: head, for: request)
            } else {
                let error = #expect(throws: SockeyeError.self) {
                    try ResponseAssembly.checkProtocol(of: head, for: request)
                }
                let isNamed = chosen.dropFirst("Upgrade: ".count).contains { $0.isLetter }
                let fault = isNamed ? PeerFault.upgradeToOtherProtocol : .upgradeWithoutProtocol
                #expect(error?.underlying as? PeerFault == fault, "\(chosen)")
            }
        }
    }

    // MARK: Content

    /// Assembles a response whose body comes in pieces, of which the first arrived with the head.
    private func response(
        _ pieces: [Bytes], of length: Int?, limit: Int? = nil, clientLimit: Int? = nil, coding: String? = nil
    ) throws -> IncomingResponse {
        let request = try prepared(limit: limit, clientLimit: clientLimit)
        let fields = [length.map { "Content-Length: \($0)\r\n" }, coding.map { "Content-Encoding: \($0)\r\n" }]
        let head = try head(fields.compactMap(\.self).joined())
        let framing = length.map { BodyFraming.length($0) } ?? .untilClose
        let codings = try ResponseAssembly.check(head, framing, for: request)
        return ResponseAssembly.response(
            head, framing, to: request, undoing: codings, first: pieces.first ?? Bytes(),
            source: pieces.count > 1 ? ScriptedSource(Array(pieces.dropFirst())) : nil, trailers: nil, tls: nil)
    }

    @Test(
        "coded content is decoded, also in pieces, and neither its coding nor its length is shown",
        arguments: [1, 7, 28])
    func decoding(size: Int) async throws {
        let pieces = stride(from: 0, to: Self.gzip.count, by: size).map {
            Bytes(Self.gzip[$0..<min($0 + size, Self.gzip.count)])
        }
        let response = try response(pieces, of: Self.gzip.count, coding: "gzip")
        #expect(response.headers.isEmpty && response.body.expectedLength == nil)
        #expect(response.rawValues(of: .contentEncoding).isEmpty && response.rawValues(of: .contentLength).isEmpty)
        #expect(try await response.body.collect(upTo: 100) == Bytes("hello hello hello"))
    }

    @Test("content that is not coded keeps its length and its fields")
    func plain() async throws {
        let response = try response([Bytes("hel"), Bytes("lo")], of: 5)
        #expect(response.headers[.contentLength] == "5" && response.body.expectedLength == 5)
        #expect(try await response.body.collect(upTo: 5) == Bytes("hello"))
    }

    private typealias LimitRow = (limit: Int?, client: Int?, length: Int?, name: String?)

    @Test("the call's limit on the body replaces the client's, and applies to the decoded content")
    func limits() async throws {
        let rows: [LimitRow] = [
            (nil, nil, 5, nil), (5, nil, 5, nil), (nil, 5, 5, nil), (4, nil, 5, "bodyLimit"), (nil, 4, 5, "bodyBytes"),
            (5, 4, 5, nil), (4, 5, 5, "bodyLimit"), (4, nil, nil, "bodyLimit"), (nil, 4, nil, "bodyBytes"),
        ]
        for (limit, client, length, name) in rows {
            let response = try response([Bytes("hel"), Bytes("lo")], of: length, limit: limit, clientLimit: client)
            // An announced length fails the call at once, any other body when it exceeds the limit.
            #expect((response.announcedSizeError != nil) == (name != nil && length != nil))
            if let name {
                let error = await #expect(throws: SockeyeError.self) { try await response.body.collect(upTo: 100) }
                #expect(error?.code == .limitExceeded && error?.limit?.name == name && error?.limit?.seen == "5 bytes")
            } else {
                #expect(try await response.body.collect(upTo: 100) == Bytes("hello"))
            }
        }
        let whole = try response([Bytes("hello")], of: nil, limit: 4)
        await #expect(throws: SockeyeError.self) { try await whole.body.collect(upTo: 100) }
        let decoded = try response([Bytes(Self.gzip)], of: Self.gzip.count, limit: 16, coding: "gzip")
        #expect(decoded.announcedSizeError == nil)
        let error = await #expect(throws: SockeyeError.self) { try await decoded.body.collect(upTo: 100) }
        #expect(error?.limit?.seen == "17 bytes")
    }
}
