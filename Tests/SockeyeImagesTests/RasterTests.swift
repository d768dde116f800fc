#if Images
import SockeyeImages
import SockeyeTesting
import Testing

@Suite("Rasters", .timeLimit(.minutes(1)))
struct RasterTests {
    @Test(
        "a raster of a lossless format has exactly the pixels of the image",
        arguments: [Samples.png, Samples.losslessWebP])
    func lossless(file: [UInt8]) throws {
        let raster = try Raster(decoding: Bytes(file))
        #expect(raster.width == 3)
        #expect(raster.height == 2)
        #expect(Array(raster.pixels) == Samples.pixels)
        #expect(raster[2, 1] == SIMD4(10, 20, 30, 128))
    }

    @Test(
        "a raster of a JPEG is opaque and nearly exact, with one scan, with several scans and with four inks",
        arguments: [Samples.jpeg, Samples.progressiveJPEG, Samples.inkJPEG])
    func jpeg(file: [UInt8]) throws {
        let raster = try Raster(decoding: Bytes(file))
        #expect(raster.format == .jpeg)
        #expect(raster.pixels.count == 8 * 8 * 4)
        for (index, expected) in zip(0..<4, [200, 100, 50, 255]) {
            #expect(abs(Int(raster[3, 4][index]) - expected) <= 4)
        }
    }

    @Test("16-bit samples of a PNG without a declared colour space are in the colour space of the other images")
    func deepPNG() throws {
        let row: [UInt8] = [0, 0x80, 0x80, 0x40, 0x40, 0xC0, 0xC0, 0xFF, 0xFF]
        let raster = try Raster(decoding: Bytes(PNGWriter.file(1, 1, pixels: PNGWriter.stored(row), depth: 16)))
        for (index, expected) in [0x80, 0x40, 0xC0, 0xFF].enumerated() {
            #expect(abs(Int(raster[0, 0][index]) - expected) <= 1)
        }
    }

    @Test("a raster of a lossy WebP keeps its transparency")
    func lossyWebP() throws {
        let raster = try Raster(decoding: Bytes(Samples.lossyWebP))
        #expect(raster.pixels.count == 24)
        #expect(raster[2, 1].w == 128)
        #expect(raster[0, 0].w == 255)
    }

    @Test("a raster of a GIF is its first frame, with its transparency")
    func gif() throws {
        let raster = try Raster(decoding: Bytes(Samples.gif))
        let row = [9, 8, 7, 255, 0, 0, 0, 0, 9, 8, 7, 255].map(UInt8.init)
        let other = [0, 0, 0, 0, 9, 8, 7, 255, 0, 0, 0, 0].map(UInt8.init)
        #expect(Array(raster.pixels) == row + other)
    }

    @Test("bitmaps of every depth decode to the same pixels")
    func bitmaps() throws {
        let black = SIMD4<UInt8>(0, 0, 0, 255)
        let red = SIMD4<UInt8>(255, 0, 0, 255)
        let palette: [UInt8] = [0, 0, 0, 0, 0, 0, 255, 0]
        // Two rows, the lower one first: black and red, then red and black.
        let files = [
            Samples.bmp(2, 2, depth: 1, palette: palette, rows: [0b0100_0000, 0, 0, 0, 0b1000_0000, 0, 0, 0]),
            Samples.bmp(2, 2, depth: 4, palette: palette, rows: [0x01, 0, 0, 0, 0x10, 0, 0, 0]),
            Samples.bmp(2, 2, depth: 8, palette: palette, rows: [0, 1, 0, 0, 1, 0, 0, 0]),
            Samples.bmp(2, 2, depth: 24, rows: [0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0]),
            Samples.bmp(2, 2, depth: 32, rows: [0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0]),
            Samples.bmp(2, -2, depth: 32, rows: [0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0]),
            Samples.bmp(
                2, 2, depth: 32, masks: [0xFF, 0xFF00, 0xFF_0000], compression: 3,
                rows: [0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]),
        ]
        for file in files {
            let raster = try Raster(decoding: Bytes(file))
            #expect([raster[0, 0], raster[1, 0], raster[0, 1], raster[1, 1]] == [red, black, black, red])
        }
        let alpha = Samples.bmp(
            1, 1, depth: 32, masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000], compression: 6, rows: [1, 2, 3, 4])
        #expect(try Raster(decoding: Bytes(alpha))[0, 0] == SIMD4(1, 2, 3, 4))
    }

    @Test("a call returns a raster, and fails for another media type or more pixels than allowed")
    func calls() async throws {
        let client = HTTPClient(
            transport: MockTransport { request in
                .bytes(Bytes(Samples.png), contentType: request.path == "/png" ? "image/png" : "text/plain")
            })
        let raster = try await client.get("http://example.com/png", as: .raster)
        #expect(raster.pixels == Bytes(Samples.pixels))
        let other = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: .raster)
        }
        #expect(other?.code == .unacceptableContentType)
        let limited = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/png", as: .raster(maximumPixels: 5))
        }
        #expect(limited?.code == .decodingFailed)
        #expect((limited?.underlying as? ImageError)?.kind == .tooLarge)
    }
}
#endif
