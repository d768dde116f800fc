import Sockeye

/// The timeline of a call: each exchange with its phases, measured from the start of the call.
package struct CallTimeline: Sendable, Hashable {
    /// A span of time with a name.
    package struct Phase: Sendable, Hashable {
        package let name: String
        package let start: Duration
        package let end: Duration

        package init(_ name: String, _ start: Duration, _ end: Duration) {
            self.name = name
            self.start = max(.zero, start)
            self.end = max(self.start, end)
        }

        package var duration: Duration { end - start }
    }

    /// One request and its response.
    package struct Exchange: Sendable, Hashable {
        package var title: String
        package var status: Int?
        package var phases: [Phase]
        /// Facts about the connection, such as its address and TLS version.
        package var connection: [String]
        package var bytesReceived: Int

        package init(
            title: String, status: Int?, phases: [Phase], connection: [String] = [], bytesReceived: Int = 0
        ) {
            self.title = title
            self.status = status
            self.phases = phases
            self.connection = connection
            self.bytesReceived = bytesReceived
        }
    }

    package let exchanges: [Exchange]
    package let duration: Duration

    package init(exchanges: [Exchange], duration: Duration) {
        self.exchanges = exchanges
        self.duration = duration
    }

    package init(_ metrics: CallMetrics) {
        exchanges = metrics.exchanges.map { Exchange($0, callEnd: metrics.duration) }
        duration = metrics.duration
    }
}

extension CallTimeline.Exchange {
    /// - Parameter callEnd: The end of the exchange if it has not ended.
    init(_ exchange: CallMetrics.Exchange, callEnd: Duration) {
        var phases: [CallTimeline.Phase] = []
        if let connected = exchange.connected, let connection = exchange.connection {
            phases = Self.dialing(from: exchange.start, to: connected, connection)
        }
        let points = [exchange.connected ?? exchange.start, exchange.sent, exchange.headReceived, exchange.end]
        for (index, name) in ["send", "wait", "receive"].enumerated() {
            guard let start = points[index] else { break }
            guard let end = points[index + 1] ?? (exchange.end ?? callEnd) as Duration? else { break }
            phases.append(CallTimeline.Phase(name, start, end))
            if points[index + 1] == nil { break }
        }
        let facts = [
            exchange.connection.map { $0.isReused ? "reused" : "new" }, exchange.connection?.remoteAddress,
            exchange.connection?.tlsVersion, exchange.connection?.cipherSuite,
            exchange.connection?.isTLSResumed == true ? "session resumed" : nil,
        ]
        self.init(
            title: "\(exchange.method) \(exchange.url.debugDescription)", status: exchange.status?.code, phases: phases,
            connection: facts.compactMap(\.self), bytesReceived: exchange.bytesReceived)
    }

    /// Returns the phases before an exchange has its connection. The steps of opening it come last; the time before
    /// them was spent waiting in the pool.
    private static func dialing(
        from start: Duration, to connected: Duration, _ connection: CallMetrics.Connection
    ) -> [CallTimeline.Phase] {
        var steps: [(String, Duration)] = []
        if !connection.isReused {
            if let resolving = connection.resolving { steps.append(("resolve", resolving)) }
            steps.append(("connect", connection.connecting))
            if let handshaking = connection.handshaking { steps.append(("tls", handshaking)) }
        }
        var end = connected
        var phases: [CallTimeline.Phase] = []
        for (name, duration) in steps.reversed() {
            let begin = max(start, end - duration)
            phases.insert(CallTimeline.Phase(name, begin, end), at: 0)
            end = begin
        }
        // Less than a millisecond is the pool's own work, not waiting.
        if end - start >= .milliseconds(1) { phases.insert(CallTimeline.Phase("pool", start, end), at: 0) }
        return phases
    }
}
