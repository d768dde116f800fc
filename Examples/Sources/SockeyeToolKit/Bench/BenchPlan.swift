/// The extent of a benchmark: the number of requests and of connections, and a time limit.
package struct BenchPlan: Sendable, Hashable {
    package static let mostRequests = 1_000_000
    package static let mostConnections = 256

    package let requests: Int
    package let connections: Int
    package let timeLimit: Duration

    /// - Throws: ``UsageFault`` if a value is outside of its bounds.
    package init(requests: Int, connections: Int, seconds: Double) throws {
        guard (1...Self.mostRequests).contains(requests) else {
            throw UsageFault("--requests is from 1 to \(Figures.count(Self.mostRequests))")
        }
        guard (1...Self.mostConnections).contains(connections) else {
            throw UsageFault("--connections is from 1 to \(Self.mostConnections)")
        }
        guard seconds > 0, seconds <= 3600 else { throw UsageFault("--seconds is more than 0 and at most 3,600") }
        self.requests = requests
        self.connections = min(connections, requests)
        timeLimit = .seconds(seconds)
    }
}

/// An error: the command line is invalid.
package struct UsageFault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
