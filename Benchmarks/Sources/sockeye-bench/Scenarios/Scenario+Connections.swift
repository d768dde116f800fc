import BenchmarkKit

extension Scenario {
    /// Scenarios in which the server closes each connection after its response.
    static var connectionPerRequest: [Scenario] {
        [1, 16].map { connections in
            Scenario(
                name: "connect-c\(connections)", server: .closing(.small),
                job: .get(expecting: ServedFile.small.bytes), connections: connections, measure: .requests,
                isQuick: connections == 16)
        }
    }
}
