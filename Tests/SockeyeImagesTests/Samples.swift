#if Images
import Foundation
import SockeyeImages

/// Small image files. Most were written by the usual libraries; the GIF and the bitmaps are built here byte by byte.
enum Samples {
    /// 3 by 2 pixels: red, green, blue, white, black, and a half-transparent one.
    static let pixels: [UInt8] = [
        255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 255, 10, 20, 30, 128,
    ]

    static func decoded(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// The ``pixels`` as a PNG file.
    static let png = decoded(
        """
        iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAAXNSR0IArs4c6QAAAB9JREFUCJkFwaEBACAQACE0frY7q5OfIJKo
        rVjMue8Dh9cIuo5C6bEAAAAASUVORK5CYII=
        """)

    /// The ``pixels`` as a lossless WebP file.
    static let losslessWebP = decoded(
        """
        UklGRj4AAABXRUJQVlA4TDIAAAAvAkAAEC8gECCI8J9qQ0iQ0P2/V4EAQYn/SgKCouuWCzA2ObYqKEjbgMXdU7KI/sfVAQ==
        """)

    /// Approximately the ``pixels`` as a lossy WebP file.
    static let lossyWebP = decoded(
        """
        UklGRo4AAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAA//////+AAFZQOCBgAAAA8AIAnQEqAwACAADAEiWoAnS6AMkA
        yQAcoB+QBoU4KqAA/v4uf/fRZ/5c/10H/4MTTDclmy2mv/Fuzo//IY/+UGzDX5sv/7jy/+Qx/8oNmGvzZf/uPL7vei515s9MHAAA
        """)

    /// 8 by 8 pixels of the RGB colour 200, 100, 50.
    static let jpeg = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
        AQEBAQEBAQEBAQEBAQH/2wBDAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
        AQEBAQEBAQH/wAARCAAIAAgDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
        BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
        V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
        4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
        AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm
        Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
        8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDn6KKK/wArz/bA/9k=
        """)

    /// 8 by 8 pixels of the RGB colour 200, 100, 50, in several scans.
    static let progressiveJPEG = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
        AQEBAQEBAQEBAQEBAQH/2wBDAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
        AQEBAQEBAQH/wgARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUAQEAAAAAAAAAAAAAAAAAAAAI/9oA
        DAMBAAIQAxAAAAGeCu2P/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABBQJ//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgB
        AwEBPwF//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPwF//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAGPwJ//8QA
        FBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPyF//9oADAMBAAIAAwAAABAD/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEB
        PxB//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPxB//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxB//9k=
        """)

    /// 8 by 8 CMYK pixels, stored inverted as Adobe's programs do: 200, 100, 50 and no black.
    static let inkJPEG = decoded(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
        AQEBAQEBAQEBAQEB/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB
        AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH
        SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV
        1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD+kCvh+v5j6/v4r//Z
        """)

    /// A GIF of 3 by 2 pixels: one frame of two colours, the second of which is transparent.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [3, 0, 2, 0, 0x80, 0, 0, 9, 8, 7, 255, 255, 255] + [0x21, 0xF9, 4, 1, 0, 0, 1, 0]
        + [0x2C, 0, 0, 0, 0, 3, 0, 2, 0, 0] + [2, 3, 0x44, 0x6C, 0x05, 0, 0x3B]

    /// Returns a BMP file of one plane. `compression` only sets the field of the header; `rows` are stored as given.
    static func bmp(
        _ width: Int, _ height: Int, depth: Int, palette: [UInt8] = [], masks: [UInt32] = [], compression: Int = 0,
        rows: [UInt8]
    ) -> [UInt8] {
        let extra = palette + masks.flatMap { little(Int($0), 4) }
        let offset = 54 + extra.count
        let parts: [[UInt8]] = [
            Array("BM".utf8), little(offset + rows.count, 4), [0, 0, 0, 0], little(offset, 4), little(40, 4),
            little(width, 4), little(height, 4), [1, 0], little(depth, 2), little(compression, 4),
            little(rows.count, 4), little(0, 8), little(palette.count / 4, 4), little(0, 4), extra, rows,
        ]
        return Array(parts.joined())
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Returns a raster of these pixels, or of zeros.
    static func raster(
        _ width: Int, _ height: Int, _ pixels: [SIMD4<UInt8>]? = nil, orientation: ImageInfo.Orientation = .up
    ) throws -> Raster {
        let bytes: [UInt8]
        if let pixels {
            bytes = pixels.flatMap { pixel -> [UInt8] in [pixel.x, pixel.y, pixel.z, pixel.w] }
        } else {
            bytes = Array(repeating: 0, count: 4 * width * height)
        }
        return Raster(
            width: width, height: height, pixels: Bytes(bytes), of: try Raster(decoding: Bytes(png)),
            orientation: orientation)
    }
}
#endif
