import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
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

    @Test("after a write that failed in the middle of a piece, a producer that continues sends nothing more")
    func interrupted() async throws {
        for end in [ScriptedStream.Write.block, .fail(.failed(.send, .connectionReset)), .end] {
            let time = ManualTime()
            let isOver = Atomic(false)
            let poller = try EventPoller(time: TimeSource(manual: time))
            let stream = try ScriptedStream("", then: .silence, writes: [.take(2), end], poller: poller)
            let deadlines = RequestDeadlines(
                timeouts: SharedTimeouts(Timeouts(stall: .seconds(5))), time: TimeSource(manual: time))
            let upload = try Upload(
                stream: stream, framing: .length(8), deadlines: deadlines, poller: poller, alreadySent: 0,
                onProgress: nil)
            let failures = Recorder<SockeyeError.Phase>()
            let body = OutgoingRequest.Body.writer(length: 8) { writer in
                for piece in ["aaaa", "bbbb", "cc"] {
                    do throws(SockeyeError) { try await writer.write(piece) } catch { failures.append(error.phase) }
                }
                isOver.store(true, ordering: .releasing)
            }
            upload.start(pending: Bytes(), body)
            await eventually("the end of the producer") {
                // The blocked write stalls.
                time.advance(by: .seconds(5))
                return isOver.load(ordering: .acquiring)
            }
            #expect(stream.written == Array("aa".utf8))
            #expect(failures.values == [.send, .send, .send])
        }
    }

    @Test(
        "an upload whose producer ignores the error of a piece beyond the declared length fails and sends nothing more",
        arguments: [["12345", "ABCDEFGH", "67890"], ["0123456789", "A"]])
    func excess(pieces: [String]) async throws {
        let poller = try EventPoller.shared()
        let stream = try ScriptedStream("", then: .silence, poller: poller)
        let deadlines = RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: .system)
        let upload = try Upload(
            stream: stream, framing: .length(10), deadlines: deadlines, poller: poller, alreadySent: 0,
            onProgress: nil)
        let failures = Recorder<SockeyeError.Code>()
        let isOver = OneShotEvent()
        let body = OutgoingRequest.Body.writer(length: 10) { writer in
            for piece in pieces {
                do throws(SockeyeError) { try await writer.write(piece) } catch { failures.append(error.code) }
            }
            isOver.happen()
        }
        upload.start(pending: Bytes(), body)
        await isOver.wait()
        await upload.waitUntilEnded(.distantFuture)
        #expect(stream.written == Array(pieces[0].utf8))
        #expect(failures.values.first == .bodyLengthMismatch && failures.values.count == pieces.count - 1)
        guard case .failed(let error) = upload.status else { throw CancellationError() }
        #expect(error.code == .bodyLengthMismatch)
    }

    @Test("an upload that has failed is not reported as sent if its producer ignores the error")
    func ignoredFailure() async throws {
        let poller = try EventPoller.shared()
        let (observer, isOver) = (SendingObserver(), OneShotEvent())
        let upload = try Upload(
            stream: ScriptedStream("", then: .silence, poller: poller), framing: .length(10),
            deadlines: RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: .system), poller: poller,
            alreadySent: 0, onProgress: nil, observer: observer)
        let body = OutgoingRequest.Body.writer(length: 10) { writer in
            try await writer.write("0123456789")
            try? await writer.write("A")
            isOver.happen()
        }
        // Both tasks run on the thread of the poller, so this task resumes only after the sending task has ended.
        await Task(executorPreference: poller) {
            upload.start(pending: Bytes(), body)
            await isOver.wait()
        }.value
        #expect(observer.sent.values.isEmpty)
        guard case .failed(let error) = upload.status else { throw CancellationError() }
        #expect(error.code == .bodyLengthMismatch)
    }

    @Test("progress counts content sent with the rest of the head and content sent before the upload began")
    func progress() async throws {
        #expect(try await run("12345", pending: Bytes("HEAD12345"), alreadySent: 5) == [5])
        #expect(try await run("12345", pending: Bytes(), alreadySent: 2) == [2, 5])
        #expect(try await run("12345", pending: Bytes("HEAD"), alreadySent: 0) == [5])
    }

    @Test(
        "the time limit of the attempt ends a pause of the upload only until the head comes", arguments: [true, false])
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

    @Test("while the caller pauses the upload, nothing more of content in memory is sent")
    func pausedInMemory() async throws {
        let poller = try EventPoller.shared()
        let (gate, isShut) = (TransferGate(), OneShotEvent())
        let stream = try ScriptedStream("", then: .silence, writes: [.take(2)], poller: poller)
        let upload = try Upload(
            stream: stream, framing: .length(5),
            deadlines: RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: .system), poller: poller,
            alreadySent: 0, gate: gate,
            onProgress: { count in
                guard count == 2 else { return }
                gate.shut()
                isShut.happen()
            })
        // Both tasks run on the thread of the poller, so this task resumes only after the sending task has suspended.
        let written = await Task(executorPreference: poller) {
            upload.start(pending: Bytes(), .string("12345"))
            await isShut.wait()
            return stream.written
        }.value
        #expect(written == Array("12".utf8))
        gate.open()
        await upload.waitUntilEnded(.distantFuture)
        #expect(stream.written == Array("12345".utf8))
        guard case .finished = upload.status else { throw CancellationError() }
    }

    @Test("the last progress of an upload is never before the end of the caller's last pause")
    func paused() throws {
        let time = ManualTime()
        let gate = TransferGate(time: TimeSource(manual: time))
        let poller = try EventPoller.shared()
        let deadlines = RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: TimeSource(manual: time))
        let upload = try Upload(
            stream: ScriptedStream("", poller: poller), framing: .length(5), deadlines: deadlines, poller: poller,
            alreadySent: 0, gate: gate, onProgress: nil)
        gate.shut()
        for _ in 1...3 {
            time.advance(by: .seconds(60))
            #expect(upload.lastProgress == time.now)
        }
        gate.open()
        let end = time.now
        time.advance(by: .seconds(60))
        #expect(upload.lastProgress == end)
    }
}
