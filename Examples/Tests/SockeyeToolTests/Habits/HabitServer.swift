import Foundation
import Sockeye
import SockeyeTesting
import Synchronization

/// The server of a habit: it keeps the requests, and answers each path in its way.
final class HabitServer: Sendable {
    private let received = Mutex<[Arrival]>([])

    static let resource = Bytes("0123456789")
    /// "unpacked", coded with gzip.
    private static let packed = Data(base64Encoded: "H4sIAAAAAAACAyvNK0hMzk5NAQCWYi/KCAAAAA==") ?? Data()

    var arrivals: [Arrival] { received.withLock(\.self) }

    func answer(_ request: TestRequest) async throws -> TestServerResponse {
        let content = try await request.text()
        let number = received.withLock { received in
            received.append(Self.arrival(request, content))
            return received.count
        }
        switch request.path {
        case "/404": return .text("missing", status: 404)
        case "/503": return .status(503)
        case "/later": return .status(503, headers: ["Retry-After": "25"])
        case "/soon": return number % 2 == 1 ? .status(503, headers: ["Retry-After": "1"]) : .text("ok")
        case "/flaky": return number == 1 ? .status(503) : .text("ok")
        case "/302", "/303", "/307": return .redirect(to: "/ok", status: Int(request.path.dropFirst()) ?? 302)
        case "/bytes": return .resource(Self.resource, for: request)
        case "/whole": return .text("0123456789")
        case "/json": return .bytes(Bytes(#"{"a":1}"#), contentType: "application/json")
        case "/cookie": return .text("ok", headers: ["Set-Cookie": "s=secret; Path=/"])
        case "/name": return .text("ok", headers: ["Content-Disposition": "attachment; filename=\"server.txt\""])
        case "/basic":
            guard request[.authorization] == nil else { return .text("ok") }
            return .status(401, headers: ["WWW-Authenticate": "Basic realm=\"r\""])
        case "/digest":
            guard request[.authorization] == nil else { return .text("ok") }
            return .status(401, headers: ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        case "/gzip":
            guard request[.acceptEncoding]?.contains("gzip") == true else { return .text("unpacked") }
            return .bytes(Bytes(Self.packed), headers: ["Content-Encoding": "gzip"])
        case "/cut": return .bytes(Self.resource).cut(after: 5)
        case "/closed": return .failure(.closed)
        default: return .text("ok")
        }
    }

    /// Returns the request with the boundary of a form replaced by `B`, because it is random.
    private static func arrival(_ request: TestRequest, _ content: String) -> Arrival {
        var arrival = Arrival(method: request.method.rawValue, target: request.target, content: content)
        for field in request.headers where arrival.fields["\(field.name)"] == nil {
            arrival.fields["\(field.name)"] = field.value
        }
        if let type = arrival.fields["Content-Type"] ?? nil, let start = type.firstRange(of: "boundary=") {
            let boundary = type[start.upperBound...]
            arrival.content = content.replacing(boundary, with: "B")
            arrival.fields["Content-Type"] = type.replacing(boundary, with: "B")
        }
        return arrival
    }
}
