import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// The test vectors of redirects, followed or refused by a client over sockets.
@Suite struct RedirectWireTests {
    /// - `count-00`: 20 redirects, which are more than the default limit, so a limit of 20 is set.
    private static let patient: OutgoingRequest.Options = .intercepting(.redirects(.following(atMost: 20)))

    @Test("a redirect is followed or refused as the case says", .timeLimit(.minutes(1)), arguments: RedirectCase.all)
    func redirect(vector: RedirectCase) async throws {
        let log = RequestLog()
        let server = try await RawServer.start(script: [.run { try await Self.serve(vector, $0, log) }])
        defer { Task { await server.stop() } }
        var request = try OutgoingRequest(url: server.url("/start"))
        if let method = vector.method { request.method = try #require(.init(rawValue: method)) }
        if let body = vector.body, !body.isEmpty { request.body = .string(body) }
        for field in vector.requestHeaders ?? [] { request.headers.append(Headers.Name(field[0]), field[1]) }
        if vector.kind == "count" { request.options = Self.patient }
        if vector.mode == "manual" { request.options = .intercepting(.redirects(.manual)) }
        let outcome = await ResponseOutcome.of(request, with: HTTPClient())
        switch vector.kind {
        case "method": try judgeMethod(vector, log)
        case "location-bytes":
            let expected = try #require(vector.expect.nextTargetEndsWith)
            #expect(log.all.last?.target.hasSuffix(expected) == true)
        default:
            #expect((outcome.error == nil) == (vector.expect.result == "response"), "\(outcome)")
            if let status = vector.expect.status { #expect(outcome.head?.status.code == status) }
        }
    }

    private func judgeMethod(_ vector: RedirectCase, _ log: RequestLog) throws {
        let next = try #require(log.all.count == 2 ? log.all.last : nil)
        #expect(next.target == "/target")
        #expect(next.method == vector.expect.method)
        #expect(String(decoding: next.body, as: UTF8.self) == vector.expect.body)
        let describing = next.fields.filter {
            $0.name.lowercased().hasPrefix("content-") && $0.name != "Content-Length"
        }
        if vector.expect.bodyHeadersKept == true {
            #expect(describing.count == vector.requestHeaders?.count)
        } else {
            #expect(describing.isEmpty)
        }
    }

    /// Answers with the redirect, or a chain of them, and then with 200.
    private static func serve(_ vector: RedirectCase, _ connection: TestConnection, _ log: RequestLog) async throws {
        while let head = try await connection.read(through: "\r\n\r\n") {
            var bytes = Array(head)[...]
            guard var request = HTTPText.takeHead(from: &bytes) else { return }
            request.body = Array(try await connection.read(exactly: request.length ?? 0))
            log.take(request)
            guard let location = location(vector, request.target) else {
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                continue
            }
            var answer = Array("HTTP/1.1 \(vector.status) Moved\r\nContent-Length: 0\r\n".utf8)
            if !location.isEmpty { answer += Array("Location: ".utf8) + Array(location) + [13, 10] }
            try await connection.write(Bytes(answer + [13, 10]))
        }
    }

    /// Returns the Location for a target: empty if the redirect has none, and nil if the answer is not a redirect.
    private static func location(_ vector: RedirectCase, _ target: String) -> Bytes? {
        if vector.kind == "count" {
            let step = Int(target.dropFirst()) ?? 0
            return step < vector.redirects ?? 0 ? Bytes("/\(step + 1)") : nil
        }
        guard target == "/start" else { return nil }
        return vector.locationBytes?.bytes ?? Bytes(vector.location ?? "")
    }
}
