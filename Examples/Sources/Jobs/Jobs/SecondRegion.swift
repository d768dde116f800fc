import Sockeye
import SockeyeTesting

// snippet.show
struct TwoRegions: HTTPTransport {
    let standby: String
    var base = SocketTransport()
    var sockets: SocketTransport? { base }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        do {
            return try await base.send(request)
        } catch {
            // nothing was sent, so nothing is sent twice
            guard error.code == .connectFailed else { throw error }
            var request = request
            let query = request.url.query.map { "?\($0)" } ?? ""
            request.url = try HTTPURL(standby)
                .resolving(request.url.path + query)
            return try await base.send(request)
        }
    }
}
// snippet.hide

extension Job {
    static let secondRegion = Job("A transport with a second region") {
        try await withTestServer { request in
            .text("\(request.path) \(request.query ?? "") from the second region")
        } run: { server in
            let client = HTTPClient(transport: TwoRegions(standby: server.url()))
            return try await client.get(ClosedPort().url("/fish?kind=red"), as: .text)
        }
    }
}
