import Sockeye
import SockeyeNet

/// The names of a run. A `fast` name has an address at once, and a `slow` name gets its answer long after the caller's
/// deadline.
struct SoakNames: NameResolver {
    let address: EndpointAddress

    func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
        if host.hasPrefix("slow") { try await Task.sleep(for: .milliseconds(400)) }
        return [address]
    }
}
