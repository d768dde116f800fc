#if Images
import SockeyeCore

/// The structure of Windows bitmaps (BITMAPFILEHEADER and one of the BITMAP*HEADERs) and OS/2 bitmaps.
enum BMPStructure: ImageStructure {
    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        let bitmap = try Bitmap.read(reader, at: 14)
        return ImageInfo(.bmp, [bitmap.size], frameCount: 1)
    }

    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo {
        let bitmap = try Bitmap.read(reader, at: 14)
        let pixels = try reader.little32(10)
        guard pixels >= 14 else { throw reader.malformed("the offset of the pixels points into the file header") }
        try reader.require(pixels.addingSaturated(bitmap.pixelLength))
        return header
    }

    /// A bitmap header, as in bitmap files and icons.
    struct Bitmap {
        let size: ImageInfo.Size
        /// The number of bytes of the pixels; 0 if a compressed bitmap does not state it.
        let pixelLength: Int

        static func read(_ reader: ImageReader, at offset: Int) throws(ImageError) -> Bitmap {
            let length = try reader.little32(offset)
            if length == 12 { return try core(reader, at: offset) }
            guard [16, 40, 52, 56, 64, 108, 124].contains(length) else {
                throw reader.malformed("the bitmap header has the unknown length \(length)")
            }
            let width = Int(Int32(truncatingIfNeeded: try reader.little32(offset + 4)))
            // The field is negative if the rows are stored top down.
            let height = Int(Int32(truncatingIfNeeded: try reader.little32(offset + 8))).magnitude
            guard width >= 0 else { throw reader.malformed("the width is negative") }
            let size = ImageInfo.Size(width: width, height: Int(height))
            let depth = try depth(reader, offset + 12)
            let compression = length == 16 ? 0 : try reader.little32(offset + 16)
            // The values 0 (none), 3 (BITFIELDS) and 6 (ALPHABITFIELDS) mean uncompressed pixels. But in the 64-byte
            // header of OS/2 2.0, 3 means a Huffman coding.
            let isPlain = [0, 6].contains(compression) || compression == 3 && length != 64
            let pixelLength = isPlain ? plainLength(size, depth) : try reader.little32(offset + 20)
            return Bitmap(size: size, pixelLength: pixelLength)
        }

        /// Parses the oldest header, with 16-bit sides.
        private static func core(_ reader: ImageReader, at offset: Int) throws(ImageError) -> Bitmap {
            let size = ImageInfo.Size(width: try reader.little16(offset + 4), height: try reader.little16(offset + 6))
            return Bitmap(size: size, pixelLength: plainLength(size, try depth(reader, offset + 8)))
        }

        /// Reads the bits per pixel. The number of planes precedes them and must be 1.
        private static func depth(_ reader: ImageReader, _ offset: Int) throws(ImageError) -> Int {
            let depth = try reader.little16(offset + 2)
            guard try reader.little16(offset) == 1, [0, 1, 2, 4, 8, 16, 24, 32].contains(depth) else {
                throw reader.malformed("the number of planes or the bits per pixel are invalid")
            }
            return depth
        }

        /// Returns the number of bytes of uncompressed pixels. If the number overflows, returns half of `Int.max`,
        /// which is more than any file has. Rows are padded to four bytes. Sides have at most 32 bits, so a row cannot
        /// overflow.
        private static func plainLength(_ size: ImageInfo.Size, _ depth: Int) -> Int {
            let row = (size.width * depth + 31) / 32 * 4
            let (length, overflows) = row.multipliedReportingOverflow(by: size.height)
            return overflows ? Int.max / 2 : length
        }
    }
}
#endif
