import AsyncHTTPClient
import BenchmarkKit
import FoundationEssentials
import NIOCore
import NIOFileSystem
import NIOFoundationEssentialsCompat
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
import ObservabilityBackends

/// The client async-http-client with its default settings, except for the trusted root and the number of connections
/// (its default is at most eight). It decodes content codings in scenarios about them, which is off by default.
///
/// With the variants `spans` and `sampled` its own tracing records all or one of 100 traces; it has no metrics.
struct AsyncHTTPClientLoad: ExchangeClient {
    var options: ClientOptions
    private let client: HTTPClient
    private let upload: RepeatedChunks<ByteBuffer>

    init(_ options: ClientOptions) throws {
        self.options = options
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = options.connections
        // Sockeye's default limit of the ratio.
        if options.coding != nil { configuration.decompression = .enabled(limit: .ratio(100)) }
        // Opening 10,000 connections takes nearly as long as the default deadline for one connection.
        if options.mode == .idleConnections { configuration.timeout.connect = .seconds(60) }
        if let seconds = options.idleTimeout {
            configuration.connectionPool.idleTimeout = .milliseconds(Int64(seconds * 1000))
        }
        if let roots = options.roots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(roots)
            configuration.tlsConfiguration = tls
        }
        configuration.proxy = options.proxy.flatMap(Self.proxy)
        if options.variant == "spans" { configuration.tracing.tracer = SamplingTracer(oneOf: 1) }
        if options.variant == "sampled" { configuration.tracing.tracer = SamplingTracer(oneOf: 100) }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        upload = RepeatedChunks(bytes: options.job.bytes) { ByteBuffer(repeating: 0, count: $0) }
    }

    /// Returns the setting for a proxy, which async-http-client takes as host and port.
    private static func proxy(_ url: String) -> HTTPClient.Configuration.Proxy? {
        guard let parts = URLComponents(string: url), let host = parts.host, let port = parts.port else { return nil }
        return parts.scheme == "http" ? .server(host: host, port: port) : .socksServer(host: host, port: port)
    }

    func exchange() async throws -> Int {
        switch options.job {
        case .get: try await get()
        case .json: try await decode()
        case .upload(let bytes, let chunked): try await put(bytes, chunked: chunked)
        case .form(let bytes): try await post(form: bytes)
        }
    }

    private func get() async throws -> Int {
        let response = try await execute(HTTPClientRequest(url: options.url))
        var bytes = 0
        for try await chunk in response.body { bytes += chunk.readableBytes }
        try WrongAnswer.check(status: Int(response.status.code), bytes: bytes, for: options.job)
        return bytes
    }

    private func decode() async throws -> Int {
        let response = try await execute(HTTPClientRequest(url: options.url))
        let body = try await response.body.collect(upTo: 16 << 20)
        let users = try JSONDecoder().decode([User].self, from: body)
        try WrongAnswer.check(status: Int(response.status.code), bytes: 0, for: options.job)
        try WrongAnswer.check(users: users, for: options.job)
        return 0
    }

    private func put(_ bytes: Int, chunked: Bool) async throws -> Int {
        var request = HTTPClientRequest(url: options.url)
        request.method = .PUT
        let length = chunked ? HTTPClientRequest.Body.Length.unknown : .known(Int64(bytes))
        guard let file = options.uploadFile else {
            request.body = .stream(upload, length: length)
            return try await send(request)
        }
        return try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(file)) { handle in
            var request = request
            request.body = .stream(handle.readChunks(), length: length)
            return try await send(request)
        }
    }

    /// Uploads a form. async-http-client has no forms, so the text around the file is made by hand.
    private func post(form bytes: Int) async throws -> Int {
        let boundary = "benchmark-\(UInt64.random(in: 0 ... .max))"
        let head = ByteBuffer(
            string:
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nBenchmark\r\n--\(boundary)\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n")
        let tail = ByteBuffer(string: "\r\n--\(boundary)--\r\n")
        return try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(options.uploadFile ?? "")) { handle in
            var request = HTTPClientRequest(url: options.url)
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=\(boundary)")
            let content = Framed(head: head, chunks: handle.readChunks(), tail: tail)
            request.body = .stream(content, length: .known(Int64(head.readableBytes + bytes + tail.readableBytes)))
            return try await send(request)
        }
    }

    private func send(_ request: HTTPClientRequest) async throws -> Int {
        let response = try await execute(request)
        let received = WrongAnswer.received(try await response.body.collect(upTo: 1024).readableBytesView)
        try WrongAnswer.check(status: Int(response.status.code), bytes: received, for: options.job)
        return received
    }

    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await client.execute(request, timeout: .seconds(60))
    }

    func shutDown() async throws { try await client.shutdown() }
}
