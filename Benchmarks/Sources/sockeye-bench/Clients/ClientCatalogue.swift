import BenchmarkReport
import Foundation

/// All clients. The first one is the reference for the others.
enum ClientCatalogue {
    /// Returns the clients that were built.
    static func all(programs: URL, peers: URL) -> [any Client] {
        let optional = others(peers).filter(\.isBuilt)
        return [coding(peers)].filter(\.isBuilt) + swift(programs) + optional + [WrkClient()]
    }

    /// Returns the names of clients that were not built, because their compilers or libraries are missing.
    static func missing(peers: URL) -> [String] { others(peers).filter { !$0.isBuilt }.map(\.name) }

    private static let all = Set(Scenario.Need.allCases)

    /// Returns Sockeye with the codings that are off by default; it exists only if `Scripts/codings.sh` has built it.
    private static func coding(_ peers: URL) -> KitClient {
        KitClient(name: ClientName.codings, program: peers.appending(path: "client-sockeye"), purposes: [.codings])
    }

    private static func swift(_ programs: URL) -> [KitClient] {
        let sockeye = programs.appending(path: "client-sockeye")
        return [
            KitClient(
                name: ClientName.sockeye, program: sockeye, abilities: Self.all.subtracting([.otherCodings]),
                purposes: [.comparison, .policies, .transfers, .proxies, .codings]),
            KitClient(name: ClientName.loop, program: sockeye, variant: "loop", purposes: [.comparison, .proxies]),
            KitClient(name: ClientName.policies, program: sockeye, variant: "policies", purposes: [.policies]),
            KitClient(name: ClientName.watched, program: sockeye, variant: "watched", purposes: [.transfers]),
            KitClient(
                name: ClientName.asyncHTTPClient, program: programs.appending(path: "client-ahc"),
                abilities: Self.all.subtracting([.forwarding, .proxyTLS, .otherCodings]),
                purposes: [.comparison, .proxies, .codings]),
            KitClient(
                name: ClientName.urlSession, program: programs.appending(path: "client-urlsession"),
                abilities: [.decoding, .inflation, .files, .connectionLimit, .lifecycle], leavesOut: urlSessionFails,
                trust: .systemRoots),
            KitClient(
                name: ClientName.libcurl, program: programs.appending(path: "client-curl"),
                abilities: Self.all.subtracting([.decoding]), purposes: [.comparison, .proxies, .codings]),
        ]
    }

    /// Returns the clients in other languages. They have one thread, because each client has one core. In scenarios
    /// with shared cores they also take part with a thread for each core.
    private static func others(_ peers: URL) -> [KitClient] {
        let clients: [(name: String, program: String, abilities: Set<Scenario.Need>)] = [
            (ClientName.hyper, "client-hyper", [.streams]),
            (ClientName.reqwest, "client-reqwest", [.streams, .forwarding, .tunnels, .proxyTLS]),
            (
                ClientName.go, "client-go",
                [.streams, .files, .inflation, .connectionLimit, .forwarding, .tunnels, .proxyTLS, .socks]
            ),
        ]
        return clients.flatMap { name, program, abilities in
            let one = KitClient(
                name: name, program: peers.appending(path: program), abilities: abilities,
                purposes: [.comparison, .proxies, .codings])
            let many = KitClient(
                name: ClientName.threaded(name), program: one.program, variant: "threads", abilities: abilities,
                leavesOut: { $0.placement != .shared })
            return [one, many]
        }
    }

    /// Returns true for scenarios in which URLSession fails. It keeps fewer connections if fewer requests run. With
    /// several handshakes at a time it sometimes misses that a socket became readable; the connection and one task then
    /// hang until a time-out after a minute.
    private static func urlSessionFails(_ scenario: Scenario) -> Bool {
        switch scenario.measure {
        case .connections: true
        case .handshakes: scenario.connections > 1
        default: false
        }
    }
}
