import Sockeye
import SockeyeNet

/// The names of a run: `fast` ones have an address at once, and `slow` ones get an answer long after their callers' deadline.
struct SoakNames: NameResolver {
    let address: EndpointAddress

    func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
        if host.hasPrefix("slow") { try await Task.sleep(for: .milliseconds(400)) }
        return [address]
    }
}
