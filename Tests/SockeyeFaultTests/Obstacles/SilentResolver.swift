import SockeyeNet
import SockeyeTesting

/// A resolver that never answers, and signals when it was called.
final class SilentResolver: NameResolver {
    let asked = TestSignal()

    func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
        asked.fire()
        // Even cancellation does not end it: it waits in a separate task that is never cancelled.
        while true { await Task { try? await TestSignal().wait(timeout: .seconds(60)) }.value }
    }
}
