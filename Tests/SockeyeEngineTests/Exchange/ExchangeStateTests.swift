import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("The state of an exchange explains its failures") struct ExchangeStateTests {
    private static let reset = TransportError.failed(.recv, .connectionReset)
    private static let brokenPipe = TransportError.failed(.send, .brokenPipe)

    /// The state after the first write of a request without a body.
    ///
    /// - Parameter received: The bytes of the response so far.
    private func state(
        received: String = "", write: [ScriptedStream.Write] = [], isReused: Bool = false,
        isUnacknowledged: Bool = false
    ) throws -> ExchangeState {
        let request = try EngineParts.prepared(OutgoingRequest(url: "http://a.test/"))
        let stream = try ScriptedStream(
            [Array(received.utf8)[...]], then: .silence, writes: write, isEarly: true,
            isUnacknowledged: isUnacknowledged, poller: EventPoller.shared())
        let lease = try EngineParts.lease(EngineParts.connection(stream), isReused: isReused)
        #expect(lease.isReused == isReused)
        var state = ExchangeState(request, on: lease)
        try state.sender.begin(request, adding: FieldLineBuffer(), on: lease.connection, &state.receiver.machine)
        var interest = Interest.read
        _ = try? state.receiver.nextHead(from: stream, orWaitFor: &interest)
        return state
    }

    @Test("a failure says if the connection was lost, and if it was before the first byte of the response")
    func replay() throws {
        let rows: [(String, ResponseReader.Fault, isBeforeResponse: Bool, isConnectionLoss: Bool)] = [
            ("", .peer(.closedBeforeResponse), true, true), ("", .transport(Self.reset), true, true),
            ("", .transport(.truncated), true, true), ("", .transport(.closed), true, false),
            ("H", .peer(.truncatedHead(received: 1)), false, false), ("H", .transport(Self.reset), false, true),
            ("", .peer(.headTooLarge(limit: 1)), true, false),
        ]
        for (received, fault, isBeforeResponse, isConnectionLoss) in rows {
            let failure = try state(received: received).failure(of: fault, port: 80)
            #expect(failure.isBeforeResponse == isBeforeResponse && failure.isConnectionLoss == isConnectionLoss)
            #expect(!failure.isUnsent && !failure.isExpectationRefusal)
        }
    }

    @Test("before the first byte of the response, the phase of a failure is send if the write failed, else head")
    func phase() throws {
        let rows: [(String, [ScriptedStream.Write], SockeyeError.Phase, isUnsent: Bool)] = [
            ("", [], .head, false), ("", [.fail(Self.brokenPipe)], .send, true), ("", [.end], .send, true),
            ("H", [.fail(Self.brokenPipe)], .head, true),
        ]
        for (received, write, phase, isUnsent) in rows {
            let state = try state(received: received, write: write)
            let failure = state.failure(of: .transport(Self.reset), port: 80)
            #expect(failure.error.phase == phase && failure.isUnsent == isUnsent, "\(received) \(write)")
        }
    }

    @Test("after a failed write, the loss of the connection is reported as that write, any other error as itself")
    func cause() throws {
        let state = try state(write: [.fail(Self.brokenPipe)])
        let lost = state.failure(of: .transport(Self.reset), port: 80)
        #expect(lost.error.underlying as? TransportError == Self.brokenPipe)
        let refused = state.failure(of: .transport(.closed), port: 80)
        #expect(refused.error.underlying as? TransportError == .closed)
    }

    @Test("after an alert, or a close on port 443, the error of a request without TLS says that the server expects TLS")
    func tls() throws {
        // An alert record: handshake failure.
        let record = "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}"
        let rows: [(String, PeerFault, port: Int, isReused: Bool, contains: String?)] = [
            (record, .badStatusLine, 80, false, "should begin with https"),
            ("SSH-2.0-x", .badStatusLine, 443, false, nil),
            ("", .closedBeforeResponse, 443, false, "port 443 usually speaks TLS"),
            ("", .closedBeforeResponse, 443, true, nil), ("", .closedBeforeResponse, 80, false, nil),
            ("", .headTooLarge(limit: 1), 443, false, nil),
        ]
        for (received, fault, port, isReused, text) in rows {
            let state = try state(received: received, isReused: isReused)
            let message = state.failure(of: .peer(fault), port: port).error.message
            #expect(
                message.contains(text ?? fault.description) && message.contains("TLS") == (text != nil), "\(message)")
        }
    }

    @Test("a wait that times out is blamed on the network only if nothing was acknowledged or received")
    func timeOut() throws {
        let time = ManualTime()
        let deadlines = RequestDeadlines(
            timeouts: SharedTimeouts(Timeouts(total: .seconds(30), head: .seconds(10))),
            time: TimeSource(manual: time))
        for (isUnacknowledged, received, blame) in [
            (true, "", SockeyeError.Blame.network), (true, "HTTP/1.1", .peer), (false, "", .peer),
        ] {
            let state = try state(received: received, isUnacknowledged: isUnacknowledged)
            let error = state.failure(ofWait: .timedOut, deadlines).error
            #expect(error.code == .timeout && error.limit?.name == "timeouts.head" && error.blame == blame)
        }
        time.advance(by: .seconds(30))
        let error = try state().failure(ofWait: .timedOut, deadlines).error
        #expect(error.limit?.name == "timeouts.total")
    }

    @Test("if a write failed for lack of memory, the wait that times out after it fails with the error of the write")
    func shortage() throws {
        let deadlines = RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: .system)
        for (error, code) in [
            (TransportError.failed(.send, .noBuffers), SockeyeError.Code.outOfResources), (Self.brokenPipe, .timeout),
        ] {
            let failure = try state(write: [.fail(error)]).failure(ofWait: .timedOut, deadlines)
            #expect(failure.error.code == code && failure.isUnsent == (code == .outOfResources))
        }
    }

    @Test("a wait fails with cancelled if it was cancelled, and with connectionClosed if the connection was closed")
    func endedWait() throws {
        let deadlines = RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: .system)
        let cancelled = try state().failure(ofWait: .cancelled, deadlines)
        #expect(cancelled.error.code == .cancelled && !cancelled.isConnectionLoss)
        let closed = try state().failure(ofWait: .closed, deadlines)
        #expect(closed.error.code == .connectionClosed && !closed.isBeforeResponse)
    }
}
