import Foundation
import Sockeye
import SockeyeEngine
import SockeyeTesting
import Testing

@Suite("Transport conformance", .timeLimit(.minutes(2)))
struct TransportConformanceTests {
    @Test("a recording transport passes")
    func recorder() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/sockeye-\(UUID().uuidString).txt"
        let report = try await TransportConformance.report(on: RecordedTransport(path, mode: .record))
        #expect(report.failures.isEmpty, "\(report)")
    }

    @Test("a transport without a network fails many checks")
    func mock() async throws {
        let report = try await TransportConformance.report(on: MockTransport { _ in .ok("x") })
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
        let failed = try await TransportConformance.report(on: buffering).failures.map(\.scenario)
        #expect(failed.contains("trailers of a response are available once its body was read"))
        #expect(failed.contains("a body is delivered as it arrives"))
        #expect(failed.count < 8)
        #expect(!failed.contains("every status is a response"))
    }

    private struct Forwarding: HTTPTransport {
        let answer: @Sendable (OutgoingRequest) async throws -> IncomingResponse

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse { try await answer(request) }
    }
}
