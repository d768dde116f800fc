import BenchmarkReport
import Foundation

/// All clients, the one that the others are compared with first.
enum ClientCatalogue {
    /// Those that were built.
    static func all(programs: URL, peers: URL) -> [any Client] {
        let optional = others(peers).filter(\.isBuilt)
        return [coding(peers)].filter(\.isBuilt) + swift(programs) + optional + [WrkClient()]
    }

    /// The names of those that were not, which is for want of their compilers or libraries.
    static func missing(peers: URL) -> [String] { others(peers).filter { !$0.isBuilt }.map(\.name) }

    private static let all = Set(Scenario.Need.allCases)

    /// Sockeye with the codings that are off by default; only where `Scripts/codings.sh` has built it.
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

    /// Those of other languages: on one thread, which is all that a core of one's own is good for, and where cores are shared
    /// on as many as there are cores, too.
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

    /// It keeps fewer connections the fewer requests run. And with several handshakes at a time it now and then misses
    /// that a socket became readable: the connection, and one task, then stand still until a time-out after a minute.
    private static func urlSessionFails(_ scenario: Scenario) -> Bool {
        switch scenario.measure {
        case .connections: true
        case .handshakes: scenario.connections > 1
        default: false
        }
    }
}
