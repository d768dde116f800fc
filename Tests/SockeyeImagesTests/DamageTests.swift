import SockeyeImages
import SockeyeTesting
import Testing

@Suite("Damaged images", .timeLimit(.minutes(1)))
struct DamageTests {
    private static let files = [
        Samples.png, Samples.losslessWebP, Samples.lossyWebP, Samples.jpeg, Samples.progressiveJPEG, Samples.inkJPEG,
        Samples.gif, Samples.bmp(2, 2, depth: 8, palette: [0, 0, 0, 0], rows: [0, 1, 0, 0, 1, 0, 0, 0]),
    ]

    private func failure(_ bytes: [UInt8]) -> ImageError? {
        do throws(ImageError) {
            _ = try Raster(decoding: Bytes(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test("that are cut short are an error wherever they are cut", arguments: files)
    func truncated(file: [UInt8]) {
        for count in 0..<file.count {
            #expect(failure(Array(file.prefix(count))) != nil, "\(count) of \(file.count) bytes")
        }
    }

    @Test("never crash, whichever byte is wrong", arguments: files)
    func damaged(file: [UInt8]) {
        for index in file.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var damaged = file
                damaged[index] ^= mask
                _ = failure(damaged)
            }
        }
    }

    @Test("that claim more pixels than are allowed are refused before there is memory for them")
    func bombs() {
        // 30,000 by 30,000 pixels each.
        var png = Samples.png
        png.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        var gif = Samples.gif
        gif.replaceSubrange(6..<10, with: [0x30, 0x75, 0x30, 0x75])
        var jpeg = Samples.jpeg
        if let frame = zip(jpeg, jpeg.dropFirst()).enumerated().first(where: { $1 == (0xFF, 0xC0) })?.offset {
            jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x75, 0x30, 0x75, 0x30])
        }
        let before = HeapUsage.current()
        for file in [png, gif, jpeg, Samples.bmp(30_000, 30_000, depth: 1, rows: [])] {
            let kind = failure(file)?.kind
            #expect(kind == .tooLarge, "\(kind as Any)")
        }
        #expect(HeapUsage.current() - before < 64 << 20)
    }

    @Test("whose pixels are fewer or others than the header says are errors")
    func lies() {
        var png = Samples.png
        png[19] = 200
        var gif = Samples.gif
        gif[6] = 1  // a canvas smaller than the frame
        var webp = Samples.losslessWebP
        webp[21] = 60
        for file in [png, gif, webp] { #expect(failure(file) != nil) }
    }

    @Test("of formats and kinds that are not decoded say so")
    func unsupported() {
        let tiff: [UInt8] =
            [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 2, 0] + [0, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0]
            + [1, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0] + [0, 0, 0, 0]
        let files = [
            tiff, Samples.bmp(1, 1, depth: 16, rows: [0, 0, 0, 0]),
            Samples.bmp(1, 1, depth: 8, palette: [0, 0, 0, 0], compression: 1, rows: [0, 1, 0, 0]),
            Samples.bmp(1, 1, depth: 32, masks: [0x3FF, 0xFFC00, 0x3FF0_0000], compression: 3, rows: [0, 0, 0, 0]),
        ]
        for file in files { #expect(failure(file)?.kind == .unsupported, "\(failure(file) as Any)") }
        #expect(failure(Array("<svg/>".utf8))?.kind == .unknownFormat)
    }
}
