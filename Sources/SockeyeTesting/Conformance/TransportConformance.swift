import SockeyeCore
public import SockeyeEngine
import SockeyeNet

/// A conformance test for a custom transport: it checks the behavior that `HTTPClient` and its callers rely on.
///
/// ```swift
/// @Test func myTransport() async throws {
///     let report = try await TransportConformance.report(on: MyTransport())
///     #expect(report.failures.isEmpty, "\(report)")
/// }
/// ```
///
/// Each scenario sends requests to servers on 127.0.0.1 through an `HTTPClient` over the transport, and checks what
/// both ends receive. Policies (such as retries) and files are not tested, because they do not depend on the transport.
/// The connection pool is not tested either, because it is a part of Sockeye's own transport over sockets.
public struct TransportConformance: Sendable, CustomStringConvertible {
    /// The result of one scenario.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The expected behavior, in one sentence.
        public let scenario: String
        /// The behavior that was observed instead; nil if the scenario passed.
        public let problem: String?

        /// The scenario and its result.
        public var description: String { problem.map { "FAILED \(scenario): \($0)" } ?? "passed \(scenario)" }
    }

    /// The results, in the order in which the scenarios ran.
    public let findings: [Finding]

    /// The results of the scenarios that failed.
    public var failures: [Finding] { findings.filter { $0.problem != nil } }

    /// One line for each scenario.
    public var description: String { findings.map(\.description).joined(separator: "\n") }

    /// Runs all scenarios, one after the other.
    ///
    /// - Parameter transport: The transport to test. It has to reach servers on 127.0.0.1 over plain HTTP.
    /// - Throws: ``TestServerError`` with the code `cannotStart` if a server cannot be started, or `CancellationError`.
    public static func report(on transport: some HTTPTransport) async throws -> TransportConformance {
        try await report(on: transport, of: TransportScenario.all, timeLimit: .seconds(10))
    }

    /// - Parameter timeLimit: The longest time that a scenario may take.
    static func report(
        on transport: some HTTPTransport, of scenarios: [TransportScenario], timeLimit: Duration
    ) async throws -> TransportConformance {
        let client = ConformanceClient(transport)
        var findings: [Finding] = []
        for scenario in scenarios {
            let problem = try await problem(of: scenario, client, within: timeLimit)
            try Task.checkCancellation()
            findings.append(Finding(scenario: scenario.name, problem: problem))
        }
        return TransportConformance(findings: findings)
    }

    private static func problem(
        of scenario: TransportScenario, _ client: ConformanceClient, within timeLimit: Duration
    ) async throws -> String? {
        let result: Result<String?, any Error>
        do throws(TransportError) {
            let poller = try EventPoller.shared()
            let deadline = poller.time.now.advanced(by: timeLimit)
            // At the deadline the scenario's task is cancelled. It is not awaited, because the transport may ignore the
            // cancellation.
            result = try await WaitTimer(poller: poller).result(
                of: { await outcome(of: scenario, client) }, until: deadline)
        } catch .timedOut {
            return "the scenario did not end within \(timeLimit)"
        } catch {
            throw error.asWaitError
        }
        return try result.get()
    }

    /// Returns the problem (nil if the scenario passed), or the error that ends the whole report.
    private static func outcome(
        of scenario: TransportScenario, _ client: ConformanceClient
    ) async -> Result<String?, any Error> {
        do {
            try await scenario.run(client)
            return .success(nil)
        } catch let error as TransportScenario.Mismatch {
            return .success(error.message)
        } catch let error as TestServerError where error.code == .cannotStart {
            return .failure(error)
        } catch {
            return .success("it threw \(error)")
        }
    }
}
