import Sockeye
import SockeyeTesting

/// The server behind nginx as a gateway. Its failures are not reported as issues, because some tests cause them.
enum NginxUpstream {
    /// The size of `/pieces`, and the number of bytes that the failing paths send before they break off.
    static let half = 100_000

    static let server = Task {
        try await TestServer.start(on: .unix(NginxServer.shared.get().folder + "/upstream.sock")) { request in
            switch request.path {
            case "/echo": .bytes(try await request.body.collect(upTo: 1 << 24))
            case "/count": .text(String(try await request.body.discard()))
            case "/spooled": .text("\(request["X-Body-File"] ?? "-") \(try await request.body.discard())")
            case "/chunked": .source(length: nil)
            case "/pieces": .stream(Pieces(cutting: TestPattern.bytes(at: 0, upTo: half)))
            case "/short": .stream(Pieces(cutting: TestPattern.bytes(at: 0, upTo: half)), length: 2 * half)
            case "/silent": .never
            case "/stalling": .stream(Stalling(piece: TestPattern.bytes(at: 0, upTo: half)))
            default: .status(404)
            }
        }
    }

    /// Starts the server if it is not running.
    static func start() async throws {
        _ = try await server.value
    }
}
