import SockeyeHTTP1
import Testing

@Suite struct ChunkedEncoderTests {
    private func text(_ write: (UnsafeMutableRawBufferPointer) -> Int) -> String {
        withUnsafeTemporaryAllocation(byteCount: ChunkedEncoder.capacity, alignment: 1) { buffer in
            let count = write(buffer)
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    @Test("frames chunks with two pieces each")
    func chunks() {
        var encoder = ChunkedEncoder()
        #expect(text { encoder.prefix(forChunkOf: 5, into: $0) } == "5\r\n")
        #expect(text { encoder.prefix(forChunkOf: 0, into: $0) } == "")
        #expect(text { encoder.prefix(forChunkOf: 0x1AF, into: $0) } == "\r\n1af\r\n")
        #expect(text { encoder.prefix(forChunkOf: .max, into: $0) } == "\r\n7fffffffffffffff\r\n")
        #expect(text { encoder.end(into: $0) } == "\r\n0\r\n\r\n")
    }

    @Test("ends a body without chunks")
    func empty() {
        var encoder = ChunkedEncoder()
        #expect(text { encoder.end(into: $0) } == "0\r\n\r\n")
    }

    @Test("writes sizes that its own decoder reads", arguments: [1, 9, 10, 15, 16, 255, 256, 4_095, 65_536])
    func sizes(size: Int) throws {
        var encoder = ChunkedEncoder()
        let prefix = text { encoder.prefix(forChunkOf: size, into: $0) }
        var decoder = ChunkedDecoder()
        #expect(try decoder.decode(Array(prefix.utf8).span) == .needMore(consumed: prefix.utf8.count))
        #expect(decoder.expected == size)
    }

    @Test("writes trailers behind the last chunk")
    func trailers() throws {
        var encoder = ChunkedEncoder()
        _ = text { encoder.prefix(forChunkOf: 1, into: $0) }
        let end = try encoder.end(trailers: ["X-Sum": "1", "Content-Digest": "2"])
        #expect(String(decoding: end, as: UTF8.self) == "\r\n0\r\nX-Sum: 1\r\nContent-Digest: 2\r\n\r\n")
    }

    /// RULES 2, 8.
    @Test(
        "refuses trailers that decide about the message, and bad ones",
        arguments: [
            ("Transfer-Encoding", "x", RequestFault.forbiddenTrailer("transfer-encoding")),
            ("content-length", "1", .forbiddenTrailer("Content-Length")),
            ("Trailer", "x", .forbiddenTrailer("Trailer")),
            ("Host", "x", .forbiddenTrailer("Host")), ("Authorization", "x", .forbiddenTrailer("Authorization")),
            ("Cookie", "x", .forbiddenTrailer("Cookie")), ("Content-Type", "x", .forbiddenTrailer("Content-Type")),
            ("A B", "x", .invalidFieldName("A B")), ("A", "x\r\nB: y", .invalidFieldValue("A")),
            ("Host\r", "x", .invalidFieldName("Host\r")), ("", "x", .invalidFieldName("")),
        ])
    func badTrailers(name: String, value: String, fault: RequestFault) {
        var encoder = ChunkedEncoder()
        #expect(throws: fault) { try encoder.end(trailers: [FieldName(name): value]) }
    }
}
