import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Testing

@testable import SockeyeEngine

@Suite("Reader of responses") struct ResponseReaderTests {
    private static let ok = "HTTP/1.1 200 OK\r\n\r\n"

    /// Reads the head, which must come, and begins the body.
    private func reader(of stream: Reads, _ framing: BodyFraming) throws -> ResponseReader {
        var reader = ResponseReader(limits: HTTP1Limits())
        var interest = Interest.read
        _ = try #require(try reader.nextHead(from: stream, orWaitFor: &interest))
        reader.beginBody(framing)
        return reader
    }

    /// The rest of a body, and the fault that ends it.
    private func rest(of reader: inout ResponseReader, _ stream: Reads) -> (bytes: [UInt8], fault: PeerFault?) {
        var bytes: [UInt8] = []
        do throws(ResponseReader.Fault) {
            bytes += reader.bufferedBody()
            while case .piece(let piece) = try reader.nextPiece(from: stream) { bytes += piece }
            return (bytes, nil)
        } catch {
            guard case .peer(let fault) = error else { return (bytes, nil) }
            return (bytes, fault)
        }
    }

    @Test("the reader returns interim heads and the final one in their order", arguments: [1, 7, 1000])
    func heads(size: Int) throws {
        let wire = "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 None\r\n\r\nbody"
        let stream = Reads(Array(wire.utf8), by: size)
        var reader = ResponseReader(limits: HTTP1Limits())
        var interest = Interest.read
        var statuses: [Int] = []
        while statuses.last != 404 {
            let head = try #require(try reader.nextHead(from: stream, orWaitFor: &interest))
            statuses.append(head.status)
        }
        #expect(statuses == [103, 100, 404])
    }

    private static let bodies: [(framing: BodyFraming, wire: String)] = [
        (.length(10), "0123456789"), (.chunked, "3\r\n012\r\n7;x\r\n3456789\r\n0\r\nA: b\r\n\r\n"),
        (.untilClose, "0123456789"),
    ]

    @Test("the reader returns the same body however its bytes are cut", arguments: bodies.indices, [1, 2, 5, 1000])
    func framings(index: Int, size: Int) throws {
        let (framing, wire) = Self.bodies[index]
        let stream = Reads(Array((Self.ok + wire).utf8), by: size)
        var reader = try reader(of: stream, framing)
        let body = rest(of: &reader, stream)
        #expect(body.bytes == Array("0123456789".utf8))
        #expect(body.fault == nil && reader.isEnded == (framing == .untilClose) && reader.unconsumedBytes.isEmpty)
        #expect((reader.trailers == nil) == (framing != .chunked))
    }

    @Test("the reader returns the body before a fault, and then the fault", arguments: [1, 4, 1000])
    func faults(size: Int) throws {
        let stream = Reads(Array((Self.ok + "3\r\nabc\r\nxyz\r\n").utf8), by: size)
        var reader = try reader(of: stream, .chunked)
        let body = rest(of: &reader, stream)
        #expect(body.bytes == Array("abc".utf8))
        #expect(body.fault != nil)
    }

    @Test(
        "the reader reports a body that ends before its length, at any length",
        arguments: [4, 1 << 31, 1 << 53, 1 << 62])
    func short(length: Int) throws {
        let stream = Reads(Array((Self.ok + "abc").utf8), by: 1000)
        var reader = try reader(of: stream, .length(length))
        let body = rest(of: &reader, stream)
        #expect(body.bytes == Array("abc".utf8) && body.fault == .truncatedBody(received: 3, expected: length))
        #expect((stream.roomOfReads.max() ?? 0) <= ReceiveBuffer.largestExpected)
    }

    @Test("the reader keeps bytes after the end of a response apart from its body")
    func surplus() throws {
        let stream = Reads([Array((Self.ok + "okHTTP/1.1").utf8)])
        var reader = try reader(of: stream, .length(2))
        #expect(reader.bufferedBody() == Bytes("ok"))
        #expect(reader.isBodyFinished && reader.unconsumedBytes == Bytes("HTTP/1.1"))
    }

    @Test("the reader joins small buffered chunks to pieces of bounded size")
    func smallChunks() throws {
        let chunks = String(repeating: "1\r\na\r\n", count: 100_000) + "0\r\n\r\n"
        let stream = Reads([Array(Self.ok.utf8)] + [Array(chunks.utf8)])
        var reader = try reader(of: stream, .chunked)
        var (count, pieces) = (reader.bufferedBody().count, 0)
        while case .piece(let piece) = try reader.nextPiece(from: stream) {
            (count, pieces) = (count + piece.count, pieces + 1)
            #expect(piece.count <= 72 << 10)
        }
        #expect(count == 100_000 && pieces < 1000)
    }
}
