#if Images
/// The structure of GIF (Graphics Interchange Format, version 89a): a screen descriptor, then blocks up to a trailer.
enum GIFStructure: ImageStructure {
    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        let size = ImageInfo.Size(width: try reader.little16(6), height: try reader.little16(8))
        guard size.width == 0 || size.height == 0 else { return ImageInfo(.gif, [size], frameCount: nil) }
        // Some encoders leave the screen size 0; then the first frame's size is used, as in browsers.
        var position = try blocks(reader)
        while let block = try nextBlock(reader, &position) {
            guard block.isImage else { continue }
            return ImageInfo(.gif, [block.size], frameCount: nil)
        }
        return ImageInfo(.gif, [size], frameCount: nil)
    }

    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo {
        var info = header
        var frames = 0
        var position = try blocks(reader)
        while let block = try nextBlock(reader, &position) {
            guard block.isImage else { continue }
            frames += 1
            guard frames <= limits.maximumFrames else { throw ImageError(tooManyFrames: .gif, limits) }
        }
        guard frames > 0 else { throw reader.malformed("there is no frame") }
        info.frameCount = frames
        return info
    }

    private struct Block {
        let isImage: Bool
        let size: ImageInfo.Size
    }

    /// The offset of the first block, after the global colour table.
    private static func blocks(_ reader: ImageReader) throws(ImageError) -> Int {
        13 + colourTableLength(try reader.byte(10))
    }

    private static func colourTableLength(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 0x07) + 1)
    }

    /// Returns the block at `position` and advances `position` past it; nil for the trailer.
    private static func nextBlock(_ reader: ImageReader, _ position: inout Int) throws(ImageError) -> Block? {
        switch try reader.byte(position) {
        case 0x3B: return nil
        case 0x21:
            position = try skipSubBlocks(reader, position + 2)
            return Block(isImage: false, size: ImageInfo.Size(width: 0, height: 0))
        case 0x2C:
            let size = ImageInfo.Size(
                width: try reader.little16(position + 5), height: try reader.little16(position + 7))
            // The sub-blocks follow the image descriptor, its colour table and one byte with the LZW code size.
            let start = position + 10 + colourTableLength(try reader.byte(position + 9)) + 1
            position = try skipSubBlocks(reader, start)
            return Block(isImage: true, size: size)
        default: throw reader.malformed("a block has an unknown type")
        }
    }

    private static func skipSubBlocks(_ reader: ImageReader, _ start: Int) throws(ImageError) -> Int {
        var position = start
        while true {
            let length = try reader.byte(position)
            position += 1 + Int(length)
            if length == 0 { return position }
        }
    }
}
#endif
