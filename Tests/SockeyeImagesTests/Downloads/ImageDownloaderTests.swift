#if Images
@testable import SockeyeCache
import SockeyeCache
import SockeyeImages
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Image downloads", .timeLimit(.minutes(1)))
struct ImageDownloaderTests {
    private static func downloader(
        _ client: HTTPClient = HTTPClient(), _ change: (inout ImageDownloader.Options) -> Void = { _ in }
    ) -> ImageDownloader {
        var options = ImageDownloader.Options()
        change(&options)
        return ImageDownloader(client: client, options: options)
    }

    @Test("an image comes from the server, and the next time from the cache without a request")
    func cacheHit() async throws {
        let images = ImageServer()
        try await images.run { server in
            let downloader = Self.downloader()
            let first = try await downloader.download(server.url("/a")).value
            #expect(first.raster.pixels == Bytes(Samples.pixels))
            #expect(first.source == .network)
            #expect(first.response?.status == .ok)
            let receipt = downloader.download(server.url("/a"))
            // The result is available at once.
            let second = try #require(try receipt.result?.get())
            #expect(second.source == .imageCache)
            #expect(second.response == nil)
            #expect(second.raster == first.raster)
            _ = try await downloader.image(server.url("/a"))
            #expect(images.paths == ["/a"])
        }
    }

    @Test("the cache mode of a call decides if cache or server answers")
    func cacheModes() async throws {
        let images = ImageServer()
        try await images.run { server in
            let client = HTTPClient().adding(.cache(CachePolicy.MemoryStore(limit: 1 << 20)))
            let downloader = Self.downloader(client)
            let url = server.url("/a")
            let missing = await #expect(throws: SockeyeError.self) {
                try await downloader.image(url, cacheMode: .returnCacheDontLoad)
            }
            #expect(missing?.code == .unacceptableStatus)
            #expect(images.paths.isEmpty)
            try await expect(downloader.download(url), source: .network)
            for mode in [CachePolicy.Mode.useProtocol, .returnCacheElseLoad, .returnCacheDontLoad] {
                try await expect(downloader.download(url, cacheMode: mode), source: .imageCache)
            }
            #expect(images.paths.count == 1)
            try await expect(downloader.download(url, cacheMode: .reloadIgnoringCache), source: .network)
            #expect(images.paths.count == 2)
            downloader.options.cache?.removeAll()
            try await expect(downloader.download(url, cacheMode: .returnCacheDontLoad), source: .httpCache)
            #expect(images.paths.count == 2)
        }
    }

    @Test("each call that ignores caches sends a request, and so does each call after a failure")
    func callsInTurn() async throws {
        let images = ImageServer()
        try await images.run { server in
            let downloader = Self.downloader()
            for _ in 0..<100 { _ = try await downloader.image(server.url("/a"), cacheMode: .reloadIgnoringCache) }
            #expect(images.paths.count == 100)
            for _ in 0..<100 { _ = try? await downloader.image(server.url("/missing")) }
            #expect(images.paths.count == 200)
        }
    }

    @Test("without a cache, a call with returnCacheDontLoad fails and sends no request")
    func nothingLoaded() async throws {
        let images = ImageServer()
        try await images.run { server in
            let downloader = Self.downloader { $0.cache = nil }
            let error = await #expect(throws: SockeyeError.self) {
                try await downloader.image(server.url("/a"), cacheMode: .returnCacheDontLoad)
            }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.url == server.url("/a"))
            #expect(images.paths.isEmpty)
        }
    }

    @Test("receipts with different filters share a download, and each filter has its own cache entry")
    func filters() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader()
            let filters: [ImageFilter?] = [nil, .scaled(width: 6, height: 4), .circle, .scaled(width: 6, height: 4)]
            let receipts = filters.map { downloader.download(server.url("/a"), filter: $0) }
            images.release("/a")
            var widths: [Int] = []
            for receipt in receipts { widths.append(try await receipt.value.raster.width) }
            #expect(widths == [3, 6, 2, 6])
            for filter in filters {
                let again = try await downloader.download(server.url("/a"), filter: filter).value
                #expect(again.source == .imageCache)
            }
            #expect(images.paths == ["/a"])
        }
    }

    @Test("a filter that throws fails only the receipts that use it")
    func throwingFilter() async throws {
        struct Refusal: Error {}
        let images = ImageServer()
        try await images.run { server in
            let downloader = Self.downloader()
            let bad = downloader.download(server.url("/a"), filter: ImageFilter(id: "bad") { _ in throw Refusal() })
            let good = downloader.download(server.url("/a"), filter: .circle)
            let error = await #expect(throws: SockeyeError.self) { try await bad.value }
            #expect(error?.code == .decodingFailed)
            #expect(error?.underlying is Refusal)
            try await expect(good, width: 2)
        }
    }

    @Test("images with other header fields or another scale are separate in the cache")
    func identities() async throws {
        let images = ImageServer()
        try await images.run { server in
            let cache = MemoryImageCache()
            let downloader = Self.downloader { $0.cache = cache }
            _ = try await downloader.image(server.url("/a"), headers: ["Authorization": "one"])
            _ = try await downloader.image(server.url("/a"), headers: ["Authorization": "two"])
            _ = try await downloader.image(server.url("/a"), headers: ["Authorization": "one"])
            #expect(images.paths.count == 2)
            let retina = Self.downloader {
                $0.cache = cache
                $0.serializer = .raster(scale: 2)
            }
            let image = try await retina.image(server.url("/a"), headers: ["Authorization": "one"])
            #expect(image.scale == 2)
            #expect(images.paths.count == 3)
        }
    }

    @Test(
        "a failure reaches all receipts that share the download, and no later ones",
        arguments: [
            ("/missing", SockeyeError.Code.unacceptableStatus), ("/broken", .decodingFailed),
            ("/text", .unacceptableContentType),
        ])
    func failures(path: String, code: SockeyeError.Code) async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader()
            let receipts = (0..<20).map { downloader.download(server.url(path), filter: $0 % 2 == 0 ? nil : .circle) }
            await images.awaitRequests(1)
            images.release(path)
            for receipt in receipts {
                let error = await #expect(throws: SockeyeError.self) { try await receipt.value }
                #expect(error?.code == code)
            }
            #expect(images.paths.count == 1)
            await #expect(throws: SockeyeError.self) { try await downloader.image(server.url(path)) }
            #expect(images.paths.count == 2)
            await eventually("the end of the download") { downloader.activeDownloads == 0 }
        }
    }

    @Test("an invalid URL and an image beyond the limit are errors, and a relative URL uses the client's base URL")
    func arguments() async throws {
        let images = ImageServer()
        try await images.run { server in
            let downloader = Self.downloader { $0.serializer = .raster(maximumPixels: 5) }
            let invalid = await #expect(throws: SockeyeError.self) { try await downloader.image("ftp://x/") }
            #expect(invalid?.code == .invalidURL)
            let large = await #expect(throws: SockeyeError.self) { try await downloader.image(server.url("/a")) }
            #expect((large?.underlying as? ImageError)?.kind == .tooLarge)
            let based = ImageDownloader(client: HTTPClient().scoped(baseURL: server.url("/images/")))
            _ = try await based.image("a")
            #expect(images.paths.last == "/images/a")
        }
    }

    @Test("the queue is limited, and receipts that share a download need no place")
    func waitingLimit() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader {
                $0.maximumActiveDownloads = 1
                $0.maximumWaitingDownloads = 1
            }
            let first = downloader.download(server.url("/a"))
            let second = downloader.download(server.url("/b"))
            let refused = downloader.download(server.url("/c"))
            let error = await #expect(throws: SockeyeError.self) { try await refused.value }
            #expect(error?.code == .tooManyWaiting)
            #expect(error?.limit?.seen == "2")
            let shared = downloader.download(server.url("/b"))
            #expect(downloader.waitingDownloads == 1)
            images.release("/a")
            images.release("/b")
            for receipt in [first, second, shared] { _ = try await receipt.value }
        }
    }

    @Test(
        "with fifo the oldest waiting download is next, and with lifo the newest",
        arguments: [ImageDownloader.Prioritization.fifo, .lifo])
    func order(prioritization: ImageDownloader.Prioritization) async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader {
                $0.prioritization = prioritization
                $0.maximumActiveDownloads = 1
            }
            let receipts = (0..<6).map { downloader.download(server.url("/\($0)")) }
            #expect(downloader.activeDownloads == 1)
            #expect(downloader.waitingDownloads == 5)
            for number in 0..<6 { images.release("/\(number)") }
            for receipt in receipts { _ = try await receipt.value }
            let order = prioritization == .fifo ? [0, 1, 2, 3, 4, 5] : [0, 5, 4, 3, 2, 1]
            #expect(images.paths == order.map { "/\($0)" })
        }
    }

    @Test("at most four downloads are active by default, and a thousand receipts for ten URLs make ten requests")
    func manyReceipts() async throws {
        let images = ImageServer(holds: true)
        try await images.run { server in
            let downloader = Self.downloader()
            let receipts = await withTaskGroup { group in
                for number in 0..<1000 {
                    group.addTask { downloader.download(server.url("/\(number % 10)")) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            await images.awaitRequests(4)
            #expect(downloader.activeDownloads == 4)
            #expect(downloader.waitingDownloads == 6)
            for number in 0..<10 { images.release("/\(number)") }
            for receipt in receipts { try await expect(receipt, width: 3) }
            #expect(images.paths.count == 10)
            #expect(Set(images.paths).count == 10)
            #expect(images.mostActive == 4)
            #expect(Set(receipts.map(\.id)).count == 1000)
        }
    }
}
#endif
