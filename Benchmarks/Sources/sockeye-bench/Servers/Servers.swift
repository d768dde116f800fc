import Foundation

/// The servers of a run and the files that they serve, in a temporary folder.
final class Servers {
    let certificate: Certificate
    private let folder: URL
    private let files: URL
    private let nginx: Nginx
    private let sink: UploadSink
    private let holding: HoldingServer
    private let relay: RelayProxy

    /// Starts the servers and writes the files that the scenarios need.
    init(programs: URL, scenarios: [Scenario]) throws {
        OpenFiles.raiseLimit()
        folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-bench-\(UUID())")
        files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        for file in scenarios.flatMap(\.files) { try file.write(into: files) }
        certificate = try Certificate(folder: folder)
        holding = try HoldingServer(program: programs.appending(path: "holding-server").path)
        nginx = try Nginx(folder: folder, certificate: certificate, holding: holding.port)
        sink = try UploadSink(program: programs.appending(path: "upload-sink").path, certificate: certificate)
        relay = try RelayProxy(program: programs.appending(path: "relay-proxy").path, certificate: certificate)
    }

    /// Returns the URL of the proxy of a scenario. nginx itself answers requests in absolute-form, like a proxy with
    /// the response in its cache; the relay proxy of this package makes tunnels.
    func proxy(of scenario: Scenario) -> String? {
        switch scenario.route {
        case .direct: nil
        case .forwarded: "http://127.0.0.1:\(nginx.plain)"
        case .tunnel: "http://127.0.0.1:\(relay.plain)"
        case .tunnelTLS: "https://127.0.0.1:\(relay.tls)"
        case .socks: "socks5h://127.0.0.1:\(relay.socks)"
        }
    }

    /// Returns the URL of a scenario's requests.
    func url(of scenario: Scenario) -> String {
        switch scenario.server {
        case .plain(let file): "http://127.0.0.1:\(nginx.plain)/\(file.name)"
        case .tls(let file): "https://127.0.0.1:\(nginx.tls)/\(file.name)"
        case .closing(let file): "http://127.0.0.1:\(nginx.closing)/\(file.name)"
        case .fields(let count, false): "http://127.0.0.1:\(nginx.plain)/fields-\(count)"
        case .fields(let count, true): "https://127.0.0.1:\(nginx.tls)/fields-\(count)"
        case .chunks(let bytes): "http://127.0.0.1:\(sink.plain)/chunked/\(bytes)"
        case .sink: "http://127.0.0.1:\(sink.plain)/upload"
        case .sinkTLS: "https://127.0.0.1:\(sink.tls)/upload"
        case .handshake(true): "https://127.0.0.1:\(nginx.resuming)/\(ServedFile.small.name)"
        case .handshake(false): "https://127.0.0.1:\(nginx.forgetting)/\(ServedFile.small.name)"
        case .gathering(true): "https://127.0.0.1:\(nginx.tls)/\(ServedFile.small.name)"
        case .gathering(false), .silent: "http://127.0.0.1:\(holding.port)/"
        }
    }

    /// Returns the URL of a small body on the same server, and its size.
    func small(beside scenario: Scenario) -> (url: String, bytes: Int) {
        switch scenario.server {
        case .tls: ("https://127.0.0.1:\(nginx.tls)/\(ServedFile.small.name)", ServedFile.small.bytes)
        // The answer to an empty upload is "0".
        case .sink, .sinkTLS: (url(of: scenario), 1)
        // One chunk, like those of a large body.
        case .chunks: ("http://127.0.0.1:\(sink.plain)/chunked/16384", 16384)
        default: ("http://127.0.0.1:\(nginx.plain)/\(ServedFile.small.name)", ServedFile.small.bytes)
        }
    }

    /// Moves the servers to the cores of a placement.
    func place(_ placement: Placement) {
        for process in [nginx.process, sink.process, holding.process, relay.process] {
            placement.place(server: process.identifier)
        }
    }

    /// Returns the URL at which the same server withholds responses; nil if the server has no such URL.
    func heldURL(of scenario: Scenario) -> String? {
        switch scenario.server {
        case .gathering(true): "https://127.0.0.1:\(nginx.tls)/gather/\(scenario.connections)"
        case .gathering(false): "http://127.0.0.1:\(holding.port)/gather/\(scenario.connections)"
        case .silent: "http://127.0.0.1:\(holding.port)/never"
        default: nil
        }
    }

    /// Returns the path of a file on the disk.
    func path(of file: ServedFile) -> String { files.appending(path: file.name).path }

    /// Returns the log of resumed handshakes for a scenario; nil if it has none.
    func handshakeLog(of scenario: Scenario) -> HandshakeLog? {
        if case .handshake = scenario.server { nginx.handshakes } else { nil }
    }

    func stop() {
        nginx.stop()
        holding.stop()
        sink.stop()
        relay.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
