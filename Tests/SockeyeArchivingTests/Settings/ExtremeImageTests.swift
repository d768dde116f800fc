#if Images
import Sockeye
import SockeyeCore
import SockeyeImages
import SockeyeTesting
import Testing

@Suite("Extreme settings of images", .serialized, .timeLimit(.minutes(5)))
struct ExtremeImageTests {
    /// A bitmap of one pixel (BITMAPINFOHEADER, 24 bits).
    private static let file: [UInt8] =
        [0x42, 0x4D, 58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0]
        + [UInt8](repeating: 0, count: 24) + [1, 2, 3, 0]

    private static let pixel = Bytes(file)

    private let client = SettingsUse.client(.bytes(ExtremeImageTests.pixel, contentType: "image/bmp"))

    @Test("An image is decoded or refused with any limits")
    func limits() {
        let table = SettingsTable(
            ImageInfo.Limits(), .count("maximumPixels", \.maximumPixels), .count("maximumFrames", \.maximumFrames))
        table.expectComplete()
        for (text, limits) in table.variants {
            let fits = limits.maximumPixels >= 1 && limits.maximumFrames >= 1
            do {
                _ = try Raster(decoding: Self.pixel, limits: limits)
                #expect(fits, "\(text)")
            } catch {
                #expect(!fits && !"\(error)".isEmpty, "\(text)")
            }
        }
    }

    @Test("An image of any scale is filtered to any size or refused")
    func filters() throws {
        for scale in Extreme.numbers + [1e-6, 1e-9, 1e9] {
            let raster = try Raster(decoding: Self.pixel, scale: scale)
            for width in Extreme.counts {
                for height in Extreme.counts {
                    for filter in [
                        ImageFilter.scaled(width: width, height: height), .aspectFit(width: width, height: height),
                        .aspectFill(width: width, height: height),
                    ] {
                        do { _ = try filter.applied(to: raster) } catch let error as ImageError {
                            #expect(!"\(error)".isEmpty)
                        }
                    }
                }
            }
            for radius in Extreme.numbers { _ = try ImageFilter.roundedCorners(radius: radius).applied(to: raster) }
        }
    }

    @Test("A serializer reads or refuses an image of any scale and length")
    func serializers() async {
        await SettingsTable(
            ImageInfoResponseSerializer(), .plain("validation"), .plain("limits"), .count("limit", \.limit)
        ).useEach { serializer in
            let info = try await client.get("http://a.test/", as: serializer)
            #expect(info.width == 1)
        }
        SettingsTable(ImageContentFormat(), .plain("limits")).expectComplete()
        await SettingsTable(RasterFormat(), .plain("limits"), .number("scale", \.scale)).useEach { format in
            let serializer = BodySerializer<Raster>.raster(limits: format.limits, scale: format.scale)
            let scale = try await client.get("http://a.test/", as: serializer).scale
            #expect(scale > 0 && scale.isFinite)
        }
    }

    @Test("A downloader works with any number in its options or throws an error of the library")
    func downloader() async {
        let table = SettingsTable(
            ImageDownloader.Options(), .plain("prioritization"),
            .count("maximumActiveDownloads", \.maximumActiveDownloads),
            .count("maximumWaitingDownloads", \.maximumWaitingDownloads), .duration("timeout", \.timeout),
            .plain("serializer"), .plain("cache"))
        let workingCount = await table.useEach { options in
            var options = options
            // The variants would share a cache, so that only the first variant would download.
            options.cache = nil
            let downloader = ImageDownloader(client: client, options: options)
            let receipts = (0..<6).map { downloader.download("http://a.test/\($0)") }
            for receipt in receipts {
                let raster = try await receipt.value.raster
                #expect(raster.width == 1)
            }
        }
        // All numbers of active downloads work, and so do the largest numbers of waiting downloads.
        #expect(workingCount >= Extreme.counts.count + 2)
    }

    @Test("A cache of images stays within any capacity")
    func cache() throws {
        let raster = try Raster(decoding: Self.pixel)
        let url = try HTTPURL("http://a.test/")
        for capacity in Extreme.counts {
            for preferredUsage in Extreme.counts {
                let cache = MemoryImageCache(capacity: capacity, preferredUsage: preferredUsage)
                for scale in Extreme.numbers { cache.add(raster, for: ImageKey(url: url, scale: scale)) }
                #expect(cache.usage <= max(0, capacity) && cache.preferredUsage <= cache.capacity)
            }
        }
    }
}
#endif
