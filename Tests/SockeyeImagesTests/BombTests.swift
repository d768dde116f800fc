#if Images
import SockeyeImages
import SockeyeTesting
import Testing

// Serialized, because the tests measure memory.
@Suite("Image bombs", .serialized, .timeLimit(.minutes(1)))
struct BombTests {
    private func failure(_ bytes: [UInt8], limits: ImageInfo.Limits = Raster.defaultLimits) -> ImageError? {
        do throws(ImageError) {
            _ = try Raster(decoding: Bytes(bytes), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    /// Files whose headers give a huge size. Each file is well-formed up to its pixels.
    private static let huge: [[UInt8]] = {
        var gif = Samples.gif
        gif.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
        var lossless = Samples.losslessWebP
        lossless.replaceSubrange(21..<25, with: [0xFF, 0xFF, 0xFF, 0x0F])
        var extended = Samples.lossyWebP
        extended.replaceSubrange(24..<30, with: [0xFF, 0xFF, 0, 0xFF, 0xFF, 0])
        return [
            gif, lossless, extended, PNGWriter.file(65_535, 65_535, pixels: PNGWriter.zeros(100)),
            PNGWriter.file(0x7FFF_FFFF, 0x7FFF_FFFF, pixels: PNGWriter.zeros(100)),
            JPEGParts(Samples.jpeg).sized(0xFFFF, 0xFFFF), JPEGParts(Samples.progressiveJPEG).sized(0xFFFF, 0xFFFF),
            Samples.bmp(65_535, 65_535, depth: 1, rows: []), Samples.bmp(0x7FFF_FFFF, 0x7FFF_FFFF, depth: 8, rows: []),
        ]
    }()

    @Test(
        "an image of a huge size is refused before memory is allocated for its pixels, whatever the limit",
        arguments: huge.indices)
    func sizes(number: Int) {
        let file = Self.huge[number]
        let before = HeapUsage.current()
        #expect(failure(file)?.kind == .tooLarge)
        let unlimited = failure(file, limits: ImageInfo.Limits(maximumPixels: .max))
        // Without a limit, a bitmap is truncated because its rows are missing, and a WebP file is malformed because its
        // size contradicts its content.
        let kinds: [ImageError.Kind] = [.tooLarge, .truncated, .malformed]
        #expect(unlimited.map { kinds.contains($0.kind) } == true, "\(unlimited as Any)")
        #expect(HeapUsage.current() - before < 32 << 20)
    }

    @Test("an image unpacks to no more than the pixels that its header announces")
    func pixels() throws {
        let bomb = PNGWriter.zeros(64 << 20)
        let before = HeapUsage.current()
        let kind = failure(PNGWriter.file(1, 1, pixels: bomb))?.kind
        #expect(kind == nil || kind == .malformed)
        #expect(failure(PNGWriter.file(6000, 6000, pixels: PNGWriter.zeros(1000)))?.kind == .malformed)
        let large = try Raster(decoding: Bytes(PNGWriter.file(2000, 2000, pixels: PNGWriter.zeros(2000 * 8001))))
        #expect(large[1999, 1999] == SIMD4(0, 0, 0, 0))
        #expect(HeapUsage.current() - before < 32 << 20)
    }

    @Test("large compressed texts and profiles of a PNG occupy little memory", arguments: ["zTXt", "iCCP", "iTXt"])
    func chunks(type: String) throws {
        let name = Array("name".utf8) + (type == "iTXt" ? [0, 1, 0, 0, 0] : [0, 0])
        let chunk = PNGWriter.chunk(type, name + PNGWriter.zeros(64 << 20))
        let before = HeapUsage.current()
        let raster = try Raster(decoding: Bytes(PNGWriter.file(1, 1, pixels: PNGWriter.zeros(5), extra: chunk)))
        #expect(raster.pixels.count == 4)
        #expect(HeapUsage.current() - before < 32 << 20)
    }

    @Test("a JPEG with very many scans is not decoded")
    func scans() throws {
        let parts = JPEGParts(Samples.progressiveJPEG)
        let scan = try #require(parts.scans.last)
        // A few more scans than usual are accepted, and libjpeg warns of the repeated ones.
        #expect(failure(parts.file(with: Array(repeating: scan, count: 20))) == nil)
        let error = failure(parts.file(with: Array(repeating: scan, count: 250)))
        #expect(error?.kind == .unsupported)
        #expect(error?.message == "decoding the image would take too much time or memory")
    }

    @Test("an image whose data contradicts the size in its header is an error")
    func lies() {
        let rows = PNGWriter.zeros(2 * 9)
        #expect(failure(PNGWriter.file(2, 2, pixels: rows)) == nil)
        #expect(failure(PNGWriter.file(2, 3, pixels: rows))?.kind == .malformed)
        #expect(failure(PNGWriter.file(3, 2, pixels: rows))?.kind == .malformed)
        #expect(failure(PNGWriter.file(0, 2, pixels: rows))?.kind == .emptyImage)
        for (width, height) in [(8, 64), (64, 8), (0xFFF, 0xFFF)] as [(UInt16, UInt16)] {
            for sample in [Samples.jpeg, Samples.inkJPEG] {
                let kind = failure(JPEGParts(sample).sized(width, height))?.kind
                #expect(kind == .malformed || kind == .truncated, "\(width) × \(height): \(kind as Any)")
            }
        }
        for index in [21, 22, 23, 24] {
            var webp = Samples.losslessWebP
            webp[index] ^= 0x15
            #expect(failure(webp) != nil)
        }
    }
}
#endif
