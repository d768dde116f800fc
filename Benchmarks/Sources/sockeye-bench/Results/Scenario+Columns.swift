import BenchmarkReport

extension Scenario.Measure {
    /// The figures of a scenario of this kind, in the order of its table. Add the columns of a new kind of scenario
    /// here.
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
