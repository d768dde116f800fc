#if DiskCache
import SockeyeCore

/// The layout of a body file: blocks of content, each followed by its ``EntryChecksum``, similar to dm-verity.
///
/// ```
/// block 0: 256 KiB │ checksum │ block 1: 256 KiB │ checksum │ … │ last block: 1 byte or more │ checksum
/// ```
///
/// Every range can thus be verified in constant memory before it is delivered. A file whose length is not ``fileSize``
/// is damaged.
struct BlockLayout: Equatable {
    static let blockSize = 256 << 10

    /// The largest length of content in bytes: one PiB.
    static let longest = 1 << 50

    /// The number of bytes of content, clamped to 0...``longest``. The clamp matters only for a damaged row of the
    /// database, which may have any number.
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
