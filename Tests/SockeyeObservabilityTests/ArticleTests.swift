#if Service
import Configuration
import Foundation
import Logging
import ServiceLifecycle
import Sockeye
import SockeyeObservability
import SockeyeService
import Testing
import UnixSignals

/// Compiles the snippets of the article on observability.
@Suite("The article on observability") struct ArticleTests {
    @Test("this file contains every line of the article's snippets")
    func snippets() throws {
        func code(_ line: Substring) -> String {
            line.trimmingPrefix { $0 == " " }.hasPrefix("//") ? "" : line.filter { !$0.isWhitespace }
        }
        let file = URL(filePath: #filePath)
        let compiled = try String(contentsOf: file, encoding: .utf8).filter { !$0.isWhitespace }
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = root.appending(path: "Sources/Sockeye/Documentation.docc/Observability.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let blocks = text.split(separator: "```swift\n").dropFirst().map { $0.split(separator: "\n```")[0] }
        #expect(blocks.count > 5)
        for block in blocks where !block.hasPrefix("// Package.swift") {
            for line in block.split(separator: "\n") where !code(line).isEmpty {
                #expect(compiled.contains(code(line)), "\(line)")
            }
        }
    }

    struct Slowest: EventMonitor {
        let kinds: ClientEvent.Kinds = .callReturned
        func monitor(of call: ObservedCall) -> (any EventMonitor)? { call.method == .head ? nil : self }
        func handle(_ event: ClientEvent) {
            guard case .callReturned(let end) = event, end.duration > .seconds(1) else { return }
            print(end.call, end.metrics.exchanges)
        }
    }

    /// Compiled and not run, because it would need the hosts that it names.
    func tour(
        logger: Logger, requestLogger: Logger, url: String, id: Int, breaker: RetryPolicy.CircuitBreaker,
        server: any Service
    ) async throws {
        let client = HTTPClient().adding(.logging(to: logger), .metrics(), .tracing())
        let printing = client.monitored(.callReturned) { print($0) }
        let watched = client.monitored(by: Slowest())
        let response = try await client.get(url, options: .logging(to: requestLogger))
        let foreign = client.adding(.tracing(propagates: false))
        var levels = LoggerInterceptor.Levels()
        levels.clientError = nil
        let quiet = client.adding(.logging(to: logger, levels: levels, urls: .usual.hiding("tenant")))
        let gauges = ConnectionGauges(of: client.pool, breakers: [breaker])
        try await gauges.run()
        let group = ServiceGroup(
            services: [client.service(gracePeriod: .seconds(10)), gauges, server], gracefulShutdownSignals: [.sigterm],
            logger: logger)
        try await group.run()
        let user = try await client.get(
            "/users/\(id)", options: .urlTemplate("/users/{id}"))
        let users = client.urlTemplate("/users/{id}")
        let gauged = ConnectionGauges(of: client.pool, durations: true)
        let captured = client.adding(
            .tracing(
                capturing: .init(request: ["Idempotency-Key"], response: ["Age"])))
        print(user, users, gauged, captured)
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let configured = try HTTPClient(config: config.scoped(to: "http"))
        print(response, foreign, quiet, configured, printing, watched)
    }
}
#endif
