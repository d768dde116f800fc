import BenchmarkReport
import Foundation

/// All clients, the one that the others are compared with first.
enum ClientCatalogue {
    /// Those that were built.
    static func all(programs: URL, peers: URL) -> [any Client] {
        swift(programs) + others(peers).filter(\.isBuilt) + [WrkClient()]
    }

    /// The names of those that were not, which is for want of their compilers or libraries.
    static func missing(peers: URL) -> [String] { others(peers).filter { !$0.isBuilt }.map(\.name) }

    private static func swift(_ programs: URL) -> [KitClient] {
        let sockeye = programs.appending(path: "client-sockeye")
        return [
            KitClient(
                name: ClientName.sockeye, program: sockeye, purposes: [.comparison, .policies, .transfers]),
            KitClient(name: ClientName.loop, program: sockeye, variant: "loop"),
            KitClient(name: ClientName.policies, program: sockeye, variant: "policies", purposes: [.policies]),
            KitClient(name: ClientName.watched, program: sockeye, variant: "watched", purposes: [.transfers]),
            KitClient(name: ClientName.asyncHTTPClient, program: programs.appending(path: "client-ahc")),
            KitClient(
                name: ClientName.urlSession, program: programs.appending(path: "client-urlsession"),
                abilities: [.decoding, .inflation, .files, .connectionLimit, .lifecycle], leavesOut: urlSessionFails,
                trust: .systemRoots),
            KitClient(
                name: ClientName.libcurl, program: programs.appending(path: "client-curl"),
                abilities: [.inflation, .streams, .files, .forms, .connectionLimit, .lifecycle]),
        ]
    }

    /// Those of other languages: on one thread, which is all that a core of one's own is good for, and where cores are shared
    /// on as many as there are cores, too.
    private static func others(_ peers: URL) -> [KitClient] {
        let clients: [(name: String, program: String, abilities: Set<Scenario.Need>)] = [
            (ClientName.hyper, "client-hyper", [.streams]),
            (ClientName.reqwest, "client-reqwest", [.streams]),
            (ClientName.go, "client-go", [.streams, .files, .inflation, .connectionLimit]),
        ]
        return clients.flatMap { name, program, abilities in
            let one = KitClient(name: name, program: peers.appending(path: program), abilities: abilities)
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
