#if Images
import SockeyeCore

/// Decodes an uncompressed Windows or OS/2 bitmap of 1, 4, 8, 24 or 32 bits per pixel.
struct BMPDecoder {
    private let reader: ImageReader
    private let bytes: Bytes
    private let size: ImageInfo.Size
    private let layout: Layout

    /// The properties in the headers that decoding depends on.
    private struct Layout {
        /// The bits per pixel.
        var depth = 0
        /// The offset of the first stored row in the file.
        var pixels = 0
        /// True if the first stored row is the topmost one.
        var isTopDown = false
        /// Red, green, blue and alpha (always 255) of each index; up to 256 entries.
        var palette: [SIMD4<UInt8>] = []
        /// The byte offsets of red, green, blue and alpha in a pixel; `alpha` is nil if all pixels are opaque.
        var channels: (red: Int, green: Int, blue: Int, alpha: Int?) = (2, 1, 0, nil)
    }

    /// - Parameter size: The size in the header. The caller must have checked that the file has enough bytes for it.
    init(_ bytes: Bytes, _ size: ImageInfo.Size) throws(ImageError) {
        reader = ImageReader(bytes, format: .bmp)
        self.bytes = bytes
        self.size = size
        layout = try Self.layout(reader)
    }

    func decode() throws(ImageError) -> Bytes {
        // The caller has checked the size. This second check is a safeguard, because reading a missing byte would trap.
        let stride = (size.width * layout.depth + 31) / 32 * 4
        _ = try reader.byte(layout.pixels + stride * size.height - 1)
        return unsafe Bytes(count: size.width * size.height * 4) { target in
            for y in 0..<size.height {
                let row = layout.pixels + (layout.isTopDown ? y : size.height - 1 - y) * stride
                for x in 0..<size.width {
                    let pixel = pixel(row, x)
                    for index in 0..<4 { unsafe target[4 * (y * size.width + x) + index] = pixel[index] }
                }
            }
        }
    }

    private func pixel(_ row: Int, _ x: Int) -> SIMD4<UInt8> {
        guard layout.depth >= 24 else {
            let bit = x * layout.depth
            let shift = 8 - layout.depth - bit % 8
            let index = Int(bytes[row + bit / 8] >> UInt8(shift)) & (1 << layout.depth - 1)
            return index < layout.palette.count ? layout.palette[index] : SIMD4(0, 0, 0, 255)
        }
        let start = row + x * layout.depth / 8
        let channels = layout.channels
        return SIMD4(
            bytes[start + channels.red], bytes[start + channels.green], bytes[start + channels.blue],
            channels.alpha.map { bytes[start + $0] } ?? 255)
    }

    // MARK: The headers

    private static func layout(_ reader: ImageReader) throws(ImageError) -> Layout {
        var layout = Layout()
        let length = try reader.little32(14)
        // The oldest header, BITMAPCOREHEADER, has fields of 16 bits.
        let isCore = length == 12
        layout.pixels = try reader.little32(10)
        layout.depth = try reader.little16(isCore ? 24 : 28)
        layout.isTopDown = isCore ? false : Int32(truncatingIfNeeded: try reader.little32(22)) < 0
        guard [1, 4, 8, 24, 32].contains(layout.depth) else {
            throw ImageError(.unsupported, .bmp, "bitmaps of \(layout.depth) bits per pixel cannot be decoded")
        }
        let compression = isCore || length == 16 ? 0 : try reader.little32(30)
        switch compression {
        case 0: break
        // The values 3 (BITFIELDS) and 6 (ALPHABITFIELDS) mean uncompressed pixels with channel masks. But in the
        // 64-byte header of OS/2 2.0, 3 means a Huffman coding.
        case 3 where layout.depth == 32 && length != 64, 6 where layout.depth == 32:
            layout.channels = try channels(reader, hasAlpha: compression == 6 || length >= 56)
        default: throw ImageError(.unsupported, .bmp, "compressed bitmaps cannot be decoded")
        }
        if layout.depth <= 8 { layout.palette = try palette(reader, length, layout.depth) }
        return layout
    }

    /// Reads the position of each channel from its mask, which must select one whole byte of the pixel. If the mask of
    /// alpha does not, the pixels are opaque. The masks start at offset 54: right after a header of 40 bytes, or within
    /// a longer one.
    private static func channels(
        _ reader: ImageReader, hasAlpha: Bool
    ) throws(ImageError) -> (red: Int, green: Int, blue: Int, alpha: Int?) {
        func channel(_ index: Int) throws(ImageError) -> Int? {
            let mask = try reader.little32(54 + 4 * index)
            return [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000].firstIndex(of: mask)
        }
        guard let red = try channel(0), let green = try channel(1), let blue = try channel(2) else {
            throw ImageError(.unsupported, .bmp, "bitmaps with colour masks that are not whole bytes cannot be decoded")
        }
        return (red, green, blue, hasAlpha ? try channel(3) : nil)
    }

    /// Reads the palette, which follows the header of `length` bytes.
    private static func palette(
        _ reader: ImageReader, _ length: Int, _ depth: Int
    ) throws(ImageError) -> [SIMD4<UInt8>] {
        let entry = length == 12 ? 3 : 4
        let announced = length > 36 ? try reader.little32(46) : 0
        let count = announced == 0 ? 1 << depth : min(announced, 1 << depth)
        var palette: [SIMD4<UInt8>] = []
        for index in 0..<count {
            let start = 14 + length + entry * index
            palette.append(SIMD4(try reader.byte(start + 2), try reader.byte(start + 1), try reader.byte(start), 255))
        }
        return palette
    }
}
#endif
