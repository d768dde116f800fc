#if Images
import SockeyeCore
import SockeyeEssentials
import SockeyeImages
import Testing

@Suite struct ImageInfoTests {
    @Test("Format, size, frames and orientation are read", arguments: ImageSample.all)
    func reads(sample: ImageSample) throws {
        let info = try ImageInfo(Bytes(sample.bytes))
        #expect(info.format == sample.format)
        #expect(info.width == sample.width)
        #expect(info.height == sample.height)
        #expect(info.frameCount == sample.frames)
        #expect(info.orientation == sample.orientation)
        #expect(try ImageInfo(Bytes(sample.bytes + [0xFF, 0xD8, 0])) == info, "bytes after the image are ignored")
    }

    @Test("A file that is cut anywhere is reported as truncated", arguments: ImageSample.all)
    func cuts(sample: ImageSample) {
        for length in 0..<sample.bytes.count {
            let error = #expect(throws: ImageError.self) { try ImageInfo(Bytes(sample.bytes[..<length])) }
            #expect(error?.kind == .truncated, "\(length) bytes: \(String(describing: error))")
        }
    }

    @Test(
        "The start of a file suffices once it has the header, and later bytes do not change the result",
        arguments: ImageSample.all)
    func peeks(sample: ImageSample) throws {
        var first: ImageInfo?
        for length in 0...sample.bytes.count {
            let info = try ImageInfo.peek(Bytes(sample.bytes[..<length]))
            if let first { #expect(info == first) }
            first = first ?? info
        }
        let info = try #require(first)
        #expect(info.format == sample.format)
        #expect(info.size == (try ImageInfo(Bytes(sample.bytes)).size) || sample.format == .ico)
        #expect(info.frameCount == nil || info.frameCount == sample.frames)
    }

    @Test("The size of a long animation is known from its first ten bytes")
    func header() throws {
        let gif = Bytes(ImageFile.gif(10, 20, frames: (0..<1000).map { _ in (10, 20) }))
        #expect(try ImageInfo.peek(gif.slice(0..<9)) == nil)
        let info = try #require(try ImageInfo.peek(gif.slice(0..<10)))
        #expect(info.width == 10)
        #expect(info.frameCount == nil)
        #expect(try ImageInfo(gif).frameCount == 1000)
    }

    @Test("An icon is as large as its largest image, whatever its directory says")
    func icons() throws {
        let images: [(UInt8, UInt8, [UInt8])] = [
            (16, 16, ImageFile.bitmap(16, 32)), (200, 200, ImageFile.png(512, 512)),
            (255, 255, ImageFile.bitmap(32, 64)),
        ]
        let info = try ImageInfo(Bytes(ImageFile.icon(images)))
        #expect(info.sizes.map(\.width) == [16, 512, 32])
        #expect(info.width == 512)
        #expect(try ImageInfo.peek(Bytes(ImageFile.icon(images)))?.width == 255)
    }

    @Test("The pages of a TIFF have their own sizes")
    func pages() throws {
        let info = try ImageInfo(Bytes(ImageFile.tiff(pages: [.size(30, 40), .size(5, 6), .size(100, 100)])))
        #expect(info.sizes.map(\.height) == [40, 6, 100])
        #expect(info.size.width == 30)
    }

    @Test("A TIFF whose orientation has an invalid type is upright")
    func damagedOrientation() throws {
        let page = ImageFile.TIFFPage(fields: [(256, 3, 30), (257, 4, 40), (274, 1, 6)], strips: 3)
        #expect(try ImageInfo(Bytes(ImageFile.tiff(pages: [page]))).orientation == .up)
    }

    @Test(
        "Exif orientations from 5 to 8 swap the displayed width and height",
        arguments: zip(1...8, [false, false, false, false, true, true, true, true]))
    func orientation(number: Int, swaps: Bool) throws {
        for isBigEndian in [false, true] {
            let exif = ImageFile.exif(orientation: number, isBigEndian: isBigEndian)
            let info = try ImageInfo(Bytes(ImageFile.jpeg(4, 3, segments: [(0xE1, exif)])))
            #expect(info.orientation.rawValue == number)
            #expect(info.displaySize.width == (swaps ? 3 : 4))
            #expect(info.size.width == 4)
        }
    }

    @Test("An invalid orientation counts as upright", arguments: [0, 9, 65_535])
    func noOrientation(number: Int) throws {
        let exif = ImageFile.exif(orientation: number, isBigEndian: true)
        #expect(try ImageInfo(Bytes(ImageFile.jpeg(4, 3, segments: [(0xE1, exif)]))).orientation == .up)
    }

    @Test("The media types are AFNetworking's and WebP's, and each format has one of them")
    func mediaTypes() {
        #expect(ImageInfo.mediaTypes.count == 11)
        #expect(ImageInfo.Format.allCases.allSatisfy { !$0.mediaTypes.isEmpty })
        #expect(Set(ImageInfo.Format.allCases.flatMap(\.mediaTypes)) == Set(ImageInfo.mediaTypes))
    }

    @Test("Image information can be archived")
    func archive() throws {
        let info = try ImageInfo(Bytes(ImageSample.all[0].bytes))
        #expect(try JSONDecoder().decode(ImageInfo.self, from: JSONEncoder().encode(info)) == info)
    }
}
#endif
