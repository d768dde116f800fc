import BenchmarkKit

extension Scenario {
    /// A 13-byte body over connections that are kept alive.
    static var smallGets: [Scenario] {
        [false, true].flatMap { tls in
            [1, 16, 64, 256].map { connections in
                Scenario(
                    name: "get\(tls ? "-tls" : "")-c\(connections)", server: tls ? .tls(.small) : .plain(.small),
                    job: .get(expecting: ServedFile.small.bytes), connections: connections, measure: .requests,
                    isQuick: connections == 1 || connections == 64)
            }
        }
    }
}
