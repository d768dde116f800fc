import CSockeyeSystem
import SockeyeTransport

/// The size line of one chunk, on the stack, and the vectors that send it with its data and the CRLF behind.
struct ChunkPrefix {
    private var text = InlineArray<20, UInt8>(repeating: 0)
    private(set) var count: Int

    /// Sixteen digits are enough for any size; CRLF follows.
    init(count size: Int) {
        var digits = 1
        while digits < 16, size >> (4 * digits) != 0 { digits += 1 }
        for position in 0..<digits {
            let nibble = UInt8(truncatingIfNeeded: size >> (4 * (digits - 1 - position))) & 15
            text[position] = nibble < 10 ? 0x30 + nibble : 0x61 - 10 + nibble
        }
        text[digits] = 0x0D
        text[digits + 1] = 0x0A
        count = digits + 2
    }

    /// Writes what is left of prefix, data and CRLF behind the first `offset` bytes, in one call.
    func write(to stream: any ByteStream, content: UnsafeRawBufferPointer, from offset: Int) -> Transfer {
        withUnsafeBytes(of: text) { text in
            withUnsafeTemporaryAllocation(of: iovec.self, capacity: 3) { vectors in
                var skip = offset
                var used = 0
                func add(_ bytes: UnsafeRawBufferPointer) {
                    let skipped = min(skip, bytes.count)
                    skip -= skipped
                    guard skipped < bytes.count else { return }
                    let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress! + skipped)
                    vectors[used] = iovec(iov_base: start, iov_len: bytes.count - skipped)
                    used += 1
                }
                add(UnsafeRawBufferPointer(rebasing: text[..<count]))
                add(content)
                add(UnsafeRawBufferPointer(rebasing: text[(count - 2)..<count]))
                return stream.write(vectors: UnsafeBufferPointer(rebasing: vectors[..<used]))
            }
        }
    }
}
