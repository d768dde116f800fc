/// The memory of several collections at once.
enum ContiguousChunks {
    /// Lends the bytes of each chunk, where they are: one closure within another for each, as their addresses hold no longer. What
    /// is not contiguous is copied for as long as `body` runs.
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
