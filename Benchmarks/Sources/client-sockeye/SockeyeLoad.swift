import BenchmarkKit
import Sockeye
import SockeyeTransfers

/// Sockeye with its default settings, except for the trusted root and the number of connections.
///
/// The variant `loop` runs its tasks on the executor of the client, and so on the thread that watches the sockets. The
/// variant `policies` has all policies switched on, and the variant `watched` iterates the progress of each transfer.
struct SockeyeLoad: ExchangeClient {
    var options: ClientOptions
    private let client: HTTPClient
    private let upload: OutgoingRequest.Body

    init(_ options: ClientOptions) throws {
        self.options = options
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = options.connections
        configuration.pool.connections = options.connections
        if let seconds = options.idleTimeout { configuration.pool.idleTimeout = .seconds(seconds) }
        if let roots = options.roots { configuration.tls.roots = .file(roots) }
        if let proxy = options.proxy { configuration.proxy = try .through(Self.proxy(proxy, options)) }
        if options.variant == "policies" { configuration.interceptors = try Self.policies(for: options.url) }
        client = HTTPClient(configuration: configuration)
        upload = try Self.body(of: options)
    }

    /// Returns a proxy; a TLS proxy has the same trusted root as the server.
    private static func proxy(_ url: String, _ options: ClientOptions) throws -> Proxy {
        var tls = TLSOptions()
        if let roots = options.roots { tls.roots = .file(roots) }
        return try Proxy(url, tls: tls)
    }

    /// Returns typical policies of an API client, in addition to redirects, which are on by default: retries within a
    /// budget, a token, and a jar with a cookie for the server.
    private static func policies(for url: String) throws -> [any Interceptor] {
        let jar = CookiePolicy.Jar()
        try jar.set("session=4f1d8a2b6c9e", from: HTTPURL(url))
        return [RetryPolicy.retry(), AuthenticationPolicy.bearer("2YotnFZFEjr1zCsicMWpAA"), CookiePolicy.cookies(jar)]
    }

    private static func body(of options: ClientOptions) throws -> OutgoingRequest.Body {
        guard case .upload(let bytes, let chunked) = options.job else { return .none }
        if let file = options.uploadFile { return try .file(file) }
        let chunks = RepeatedChunks(bytes: bytes) { Bytes([UInt8](repeating: 0, count: $0)) }
        return .stream(chunks, length: chunked ? nil : bytes, isReplayable: true)
    }

    var executor: (any TaskExecutor)? { options.variant == "loop" ? client.pool?.executor : nil }

    func load(_ phase: Phase) async -> Tally {
        guard let executor else { return await loadWithTasks(phase) }
        return await withTaskExecutorPreference(executor) { await loadWithTasks(phase) }
    }

    func exchange() async throws -> Int {
        if options.usesTransfers { return try await transfer() }
        switch options.job {
        case .get:
            let response = try await client.get(options.url)
            var bytes = 0
            for try await chunk in response.body { bytes += chunk.count }
            try WrongAnswer.check(status: response.status.code, bytes: bytes, for: options.job)
            return bytes
        case .json:
            let users = try await client.get(options.url, as: [User].self)
            try WrongAnswer.check(users: users, for: options.job)
            return 0
        case .upload:
            let response = try await client.put(options.url, .body(upload))
            return try await received(response)
        case .form:
            let form = try Self.form(options)
            return try await received(await client.post(options.url, .multipart(form)))
        }
    }

    /// Runs the request as a task of the client instead of a call.
    private func transfer() async throws -> Int {
        let isUpload = if case .upload = options.job { true } else { false }
        let task =
            isUpload
            ? try client.uploadTask(.put, options.url, .body(upload), as: AnsweredCount())
            : try client.dataTask(.get, options.url, as: BodyCount())
        if options.variant == "watched" {
            var last = 0
            for await progress in task.progress { last = progress.completed }
            try WrongAnswer.check(status: 200, bytes: last, for: options.job)
        }
        let bytes = try await task.value
        try WrongAnswer.check(status: task.response?.status.code ?? 0, bytes: bytes, for: options.job)
        return bytes
    }

    private static func form(_ options: ClientOptions) throws -> MultipartForm {
        var form = MultipartForm()
        form.field("title", "Benchmark")
        try form.file("file", at: options.uploadFile ?? "", contentType: "application/octet-stream")
        return form
    }

    private func received(_ response: IncomingResponse) async throws -> Int {
        let bytes = WrongAnswer.received(try await response.body.collect(upTo: 1024))
        try WrongAnswer.check(status: response.status.code, bytes: bytes, for: options.job)
        return bytes
    }

    func shutDown() async { await client.shutDown() }
}
