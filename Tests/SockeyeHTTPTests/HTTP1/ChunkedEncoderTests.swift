import SockeyeHTTP
import Testing

@Suite struct ChunkedEncoderTests {
    private func text(_ write: (UnsafeMutableRawBufferPointer) -> Int) -> String {
        unsafe withUnsafeTemporaryAllocation(byteCount: ChunkedEncoder.capacity, alignment: 1) { buffer in
            let count = unsafe write(buffer)
            return unsafe String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    @Test(
        "the encoder writes the size before a chunk, and nothing for an empty one, which would end the body",
        arguments: [(5, "5\r\n"), (0, ""), (0x1AF, "1af\r\n"), (.max, "7fffffffffffffff\r\n")])
    func chunks(size: Int, expected: String) {
        unsafe #expect(text { unsafe ChunkedEncoder.prefix(forChunkOf: size, into: $0) } == expected)
    }

    @Test("the encoder ends a body without trailers")
    func empty() throws {
        #expect(try ChunkedEncoder.end(trailers: [:]) == Array("0\r\n\r\n".utf8))
    }

    @Test(
        "the decoder reads the sizes that the encoder writes", arguments: [1, 9, 10, 15, 16, 255, 256, 4_095, 65_536])
    func sizes(size: Int) throws {
        let prefix = unsafe text { unsafe ChunkedEncoder.prefix(forChunkOf: size, into: $0) }
        var decoder = ChunkedDecoder()
        #expect(try decoder.decode(Array(prefix.utf8).span) == .needMore(consumed: prefix.utf8.count))
        #expect(decoder.expected == size)
    }

    @Test("the encoder writes trailers after the last chunk")
    func trailers() throws {
        let end = try ChunkedEncoder.end(trailers: ["X-Sum": "1", "Content-Digest": "2"])
        #expect(String(decoding: end, as: UTF8.self) == "0\r\nX-Sum: 1\r\nContent-Digest: 2\r\n\r\n")
    }

    /// RFC 9110 5.5 and 6.5.1.
    @Test(
        "the encoder refuses malformed and forbidden trailers",
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
        #expect(throws: fault) { try ChunkedEncoder.end(trailers: [Headers.Name(name): value]) }
    }
}
