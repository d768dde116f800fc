import BenchmarkKit

/// A use of HTTP clients that is measured for every client with the required abilities.
struct Scenario {
    /// The server and its response.
    enum Server {
        case plain(ServedFile)
        case tls(ServedFile)
        /// Closes each connection after its response.
        case closing(ServedFile)
        /// Sends 13 bytes and a total number of fields.
        case fields(Int, tls: Bool)
        /// Sends a chunked body with a number of bytes.
        case chunks(Int)
        case sink
        case sinkTLS
        /// Uses TLS, and closes each connection after its response.
        case handshake(resumable: Bool)
        /// Sends no response before it has as many requests as the scenario has connections.
        case gathering(tls: Bool)
        /// Sends no response, or an incomplete one.
        case silent
    }

    /// The kind of figures of a scenario.
    enum Measure {
        /// Requests per second, and CPU time per request.
        case requests
        /// Bytes per second, and CPU time per byte.
        case bytes
        /// TLS handshakes per second, CPU time per handshake, and the share of resumed sessions.
        case handshakes
        /// The time from the start of a process to its first response.
        case starts
        /// The memory of an idle connection.
        case connections
        /// Cancelled requests per second, their cost and the resources left behind.
        case cancellations
    }

    /// The purpose of a scenario, which determines the clients that take part.
    enum Purpose {
        /// Comparing clients.
        case comparison
        /// The cost of policies: redirects, retries, authentication and cookies.
        case policies
        /// The cost of reading the progress of transfers, each of which is a task.
        case transfers
        /// The cost of proxies.
        case proxies
        /// The cost of content codings that need traits.
        case codings
    }

    /// The route of requests to the server.
    enum Route {
        case direct
        /// In absolute-form to a proxy (RFC 9112 3.2.2).
        case forwarded
        /// Through a CONNECT tunnel (RFC 9110 9.3.6), to a plain proxy or to a TLS proxy.
        case tunnel, tunnelTLS
        /// Through a SOCKS 5 proxy (RFC 1928).
        case socks
    }

    var name: String
    let server: Server
    let job: Job
    let connections: Int
    let measure: Measure
    /// True if the scenario is part of a quick run.
    var isQuick: Bool
    /// The file that is uploaded; nil for an asynchronous sequence.
    var uploadedFile: ServedFile?
    /// The number of simultaneous requests; nil for the number of connections.
    var tasks: Int?
    var purpose = Purpose.comparison
    /// The mode of clients, usually requests in turns.
    var mode = Mode.turns
    /// The cores of clients and servers.
    var placement = Placement.apart
    var route = Route.direct

    /// The number of processes for a sample: several if each sends only one request.
    var starts: Int { measure == .starts ? 10 : 1 }

    /// The files that must exist before the scenario begins.
    var files: [ServedFile] {
        let served: [ServedFile] =
            switch server {
            case .plain(let file), .tls(let file), .closing(let file): [file]
            case .handshake, .gathering: [.small]
            case .fields, .chunks, .sink, .sinkTLS, .silent: uploadedFile.map { [$0] } ?? []
            }
        // Large bodies are preceded by a small one.
        return served + (measure == .bytes ? [.small] : [])
    }

    var usesTLS: Bool {
        switch server {
        case .tls, .fields(_, tls: true), .sinkTLS, .handshake, .gathering(tls: true): true
        case .plain, .closing, .fields, .chunks, .sink, .gathering, .silent: false
        }
    }

    /// The content coding of responses; nil for none.
    var coding: ServedFile.Coding? { files.lazy.compactMap(\.coding).first }

    /// Returns the options of a client process for this scenario.
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
            // Each turn is a whole transfer, however long it takes. A small request and an uncounted transfer come
            // first.
            (options.smallURL, options.smallBytes) = servers.small(beside: self)
            options.seconds = 120
            options.warmup = 120
            options.requests = connections
        }
        return options
    }
}
