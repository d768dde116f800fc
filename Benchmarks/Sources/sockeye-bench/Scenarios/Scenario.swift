import BenchmarkKit

/// One way of using a client, which every client that can does in turn.
struct Scenario {
    /// Which server answers, and with what.
    enum Server {
        case plain(ServedFile)
        case tls(ServedFile)
        case closing(ServedFile)
        case sink
    }

    /// What the figures of a scenario are about.
    enum Measure {
        /// Requests a second and CPU a request.
        case requests
        /// Bytes a second and CPU a byte.
        case bytes
    }

    let name: String
    let server: Server
    let job: Job
    let connections: Int
    let measure: Measure
    /// Part of a quick run.
    let isQuick: Bool

    /// The options of a client process for this scenario.
    func options(servers: Servers, pace: Pace) -> ClientOptions {
        var options = ClientOptions(url: servers.url(of: self), job: job)
        options.connections = connections
        if case .tls = server { options.roots = servers.certificate.root }
        switch measure {
        case .requests:
            options.seconds = pace.seconds
            options.warmup = pace.warmup
        case .bytes:
            // A number of transfers, however long they take, after one that is not counted.
            options.seconds = 120
            options.warmup = 120
            options.requests = pace.transfers * connections
        }
        return options
    }
}
