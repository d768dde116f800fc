package import SockeyeCore

extension ContentEncoder {
    /// Encodes a body that is in memory, so that its coded length is known before the head is sent.
    package static func encode(_ body: Bytes, as coding: ContentCoding, level: Int = 6) throws(CodecError) -> Bytes {
        let encoder = try ContentEncoder(coding, level: level)
        encoder.push(body)
        encoder.finish()
        var pieces: [Bytes] = []
        while let piece = try encoder.next() { pieces.append(piece) }
        return pieces.count == 1 ? pieces[0].compacted() : Bytes(joining: pieces)
    }
}
