import SockeyeCore
import SockeyeNet
import Testing

@testable import SockeyeEngine

@Suite("Room of the receive buffer") struct ReceiveBufferRoomTests {
    @Test(
        "the room is bounded whatever length a peer announces",
        arguments: [
            0, 1, 1 << 31, 1 << 53, 1 << 62, .max - 65, .max - 64, .max - 63, .max - 1, .max,
        ])
    func announced(length: Int) {
        var buffer = ReceiveBuffer()
        buffer.expect(length)
        let stream = Reads([[1]])
        _ = buffer.fill(from: stream)
        #expect(buffer.count == 1)
        #expect(stream.roomOfReads.allSatisfy { 1...ReceiveBuffer.largestExpected ~= $0 })
    }

    @Test("the buffer grows with unconsumed bytes and keeps their order")
    func growth() {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let stream = Reads(bytes, by: 3000)
        var buffer = ReceiveBuffer()
        while case .bytes = buffer.fill(from: stream) {}
        #expect(buffer.count == bytes.count && Array(buffer.bytes) == bytes)
    }

    @Test("the buffer does not overwrite bytes of slices that are still held")
    func slices() {
        let stream = Reads((0..<50).map { [UInt8](repeating: $0, count: 700) })
        var buffer = ReceiveBuffer()
        var kept: [Bytes] = []
        while case .bytes(let count) = buffer.fill(from: stream) {
            kept.append(buffer.slice(0..<buffer.count))
            buffer.consume(buffer.count)
            #expect(count <= 700)
        }
        #expect(Bytes(kept.joined()) == Bytes((0..<50).flatMap { [UInt8](repeating: $0, count: 700) }))
    }

    @Test("the buffer stays one block while no slice is kept")
    func reuse() {
        let stream = Reads((0..<100).map { [UInt8](repeating: $0, count: 1000) })
        var buffer = ReceiveBuffer()
        var blocks: Set<ObjectIdentifier> = []
        while case .bytes = buffer.fill(from: stream) {
            if let block = buffer.bytes.storage { blocks.insert(ObjectIdentifier(block)) }
            buffer.consume(buffer.count)
        }
        #expect(blocks.count == 1)
    }
}
