import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization

/// A request as a server received it, kept for the test.
struct LoggedRequest: Sendable {
    let method: String
    let target: String
    let fields: [(name: String, value: String)]
    let body: Bytes
    let connection: Int

    /// The values of a field, in order.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

/// The requests that a server has received so far.
final class RequestLog: Sendable {
    private let entries = Mutex<[LoggedRequest]>([])

    var all: [LoggedRequest] { entries.withLock { $0 } }

    func take(_ request: TestRequest) async throws {
        let body = try await request.body.collect()
        let entry = LoggedRequest(
            method: request.method.rawValue, target: request.target,
            fields: request.headers.map { (name: $0.name.description, value: $0.value) }, body: body,
            connection: request.connection)
        entries.withLock { $0.append(entry) }
    }

    func take(_ request: HTTPText) {
        let entry = LoggedRequest(
            method: request.method, target: request.target, fields: request.fields, body: Bytes(request.body),
            connection: 0)
        entries.withLock { $0.append(entry) }
    }
}

/// Runs a test against a server that answers every request with 200 and logs it.
func withEchoServer(_ body: (TestServer, RequestLog) async throws -> Void) async throws {
    let log = RequestLog()
    try await withTestServer { request in
        try await log.take(request)
        return .ok("echo")
    } run: { server in
        try await body(server, log)
    }
}
