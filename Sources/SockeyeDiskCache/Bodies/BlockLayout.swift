#if DiskCache
import SockeyeCore

/// The layout of a body file: blocks of content, each with its ``Seal`` behind it (compare dm-verity).
///
/// ```
/// block 0: 256 KiB │ seal │ block 1: 256 KiB │ seal │ … │ last block: 1 byte or more │ seal
/// ```
///
/// So every range can be checked by itself before it is handed out, in constant memory, and the length of the file says
/// whether something is missing.
struct BlockLayout: Equatable {
    static let blockSize = 256 << 10

    /// The most bytes of content: a PiB. A larger number in a database was not written by this store.
    static let longest = 1 << 50

    /// The bytes of content, 0 to ``longest``: a damaged row may have any number.
    let length: Int

    init(length: Int) {
        self.length = min(max(0, length), Self.longest)
    }

    var blockCount: Int { (length + Self.blockSize - 1) / Self.blockSize }
    var fileSize: Int { length + blockCount * Seal.size }

    /// The content of a block, by its position in the whole.
    func content(of block: Int) -> Range<Int> {
        let start = block * Self.blockSize
        return start..<min(start + Self.blockSize, length)
    }

    static func block(of position: Int) -> Int { position / blockSize }

    static func filePosition(of block: Int) -> Int { block * (blockSize + Seal.size) }
}
#endif
