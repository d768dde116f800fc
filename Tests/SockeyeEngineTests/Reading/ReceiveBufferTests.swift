import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Testing

@testable import SockeyeEngine

@Suite("Memory of received bodies")
struct ReceiveBufferTests {
    /// Reads a response and keeps every piece of its body.
    private func keepAll(_ framing: BodyFraming, of stream: Reads) throws -> [Bytes] {
        var responseReader = ResponseReader(limits: HTTP1Limits())
        var interest = Interest.read
        _ = try #require(try responseReader.nextHead(from: stream, orWaitFor: &interest))
        responseReader.beginBody(framing)
        var pieces = [responseReader.bufferedBody()]
        while case .piece(let piece) = try responseReader.nextPiece(from: stream) { pieces.append(piece) }
        return pieces.filter { !$0.isEmpty }
    }

    /// Returns the memory that pieces keep alive, counting each block once.
    private func memory(of pieces: [Bytes]) -> Int {
        var blocks: [ObjectIdentifier: Int] = [:]
        for piece in pieces { if let block = piece.storage { blocks[ObjectIdentifier(block)] = block.byteCapacity } }
        return blocks.values.reduce(0, +)
    }

    private static let head = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)

    @Test(
        "the memory of a body received byte by byte is proportional to the kept bytes",
        arguments: [.chunked, .length(20_000), .untilClose] as [BodyFraming])
    func drip(framing: BodyFraming) throws {
        let packet = framing == .chunked ? Array("1\r\na\r\n".utf8) : [0x61]
        let packets = repeatElement(packet, count: 20_000) + (framing == .chunked ? [Array("0\r\n\r\n".utf8)] : [])
        let pieces = try keepAll(framing, of: Reads([Self.head] + packets))
        #expect(pieces.count == 20_000)
        // Each piece takes one byte in a shared block, instead of keeping a block of kilobytes for itself.
        #expect(memory(of: pieces) <= 20_000 + 64 * 1024)
        // A caller that keeps a few pieces keeps only their bytes alive.
        #expect(memory(of: pieces.indices.filter { $0 % 1000 == 5 }.map { pieces[$0] }) <= 20)
    }

    @Test("the memory of small chunks that arrive together is proportional to the kept bytes")
    func smallChunks() throws {
        let packet = Array(String(repeating: "1\r\na\r\n", count: 2000).utf8)
        let packets = repeatElement(packet, count: 50) + [Array("0\r\n\r\n".utf8)]
        let pieces = try keepAll(.chunked, of: Reads([Self.head] + packets))
        #expect(pieces.reduce(0) { $0 + $1.count } == 100_000)
        #expect(memory(of: pieces) <= 2 * 100_000)
    }

    @Test("the memory of records of 1 to 16 KiB is at most twice the kept bytes", arguments: [1, 4, 16])
    func records(kibibytes: Int) throws {
        let count = 64
        let packets = (0..<count).map { [UInt8](repeating: UInt8($0), count: kibibytes << 10) }
        let pieces = try keepAll(.length(count * kibibytes << 10), of: Reads([Self.head] + packets))
        #expect(memory(of: pieces) <= 2 * count * kibibytes << 10)
        // Later bytes have not overwritten kept pieces.
        #expect(pieces.reduce(into: [UInt8]()) { $0 += $1 } == packets.reduce(into: []) { $0 += $1 })
    }

    @Test("the buffer shrinks again if the reads bring single bytes after a burst")
    func shrinking() throws {
        let burst = [[UInt8](repeating: 1, count: 4 << 20)]
        let stream = Reads([Self.head] + burst + Array(repeating: [2], count: 100))
        var responseReader = ResponseReader(limits: HTTP1Limits())
        var interest = Interest.read
        _ = try responseReader.nextHead(from: stream, orWaitFor: &interest)
        responseReader.beginBody(.untilClose)
        var largest = 0
        while case .piece = try responseReader.nextPiece(from: stream) { largest = max(largest, stream.lastRoom) }
        #expect(largest == ReceiveBuffer.largest)
        #expect(stream.lastRoom <= 16 << 10)
    }

    @Test("a small response uses one block, and a large one whose pieces are released at most two")
    func noCopies() throws {
        var responseReader = ResponseReader(limits: HTTP1Limits())
        var interest = Interest.read
        let whole = Reads([Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)])
        let head = try #require(try responseReader.nextHead(from: whole, orWaitFor: &interest))
        responseReader.beginBody(.length(2))
        let body = responseReader.bufferedBody()
        #expect(body.storage === head.bytes.storage)

        let large = Reads([Self.head] + Array(repeating: [UInt8](repeating: 1, count: 200_000), count: 20))
        responseReader = ResponseReader(limits: HTTP1Limits())
        _ = try responseReader.nextHead(from: large, orWaitFor: &interest)
        responseReader.beginBody(.length(4_000_000))
        var blocks: Set<ObjectIdentifier> = []
        while case .piece(let piece) = try responseReader.nextPiece(from: large) {
            if let block = piece.storage { blocks.insert(ObjectIdentifier(block)) }
        }
        #expect(blocks.count <= 2)
    }
}
