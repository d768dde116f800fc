import BenchmarkReport

extension Scenario.Measure {
    /// The figures of a scenario of this kind, in the order of its table. A new kind of scenario says here what it tells.
    var columns: [Column] {
        switch self {
        case .requests: Column.requests
        case .bytes: Column.transfers
        case .handshakes: Column.handshakes
        case .starts: Column.starts
        case .connections: Column.idleConnections
        case .cancellations: Column.cancellations
        }
    }
}
