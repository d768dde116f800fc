import BenchmarkKit

extension Scenario {
    /// Scenarios with a 13-byte body over kept-alive connections.
    static var smallGets: [Scenario] {
        [false, true].flatMap { tls in
            [1, 16, 64, 256, 1024].map { connections in
                Scenario(
                    name: "get\(tls ? "-tls" : "")-c\(connections)", server: tls ? .tls(.small) : .plain(.small),
                    job: .get(expecting: ServedFile.small.bytes), connections: connections, measure: .requests,
                    isQuick: connections == 1 || connections == 64)
            }
        }
    }

    /// A scenario with all policies (the client `sockeye-policies`) and without them, which shows their cost if no
    /// request is redirected, refused or repeated.
    static var policies: [Scenario] {
        [
            Scenario(
                name: "get-c64-policies", server: .plain(.small), job: .get(expecting: ServedFile.small.bytes),
                connections: 64, measure: .requests, isQuick: false, purpose: .policies)
        ]
    }

    /// Scenarios with the same body and heads of different lengths.
    static var responseFields: [Scenario] {
        [false, true].flatMap { tls in
            ResponseFields.counts.map { count in
                Scenario(
                    name: "get\(tls ? "-tls" : "")-\(count)-fields-c64", server: .fields(count, tls: tls),
                    job: .get(expecting: 13), connections: 64, measure: .requests, isQuick: false)
            }
        }
    }
}
