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

    /// The proxy that a scenario goes through. What is forwarded in absolute-form is answered by nginx at once, as by a proxy that
    /// has it in its cache; tunnels are our own.
    func proxy(of scenario: Scenario) -> String? {
        switch scenario.route {
        case .direct: nil
        case .forwarded: "http://127.0.0.1:\(nginx.plain)"
        case .tunnel: "http://127.0.0.1:\(relay.plain)"
        case .tunnelTLS: "https://127.0.0.1:\(relay.tls)"
        case .socks: "socks5h://127.0.0.1:\(relay.socks)"
        }
    }

    /// Where a scenario sends its requests.
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

    /// Where the same server sends a small body, and how many bytes that has.
    func small(beside scenario: Scenario) -> (url: String, bytes: Int) {
        switch scenario.server {
        case .tls: ("https://127.0.0.1:\(nginx.tls)/\(ServedFile.small.name)", ServedFile.small.bytes)
        // What it says of an upload of nothing: 0.
        case .sink, .sinkTLS: (url(of: scenario), 1)
        // One chunk of those of which a large body has many.
        case .chunks: ("http://127.0.0.1:\(sink.plain)/chunked/16384", 16384)
        default: ("http://127.0.0.1:\(nginx.plain)/\(ServedFile.small.name)", ServedFile.small.bytes)
        }
    }

    /// Puts the servers on the cores where they are to be from now on.
    func place(_ placement: Placement) {
        for process in [nginx.process, sink.process, holding.process, relay.process] {
            placement.place(server: process.identifier)
        }
    }

    /// Where the same server holds answers back, if it does anywhere.
    func heldURL(of scenario: Scenario) -> String? {
        switch scenario.server {
        case .gathering(true): "https://127.0.0.1:\(nginx.tls)/gather/\(scenario.connections)"
        case .gathering(false): "http://127.0.0.1:\(holding.port)/gather/\(scenario.connections)"
        case .silent: "http://127.0.0.1:\(holding.port)/never"
        default: nil
        }
    }

    /// Where a file is on the disk.
    func path(of file: ServedFile) -> String { files.appending(path: file.name).path }

    /// Who counts resumed handshakes in a scenario, if anybody does.
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
