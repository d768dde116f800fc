import SockeyeHTTP
import SockeyeNet
import SockeyePlatform

/// The framing of one chunk, on the stack. Sends the framing and the data in one call.
struct ChunkFrame {
    /// The size line with its CRLF. The bytes of this CRLF are sent a second time as the CRLF after the data.
    private var text = InlineArray<18, UInt8>(repeating: 0)
    /// The length of the size line with its CRLF.
    private(set) var prefixCount = 0

    init(size: Int) {
        prefixCount = unsafe withUnsafeMutableBytes(of: &text) {
            unsafe ChunkedEncoder.prefix(forChunkOf: size, into: $0)
        }
    }

    /// The number of framing bytes.
    var overhead: Int { prefixCount + 2 }

    /// Writes size line, data and CRLF, except for the first `offset` bytes. The data may be in several places.
    func write(
        to stream: any ByteStream, contents: UnsafeBufferPointer<UnsafeRawBufferPointer>, from offset: Int
    ) -> Transfer {
        unsafe withUnsafeBytes(of: text) { text in
            VectorWriter.write(to: stream, count: contents.count + 2, from: offset) { writer in
                unsafe writer.add(UnsafeRawBufferPointer(rebasing: text[..<prefixCount]))
                for index in contents.indices { unsafe writer.add(contents[index]) }
                unsafe writer.add(UnsafeRawBufferPointer(rebasing: text[(prefixCount - 2)..<prefixCount]))
            }
        }
    }
}

/// The vectors of a gathering write (sendmsg(2)), without the bytes that were already sent.
@safe struct VectorWriter: ~Copyable {
    private let vectors: UnsafeMutableBufferPointer<IOVector>
    /// The number of bytes that the next calls of ``add(_:)`` leave out, because these bytes were already sent.
    private var skip: Int
    private var used = 0

    private init(_ vectors: UnsafeMutableBufferPointer<IOVector>, skip: Int) {
        unsafe self.vectors = unsafe vectors
        self.skip = skip
    }

    /// Adds the unsent part of `bytes`. They must stay in place until the write.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let skipped = min(skip, bytes.count)
        skip -= skipped
        guard skipped < bytes.count else { return }
        unsafe vectors[used] = unsafe IOVector(UnsafeRawBufferPointer(rebasing: bytes[skipped...]))
        used += 1
    }

    /// Writes the pieces that `fill` adds, except for the first `offset` bytes of all pieces together. `fill` must add
    /// at most `count` pieces.
    static func write(
        to stream: any ByteStream, count: Int, from offset: Int, _ fill: (inout VectorWriter) -> Void
    ) -> Transfer {
        unsafe withUnsafeTemporaryAllocation(of: IOVector.self, capacity: count) { vectors in
            var writer = unsafe VectorWriter(vectors, skip: offset)
            fill(&writer)
            return unsafe stream.write(vectors: UnsafeBufferPointer(rebasing: vectors[..<writer.used]))
        }
    }
}
