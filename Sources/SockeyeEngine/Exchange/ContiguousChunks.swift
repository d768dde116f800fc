/// Access to the memory of several collections at once.
enum ContiguousChunks {
    /// Calls `body` once, with the buffers of all chunks. Nests one closure per chunk, because each address is valid
    /// only inside its closure. Only chunks that are not contiguous are copied, for the duration of `body`.
    static func withBytes<Chunks: Collection, Result>(
        of chunks: Chunks, _ body: (UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Result
    ) -> Result where Chunks.Element: Collection<UInt8> {
        unsafe withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: chunks.count) { parts in
            unsafe lend(chunks, from: chunks.startIndex, into: parts, at: 0, body)
        }
    }

    private static func lend<Chunks: Collection, Result>(
        _ chunks: Chunks, from position: Chunks.Index, into parts: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>,
        at index: Int, _ body: (UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Result
    ) -> Result where Chunks.Element: Collection<UInt8> {
        guard position < chunks.endIndex else { return unsafe body(UnsafeBufferPointer(rebasing: parts[..<index])) }
        func goOn(_ bytes: UnsafeRawBufferPointer) -> Result {
            unsafe parts[index] = unsafe bytes
            return unsafe lend(chunks, from: chunks.index(after: position), into: parts, at: index + 1, body)
        }
        let chunk = chunks[position]
        let result = chunk.withContiguousStorageIfAvailable { unsafe goOn(UnsafeRawBufferPointer($0)) }
        return unsafe result ?? Array(chunk).withUnsafeBytes(goOn)
    }
}
