#if DiskCache
import SockeyeCore

/// The layout of a body file: blocks of content, each followed by its ``EntryChecksum``, similar to dm-verity.
///
/// ```
/// block 0: 256 KiB │ checksum │ block 1: 256 KiB │ checksum │ … │ last block: 1 byte or more │ checksum
/// ```
///
/// Every range can thus be verified in constant memory before it is delivered. A wrong length of the file shows that
/// content is missing.
struct BlockLayout: Equatable {
    static let blockSize = 256 << 10

    /// The largest length of content in bytes: one PiB. The store never writes a larger number to the database.
    static let longest = 1 << 50

    /// The number of bytes of content, clamped to 0...``longest``, because a damaged row of the database may have any
    /// number.
    let length: Int

    init(length: Int) {
        self.length = min(max(0, length), Self.longest)
    }

    var blockCount: Int { (length + Self.blockSize - 1) / Self.blockSize }
    var fileSize: Int { length + blockCount * EntryChecksum.size }

    /// Returns the positions of a block's content within the whole content.
    func content(of block: Int) -> Range<Int> {
        let start = block * Self.blockSize
        return start..<min(start + Self.blockSize, length)
    }

    static func block(of position: Int) -> Int { position / blockSize }

    static func filePosition(of block: Int) -> Int { block * (blockSize + EntryChecksum.size) }
}
#endif
