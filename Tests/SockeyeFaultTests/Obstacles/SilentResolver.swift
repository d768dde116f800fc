import SockeyeTesting
import SockeyeTransport

/// Never answers; tells when it was asked.
final class SilentResolver: Resolver {
    let asked = TestSignal()

    func resolve(_ host: String, port: Int) async throws -> [SocketAddress] {
        asked.fire()
        // Not even cancellation ends it.
        let never = TestSignal()
        while true { try? await never.wait(timeout: .seconds(60)) }
    }
}
