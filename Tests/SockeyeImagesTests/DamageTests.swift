#if Images
import SockeyeImages
import SockeyeTesting
import Testing

@Suite("Damaged images", .timeLimit(.minutes(1)))
struct DamageTests {
    private static let files = [
        Samples.png, Samples.losslessWebP, Samples.lossyWebP, Samples.jpeg, Samples.progressiveJPEG, Samples.inkJPEG,
        Samples.gif, Samples.bmp(2, 2, depth: 8, palette: [0, 0, 0, 0], rows: [0, 1, 0, 0, 1, 0, 0, 0]),
    ]

    private func failure(_ bytes: some Sequence<UInt8>) -> ImageError? {
        do throws(ImageError) {
            _ = try Raster(decoding: Bytes(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test("an image that is cut anywhere is an error", arguments: files.indices)
    func truncated(number: Int) {
        let file = Self.files[number]
        for count in 0..<file.count {
            let kind = failure(Array(file.prefix(count)))?.kind
            let isRight = kind == .truncated || kind == .unknownFormat && count < 14
            #expect(isRight, "\(count) of \(file.count): \(kind as Any)")
        }
    }

    @Test("a file with one wrong byte causes no crash", arguments: files.indices)
    func damaged(number: Int) {
        let file = Self.files[number]
        for index in file.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var damaged = file
                damaged[index] ^= mask
                _ = failure(damaged)
            }
        }
    }

    @Test("a file with several wrong or random bytes causes no crash", arguments: files.indices)
    func random(number: Int) {
        let file = Self.files[number]
        var state: UInt64 = 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for round in 0..<400 {
            var damaged = file
            for _ in 0..<2 + round % 8 { damaged[12 + next(file.count - 12)] = UInt8(next(256)) }
            _ = failure(damaged)
            // Only the start of these bytes is valid.
            let start = file.prefix(8 + next(32))
            _ = failure(start + (0..<next(600)).map { _ in UInt8(next(256)) })
        }
    }

    @Test("many concurrent tasks decode good images and refuse cut ones")
    func parallel() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                let file = Self.files[number % Self.files.count]
                group.addTask { (try? Raster(decoding: Bytes(file))) != nil && failure(file.dropLast(3)) != nil }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("pixels that contradict the header are an error")
    func lies() {
        var png = Samples.png
        png[19] = 200
        var gif = Samples.gif
        gif[6] = 1  // a canvas smaller than the frame
        var webp = Samples.losslessWebP
        webp[21] = 60
        for file in [png, gif, webp] { #expect(failure(file) != nil) }
    }

    @Test("an unsupported format or variant gives the error unsupported, and a file that is no image unknownFormat")
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
#endif
