import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
import Testing

@testable import SockeyeEngine

@Suite("The receiver of response heads") struct ResponseReceiverTests {
    /// A request, the peer that answers it, and the interim responses that its caller has seen.
    private struct Scene: ~Copyable {
        let request: PreparedRequest
        let stream: ScriptedStream
        var receiver: ResponseReceiver
        var interest = Interest.read
        private let interim: Interim

        private final class Interim: Sendable {
            let codes = Mutex<[Int]>([])
        }

        init(
            _ answer: String, size: Int = .max, then ending: ScriptedStream.Ending = .silence,
            _ change: (inout OutgoingRequest) -> Void = { _ in }
        ) throws {
            var request = try OutgoingRequest(method: .post, url: "http://a.test/x", body: "body")
            let interim = Interim()
            request.options.onInterim = { head in interim.codes.withLock { $0.append(head.status.code) } }
            change(&request)
            let prepared = try EngineParts.prepared(request)
            let bytes = Array(answer.utf8)
            let size = min(size, max(1, bytes.count))
            let cuts = stride(from: 0, to: bytes.count, by: size)
            let stream = try ScriptedStream(
                cuts.map { bytes[$0..<min(bytes.count, $0 + size)] }, then: ending, isEarly: true,
                poller: EventPoller.shared())
            self.stream = stream
            receiver = ResponseReceiver(prepared)
            self.request = prepared
            self.interim = interim
        }

        var interimCodes: [Int] { interim.codes.withLock { $0 } }

        /// Returns the next head that needs an action of the exchange.
        mutating func next() throws -> (status: Int, action: HeadAction)? {
            while let head = try receiver.nextHead(from: stream, orWaitFor: &interest) {
                let action = try receiver.action(on: head, sender: RequestSender(), for: request)
                switch action {
                case .keepReading, .interim: continue
                default: return (head.status, action)
                }
            }
            return nil
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    @Test("interim responses go to the caller, and the final one to the exchange", arguments: [1, 3, 1000])
    func interim(size: Int) throws {
        var scene = try Scene(
            "HTTP/1.1 102 P\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\n\r\n" + Self.ok, size: size)
        // A POST whose body is being sent needs no 100.
        let head = try #require(try scene.next())
        #expect(head.status == 200 && head.action == .final(.length(0), stopsUpload: false))
        #expect(scene.interimCodes == [102, 103])
    }

    @Test("the first 100 makes the exchange send the body that waits for it, and a second has no effect")
    func permission() throws {
        var scene = try Scene("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\n" + Self.ok) {
            $0.options.expectContinue = .seconds(1)
        }
        let first = try #require(try scene.next())
        #expect(first.status == 100 && first.action == .sendBody && scene.interimCodes == [100])
        let second = try #require(try scene.next())
        #expect(second.status == 200 && scene.interimCodes == [100])
    }

    @Test(
        "while the body waits for a 100, a final response stops the upload, and a 417 refuses the expectation",
        arguments: [
            ("200 OK", HeadAction.final(.length(0), stopsUpload: true)),
            ("404 Not Found", .final(.length(0), stopsUpload: true)),
            ("417 Expectation Failed", .expectationFailed(.length(0))),
        ])
    func held(status: String, action: HeadAction) throws {
        var scene = try Scene("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n") {
            $0.options.expectContinue = .seconds(1)
        }
        let head = try #require(try scene.next())
        #expect(head.action == action)
    }

    @Test("if the head is incomplete, the receiver names the readiness to wait for and continues afterwards")
    func incomplete() throws {
        var scene = try Scene("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200")
        let none = try scene.next()
        #expect(none == nil && scene.interest == .read)
        scene.stream.send(" OK\r\nContent-Length: 0\r\n\r\n")
        #expect(try scene.next()?.status == 200)
    }

    @Test("faults of the bytes, of their meaning and of the connection end the exchange")
    func faults() throws {
        let reset = TransportError.failed(.recv, .connectionReset)
        let rows: [(String, ScriptedStream.Ending, ResponseReader.Fault)] = [
            ("SSH-2.0\r\n", .silence, .peer(.badStatusLine)), ("", .end, .peer(.closedBeforeResponse)),
            ("HTTP/1.1 200 OK\r\n", .end, .peer(.truncatedHead(received: 17))),
            ("HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", .silence, .peer(.unexpectedUpgrade)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n", .silence, .peer(.conflictingContentLength)),
            ("HTTP/1.1 102 P\r\n\r\n", .failure(reset), .transport(reset)),
        ]
        for (answer, ending, expected) in rows {
            var scene = try Scene(answer, then: ending)
            var fault: ResponseReader.Fault?
            do { _ = try scene.next() } catch { fault = error as? ResponseReader.Fault }
            #expect(String(describing: fault) == String(describing: Optional(expected)), "\(answer)")
        }
    }

    // MARK: Bytes before the request

    @Test("bytes before the request begin the response, whose connection is not reused")
    func early() throws {
        var scene = try Scene(Self.ok)
        let isEarly = try scene.receiver.takeEarlyBytes(from: scene.stream)
        #expect(isEarly)
        scene.receiver.machine.uploadFinished()
        #expect(try scene.next()?.status == 200)
        #expect(scene.receiver.finishResponse(RequestSender()) == .close(.early))
    }

    @Test("a new connection that has ended or failed is read before a wait, and a silent one is not")
    func notEarly() throws {
        for (ending, readsFirst) in [
            (ScriptedStream.Ending.silence, false), (.end, true), (.failure(.truncated), true),
        ] {
            var scene = try Scene("", then: ending)
            let answer = try scene.receiver.takeEarlyBytes(from: scene.stream)
            #expect(answer == readsFirst)
            // Without early bytes, the connection may be reused.
            scene.receiver.machine.uploadFinished()
            #expect(try scene.receiver.machine.afterResponse() == .reuse(keepAliveTimeout: nil, max: nil))
        }
    }

    @Test("bytes that cannot begin a response are refused before the request is sent")
    func notHTTP() throws {
        var scene = try Scene("SSH-2.0-OpenSSH\r\n")
        #expect(throws: ResponseReader.Fault.self) { _ = try scene.receiver.takeEarlyBytes(from: scene.stream) }
    }

    // MARK: The end

    @Test(
        "the verdict on the connection considers surplus bytes and the upload",
        arguments: [
            ("", ScriptedStream.Ending.silence, true, ConnectionVerdict.reuse(keepAliveTimeout: nil, max: nil)),
            ("", .silence, false, .awaitUpload), ("HTTP", .silence, true, .close(.surplus(4))),
        ] as [(String, ScriptedStream.Ending, Bool, ConnectionVerdict)])
    func verdict(surplus: String, ending: ScriptedStream.Ending, isSent: Bool, verdict: ConnectionVerdict) throws {
        var scene = try Scene(Self.ok + surplus, then: ending)
        _ = try scene.next()
        if isSent { scene.receiver.machine.uploadFinished() }
        scene.receiver.reader.beginBody(.length(0))
        _ = scene.receiver.reader.bufferedBody()
        #expect(scene.receiver.finishResponse(RequestSender()) == verdict)
    }
}
