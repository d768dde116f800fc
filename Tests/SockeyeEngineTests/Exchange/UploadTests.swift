import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("The sending half of an exchange", .timeLimit(.minutes(1)))
struct UploadTests {
    private func run(_ body: OutgoingRequest.Body, pending: Bytes, alreadySent: Int) async throws -> [Int] {
        let poller = try EventPoller.shared()
        let stream = try ScriptedStream("", then: .silence, poller: poller)
        let progress = Recorder<Int>()
        let deadlines = RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: .system)
        let upload = try Upload(
            stream: stream, framing: .length(5), deadlines: deadlines, poller: poller, alreadySent: alreadySent,
            onProgress: { progress.append($0) })
        upload.start(pending: pending, body.skipping(alreadySent))
        await upload.waitUntilEnded(.distantFuture)
        guard case .finished = upload.status else { throw CancellationError() }
        return progress.values
    }

    @Test("progress counts content sent with the rest of the head and content sent before the upload began")
    func progress() async throws {
        #expect(try await run("12345", pending: Bytes("HEAD12345"), alreadySent: 5) == [5])
        #expect(try await run("12345", pending: Bytes(), alreadySent: 2) == [2, 5])
        #expect(try await run("12345", pending: Bytes("HEAD"), alreadySent: 0) == [5])
    }

    @Test("the time limit of the attempt ends a pause of the upload only before the head", arguments: [true, false])
    func pauseAfterHead(hasHead: Bool) async throws {
        let time = ManualTime()
        let poller = try EventPoller(time: TimeSource(manual: time))
        let deadlines = RequestDeadlines(
            timeouts: SharedTimeouts(Timeouts()), time: TimeSource(manual: time), attemptTimeout: .seconds(5))
        let upload = try Upload(
            stream: ScriptedStream("", poller: poller), framing: .length(5), deadlines: deadlines, poller: poller,
            alreadySent: 0, onProgress: nil)
        let end = time.now.advanced(by: .seconds(10))
        let pause = Task { try await upload.pause(until: end) }
        await eventually("the pause has begun") { upload.lastProgress == end }
        if hasHead { upload.headArrived() }
        time.advance(by: .seconds(5))
        if hasHead {
            time.advance(by: .seconds(5))
            try await pause.value
        } else {
            let error = await #expect(throws: SockeyeError.self) { try await pause.value }
            #expect(error?.limit?.name == "timeouts.attempt")
        }
    }

    @Test("a paused upload waits for the caller, so the pause counts as progress for as long as it lasts")
    func paused() throws {
        let (time, gate) = (ManualTime(), TransferGate())
        let poller = try EventPoller.shared()
        let deadlines = RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: TimeSource(manual: time))
        let upload = try Upload(
            stream: ScriptedStream("", poller: poller), framing: .length(5), deadlines: deadlines, poller: poller,
            alreadySent: 0, gate: gate, onProgress: nil)
        let start = time.now
        gate.shut()
        for _ in 1...3 {
            time.advance(by: .seconds(60))
            #expect(upload.lastProgress == time.now)
        }
        gate.open()
        #expect(upload.lastProgress == start)
    }
}
