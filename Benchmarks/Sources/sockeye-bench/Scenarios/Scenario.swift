import BenchmarkKit

/// One way of using a client, which every client that can does in turn.
struct Scenario {
    /// Which server answers, and with what.
    enum Server {
        case plain(ServedFile)
        case tls(ServedFile)
        /// Closes each connection after its answer.
        case closing(ServedFile)
        /// 13 bytes and so many fields in all.
        case fields(Int, tls: Bool)
        /// A chunked body of so many bytes.
        case chunks(Int)
        case sink
        case sinkTLS
        /// TLS, and closes each connection after its answer.
        case handshake(resumable: Bool)
        /// Answers none before it has as many requests as the scenario has connections.
        case gathering(tls: Bool)
        /// Does not answer, or not to the end.
        case silent
    }

    /// What the figures of a scenario are about.
    enum Measure {
        /// Requests a second and CPU a request.
        case requests
        /// Bytes a second and CPU a byte.
        case bytes
        /// TLS handshakes a second, and CPU and resumed sessions of each.
        case handshakes
        /// The time from the start of a process to its first answer.
        case starts
        /// What an idle connection holds.
        case connections
        /// Requests given up a second, what one costs and what is left of it.
        case cancellations
    }

    /// What it is there to show, which decides who takes part.
    enum Purpose {
        /// How clients compare.
        case comparison
        /// What policies cost: redirects, retries, authentication and cookies.
        case policies
        /// What it costs to watch transfers, each of which is a task.
        case transfers
        /// What proxies cost.
        case proxies
        /// What content codings cost that the client has by traits.
        case codings
    }

    /// How requests get to the server.
    enum Route {
        case direct
        /// In absolute-form to a proxy (RFC 9112 3.2.2).
        case forwarded
        /// Through a tunnel of CONNECT (RFC 9110 9.3.6), to a proxy in the clear or over TLS.
        case tunnel, tunnelTLS
        /// Through a SOCKS 5 proxy (RFC 1928).
        case socks
    }

    var name: String
    let server: Server
    let job: Job
    let connections: Int
    let measure: Measure
    /// Part of a quick run.
    var isQuick: Bool
    /// What an upload takes its bytes from, if not from an asynchronous sequence.
    var uploadedFile: ServedFile?
    /// Requests at a time; nil for as many as connections.
    var tasks: Int?
    var purpose = Purpose.comparison
    /// What clients do: mostly requests, in turns with the others.
    var mode = Mode.turns
    /// Where they and the servers run.
    var placement = Placement.apart
    var route = Route.direct

    /// How many processes make a sample: of those that send one request each, several.
    var starts: Int { measure == .starts ? 10 : 1 }

    /// The files that must be there before it begins.
    var files: [ServedFile] {
        let served: [ServedFile] =
            switch server {
            case .plain(let file), .tls(let file), .closing(let file): [file]
            case .handshake, .gathering: [.small]
            case .fields, .chunks, .sink, .sinkTLS, .silent: uploadedFile.map { [$0] } ?? []
            }
        // What goes before large ones.
        return served + (measure == .bytes ? [.small] : [])
    }

    var usesTLS: Bool {
        switch server {
        case .tls, .fields(_, tls: true), .sinkTLS, .handshake, .gathering(tls: true): true
        case .plain, .closing, .fields, .chunks, .sink, .gathering, .silent: false
        }
    }

    /// The content coding of answers; nil for none.
    var coding: ServedFile.Coding? { files.lazy.compactMap(\.coding).first }

    /// The options of a client process for this scenario.
    func options(servers: Servers, pace: Pace) -> ClientOptions {
        var options = ClientOptions(url: servers.url(of: self), job: job)
        options.connections = connections
        options.tasks = tasks
        options.usesTransfers = purpose == .transfers
        options.mode = mode
        options.heldURL = servers.heldURL(of: self) ?? ""
        if usesTLS { options.roots = servers.certificate.root }
        options.proxy = servers.proxy(of: self)
        options.coding = coding?.rawValue
        options.uploadFile = uploadedFile.map(servers.path)
        switch measure {
        case .requests, .handshakes, .cancellations, .starts, .connections:
            options.seconds = pace.seconds(for: mode)
            options.warmup = pace.warmup
        case .bytes:
            // A whole transfer in each turn, however long it takes, after a small request and a transfer that is not
            // counted.
            (options.smallURL, options.smallBytes) = servers.small(beside: self)
            options.seconds = 120
            options.warmup = 120
            options.requests = connections
        }
        return options
    }
}
