import CSockeyeBenchmark
import Sockeye
import SockeyeTesting

/// The server of a benchmark. It offers a small response, an endless download, and an upload that it answers with the
/// number of received bytes.
enum BenchmarkServer {
    static let smallPath = "/small"
    static let downloadPath = "/download"
    static let uploadPath = "/upload"

    static let smallBody = "Hello, world!"

    /// Prints the greeting and serves requests. Returns at the end of standard input, which is a socket: it ends when
    /// the parent process exits or closes its own end.
    static func serve(usesTLS: Bool) throws {
        let authority = usesTLS ? try TestCertificateAuthority() : nil
        let server = try TestServer(tls: authority.map { try TestTLS($0) }) { request in try await answer(request) }
        let url = "\(usesTLS ? "https" : "http")://127.0.0.1:\(server.port)"
        print(ServerGreeting(url: url, roots: authority?.pem).text)
        bench_wait_for_parent()
        withExtendedLifetime(server) {}
    }

    private static func answer(_ request: TestRequest) async throws -> TestServerResponse {
        switch request.path {
        case smallPath: .ok(smallBody)
        // More bytes than any measurement reads.
        case downloadPath: .source(length: 1 << 50)
        case uploadPath: try await .text(String(request.body.discard()))
        default: .status(404)
        }
    }
}

/// The greeting that the server prints when it is ready: its URL in the first line, then the root certificate in PEM if
/// it uses TLS.
struct ServerGreeting: Equatable {
    /// The URL of the server: scheme, host and port.
    let url: String
    let roots: String?

    var text: String { ([url] + (roots.map { [$0] } ?? [])).joined(separator: "\n") }

    init(url: String, roots: String?) {
        self.url = url
        self.roots = roots
    }

    /// Parses the server's output; nil if it is not a greeting.
    init?(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1)
        guard let url = parts.first, url.hasPrefix("http") else { return nil }
        self.init(url: String(url), roots: parts.count > 1 ? String(parts[1]) : nil)
    }
}
