import SockeyeCore
import SockeyeHTTP
import Testing

@Suite struct ContentEncoderTests {
    private func stream(_ chunks: [Bytes], _ coding: ContentCoding, level: Int = 6) throws -> Bytes {
        let encoder = try ContentEncoder(coding, level: level)
        var coded: [UInt8] = []
        for chunk in chunks {
            encoder.push(chunk)
            while let piece = try encoder.next() { coded.append(contentsOf: piece) }
        }
        encoder.finish()
        while let piece = try encoder.next() {
            #expect(piece.count <= 64 << 10)
            coded.append(contentsOf: piece)
        }
        #expect(try encoder.next() == nil)
        return Bytes(coded)
    }

    @Test(
        "the encoder's output decodes to the same body, however the input is cut",
        arguments: [ContentCoding.identity, .gzip, .deflate], [0, 1, 6, 9])
    func roundTrip(coding: ContentCoding, level: Int) throws {
        var generator = BodyGenerator(state: UInt64(level))
        for body in [Bytes(), Bytes("x"), ContentDecoderTests.text, generator.body(upTo: 70_000)] {
            let whole = try stream([body], coding, level: level)
            let cut = try stream(body.inChunks(of: 1999), coding, level: level)
            #expect(try decode([whole], [coding]) == body)
            #expect(try decode([cut], [coding]) == body)
            #expect(try decode([ContentEncoder.encode(body, as: coding, level: level)], [coding]) == body)
        }
    }

    @Test("the encoder writes header and checksum even for an empty body, and the zlib form for deflate")
    func containers() throws {
        #expect(try ContentEncoder.encode(Bytes(), as: .gzip).count == 20)
        #expect(try ContentEncoder.encode(Bytes(), as: .deflate).count == 8)
        let deflate = try ContentEncoder.encode(Bytes("x"), as: .deflate)
        #expect(deflate[0] == 0x78)
        #expect(deflate[1] == 0x9C)
    }

    @Test("the encoder refuses a level that does not exist", arguments: [-1, 10, .min, .max])
    func levels(level: Int) {
        #expect(throws: CodecError.misuse) { try ContentEncoder(.gzip, level: level) }
    }

    @Test("streams that zlib refuses to make are freed once")
    func refusedStreams() {
        for _ in 0..<16 {
            #expect(throws: CodecError.misuse) { try Deflater(rawWindowBits: 15, level: 10) }
            #expect(throws: CodecError.self) { try Inflater(rawWindowBits: 20) }
        }
    }

    @Test("the encoder refuses input after its end")
    func afterEnd() throws {
        let encoder = try ContentEncoder(.gzip)
        encoder.finish()
        encoder.finish()
        encoder.push(Bytes("late"))
        #expect(throws: CodecError.misuse) { try encoder.next() }
    }
}
