import Foundation

/// All clients, the one that the others are compared with first.
enum ClientCatalogue {
    static func all(programs: URL) -> [any Client] {
        let sockeye = programs.appending(path: "client-sockeye")
        return [
            KitClient(name: "sockeye", program: sockeye, purposes: [.comparison, .policies, .transfers]),
            KitClient(name: "sockeye-loop", program: sockeye, variant: "loop"),
            KitClient(name: "sockeye-policies", program: sockeye, variant: "policies", purposes: [.policies]),
            KitClient(name: "sockeye-watched", program: sockeye, variant: "watched", purposes: [.transfers]),
            KitClient(name: "async-http-client", program: programs.appending(path: "client-ahc")),
            KitClient(
                name: "URLSession", program: programs.appending(path: "client-urlsession"), uploads: .onlyFiles,
                leavesOut: urlSessionFails, trust: .systemRoots),
            KitClient(name: "libcurl", program: programs.appending(path: "client-curl"), decodesJSON: false),
            WrkClient(),
        ]
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
