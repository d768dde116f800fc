import Glibc
import Sockeye
import SockeyeTesting

/// Demonstrates the client against a server in the same process; with a URL as argument, fetches the URL instead.
///
///     make demo
///     make demo URL=https://example.com
@main
struct SockeyeDemo {
    static func main() async {
        do {
            if let url = CommandLine.arguments.dropFirst().first {
                try await Fetch(url: url).run()
            } else {
                try await tour()
            }
        } catch {
            Terminal.standardError.print(Terminal.standardError.bad("✗ \(error)"))
            exit(1)
        }
    }

    /// Runs every scene twice: over plain TCP, and over TLS with a new certificate.
    private static func tour() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let terminal = Terminal.standardOutput
        let authority = try TestCertificateAuthority()

        var configuration = HTTPClient.Configuration()
        configuration.tls = TLSOptions(roots: authority.roots)
        configuration.pool.connectionsPerOrigin = 64
        let client = HTTPClient(configuration: configuration)

        for tls in [nil, try TestTLS(authority)] {
            terminal.headline(tls == nil ? "HTTP/1.1" : "HTTP/1.1 over TLS")
            try await withTestServer(tls: tls, handler: DemoServer.answer) { server in
                let api = client.scoped(baseURL: server.url())
                let scenes: [any Scene] = [
                    Decoding(), ManyRequests(count: 10_000, parallel: 64), Upload(bytes: 1 << 30),
                    Download(bytes: 1 << 30), Cancellation(), TimeOut(),
                ]
                for scene in scenes { try await scene.run(api, terminal) }
                let activity = server.activity
                terminal.result("connections", "\(activity.connections) for \(grouped(activity.requests)) requests")
            }
        }
        terminal.print("\nAll of it took \(format(clock.now - start)), the server's part included")
    }
}

/// A part of the demonstration.
protocol Scene: Sendable {
    func run(_ client: HTTPClient, _ terminal: Terminal) async throws
}
