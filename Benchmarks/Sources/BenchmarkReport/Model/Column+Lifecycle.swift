internal import BenchmarkKit

extension Column {
    /// The columns of a scenario in which each request is a TLS handshake.
    package static var handshakes: [Column] {
        let rate = Column(
            FigureName.requestRate, unit: "handshakes/s", better: .higher, style: .whole, showsRange: true,
            ratioTitle: "speed ratio"
        ) { Double($0.requests) / $0.seconds }
        let resumed = Column("resumed-sessions", title: "resumed", unit: "%", better: nil) { sample in
            sample.resumed.map { $0 * 100 }
        }
        return [rate, resumed] + perRequest("handshake") + latencies + counts(unit: "/handshake") + memory
    }

    /// The columns of a scenario about the time from the start of a process to its first response.
    package static var starts: [Column] {
        let time = Column("first-answer", unit: "ms", showsRange: true, ratioTitle: "speed ratio") {
            $0.p50 / 1e3
        }
        return [time] + cpu(unit: "ms") { $0 / Double($1.requests) * 1e3 } + [memory[0]]
    }

    /// The columns of a scenario about the memory of idle connections.
    package static var idleConnections: [Column] {
        let count = Column("connections", unit: "connections", better: nil, style: .whole) { sample in
            sample.footprint.map { Double($0.descriptors) }
        }
        let opening = Column("opening-time", title: "opened in", unit: "ms") { $0.seconds * 1e3 }
        return [
            count, each(FigureName.heapPerConnection, title: "heap") { $0.heapBytes },
            each("rss-per-connection", title: "RSS") { $0.residentBytes }, opening,
        ] + perRequest("connection") + [memory[0]]
    }

    /// A column with the memory for each connection.
    private static func each(
        _ figure: String, title: String, bytes: @escaping @Sendable (Footprint) -> Int
    ) -> Column {
        Column(figure, title: title, unit: "KiB each", showsRange: true, ratioTitle: "\(title) ratio") { sample in
            sample.footprint.map { Double(bytes($0)) / Double($0.descriptors) / 1024 }
        }
    }

    /// The columns of a scenario about cancelled requests; latencies are the times from the cancellation to the return
    /// of the call.
    package static var cancellations: [Column] {
        let rate = Column(
            FigureName.requestRate, unit: "cancelled/s", better: .higher, style: .whole, showsRange: true,
            ratioTitle: "speed ratio"
        ) { Double($0.requests) / $0.seconds }
        let left = [
            Column("left-descriptors", title: "left", unit: "open", style: .whole) { sample in
                sample.footprint.map { Double($0.descriptors) }
            },
            Column("left-heap", title: "left heap", unit: "KiB") { sample in
                sample.footprint.map { Double($0.heapBytes) / 1024 }
            },
        ]
        return [rate] + perRequest("cancellation") + latencies + left + [memory[0]]
    }
}
