extension Target {
    /// Targets compared with the fastest clients in other languages, which have several threads if cores are shared:
    /// small GETs by the default client and on its executor, and whole bodies.
    static var frontier: [Target] {
        smallGets(Self.apart, of: [ClientName.hyper, ClientName.reqwest], isShared: false)
            + smallGets(
                Self.shared, of: [ClientName.hyper, ClientName.reqwest].map(ClientName.threaded), isShared: true)
            + ["download-1g", "download-1g-tls", "upload-1g", "upload-1g-chunked"].flatMap {
                [
                    frontier($0, FigureName.byteRate, "GB/s", .atLeast, 1, of: [ClientName.hyper]),
                    frontier($0, FigureName.cpu, "CPU/GB", .atMost, 1.05, of: [ClientName.hyper]),
                ]
            }
            + [
                frontier(
                    "upload-1g-chunked", FigureName.byteRate, "GB/s", .atLeast, 1,
                    of: [ClientName.asyncHTTPClient, ClientName.libcurl])
            ]
    }

    private static let apart = ["get-c", "get-tls-c"].flatMap { kind in [1, 16, 64, 256].map { "\(kind)\($0)" } }
    private static let shared = ["get-c1-shared", "get-c64-shared", "get-tls-c64-shared"]

    private static func smallGets(_ scenarios: [String], of others: [String], isShared: Bool) -> [Target] {
        scenarios.flatMap { scenario in
            [
                frontier(scenario, FigureName.requestRate, "requests/s", .atLeast, 1, of: others),
                frontier(scenario, FigureName.cpu, "CPU/request", .atMost, 1.05, of: others),
            ]
                + (isShared
                    ? []
                    : [
                        frontier(
                            scenario, FigureName.cpu, "CPU/request", .atMost, 0.95, of: others, by: ClientName.loop)
                    ])
        }
    }

    private static func frontier(
        _ scenario: String, _ figure: String, _ title: String, _ bound: Bound, _ factor: Double, of others: [String],
        by client: String = ClientName.sockeye
    ) -> Target {
        Target(
            client: client, scope: .scenario(scenario), figure: figure, title: title, bound: bound, factor: factor,
            yardstick: .clients(others))
    }
}
