#if Images
/// Tiny files of each format, with only the necessary structure and meaningless pixels.
enum ImageFile {
    // MARK: PNG

    static func png(
        _ width: Int, _ height: Int, depth: UInt8 = 8, colour: UInt8 = 2, chunks: [(String, [UInt8])] = [],
        behind: [(String, [UInt8])] = []
    ) -> [UInt8] {
        var file = ByteBuilder()
        file += [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var header = ByteBuilder()
        header.big(width, 4)
        header.big(height, 4)
        header += [depth, colour, 0, 0, 0]
        let all = [("IHDR", header.bytes)] + chunks + [("IDAT", [1, 2, 3])] + behind + [("IEND", [])]
        for (type, content) in all {
            file.big(content.count, 4)
            file += type
            file += content
            file += [0xC0, 0xC1, 0xC2, 0xC3]  // the checksum, which the parser does not check
        }
        return file.bytes
    }

    static func animationControl(_ frames: Int) -> (String, [UInt8]) {
        var content = ByteBuilder()
        content.big(frames, 4)
        content.big(0, 4)
        return ("acTL", content.bytes)
    }

    static func frameControl(_ width: Int, _ height: Int, left: Int = 0, top: Int = 0) -> (String, [UInt8]) {
        var content = ByteBuilder()
        for number in [0, width, height, left, top] { content.big(number, 4) }
        content += [0, 1, 0, 10, 0, 0]
        return ("fcTL", content.bytes)
    }

    // MARK: JPEG

    static func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xC0, segments: [(UInt8, [UInt8])] = []) -> [UInt8] {
        var frameHeader = ByteBuilder()
        frameHeader += [8]
        frameHeader.big(height, 2)
        frameHeader.big(width, 2)
        frameHeader += [1, 1, 0x11, 0]
        var file = ByteBuilder()
        file += [0xFF, 0xD8]
        let table: (UInt8, [UInt8]) = (0xDB, [UInt8](repeating: 0xFF, count: 5))
        for (marker, content) in segments + [
            table, (frame, frameHeader.bytes), (0xC4, [0, 1]), (0xDA, [1, 1, 0, 0, 63, 0]),
        ] {
            file += [0xFF, marker]
            file.big(content.count + 2, 2)
            file += content
        }
        // Pixels with a stuffed FF, a restart, another scan, and the end.
        file += [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xDA, 0, 2, 0x78, 0xFF, 0xFF, 0xD9]
        return file.bytes
    }

    static func exif(orientation: Int, isBigEndian: Bool) -> [UInt8] {
        Array("Exif\0\0".utf8) + tiff(pages: [TIFFPage(fields: [(274, 3, orientation)])], isBigEndian: isBigEndian)
    }

    // MARK: GIF

    static func gif(_ width: Int, _ height: Int, frames: [(Int, Int)], hasTables: Bool = true) -> [UInt8] {
        let table = hasTables ? [UInt8](repeating: 0x3B, count: 12) : []
        let flags: UInt8 = hasTables ? 0x81 : 0
        var file = ByteBuilder()
        file += "GIF89a"
        file.little(width, 2)
        file.little(height, 2)
        file += [flags, 0, 0] + table
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for (width, height) in frames {
            file += [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0]
            file.little(width, 2)
            file.little(height, 2)
            file += [flags] + table + [2, 3, 0x3B, 0x2C, 0x21, 1, 0, 0]
        }
        file += [0x3B]
        return file.bytes
    }

    // MARK: BMP

    static func bmp(_ width: Int, _ height: Int, header: Int = 40, compression: Int = 0) -> [UInt8] {
        let isCore = header == 12
        let bitmap = bitmap(width, height, header: header, compression: compression)
        let isCompressed = compression == 1 || compression == 3 && header == 64
        let pixels = isCompressed ? 6 : (width * 24 + 31) / 32 * 4 * abs(height)
        var file = ByteBuilder()
        file += "BM"
        file.little(14 + header + pixels, 4)
        file.little(0, 4)
        file.little(14 + header, 4)
        file += Array(bitmap.prefix(isCore ? 12 : header)) + [UInt8](repeating: 7, count: pixels)
        return file.bytes
    }

    static func bitmap(_ width: Int, _ height: Int, header: Int = 40, compression: Int = 0) -> [UInt8] {
        var file = ByteBuilder()
        file.little(header, 4)
        file.little(width, header == 12 ? 2 : 4)
        file.little(height, header == 12 ? 2 : 4)
        file.little(1, 2)
        file.little(24, 2)
        file.little(compression, 4)
        file.little(6, 4)
        file += [UInt8](repeating: 0, count: max(0, header - 24))
        return file.bytes
    }

    // MARK: ICO

    static func icon(_ images: [(width: UInt8, height: UInt8, bytes: [UInt8])], type: Int = 1) -> [UInt8] {
        var file = ByteBuilder()
        file.little(0, 2)
        file.little(type, 2)
        file.little(images.count, 2)
        var offset = 6 + 16 * images.count
        for image in images {
            file += [image.width, image.height, 0, 0, 1, 0, 32, 0]
            file.little(image.bytes.count, 4)
            file.little(offset, 4)
            offset += image.bytes.count
        }
        for image in images { file += image.bytes }
        return file.bytes
    }

    // MARK: TIFF

    struct TIFFPage {
        /// The tag, the type and the single value of each field.
        var fields: [(Int, Int, Int)] = []
        /// The number of strips of three bytes after the directory; zero or at least two.
        var strips = 0

        static func size(_ width: Int, _ height: Int, orientation: Int = 1, strips: Int = 3) -> TIFFPage {
            TIFFPage(fields: [(256, 3, width), (257, 4, height), (274, 3, orientation)], strips: strips)
        }
    }

    /// - Parameter circle: If true, the last directory points back to the first.
    static func tiff(pages: [TIFFPage], isBigEndian: Bool = false, circle: Bool = false) -> [UInt8] {
        var file = ByteBuilder()
        func put(_ value: Int, _ length: Int, into file: inout ByteBuilder) {
            isBigEndian ? file.big(value, length) : file.little(value, length)
        }
        file += isBigEndian ? "MM" : "II"
        put(42, 2, into: &file)
        put(8, 4, into: &file)
        for (index, page) in pages.enumerated() {
            let entries = page.fields.count + (page.strips > 0 ? 2 : 0)
            let tables = file.bytes.count + 2 + 12 * entries + 4
            let data = tables + 8 * page.strips
            put(entries, 2, into: &file)
            for (tag, type, value) in page.fields {
                put(tag, 2, into: &file)
                put(type, 2, into: &file)
                put(1, 4, into: &file)
                put(value, type == 3 ? 2 : 4, into: &file)
                if type == 3 { put(0, 2, into: &file) }
            }
            if page.strips > 0 {
                for (tag, offset) in [(273, tables), (279, tables + 4 * page.strips)] {
                    for (value, length) in [(tag, 2), (4, 2), (page.strips, 4), (offset, 4)] {
                        put(value, length, into: &file)
                    }
                }
            }
            let isLast = index == pages.count - 1
            put(isLast ? (circle ? 8 : 0) : data + 3 * page.strips, 4, into: &file)
            for strip in 0..<page.strips { put(data + 3 * strip, 4, into: &file) }
            for _ in 0..<page.strips { put(3, 4, into: &file) }
            file += [UInt8](repeating: 9, count: 3 * page.strips)
        }
        return file.bytes
    }

    // MARK: WebP

    static func webp(_ chunks: [(String, [UInt8])], size: Int? = nil) -> [UInt8] {
        var content = ByteBuilder()
        for (type, bytes) in chunks {
            content += type
            content.little(bytes.count, 4)
            content += bytes + (bytes.count % 2 == 1 ? [0] : [])
        }
        var file = ByteBuilder()
        file += "RIFF"
        file.little(size ?? content.bytes.count + 4, 4)
        file += "WEBP"
        file += content.bytes
        return file.bytes
    }

    static func lossy(_ width: Int, _ height: Int) -> (String, [UInt8]) {
        var content = ByteBuilder()
        content += [0x10, 0, 0, 0x9D, 0x01, 0x2A]
        // The two bits above the 14 bits of each side are for scaling.
        content.little(width | 1 << 14, 2)
        content.little(height | 2 << 14, 2)
        content += [5, 6, 7]
        return ("VP8 ", content.bytes)
    }

    static func lossless(_ width: Int, _ height: Int) -> (String, [UInt8]) {
        var content = ByteBuilder()
        content += [0x2F]
        content.little((width - 1) | (height - 1) << 14 | 1 << 28, 4)
        content += [8, 9]
        return ("VP8L", content.bytes)
    }

    static func extended(_ width: Int, _ height: Int, flags: UInt8) -> (String, [UInt8]) {
        var content = ByteBuilder()
        content += [flags, 0, 0, 0]
        content.little(width - 1, 3)
        content.little(height - 1, 3)
        return ("VP8X", content.bytes)
    }

    static func frame(_ width: Int, _ height: Int, left: Int = 0, top: Int = 0) -> (String, [UInt8]) {
        var content = ByteBuilder()
        for number in [left / 2, top / 2, width - 1, height - 1, 100] { content.little(number, 3) }
        content += [0] + Array("VP8 ".utf8)
        return ("ANMF", content.bytes)
    }
}
#endif
