import Sockeye

/// How long each step of each exchange took.
struct TimingTable {
    private let metrics: CallMetrics

    init(_ metrics: CallMetrics) {
        self.metrics = metrics
    }

    func print() {
        for exchange in metrics.exchanges {
            Terminal.error.print(
                "\(exchange.method) \(exchange.url) → \(exchange.status?.code.description ?? "failed")")
            for (name, duration) in rows(exchange) {
                Terminal.error.print(
                    "  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + text(duration))
            }
            guard let connection = exchange.connection else { continue }
            let facts = [
                connection.isReused ? "reused" : "new", connection.remoteAddress, connection.tlsVersion,
                connection.cipherSuite,
            ]
            Terminal.error.print("  connection  " + facts.compactMap(\.self).joined(separator: ", "))
        }
        Terminal.error.print("in all       \(text(metrics.duration)), \(metrics.bytesReceived) bytes received")
    }

    private func rows(_ exchange: ExchangeMetrics) -> [(String, Duration)] {
        var rows: [(String, Duration?)] = []
        if let connection = exchange.connection, !connection.isReused {
            rows += [
                ("resolve", connection.resolving), ("connect", connection.connecting), ("tls", connection.handshaking),
            ]
        }
        rows.append(("send", difference(exchange.connected, exchange.sent)))
        rows.append(("wait", difference(exchange.sent, exchange.headReceived)))
        rows.append(("receive", difference(exchange.headReceived, exchange.end)))
        return rows.compactMap { name, duration in duration.map { (name, $0) } }
    }

    private func difference(_ start: Duration?, _ end: Duration?) -> Duration? {
        guard let start, let end else { return nil }
        return max(.zero, end - start)
    }

    private func text(_ duration: Duration) -> String {
        let microseconds = duration / .microseconds(1)
        return microseconds < 10_000 ? "\(Int(microseconds)) µs" : "\(Int(microseconds / 1000)) ms"
    }
}
