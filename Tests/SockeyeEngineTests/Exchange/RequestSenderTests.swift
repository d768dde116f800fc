import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
import Testing

@testable import SockeyeEngine

@Suite("The sender of a request", .timeLimit(.minutes(1))) struct RequestSenderTests {
    private struct ProducerFailure: Error {}

    /// A sender with its request and the connection that it writes to.
    private struct Scene: ~Copyable {
        let request: PreparedRequest
        let stream: ScriptedStream
        let connection: OriginConnection
        var sender = RequestSender()
        var machine: ExchangeMachine

        init(
            _ body: OutgoingRequest.Body, expectContinue: Duration? = nil, gate: TransferGate? = nil,
            _ writes: [ScriptedStream.Write] = []
        ) throws {
            var request = try OutgoingRequest(method: .put, url: "http://a.test/x", body: body)
            request.options.expectContinue = expectContinue
            request.options.gate = gate
            let prepared = try EngineParts.prepared(request)
            let stream = try ScriptedStream("", then: .silence, writes: writes, poller: EventPoller.shared())
            connection = try EngineParts.connection(stream)
            machine = ExchangeMachine(prepared.facts)
            self.request = prepared
            self.stream = stream
        }

        mutating func begin() throws {
            try sender.begin(request, adding: FieldLineBuffer(), on: connection, &machine)
        }

        /// Sends the body that waited for a 100.
        mutating func sendBody() throws {
            try sender.sendBody(of: request, on: connection)
        }

        /// Begins, waits for the end of the upload, and reports the upload's status to ``machine``.
        mutating func run() async throws {
            try begin()
            await end()
        }

        mutating func end() async {
            await sender.waitUntilEnded(.distantFuture)
            sender.report(to: &machine)
        }

        /// The bytes of the request that follow its head.
        var content: String {
            let text = String(decoding: stream.written, as: UTF8.self)
            guard let end = text.firstRange(of: "\r\n\r\n") else { return "" }
            return String(text[end.upperBound...])
        }
    }

    private static let reuse = ConnectionVerdict.reuse(keepAliveTimeout: nil, max: nil)
    private static let reset = TransportError.failed(.send, .connectionReset)

    @Test("a request that fits into the first write is finished without an upload", arguments: ["", "0123456789"])
    func wholeInFirstWrite(body: String) async throws {
        var scene = try Scene(body.isEmpty ? .none : .string(body))
        try scene.begin()
        let (content, hasUpload, isUnsent) = (scene.content, scene.sender.upload != nil, scene.sender.isUnsent)
        #expect(content == body && !hasUpload && !isUnsent)
        #expect(try scene.machine.afterResponse() == Self.reuse)
    }

    @Test("wherever the first write ends, an upload sends the rest")
    func cuts() async throws {
        var whole = try Scene("0123456789")
        try whole.begin()
        let wire = whole.stream.written
        for count in [1, 20, wire.count - 11, wire.count - 10, wire.count - 9, wire.count - 1] {
            for next in [[ScriptedStream.Write.take(2)], [.blockBriefly, .take(1), .blockBriefly]] {
                var scene = try Scene("0123456789", [.take(count)] + next)
                try await scene.run()
                #expect(scene.stream.written == wire)
                #expect(try scene.machine.afterResponse() == Self.reuse)
            }
        }
    }

    @Test("a body is sent in one piece with its length, or in chunks", arguments: [4, nil])
    func produced(length: Int?) async throws {
        var scene = try Scene(.writer(length: length) { try await $0.write("body") }, [.blockBriefly])
        try await scene.run()
        #expect(scene.content == (length == nil ? "4\r\nbody\r\n0\r\n\r\n" : "body"))
        #expect(try scene.machine.afterResponse() == Self.reuse)
    }

    @Test("if the body waits for a 100, the first write has only the head, and the body follows when it is due")
    func permission() async throws {
        var scene = try Scene("body", expectContinue: .seconds(10))
        try scene.begin()
        #expect(scene.content.isEmpty && scene.machine.holdsBody)
        #expect(String(decoding: scene.stream.written, as: UTF8.self).contains("Expect: 100-continue\r\n"))
        let isDue = scene.machine.expectationTimerFired()
        #expect(isDue)
        try scene.sendBody()
        await scene.end()
        #expect(scene.content == "body")
        #expect(try scene.machine.afterResponse() == Self.reuse)
    }

    @Test("while the caller pauses the transfer, the first write has only the head, and the body follows later")
    func pausedBeforeFirstWrite() async throws {
        let gate = TransferGate()
        gate.shut()
        var scene = try Scene("body", gate: gate)
        try scene.begin()
        #expect(scene.content.isEmpty)
        gate.open()
        await scene.end()
        #expect(scene.content == "body")
        #expect(try scene.machine.afterResponse() == Self.reuse)
    }

    @Test("if the head does not fit into the first write, the body follows without waiting for a 100")
    func cutHead() async throws {
        var scene = try Scene("body", expectContinue: .seconds(10), [.take(10)])
        try await scene.run()
        #expect(scene.content == "body" && !scene.machine.holdsBody)
    }

    @Test("after a first write that fails the response is awaited, and the connection is not reused")
    func failedWrite() async throws {
        for (write, error) in [(ScriptedStream.Write.fail(Self.reset), Self.reset), (.end, .closed)] {
            var scene = try Scene("body", [write])
            try scene.begin()
            let (failure, isUnsent, phase) = (scene.sender.writeFailure, scene.sender.isUnsent, scene.sender.phase)
            #expect(failure == error && isUnsent && phase == .send)
            #expect(try scene.machine.afterResponse() == .close(.requestUnfinished))
        }
    }

    @Test("a request is no longer unsent once its upload has started")
    func unsent() async throws {
        var scene = try Scene("body", [.block])
        try scene.begin()
        let isUnsent = scene.sender.isUnsent
        #expect(!isUnsent)
        await scene.end()
        #expect(scene.content == "body")
    }

    @Test("the failure of a body's producer is the error of the sender, and aborts the connection")
    func producerFailure() async throws {
        var scene = try Scene(
            .writer(length: 10) { writer in
                try await writer.write("12345")
                throw ProducerFailure()
            })
        try await scene.run()
        let sender = scene.sender
        #expect(sender.error?.underlying is ProducerFailure && scene.stream.isClosed)
        #expect(sender.phase == .head)
        #expect(throws: ExchangeFailure.self) { try sender.checkUpload() }
        #expect(try scene.machine.afterResponse() == .close(.requestUnfinished))
    }

    @Test("a body of another length than declared is a failure", arguments: ["123", "12345"])
    func otherLength(content: String) async throws {
        var scene = try Scene(.writer(length: 4) { try await $0.write(content) })
        try await scene.run()
        #expect(scene.sender.error?.code == .bodyLengthMismatch)
        #expect(scene.content == (content.count < 4 ? content : ""))
    }

    @Test("a broken connection does not end the exchange during the upload, because a response may have arrived")
    func brokenUpload() async throws {
        for (write, error) in [(ScriptedStream.Write.fail(Self.reset), Self.reset), (.end, .closed)] {
            var scene = try Scene(.writer(length: 4) { try await $0.write("body") }, [.take(1000), write])
            try await scene.run()
            let sender = scene.sender
            #expect(sender.error == nil && sender.phase == .send && !scene.stream.isClosed)
            let failure = #expect(throws: ExchangeFailure.self) { try sender.checkUpload() }
            #expect(failure?.error.phase == .send && failure?.error.underlying as? TransportError == error)
            #expect(try scene.machine.afterResponse() == .close(.requestUnfinished))
        }
    }

    @Test(
        "a body that fails is an error after an early success, not after an early refusal", arguments: [200, 204, 404])
    func earlyResponse(status: Int) async throws {
        var scene = try Scene(.writer(length: 10) { _ in throw ProducerFailure() })
        try await scene.run()
        let response = try IncomingResponse(
            status: HTTPResponse.Status(code: status), url: HTTPURL("http://a.test/"))
        let sender = scene.sender
        if status < 300 {
            #expect(throws: ExchangeFailure.self) { try sender.checkBody(behind: response) }
        } else {
            try sender.checkBody(behind: response)
        }
    }

    @Test("a stopped upload leaves the request unfinished, and its producer can send nothing more")
    func stopping() async throws {
        let started = Atomic(false)
        let stopped = Atomic(false)
        var scene = try Scene(
            .writer { writer in
                started.store(true, ordering: .releasing)
                while !stopped.load(ordering: .acquiring) { await Task.yield() }
                try await writer.write("late")
            })
        try scene.begin()
        await eventually("the producer runs") { started.load(ordering: .acquiring) }
        scene.sender.detach()
        stopped.store(true, ordering: .releasing)
        await scene.end()
        #expect(scene.content.isEmpty && scene.sender.error == nil)
        #expect(try scene.machine.afterResponse() == .close(.requestUnfinished))
    }

    @Test(
        "a one-shot body can be sent again if its upload was stopped before any content was requested",
        arguments: [true, false])
    func oneShot(isRequested: Bool) async throws {
        let started = Atomic(false)
        let body = OutgoingRequest.Body.stream(
            AsyncStream<Bytes>(unfolding: {
                started.store(true, ordering: .releasing)
                return nil
            }))
        let claim = try #require(body.oneShotClaim)
        try claim.claim()
        // In the case without a request for content, the rest of the head stays blocked until the upload is stopped.
        var scene = try Scene(body, isRequested ? [] : [.take(5), .block])
        try scene.begin()
        #expect(!claim.isUnread)
        if isRequested {
            await eventually("the content is requested") { started.load(ordering: .acquiring) }
        } else {
            await eventually("the upload is blocked") { [stream = scene.stream] in stream.isWriteScriptOver }
        }
        scene.sender.detach()
        #expect(claim.isUnread == !isRequested)
        await scene.end()
    }

    @Test("progress counts the content of the first write and of the upload", arguments: [[10], [6, 10]])
    func progress(expected: [Int]) async throws {
        let reported = Mutex<[Int]>([])
        var request = try OutgoingRequest(method: .put, url: "http://a.test/x", body: "0123456789")
        let whole = try HeadWrite.perform(
            EngineParts.prepared(request), adding: FieldLineBuffer(), body: Bytes(),
            to: ScriptedStream("", writes: [.block], poller: EventPoller.shared())
        ).pendingHead.count
        request.options.onBodyProgress = { count in reported.withLock { $0.append(count) } }
        let prepared = try EngineParts.prepared(request)
        let stream = try ScriptedStream(
            "", writes: expected == [10] ? [] : [.take(whole + 6)], poller: EventPoller.shared())
        var (sender, machine) = (RequestSender(), ExchangeMachine(prepared.facts))
        try sender.begin(prepared, adding: FieldLineBuffer(), on: EngineParts.connection(stream), &machine)
        await sender.waitUntilEnded(.distantFuture)
        #expect(reported.withLock { $0 } == expected)
    }
}
