import AsyncHTTPClient
import BenchmarkKit
import NIOCore
import NIOHTTP1
import NIOSSL

/// async-http-client with its default settings, but for trust and for as many connections as the scenario asks for
/// (by default it keeps at most eight).
struct AsyncHTTPClientLoad: ExchangeClient {
    let options: ClientOptions
    private let client: HTTPClient
    private let upload: RepeatedChunks<ByteBuffer>

    init(_ options: ClientOptions) throws {
        self.options = options
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = options.connections
        if let roots = options.roots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(roots)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        upload = RepeatedChunks(bytes: options.job.bytes) { ByteBuffer(repeating: 0, count: $0) }
    }

    func exchange() async throws -> Int {
        var request = HTTPClientRequest(url: options.url)
        if case .upload(let bytes, let chunked) = options.job {
            request.method = .PUT
            request.body = .stream(upload, length: chunked ? .unknown : .known(Int64(bytes)))
        }
        let response = try await client.execute(request, timeout: .seconds(60))
        var bytes = 0
        if case .upload = options.job {
            bytes = WrongAnswer.received(try await response.body.collect(upTo: 1024).readableBytesView)
        } else {
            for try await chunk in response.body { bytes += chunk.readableBytes }
        }
        try WrongAnswer.check(status: Int(response.status.code), bytes: bytes, for: options.job)
        return bytes
    }

    func shutDown() async throws { try await client.shutdown() }
}
