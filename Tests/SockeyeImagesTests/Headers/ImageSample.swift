#if Images
import SockeyeImages
import Testing

/// A valid file and the expected information.
struct ImageSample: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let format: ImageInfo.Format
    let width: Int
    let height: Int
    var frames = 1
    var orientation = ImageInfo.Orientation.up

    init(
        _ name: String, _ format: ImageInfo.Format, _ bytes: [UInt8], _ width: Int, _ height: Int, frames: Int = 1,
        orientation: ImageInfo.Orientation = .up
    ) {
        testDescription = name
        self.format = format
        self.bytes = bytes
        self.width = width
        self.height = height
        self.frames = frames
        self.orientation = orientation
    }

    private typealias File = ImageFile

    static let all = raster + bitmaps + containers

    private static let raster = [
        ImageSample("PNG", .png, File.png(300, 200), 300, 200),
        ImageSample(
            "PNG with a palette", .png, File.png(1, 1, depth: 1, colour: 3, chunks: [("PLTE", [1, 2, 3])]), 1, 1),
        ImageSample(
            "PNG with Exif", .png,
            File.png(3, 2, chunks: [("eXIf", Array(File.exif(orientation: 6, isBigEndian: true).dropFirst(6)))]), 3, 2,
            orientation: .right),
        ImageSample(
            "APNG", .png,
            File.png(
                8, 8, chunks: [File.animationControl(3), File.frameControl(8, 8)],
                behind: [
                    File.frameControl(2, 2, left: 6, top: 6), ("fdAT", [1]), File.frameControl(1, 8), ("fdAT", [2]),
                ]),
            8, 8, frames: 3),
        ImageSample("JPEG", .jpeg, File.jpeg(640, 480), 640, 480),
        ImageSample("progressive JPEG", .jpeg, File.jpeg(65_535, 4096, frame: 0xC2), 65_535, 4096),
        ImageSample("arithmetic JPEG", .jpeg, File.jpeg(5, 6, frame: 0xCA), 5, 6),
        ImageSample(
            "JPEG with Exif", .jpeg,
            File.jpeg(
                4, 3, segments: [(0xE0, Array("JFIF\0".utf8)), (0xE1, File.exif(orientation: 8, isBigEndian: false))]),
            4, 3, orientation: .left),
        ImageSample(
            "JPEG with two Exif segments and an XMP one", .jpeg,
            File.jpeg(
                4, 3,
                segments: [
                    (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8)),
                    (0xE1, File.exif(orientation: 3, isBigEndian: true)),
                    (0xE1, File.exif(orientation: 5, isBigEndian: true)),
                ]), 4, 3, orientation: .down),
        ImageSample(
            "JPEG with damaged Exif", .jpeg, File.jpeg(4, 3, segments: [(0xE1, Array("Exif\0\0II*".utf8))]), 4, 3),
        ImageSample("GIF", .gif, File.gif(10, 20, frames: [(10, 20)]), 10, 20),
        ImageSample("GIF without colour tables", .gif, File.gif(1, 1, frames: [(1, 1)], hasTables: false), 1, 1),
        ImageSample("animated GIF", .gif, File.gif(10, 20, frames: [(10, 20), (1, 1), (2, 2)]), 10, 20, frames: 3),
        ImageSample("GIF with an empty screen", .gif, File.gif(0, 0, frames: [(7, 9), (1, 1)]), 7, 9, frames: 2),
    ]

    private static let bitmaps = [
        ImageSample("BMP", .bmp, File.bmp(5, 3), 5, 3),
        ImageSample("BMP with rows top down", .bmp, File.bmp(5, -3), 5, 3),
        ImageSample("BMP of OS/2", .bmp, File.bmp(5, 3, header: 12), 5, 3),
        ImageSample("BMP of OS/2 2, short", .bmp, File.bmp(5, 3, header: 16), 5, 3),
        ImageSample("BMP, version 5", .bmp, File.bmp(5, 3, header: 124), 5, 3),
        ImageSample(
            "BMP of OS/2 2 with a Huffman coding", .bmp, File.bmp(500, 300, header: 64, compression: 3), 500, 300),
        ImageSample("compressed BMP", .bmp, File.bmp(500, 300, compression: 1), 500, 300),
    ]

    private static let containers = [
        ImageSample(
            "ICO", .ico,
            File.icon([(16, 16, File.bitmap(16, 32)), (0, 0, File.png(256, 256)), (48, 48, File.bitmap(48, 96))]), 256,
            256,
            frames: 3),
        ImageSample("CUR", .cur, File.icon([(32, 32, File.bitmap(32, 64))], type: 2), 32, 32),
        ImageSample(
            "TIFF", .tiff, File.tiff(pages: [.size(30, 40, orientation: 7)]), 30, 40, orientation: .rightMirrored),
        ImageSample(
            "TIFF of several pages", .tiff,
            File.tiff(pages: [.size(30, 40), .size(4464, 3, strips: 2), .size(1, 1)], isBigEndian: true), 30, 40,
            frames: 3),
        ImageSample("lossy WebP", .webp, File.webp([File.lossy(550, 368)]), 550, 368),
        ImageSample("lossless WebP", .webp, File.webp([File.lossless(16_384, 1)]), 16_384, 1),
        ImageSample(
            "extended WebP", .webp,
            File.webp([
                File.extended(9, 8, flags: 0x08), ("ALPH", [1]), File.lossy(9, 8),
                ("EXIF", Array(File.exif(orientation: 2, isBigEndian: false).dropFirst(6))),
            ]), 9, 8, orientation: .upMirrored),
        ImageSample(
            "WebP with JPEG's identifier of Exif", .webp,
            File.webp([
                File.extended(9, 8, flags: 0x08), File.lossy(9, 8),
                ("EXIF", File.exif(orientation: 6, isBigEndian: true)),
            ]), 9, 8, orientation: .right),
        ImageSample(
            "animated WebP", .webp,
            File.webp([
                File.extended(20_000, 9, flags: 0x02), ("ANIM", [0, 0, 0, 0, 0, 0]), File.frame(20_000, 9),
                File.frame(3, 3, left: 16_000, top: 6),
            ]), 20_000, 9, frames: 2),
    ]
}
#endif
