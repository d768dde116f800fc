#if Images
/// The structure of PNG (Portable Network Graphics Specification, third edition): a signature, then chunks.
enum PNGStructure: ImageStructure {
    /// The largest side in pixels and the largest length of a chunk in bytes.
    private static let largest = 0x7FFF_FFFF

    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        let size = try imageHeader(reader)
        var info = ImageInfo(.png, [size], frameCount: 1)
        // Looks for the chunks acTL and eXIf. Both must precede the first IDAT chunk, where the pixels start.
        var chunk = Chunk(offset: 33)
        while try !reader.has("IDAT", at: chunk.offset + 4) {
            guard try !reader.has("IEND", at: chunk.offset + 4) else { throw reader.malformed("there are no pixels") }
            let length = try chunk.length(reader)
            if try reader.has("acTL", at: chunk.offset + 4) {
                let frames = try reader.big32(chunk.offset + 8)
                guard length == 8, frames > 0 else { throw reader.malformed("acTL has an invalid value") }
                info.frameCount = frames
            } else if try reader.has("eXIf", at: chunk.offset + 4) {
                let fields = try reader.part(chunk.offset + 8, chunk.offset + 8 + length)
                info.orientation = ExifOrientation.read(fields)
            }
            try chunk.advance(reader)
        }
        return info
    }

    /// Parses the size from the first chunk, and checks its other fields.
    static func imageHeader(_ reader: ImageReader) throws(ImageError) -> ImageInfo.Size {
        guard try reader.has("IHDR", at: 12), try reader.big32(8) == 13 else {
            throw reader.malformed("the first chunk is not IHDR")
        }
        let size = ImageInfo.Size(width: try reader.big32(16), height: try reader.big32(20))
        let depths: [UInt8]
        switch try reader.byte(25) {
        case 0: depths = [1, 2, 4, 8, 16]
        case 2, 4, 6: depths = [8, 16]
        case 3: depths = [1, 2, 4, 8]
        default: depths = []
        }
        guard depths.contains(try reader.byte(24)), try reader.byte(26) == 0, try reader.byte(27) == 0,
            try reader.byte(28) <= 1, size.width <= largest, size.height <= largest
        else { throw reader.malformed("IHDR has an invalid value") }
        return size
    }

    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo {
        var frames = 0
        var isAnimated = false
        var chunk = Chunk(offset: 8)
        while try !reader.has("IEND", at: chunk.offset + 4) {
            if try reader.has("acTL", at: chunk.offset + 4) { isAnimated = true }
            if try reader.has("fcTL", at: chunk.offset + 4) {
                frames += 1
                try checkFrame(chunk.offset + 8, header.size, reader)
            }
            try chunk.advance(reader)
        }
        try reader.require(chunk.offset + 12)
        guard !isAnimated || frames == header.frameCount else {
            throw reader.malformed("acTL announces \(header.frameCount ?? 0) frames, but the file has \(frames)")
        }
        return header
    }

    private static func checkFrame(_ offset: Int, _ size: ImageInfo.Size, _ reader: ImageReader) throws(ImageError) {
        let (width, height) = (try reader.big32(offset + 4), try reader.big32(offset + 8))
        let (left, top) = (try reader.big32(offset + 12), try reader.big32(offset + 16))
        guard width > 0, height > 0, left + width <= size.width, top + height <= size.height else {
            throw reader.malformed("a frame is empty or lies outside the canvas")
        }
    }

    private struct Chunk {
        var offset: Int

        func length(_ reader: ImageReader) throws(ImageError) -> Int {
            let length = try reader.big32(offset)
            guard length <= PNGStructure.largest else { throw reader.malformed("a chunk has an impossible length") }
            return length
        }

        /// Moves to the next chunk, past length, type, content and checksum.
        mutating func advance(_ reader: ImageReader) throws(ImageError) {
            offset += 12 + (try length(reader))
        }
    }
}
#endif
