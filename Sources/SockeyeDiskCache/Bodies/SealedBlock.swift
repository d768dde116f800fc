#if DiskCache
import SockeyeCore

/// A block of content with its ``Seal``.
struct SealedBlock: Sendable {
    let number: Int
    let content: Bytes
    let seal: Bytes

    /// - Parameter id: The id of the response.
    init(_ content: Bytes, number: Int, id: String) throws(Seal.Failure) {
        self.number = number
        self.content = content
        seal = try Seal.of(content: content, block: number, id: id)
    }
}
#endif
