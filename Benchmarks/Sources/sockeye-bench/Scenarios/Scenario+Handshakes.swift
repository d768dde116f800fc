import BenchmarkKit

extension Scenario {
    /// Scenarios with a TLS connection for each request, with and without a session to resume.
    static var handshakes: [Scenario] {
        [false, true].flatMap { resumed in
            [1, 16].map { connections in
                Scenario(
                    name: "handshake-\(resumed ? "resumed" : "full")-c\(connections)",
                    server: .handshake(resumable: resumed), job: .get(expecting: ServedFile.small.bytes),
                    connections: connections, measure: .handshakes, isQuick: connections == 16)
            }
        }
    }
}
