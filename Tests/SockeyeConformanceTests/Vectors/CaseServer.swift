import Sockeye
import SockeyeCore
import SockeyeTesting

/// One raw server for many cases. The field `X-Case` of a request selects its answer, after which the server closes.
///
/// A request without the field gets a proper answer with its path as the body, on a connection that stays open.
final class CaseServer: Sendable {
    typealias Answer = @Sendable (_ key: Int, _ connection: TestConnection) async throws -> Void

    private let server: RawServer
    /// Fired for each case once the kernel has all of its bytes and the end of the stream, or sending has failed.
    private let answered: [TestSignal]

    /// Makes a server for the cases 0 ..< `count`.
    init(count: Int, answer: @escaping Answer) async throws {
        let answered = (0..<count).map { _ in TestSignal() }
        self.answered = answered
        server = try await RawServer.start(script: [.run { try await Self.serve($0, answered, answer) }])
    }

    func url(_ path: String = "/") -> String { server.url(path) }

    func stop() async { await server.stop() }

    /// Returns the field that selects the case with the number `key`.
    static func fields(for key: Int) -> Headers {
        var headers = Headers()
        headers.append("X-Case", "\(key)")
        return headers
    }

    /// Waits until all bytes of a case were sent, including those after the response.
    func waitUntilAnswered(_ key: Int) async throws {
        try await answered[key].wait(timeout: .seconds(20))
    }

    private static func serve(
        _ connection: TestConnection, _ answered: [TestSignal], _ answer: Answer
    ) async throws {
        while let head = try await connection.read(through: "\r\n\r\n") {
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            if let line = lines.first(where: { $0.lowercased().hasPrefix("x-case:") }),
                let key = Int(line.dropFirst("x-case:".count).drop { $0 == " " })
            {
                defer { answered[key].fire() }
                try await answer(key, connection)
                try await connection.closeWrite()
                answered[key].fire()
                try await connection.discardToEnd()
                return
            }
            let path = lines[0].split(separator: " ")[1]
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
        }
    }
}

extension HTTPClient {
    /// Returns nil if the client gets the right answer to a plain request, else a description of the difference.
    func complaint(afterwards server: CaseServer, number: Int) async -> String? {
        let path = "/plain/\(number)"
        do {
            let response = try await get(server.url(path))
            let text = try await response.text()
            return response.status == .ok && text == path ? nil : "the next request got \(response.status) '\(text)'"
        } catch {
            return "the next request failed: \(error)"
        }
    }
}
