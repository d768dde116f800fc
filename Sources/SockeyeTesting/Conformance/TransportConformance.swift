import SockeyeCore
public import SockeyeEngine
import SockeyeNet

/// Whether a transport of your own does what the client's layer, and its callers, rely on.
///
/// ```swift
/// @Test func myTransport() async throws {
///     let report = try await TransportConformance.report(on: MyTransport())
///     #expect(report.failures.isEmpty, "\(report)")
/// }
/// ```
///
/// Each scenario asks servers on 127.0.0.1 through an `HTTPClient` over the transport and looks at what arrives at both ends. The
/// scenarios are those of Sockeye's own acceptance tests that concern a transport; the ones about policies, files and pools
/// do not depend on it. Sockeye's transport over sockets passes all.
public struct TransportConformance: Sendable, CustomStringConvertible {
    /// What came of a scenario.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// What was to hold, in one sentence.
        public let scenario: String
        /// What was seen instead; nil where it held.
        public let problem: String?

        /// The scenario and what came of it.
        public var description: String { problem.map { "FAILED \(scenario): \($0)" } ?? "passed \(scenario)" }
    }

    /// In the order in which they ran.
    public let findings: [Finding]

    /// What did not hold.
    public var failures: [Finding] { findings.filter { $0.problem != nil } }

    /// A line for each scenario.
    public var description: String { findings.map(\.description).joined(separator: "\n") }

    /// How long a scenario may take.
    private static let timeLimit = Duration.seconds(10)

    /// Runs all scenarios, one after the other.
    ///
    /// - Parameter transport: Has to reach servers on 127.0.0.1 over plain http.
    /// - Throws: ``TestServerError`` with the code `cannotStart` where there can be no server, or `CancellationError`.
    public static func report(on transport: some HTTPTransport) async throws -> TransportConformance {
        let client = ConformanceClient(transport)
        var findings: [Finding] = []
        for scenario in TransportScenario.all {
            try Task.checkCancellation()
            findings.append(Finding(scenario: scenario.name, problem: try await problem(of: scenario, client)))
        }
        return TransportConformance(findings: findings)
    }

    private static func problem(of scenario: TransportScenario, _ client: ConformanceClient) async throws -> String? {
        try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { try await outcome(of: scenario, client) }
            group.addTask {
                try await Delay(clock: nil).sleep(for: timeLimit)
                return "not over after \(timeLimit)"
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private static func outcome(of scenario: TransportScenario, _ client: ConformanceClient) async throws -> String? {
        do {
            try await scenario.run(client)
            return nil
        } catch let error as TransportScenario.Mismatch {
            return error.message
        } catch let error as TestServerError where error.code == .cannotStart {
            throw error
        } catch {
            return "it threw \(error)"
        }
    }
}
