extension Target {
    /// All targets, in the order of the report.
    package static var all: [Target] {
        frontier + smallGets + policies + progress + tls + connections + transfers + memory + latency
    }

    /// The yardstick async-http-client, in the same scenario.
    private static let ahc = Yardstick.clients([ClientName.asyncHTTPClient])
    private static let wrk = Yardstick.clients([ClientName.wrk])
    private static let curl = Yardstick.clients([ClientName.libcurl])

    private static var smallGets: [Target] {
        let alone = [
            rate("get-c1", .atLeast, 4, of: ahc),
            rate("get-c1", .atLeast, 5, of: ahc, by: ClientName.loop),
        ]
        let many = [16, 64, 256].map { "get-c\($0)" }
        return alone + many.map { rate($0, .atLeast, 5, of: ahc) } + many.map { cpu($0, 0.2, of: ahc) }
            + many.map { cpu($0, 2, of: wrk) } + many.map { cpu($0, 1.5, of: wrk, by: ClientName.loop) }
    }

    /// Targets for all policies, compared with redirects only.
    private static var policies: [Target] {
        let without = Yardstick.clients([ClientName.sockeye])
        return [
            rate("get-c64-policies", .moreThan, 0.95, of: without, by: ClientName.policies),
            cpu("get-c64-policies", 1.05, of: without, by: ClientName.policies),
        ]
    }

    /// Targets for a thousand simultaneous transfers with readers of their progress, compared with transfers without.
    private static var progress: [Target] {
        let unwatched = Yardstick.clients([ClientName.sockeye])
        return ["progress-download-c1000", "progress-upload-c1000"].map {
            rate($0, .moreThan, 0.95, of: unwatched, by: ClientName.watched)
        }
    }

    private static var tls: [Target] {
        [rate("get-tls-c64", .atLeast, 4, of: ahc), cpu("get-tls-c64", 0.2, of: ahc)]
    }

    /// Targets for new connections and handshakes, and for many tasks that share few connections.
    private static var connections: [Target] {
        [
            rate("connect-c16", .atLeast, 3, of: ahc),
            rate(
                "handshake-resumed-c16", .atLeast, 3,
                of: .elsewhere(client: ClientName.asyncHTTPClient, scenario: "handshake-full-c16")),
            rate(
                "pool-8-tasks-1024", .atLeast, 0.9,
                of: .elsewhere(client: ClientName.sockeye, scenario: "pool-8-tasks-8")),
        ]
    }

    private static var transfers: [Target] {
        [
            bytes("download-1g", .atLeast, of: curl), bytes("download-1g-tls", .atLeast, of: curl),
            bytes("upload-1g", .atLeast, of: ahc), bytes("upload-1g-chunked", .atLeast, 1.5, of: ahc),
            bytes("upload-1g-file", .moreThan, of: curl), bytes("upload-1g-form", .moreThan, of: curl),
        ]
    }

    private static var memory: [Target] {
        [
            Target(
                client: ClientName.sockeye, scope: .everyTransfer, figure: FigureName.peakMemory, title: "peak RSS",
                bound: .lessThan, factor: 24, yardstick: .value(unit: "MB")),
            Target(
                client: ClientName.sockeye, scope: .everyTransfer, figure: FigureName.grownMemory,
                title: "RSS that the transfer added", bound: .lessThan, factor: 4, yardstick: .value(unit: "MB")),
            Target(
                client: ClientName.sockeye, scope: .scenario("idle-10000"), figure: FigureName.heapPerConnection,
                title: "heap for each idle connection", bound: .atMost, factor: 4, yardstick: .value(unit: "KiB")),
        ]
    }

    private static var latency: [Target] {
        ["get-c64", "get-tls-c64"].map { scenario in
            Target(
                client: ClientName.sockeye, scope: .scenario(scenario), figure: FigureName.p99, title: "p99",
                bound: .lessThan, factor: 1, yardstick: .clients(ClientName.peers))
        }
    }

    private static func rate(
        _ scenario: String, _ bound: Bound, _ factor: Double, of yardstick: Yardstick,
        by client: String = ClientName.sockeye
    ) -> Target {
        Target(
            client: client, scope: .scenario(scenario), figure: FigureName.requestRate, title: "requests/s",
            bound: bound, factor: factor, yardstick: yardstick)
    }

    private static func cpu(
        _ scenario: String, _ factor: Double, of yardstick: Yardstick, by client: String = ClientName.sockeye
    ) -> Target {
        Target(
            client: client, scope: .scenario(scenario), figure: FigureName.cpu, title: "CPU/request", bound: .atMost,
            factor: factor, yardstick: yardstick)
    }

    private static func bytes(
        _ scenario: String, _ bound: Bound, _ factor: Double = 1, of yardstick: Yardstick
    ) -> Target {
        Target(
            client: ClientName.sockeye, scope: .scenario(scenario), figure: FigureName.byteRate, title: "GB/s",
            bound: bound, factor: factor, yardstick: yardstick)
    }
}
