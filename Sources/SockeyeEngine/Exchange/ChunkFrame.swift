import SockeyeHTTP
import SockeyeNet
import SockeyePlatform

/// What goes around the data of one chunk, on the stack, and the vectors that send it with the data in one call.
struct ChunkFrame {
    /// The size line, then its CRLF, whose bytes serve behind the data as well.
    private var text = InlineArray<18, UInt8>(repeating: 0)
    private(set) var prefixCount = 0

    init(size: Int) {
        prefixCount = unsafe withUnsafeMutableBytes(of: &text) {
            unsafe ChunkedEncoder.prefix(forChunkOf: size, into: $0)
        }
    }

    /// The bytes around the data.
    var overhead: Int { prefixCount + 2 }

    /// Writes what is left of size line, data and CRLF behind the first `offset` bytes.
    func write(to stream: any ByteStream, content: UnsafeRawBufferPointer, from offset: Int) -> Transfer {
        unsafe withUnsafeBytes(of: text) { text in
            unsafe withUnsafeTemporaryAllocation(of: IOVector.self, capacity: 3) { vectors in
                var skip = offset
                var used = 0
                func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
                    let skipped = unsafe min(skip, bytes.count)
                    skip -= skipped
                    guard unsafe skipped < bytes.count else { return }
                    unsafe vectors[used] = unsafe IOVector(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped)))
                    used += 1
                }
                unsafe add(text[..<prefixCount])
                unsafe add(content[...])
                unsafe add(text[(prefixCount - 2)..<prefixCount])
                return unsafe stream.write(vectors: UnsafeBufferPointer(rebasing: vectors[..<used]))
            }
        }
    }
}
