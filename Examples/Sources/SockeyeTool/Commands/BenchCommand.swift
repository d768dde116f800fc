import ArgumentParser
import Sockeye
import SockeyeToolKit
import Synchronization

struct BenchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Makes the same request many times and tells how long that takes.",
        usage: "sockeye bench [METHOD] URL [ITEM...] [OPTION...]",
        discussion: """
            It ends after so many requests, or so many seconds, whichever comes first. A latency is the time from the call \
            to the last byte of the content; the first request of each connection opens it. Redirects are answers here, and \
            nothing is repeated unless --retry says so. Measure servers that are yours.
            """)

    @Option(name: [.customShort("n"), .long], help: "How many requests.")
    var requests = 1000

    @Option(
        name: [.customLong("connections"), .customLong("concurrency")],
        help: "How many at a time, each over a connection of its own.")
    var connections = 10

    @Option(help: "How long it takes at most.")
    var seconds = 60.0

    @OptionGroup(title: "Request") var request: RequestArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Connections") var route: RouteArguments
    @OptionGroup(title: "TLS") var tls: TLSArguments
    @OptionGroup(title: "Redirects, cookies, credentials") var policies: PolicyArguments

    func run() async throws {
        try output.checkIsWithoutFile("bench")
        let plan = try BenchPlan(requests: requests, connections: connections, seconds: seconds)
        let draft = try request.draft()
        guard !draft.isSentOnce else {
            throw UsageFault("--upload-file reads a pipe once, for one request; --data-binary @- keeps its content")
        }
        try await output.reporting(draft.url) {
            try await policies.withJar { jar in try await measure(draft, plan, jar) }
        }
    }

    private func measure(_ draft: RequestDraft, _ plan: BenchPlan, _ jar: CookiePolicy.Jar?) async throws {
        let client = try makeClient(output, for: draft, jar: jar, connections: plan.connections)
            .adding(.redirects(.manual))
        var options = callOptions
        options.collectsMetrics = false
        let cookies = policies.cookieField
        let request = try PreparedRequest(draft, cookies: cookies, options: options).request
        let bench = Bench(client: client, request: request, plan: plan, callLimit: try route.callLimit)
        let interrupts = Interrupts { bench.stop() }
        let (tally, elapsed, failure) = await bench.run()
        if tally.durations.isEmpty, let failure { throw failure }
        let report = BenchReport(url: request.url.debugDescription, plan: plan, tally: tally, elapsed: elapsed)
        if output.asJSON {
            try Terminal.output.print(report.json.description)
        } else {
            let style = TextStyle(isColored: Terminal.output.isColored)
            try Terminal.output.print(report.lines(style).joined(separator: "\n"))
        }
        if interrupts.hasOccurred { throw ExitCode(ExitStatus.interrupted.code) }
    }
}

/// The workers of a benchmark, each of which sends one request after the other.
private final class Bench: Sendable {
    private let client: HTTPClient
    private let request: OutgoingRequest
    private let plan: BenchPlan
    private let callLimit: Duration?
    private let begun = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)

    init(client: HTTPClient, request: OutgoingRequest, plan: BenchPlan, callLimit: Duration?) {
        self.callLimit = callLimit
        self.client = client
        self.request = request
        self.plan = plan
    }

    /// Stops the workers after their present requests.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// - Returns: The measurements, the elapsed time and the first error, if any.
    func run() async -> (BenchTally, Duration, SockeyeError?) {
        let start = ContinuousClock.now
        let deadline = start + plan.timeLimit
        return await withTaskGroup(of: (BenchTally, SockeyeError?).self) { group in
            for _ in 0..<plan.connections { group.addTask { await self.work(until: deadline) } }
            var tally = BenchTally()
            var failure: SockeyeError?
            for await (part, error) in group {
                tally.merge(part)
                failure = failure ?? error
            }
            return (tally, ContinuousClock.now - start, failure)
        }
    }

    @concurrent
    private func work(until deadline: ContinuousClock.Instant) async -> (BenchTally, SockeyeError?) {
        var tally = BenchTally()
        var failure: SockeyeError?
        while !isStopped.load(ordering: .relaxed), ContinuousClock.now < deadline,
            begun.add(1, ordering: .relaxed).oldValue < plan.requests
        {
            let start = ContinuousClock.now
            var request = request
            // The deadline also ends a request that is in flight when the time is over.
            let left = deadline - start + .milliseconds(1)
            request.options.timeouts = Timeouts(total: callLimit.map { min($0, left) } ?? left)
            do throws(SockeyeError) {
                let response = try await client.send(request)
                var bytes = 0
                for try await chunk in response.body { bytes += chunk.count }
                tally.answer(response.status.code, bytes: bytes, in: ContinuousClock.now - start)
            } catch {
                failure = failure ?? error
                // A request that the benchmark's own time limit ended is not a failure of the server.
                let hasOwnLimit = callLimit.map { left < $0 } ?? true
                if error.code == .timeout, hasOwnLimit, ContinuousClock.now >= deadline { continue }
                tally.failure(error.code.description)
            }
        }
        return (tally, failure)
    }
}
