import Foundation
import Sockeye
import SockeyeEngine
import Testing

@testable import SockeyeTesting

@Suite("Transport conformance", .timeLimit(.minutes(2)))
struct TransportConformanceTests {
    @Test("a recording transport passes all scenarios")
    func recorder() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/sockeye-\(UUID().uuidString).txt"
        let report = try await TransportConformance.report(on: RecordedTransport(path, mode: .record))
        #expect(report.failures.isEmpty, "\(report)")
    }

    @Test("a transport without a network fails many checks")
    func mock() async throws {
        // One scenario waits for its time limit.
        let report = try await TransportConformance.report(
            on: MockTransport { _ in .ok("x") }, of: TransportScenario.all, timeLimit: .seconds(1))
        #expect(report.failures.count > 8)
        #expect(report.description.contains("FAILED a response that is not HTTP is an error: 'nonsense"))
    }

    @Test("a transport that loses trailers or buffers whole bodies is detected")
    func faulty() async throws {
        let client = HTTPClient()
        let buffering = Forwarding { request in
            let response = try await client.transport.send(request)
            return IncomingResponse(
                status: response.status, headers: response.headers, body: try await response.bytes(), url: response.url)
        }
        // One scenario waits for its time limit.
        let report = try await TransportConformance.report(
            on: buffering, of: TransportScenario.all, timeLimit: .seconds(2))
        let failed = report.failures.map(\.scenario)
        #expect(failed.contains("trailers of a response are available once its body was read"))
        #expect(failed.contains("a body is delivered as it arrives"))
        #expect(failed.count < 8)
        #expect(!failed.contains("every status is a response"))
    }

    @Test("a transport that ignores cancellation does not hold up the report")
    func deaf() async throws {
        let mayAnswer = TestSignal()
        let deaf = Forwarding { request in
            // The caller's cancellation does not reach this task.
            try await Task { try await mayAnswer.wait() }.value
            return IncomingResponse(status: .ok, body: Bytes("late"), url: request.url)
        }
        let report = try await TransportConformance.report(
            on: deaf, of: TransportScenario.requests, timeLimit: .milliseconds(20))
        #expect(!mayAnswer.isFired)
        #expect(report.findings.count == TransportScenario.requests.count)
        #expect(report.description.contains("the scenario did not end within 0.02 seconds"))
        mayAnswer.fire()
    }

    @Test("cancelling the caller in the last scenario throws instead of returning a report")
    func cancelled() async throws {
        let hasStarted = TestSignal()
        let last = TransportScenario("waits") { _ in
            hasStarted.fire()
            try await TestSignal().wait()
        }
        let task = Task {
            try await TransportConformance.report(on: MockTransport(), of: [last], timeLimit: .seconds(10))
        }
        try await hasStarted.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private struct Forwarding: HTTPTransport {
        let answer: @Sendable (OutgoingRequest) async throws -> IncomingResponse

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse { try await answer(request) }
    }
}
