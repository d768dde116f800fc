import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Returns the error that a request throws, or records an issue if it throws none.
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
    /// Waits until no connection is leased, being dialed, or waited for.
    func expectAtRest(sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("a pool at rest", sourceLocation: sourceLocation) {
            guard let pool = pool?.statistics else { return false }
            return pool.leased == 0 && pool.dialling == 0 && pool.waiting == 0
        }
    }

    /// Makes a client with all waits on a clock that the test advances.
    init(configuration: Configuration, clock: ManualClock) {
        self.init(configuration: configuration, time: clock.timeSource)
    }
}

/// The script of a well-behaved connection: it answers every request with 200 and keeps the connection open.
let wellBehavedScript: FaultServer.Script = { peer in
    while try await peer.connection.read(through: "\r\n\r\n") != nil {
        try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
}
