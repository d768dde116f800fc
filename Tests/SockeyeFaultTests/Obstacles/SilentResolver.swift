import SockeyeNet
import SockeyeTesting

/// Never answers; tells when it was asked.
final class SilentResolver: NameResolver {
    let asked = TestSignal()

    func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
        asked.fire()
        // Not even cancellation ends it: it waits in a task of its own, which nobody cancels.
        while true { await Task { try? await TestSignal().wait(timeout: .seconds(60)) }.value }
    }
}
