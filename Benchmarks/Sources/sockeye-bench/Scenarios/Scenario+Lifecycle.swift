import BenchmarkKit

extension Scenario {
    /// Scenarios that measure the time from the start of the process to the first response.
    static var firstRequests: [Scenario] {
        [("first-request", Server.plain(.small)), ("first-request-tls", .tls(.small))].map { name, server in
            Scenario(
                name: name, server: server,
                job: .get(expecting: ServedFile.small.bytes), connections: 1, measure: .starts, isQuick: false,
                mode: .firstRequest)
        }
    }

    /// Scenarios of idle connections. There are fewer with TLS, because each costs the server a handshake.
    static var idleConnections: [Scenario] {
        [(false, 10_000), (true, 2000)].map { tls, connections in
            Scenario(
                name: "idle\(tls ? "-tls" : "")-\(connections)", server: .gathering(tls: tls),
                job: .get(expecting: ServedFile.small.bytes), connections: connections, measure: .connections,
                isQuick: false, tasks: 1, mode: .idleConnections)
        }
    }

    /// A scenario of requests that are cancelled before they are answered.
    static var cancellations: [Scenario] {
        [
            Scenario(
                name: "cancellations-c64", server: .silent, job: .get(expecting: ServedFile.small.bytes),
                connections: 64, measure: .cancellations, isQuick: false, mode: .cancellations)
        ]
    }
}
