#if Images
import SockeyeCore
import SockeyeImages
import SockeyeTestSupport
import Testing

/// Files with false or implausible claims.
@Suite struct ImageLieTests {
    private typealias File = ImageFile

    private static let empty: [[UInt8]] = [
        File.png(0, 5), File.png(5, 0), File.jpeg(0, 5), File.jpeg(5, 0), File.gif(0, 0, frames: [(0, 5)]),
        File.bmp(0, 5), File.bmp(5, 0), File.tiff(pages: [.size(0, 1)]), File.webp([File.lossy(0, 8)]),
        File.icon([(16, 16, File.bitmap(16, 1))]), File.tiff(pages: [.size(3, 3), .size(3, 0)]),
    ]

    @Test("A side of zero pixels fails with emptyImage", arguments: empty)
    func emptyImages(bytes: [UInt8]) {
        let error = #expect(throws: ImageError.self) { try ImageInfo(Bytes(bytes)) }
        #expect(error?.kind == .emptyImage)
    }

    private static let large: [[UInt8]] = [
        File.png(0x7FFF_FFFF, 0x7FFF_FFFF), File.jpeg(65_535, 65_535), File.gif(65_535, 65_535, frames: []),
        Array(File.bmp(1, 1).prefix(18)) + [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80]
            + Array(File.bmp(1, 1).dropFirst(26)),
        File.tiff(pages: [TIFFPage(fields: [(256, 4, 0xFFFF_FFFF), (257, 4, 0xFFFF_FFFF)])]),
        File.webp([File.extended(1 << 24, 1 << 24, flags: 2)]), File.webp([File.lossless(16_384, 16_385 - 1)]),
        File.icon([(1, 1, File.png(100_000, 100_000))]),
    ]
    private typealias TIFFPage = ImageFile.TIFFPage

    @Test("An image of more pixels than the limit is refused, even if width times height overflows", arguments: large)
    func largeImages(bytes: [UInt8]) {
        let limits = ImageInfo.Limits(maximumPixels: 1 << 28 - 1)
        let error = #expect(throws: ImageError.self) { try ImageInfo(Bytes(bytes), limits: limits) }
        #expect(error?.kind == .tooLarge, "\(String(describing: error))")
    }

    @Test("Files beyond the caller's limits of pixels or frames are refused")
    func limits() throws {
        let png = Bytes(File.png(100, 100))
        #expect(try ImageInfo(png, limits: ImageInfo.Limits(maximumPixels: 10_000)).width == 100)
        #expect(throws: ImageError.self) { try ImageInfo(png, limits: ImageInfo.Limits(maximumPixels: 9999)) }
        #expect(throws: ImageError.self) { try ImageInfo.peek(png, limits: ImageInfo.Limits(maximumPixels: 9999)) }
        let frames: [[UInt8]] = [
            File.gif(1, 1, frames: [(1, 1), (1, 1), (1, 1)]),
            File.tiff(pages: [.size(1, 1), .size(1, 1), .size(1, 1)]),
            File.png(1, 1, chunks: [File.animationControl(3)]),
            File.icon((0..<3).map { _ in (1, 1, File.bitmap(1, 2)) }),
            File.webp([File.extended(1, 1, flags: 2), File.frame(1, 1), File.frame(1, 1), File.frame(1, 1)]),
        ]
        for bytes in frames {
            let error = #expect(throws: ImageError.self) {
                try ImageInfo(Bytes(bytes), limits: ImageInfo.Limits(maximumFrames: 2))
            }
            #expect(error?.kind == .tooManyFrames)
        }
    }

    private static let contradictions: [(String, [UInt8])] = [
        ("an acTL without frames", File.png(8, 8, chunks: [File.animationControl(0)])),
        ("fewer frames than acTL says", File.png(8, 8, chunks: [File.animationControl(2), File.frameControl(8, 8)])),
        ("a frame outside", File.png(8, 8, chunks: [File.animationControl(1), File.frameControl(8, 8, left: 1)])),
        ("a frame far outside", File.png(8, 8, chunks: [File.animationControl(1), File.frameControl(8, 8, left: -1)])),
        ("a depth that the colours do not have", File.png(8, 8, depth: 4, colour: 2)),
        ("an invalid colour type", File.png(8, 8, colour: 1)),
        ("a side of 33 bits", File.png(-1, 8)),
        ("a chunk of 2 GiB", Array(File.png(8, 8).prefix(33)) + [0x80, 0, 0, 0] + Array("tEXt".utf8)),
        ("no pixels in a PNG", Array(File.png(8, 8).prefix(33)) + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]),
        ("pixels before the frame header", [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9]),
        ("a segment of one byte", [0xFF, 0xD8, 0xFF, 0xE0, 0, 1]),
        ("an empty JPEG", [0xFF, 0xD8, 0xFF, 0xD9]),
        ("a GIF without frames", File.gif(5, 5, frames: [])),
        ("a GIF with an unknown block", Array(File.gif(5, 5, frames: [(5, 5)]).dropLast()) + [0x7F]),
        ("a BMP of text", Array("BMW cars are a kind of car".utf8)),
        (
            "a BMP whose pixels lie in its header",
            Array(File.bmp(1, 1).prefix(10)) + [3, 0, 0, 0] + Array(File.bmp(1, 1).dropFirst(14))
        ),
        ("a negative width", Array(File.bmp(1, 1).prefix(18)) + [0, 0, 0, 0x80] + Array(File.bmp(1, 1).dropFirst(22))),
        ("an icon without images", File.icon([])),
        ("an icon whose image is too short", File.icon([(16, 16, [40, 0, 0, 0])])),
        (
            "an icon whose PNG has a damaged signature",
            File.icon([(16, 16, [0x89] + Array("png".utf8) + Array(File.png(16, 16).dropFirst(4)))])
        ),
        ("a circle of directories", File.tiff(pages: [.size(1, 1), .size(2, 2)], circle: true)),
        ("a directory without a width", File.tiff(pages: [TIFFPage(fields: [(257, 3, 5)])])),
        ("a width that is no number", File.tiff(pages: [TIFFPage(fields: [(256, 2, 5), (257, 3, 5)])])),
        ("an empty directory", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("a directory in the header", [0x49, 0x49, 0x2A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("a WebP of another chunk", File.webp([("ALPH", [1, 2])])),
        ("two pictures in a WebP", File.webp([File.lossy(3, 3), File.lossy(3, 3)])),
        ("a picture smaller than its canvas", File.webp([File.extended(9, 9, flags: 0), File.lossy(3, 3)])),
        ("a canvas without a picture", File.webp([File.extended(9, 9, flags: 0)])),
        ("an animation without frames", File.webp([File.extended(9, 9, flags: 2)])),
        ("a WebP frame outside", File.webp([File.extended(9, 9, flags: 2), File.frame(9, 9, left: 2)])),
        ("a chunk longer than its file", File.webp([File.lossy(3, 3)], size: 20)),
    ]

    @Test("A header that contradicts itself or the format is malformed", arguments: contradictions)
    func contradicts(name: String, bytes: [UInt8]) {
        let error = #expect(throws: ImageError.self) { try ImageInfo(Bytes(bytes)) }
        #expect(error?.kind == .malformed, "\(String(describing: error))")
    }

    @Test(
        "Bytes that are not an image have an unknown format",
        arguments: [
            "<html>", "{\"error\": 1}", "%PDF-1.7", "\0\0\0\0", "RIFF\0\0\0\0WAVE", "GIF88a", "\u{89}PNG", "II+\0",
        ])
    func unknown(text: String) {
        let error = #expect(throws: ImageError.self) { try ImageInfo(Bytes(text)) }
        #expect(error?.kind == .unknownFormat)
        #expect(throws: ImageError.self) { try ImageInfo.peek(Bytes(text)) }
    }

    @Test("A file with an offset or length beyond its end is truncated, however large the number")
    func beyond() {
        var tiff = File.tiff(pages: [.size(3, 3)])
        tiff.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        var icon = File.icon([(16, 16, File.bitmap(16, 32))])
        icon.replaceSubrange(14..<22, with: [UInt8](repeating: 0xFF, count: 8))
        for bytes in [tiff, icon, File.webp([File.lossy(3, 3)], size: 0xFFFF_FFFF)] {
            let error = #expect(throws: ImageError.self) { try ImageInfo(Bytes(bytes)) }
            #expect(error?.kind == .truncated)
        }
    }

    @Test("A TIFF with many directories that all use the same tables is refused")
    func overlap() {
        // Each page claims the whole file as a table of strips.
        var page = TIFFPage.size(1, 1, strips: 0)
        page.fields += [(273, 3, 0), (279, 3, 0)]
        var bytes = File.tiff(pages: Array(repeating: page, count: 10_000))
        for start in stride(from: 8, to: bytes.count, by: 66) {
            for entry in [38, 50] { bytes.replaceSubrange(start + entry + 4..<start + entry + 8, with: [0, 0, 1, 0]) }
        }
        let error = #expect(throws: ImageError.self) { try ImageInfo(Bytes(bytes)) }
        #expect(error?.kind == .malformed)
    }

    @Test("A file with one changed byte gives an image or an error", arguments: ImageSample.all)
    func changes(sample: ImageSample) {
        var generator = SplitMix(seed: 9)
        for position in sample.bytes.indices {
            for byte in [0x00, 0x01, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)] {
                var bytes = sample.bytes
                bytes[position] = byte
                if let info = try? ImageInfo(Bytes(bytes)) { #expect(info.width > 0 && info.height > 0) }
                _ = try? ImageInfo.peek(Bytes(bytes))
            }
        }
        for _ in 0..<50 {
            let start = sample.bytes.prefix(Int.random(in: 4...16, using: &generator))
            let noise = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = try? ImageInfo(Bytes(start + noise))
        }
    }
}
#endif
