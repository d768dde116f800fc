import SockeyeNet

/// A piece of a request, with its sending progress. The piece is a part of the head, plain content, a chunk with its
/// frame, or the last chunk with the trailer section.
struct OutgoingPiece {
    private let frame: ChunkFrame?
    /// The range of the content within all bytes of the piece. Empty if the piece is only framing.
    private let content: Range<Int>
    /// The number of all bytes of the piece, framing included.
    private let total: Int
    /// The number of the piece's bytes that were sent.
    private var sent = 0

    /// A piece that counts as framing: the part of the head that the first write of the request did not send, or the
    /// last chunk with the trailer section.
    init(framing count: Int) {
        frame = nil
        content = 0..<0
        total = count
    }

    /// Plain content.
    init(content count: Int) {
        frame = nil
        content = 0..<count
        total = count
    }

    /// Content that is sent as one chunk.
    init(chunk count: Int) {
        let frame = ChunkFrame(size: count)
        self.frame = frame
        content = frame.prefixCount..<(frame.prefixCount + count)
        total = count + frame.overhead
    }

    var isSent: Bool { sent == total }

    /// Writes as much of the unsent part of the piece as the stream accepts. Returns the result of the write and the
    /// number of content bytes that it sent.
    ///
    /// - Parameter contents: All bytes of the piece, without the frame of a chunk, in one or more buffers. Pass the
    ///   same bytes in each call, also those already sent.
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
