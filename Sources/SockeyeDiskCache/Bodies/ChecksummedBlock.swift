#if DiskCache
import SockeyeCore

/// A block of content with its ``EntryChecksum``.
struct ChecksummedBlock: Sendable {
    let number: Int
    let content: Bytes
    let checksum: Bytes

    /// - Parameter id: The id of the response.
    init(_ content: Bytes, number: Int, id: String) throws(EntryChecksum.Failure) {
        self.number = number
        self.content = content
        checksum = try EntryChecksum.of(content: content, block: number, id: id)
    }
}
#endif
