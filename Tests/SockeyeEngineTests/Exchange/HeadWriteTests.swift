import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("The first write of a request") struct HeadWriteTests {
    /// The result of a first write, and the bytes that the peer has.
    private struct Result {
        var written: [UInt8]
        var pendingHead: [UInt8]
        var bodySent: Int
        var isComplete: Bool
        var failure: TransportError?
        var hasFailed: Bool
        var isUnsent: Bool

        /// The bytes that the peer has, followed by those that remain to be sent.
        func wire(_ body: Bytes) -> [UInt8] {
            var wire = written
            wire += pendingHead
            wire += body.dropFirst(bodySent)
            return wire
        }
    }

    private func write(
        _ body: Bytes, _ writes: [ScriptedStream.Write] = [], headers: Headers = [:]
    ) throws -> Result {
        let stream = try ScriptedStream("", writes: writes, poller: EventPoller.shared())
        let request = try OutgoingRequest(
            method: .post, url: "http://a.test/x", headers: headers, body: body.isEmpty ? .none : .bytes(body))
        let write = try HeadWrite.perform(
            EngineParts.prepared(request), adding: FieldLineBuffer(), body: body, to: stream)
        return Result(
            written: stream.written, pendingHead: Array(write.pendingHead), bodySent: write.bodySent,
            isComplete: write.isComplete, failure: write.failure, hasFailed: write.hasFailed, isUnsent: write.isUnsent)
    }

    @Test("a short write keeps the rest, so that every byte is sent once and in order", arguments: ["", "0123456789"])
    func shortWrites(text: String) throws {
        let body = Bytes(text)
        let whole = try write(body).written
        #expect(whole.starts(with: "POST /x HTTP/1.1\r\n".utf8) && whole.suffix(body.count) == Array(body)[...])
        for count in 0...whole.count {
            let result = try write(body, [.take(count)])
            #expect(result.wire(body) == whole)
            #expect(result.isComplete == (count == whole.count) && result.isUnsent == (count == 0))
            #expect(!result.hasFailed && result.failure == nil)
        }
    }

    /// A TLS connection needs the bytes of a blocked record again.
    @Test(
        "a blocked write keeps the head together with the body bytes that fit into the same record",
        arguments: [-1, 0, 1, 50_000])
    func blocked(excess: Int) throws {
        let record = 16 * 1024
        let headCount = try write(Bytes(count: 10_000)).written.count - 10_000
        let body = Bytes(count: record - headCount + excess)
        let whole = try write(body).written
        #expect(whole.count == record + excess)
        let result = try write(body, [.block])
        #expect(result.written.isEmpty && result.isUnsent && !result.isComplete)
        #expect(result.pendingHead.count == min(record, whole.count))
        #expect(result.wire(body) == whole)
    }

    @Test("a blocked write of a head longer than a record keeps the head alone", arguments: [0, 1, 50_000])
    func blockedLongHead(count: Int) throws {
        let (body, headers) = (Bytes(count: count), ["X": String(repeating: "x", count: 20_000)] as Headers)
        let whole = try write(body, headers: headers).written
        let result = try write(body, [.block], headers: headers)
        #expect(result.pendingHead.count == whole.count - count && result.bodySent == 0)
        #expect(result.wire(body) == whole)
    }

    @Test("a write that fails or meets the end of the connection reports the error, and that nothing was sent")
    func failures() throws {
        let reset = TransportError.failed(.send, .connectionReset)
        for (write, error) in [(ScriptedStream.Write.fail(reset), reset), (.end, .closed)] {
            let result = try self.write(Bytes("body"), [write])
            #expect(result.hasFailed && result.failure == error && result.isUnsent && !result.isComplete)
        }
    }

    @Test("nothing of a head with an invalid field is written")
    func invalidField() throws {
        let stream = try ScriptedStream("", poller: EventPoller.shared())
        let request = try OutgoingRequest(url: "http://a.test/", headers: ["X-A": "a\r\nb: c"])
        #expect(throws: RequestFault.invalidFieldValue("X-A")) {
            _ = try HeadWrite.perform(
                EngineParts.prepared(request), adding: FieldLineBuffer(), body: Bytes(), to: stream
            ).isComplete
        }
        #expect(stream.written.isEmpty)
    }
}

extension Bytes {
    /// Zeros.
    fileprivate init(count: Int) { self.init([UInt8](repeating: 0, count: count)) }
}
