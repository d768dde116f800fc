import SockeyeNet

/// Some bytes of a request on their way, and how far they have got: part of the head, plain content, or a chunk with its
/// frame around it.
struct OutgoingPiece {
    private let frame: ChunkFrame?
    /// Where the content lies among all the bytes. Empty for what only frames it.
    private let content: Range<Int>
    private let total: Int
    private var sent = 0

    /// Bytes that are no content: of the head, or behind the body.
    init(framing count: Int) {
        frame = nil
        content = 0..<0
        total = count
    }

    /// Content as it is.
    init(content count: Int) {
        frame = nil
        content = 0..<count
        total = count
    }

    /// Content that goes as one chunk.
    init(chunk count: Int) {
        let frame = ChunkFrame(size: count)
        self.frame = frame
        content = frame.prefixCount..<(frame.prefixCount + count)
        total = count + frame.overhead
    }

    var isSent: Bool { sent == total }

    /// Writes what is left, or a prefix of it. `contents` are those that the piece was made for. Says how much of the content
    /// went out, too.
    mutating func write(
        _ contents: UnsafeBufferPointer<UnsafeRawBufferPointer>, to stream: any ByteStream
    ) -> (Transfer, content: Int) {
        let transfer =
            if let frame {
                unsafe frame.write(to: stream, contents: contents, from: sent)
            } else if contents.count == 1 {
                unsafe stream.write(UnsafeRawBufferPointer(rebasing: contents[0][sent...]))
            } else {
                VectorWriter.write(to: stream, count: contents.count, from: sent) { writer in
                    for index in contents.indices { unsafe writer.add(contents[index]) }
                }
            }
        guard case .bytes(let count) = transfer else { return (transfer, 0) }
        let moved = (sent..<(sent + count)).clamped(to: content)
        sent += count
        return (transfer, moved.count)
    }
}
