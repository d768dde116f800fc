import HTTPTypes
import SockeyeHTTP
import Testing

@Suite struct BodyDecoderTests {
    @Test("the decoder stops at a known length and leaves the rest")
    func length() throws {
        var decoder = BodyDecoder(.length(5))
        #expect(decoder.expected == 5)
        #expect(try decoder.decode([1, 2].span) == .data(0..<2))
        #expect(decoder.expected == 3)
        #expect(try decoder.decode([UInt8]().span) == .needMore(consumed: 0))
        #expect(!decoder.isFinished)
        #expect(try decoder.decode([3, 4, 5, 6].span) == .data(0..<3))
        #expect(decoder.isFinished)
        #expect(try decoder.decode([6].span) == .end(consumed: 0))
        #expect(decoder.received == 5)
        try decoder.endOfStream()
    }

    @Test("the decoder is finished at once if there is no body", arguments: [BodyFraming.none, .length(0)])
    func nothing(framing: BodyFraming) throws {
        var decoder = BodyDecoder(framing)
        #expect(decoder.isFinished)
        #expect(try decoder.decode([1].span) == .end(consumed: 0))
    }

    @Test(
        "the decoder of a tunnel or of a body without length reads to the end of the connection",
        arguments: [BodyFraming.untilClose, .tunnel])
    func untilClose(framing: BodyFraming) throws {
        var decoder = BodyDecoder(framing)
        #expect(try decoder.decode([1, 2].span) == .data(0..<2))
        #expect(decoder.expected == nil)
        #expect(!decoder.isFinished)
        try decoder.endOfStream()
        #expect(decoder.isFinished)
    }

    /// RFC 9112 8.
    @Test("the decoder reports an early end of the connection as a truncation")
    func truncation() throws {
        var length = BodyDecoder(.length(5))
        _ = try length.decode([1, 2].span)
        #expect(throws: PeerFault.truncatedBody(received: 2, expected: 5)) { try length.endOfStream() }
        var chunked = BodyDecoder(.chunked)
        _ = try chunked.decode(Array("5\r\nab".utf8).span)
        #expect(throws: PeerFault.truncatedBody(received: 2, expected: nil)) { try chunked.endOfStream() }
    }

    @Test("the decoder returns trailers after the last chunk")
    func trailers() throws {
        var decoder = BodyDecoder(.chunked)
        #expect(decoder.trailerFields.isEmpty)
        #expect(try decoder.decode(Array("0\r\nA: b\r\nHost: c\r\n\r\n".utf8).span) == .end(consumed: 20))
        #expect(decoder.isFinished)
        #expect(decoder.trailerFields.map { "\($0.name): \($0.value)" } == ["A: b"])
        #expect(decoder.receivedTrailerFields.map { "\($0.name): \($0.value)" } == ["A: b", "Host: c"])
        try decoder.endOfStream()
    }
}
