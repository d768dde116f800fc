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
    /// What an upload takes its bytes from, if not from an asynchronous sequence.
    var uploadedFile: ServedFile?

    /// The files that must be there before it begins.
    var files: [ServedFile] {
        switch server {
        case .plain(let file), .tls(let file), .closing(let file): [file]
        case .fields, .chunks, .sink, .sinkTLS: uploadedFile.map { [$0] } ?? []
        }
    }

    var usesTLS: Bool {
        switch server {
        case .tls, .fields(_, tls: true), .sinkTLS: true
        case .plain, .closing, .fields, .chunks, .sink: false
        }
    }

    /// Whether answers come in a gzip form.
    var isCompressed: Bool {
        files.contains { if case .gzip = $0.content { true } else { false } }
    }

    /// The options of a client process for this scenario.
    func options(servers: Servers, pace: Pace) -> ClientOptions {
        var options = ClientOptions(url: servers.url(of: self), job: job)
        options.connections = connections
        if usesTLS { options.roots = servers.certificate.root }
        if isCompressed { options.coding = "gzip" }
        options.uploadFile = uploadedFile.map(servers.path)
        switch measure {
        case .requests:
            options.seconds = pace.seconds
            options.warmup = pace.warmup
        case .bytes:
            // Whole transfers, however long each takes, after one that is not counted.
            options.seconds = pace.transferSeconds
            options.warmup = 120
            options.requests = pace.transfers * connections
        }
        return options
    }
}
