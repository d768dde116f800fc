import Foundation
import Sockeye
import SockeyeTesting
import Synchronization
import Testing

/// The clients of a test against httpbin: over sockets, through a recorder, or from its recordings.
final class HTTPBinRun: Sendable {
    enum Phase {
        case direct, recording, replaying
    }

    @TaskLocal static var current: HTTPBinRun?

    private let phase: Phase
    private let folder: String
    private let transports = Mutex<[RecordedTransport]>([])

    init(_ phase: Phase, folder: String) {
        self.phase = phase
        self.folder = folder
    }

    /// True if clients use connections without recording.
    static var isDirect: Bool { current.map { $0.phase == .direct } ?? true }

    /// Makes a client for a test. The n-th client of a test uses the n-th recording.
    static func client(_ configuration: ClientConfiguration = ClientConfiguration()) -> HTTPClient {
        guard let current, current.phase != .direct else { return HTTPClient(configuration: configuration) }
        do {
            return try current.recordedClient(configuration)
        } catch {
            Issue.record(error)
            return HTTPClient(transport: MockTransport())
        }
    }

    private func recordedClient(_ configuration: ClientConfiguration) throws -> HTTPClient {
        let isReplay = phase == .replaying
        return try transports.withLock { transports in
            let transport = try RecordedTransport(
                "\(folder)/\(transports.count).txt", mode: isReplay ? .replay : .record,
                // A replay has no network; a request to the network would fail.
                over: isReplay ? HTTPClient(transport: MockTransport()) : HTTPClient(configuration: configuration))
            transports.append(transport)
            return HTTPClient(transport: transport, interceptors: configuration.interceptors)
        }
    }

    func finish() async throws {
        for transport in transports.withLock({ $0 }) { try await transport.finish() }
    }
}

/// Runs each test three times: over sockets, over sockets while recording, and from the recording without a network.
/// All expectations have to hold each time.
struct RecordedAndReplayed: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let folder = try Scratch.makeFolder()
        for phase in [HTTPBinRun.Phase.direct, .recording, .replaying] {
            let run = HTTPBinRun(phase, folder: folder)
            try await HTTPBinRun.$current.withValue(run) { try await function() }
            try await run.finish()
        }
        try FileManager.default.removeItem(atPath: folder)
    }
}

extension Trait where Self == RecordedAndReplayed {
    static var recordedAndReplayed: RecordedAndReplayed { RecordedAndReplayed() }
}
