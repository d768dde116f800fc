import Sockeye
import SockeyeEngine
import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeTesting

@Suite("Response bodies that a caller and the recorder both read", .timeLimit(.minutes(1)))
struct ResponseTapTests {
    /// A body of two pieces. The second arrives once the test fires ``mayContinue``.
    private actor LateSource: BodySource {
        private var reads = 0
        nonisolated let mayContinue = TestSignal()
        nonisolated let isCancelled = TestSignal()
        nonisolated var trailers: Headers? { nil }

        func next() async throws(SockeyeError) -> Bytes? {
            reads += 1
            guard reads > 1 else { return Bytes("first") }
            guard reads == 2 else { return nil }
            do {
                try await mayContinue.wait()
            } catch {
                isCancelled.fire()
                throw SockeyeError(TransportError.cancelled, phase: .body)
            }
            return Bytes("second")
        }
    }

    private let source = LateSource()
    private let isCut = Recorder<Bool>()

    private func tap() -> ResponseTap {
        let body = BodyContent(source: source, expectedLength: nil)
        let upstream = ResponseStorage(status: 200, fields: [:], reason: "OK", request: nil, body: body)
        return ResponseTap(upstream, limit: 100, drainTime: .milliseconds(100)) { [isCut] in isCut.append($0.isCut) }
    }

    @Test("a caller can read the whole body after the recorder stopped waiting for the rest")
    func read() async throws {
        let tap = tap()
        await tap.drain()
        #expect(isCut.values == [true])
        async let later = [tap.next(), tap.next(), tap.next()]
        source.mayContinue.fire()
        #expect(try await later == [Bytes("first"), Bytes("second"), nil])
        #expect(!source.isCancelled.isFired)
    }

    @Test("the recorder waits for the end of a recording that a caller has begun")
    func slowRecording() async throws {
        let (isRecording, mayEnd, hasDrained) = (TestSignal(), TestSignal(), TestSignal())
        defer { mayEnd.fire() }
        let upstream = ResponseStorage(
            status: 200, fields: [:], reason: "OK", request: nil,
            body: BodyContent(first: Bytes("x"), expectedLength: 1))
        let tap = ResponseTap(upstream, limit: 100, drainTime: .milliseconds(1)) { _ in
            isRecording.fire()
            while !mayEnd.isFired {}
        }
        // The reading task has a thread of its own, because the recording blocks it.
        let poller = try EventPoller()
        let reading = Task(executorPreference: poller) {
            while try await tap.next() != nil {}
        }
        try await isRecording.wait()
        let draining = Task {
            await tap.drain()
            hasDrained.fire()
        }
        let error = await #expect(throws: TestServerError.self) {
            try await hasDrained.wait(timeout: .milliseconds(100))
        }
        #expect(error?.code == .timedOut)
        mayEnd.fire()
        await draining.value
        try await reading.value
        withExtendedLifetime(poller) {}
    }

    @Test("the recorder's read is cancelled if the caller has dropped the body")
    func dropped() async throws {
        _ = RecordingSource(tap())
        try await source.isCancelled.wait()
        #expect(isCut.values == [true])
    }
}
