import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The error that a request ends with, or a recorded issue.
func failure(
    sourceLocation: SourceLocation = #_sourceLocation, of body: () async throws -> Void
) async -> SockeyeError? {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        return nil
    } catch let error as SockeyeError {
        return error
    } catch {
        Issue.record("a foreign error: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}

extension HTTPClient {
    /// Waits until no connection is lent, being opened or waited for.
    func expectAtRest(sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("a pool at rest", sourceLocation: sourceLocation) {
            guard let pool = pool?.statistics else { return false }
            return pool.leased == 0 && pool.dialling == 0 && pool.waiting == 0
        }
    }

    /// A client whose every wait is on a clock that the test moves.
    init(configuration: Configuration, clock: ManualClock) {
        self.init(configuration: configuration, time: clock.timeSource)
    }
}

/// What a well-behaved connection does: answers every request with 200 and keeps the connection.
let behaves: FaultServer.Script = { peer in
    while try await peer.connection.read(through: "\r\n\r\n") != nil {
        try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
}
