#if Images
import SockeyeCache
import SockeyeImages

/// The snippets of SockeyeImages.md. They are compiled but not run, because the hosts in them do not exist.
struct Article {
    let client: HTTPClient

    func overview() async throws {
        let raster = try await client.get("https://example.com/logo.png", as: .raster)
        let pixel = raster[0, 0]  // red, green, blue, alpha
        print(pixel)

        let logo = try await client.get("https://example.com/logo.png", as: .image)  // the file and its headers
        let info = try await client.get("https://example.com/logo.png", as: .imageInfo)  // without reading the rest
        print(logo.bytes.count, info.format, info.width, info.height)
    }

    func limits(bytes: Bytes) async throws {
        let small = try await client.get("https://example.com/photo.jpg", as: .raster(maximumPixels: 1 << 24))
        let local = try Raster(decoding: bytes, limits: ImageInfo.Limits(maximumPixels: 1 << 24))
        print(small.width, local.height)
    }

    func manyImages() async throws {
        let downloader = ImageDownloader(client: client)
        let avatar = try await downloader.image("users/7.jpg", filter: .aspectFill(width: 96, height: 96).then(.circle))
        print(avatar.width)

        let receipt = downloader.download("photos/1.jpg", filter: .aspectFit(width: 200, height: 150))
        let image = try await receipt.value
        print(image.raster.width, image.source)  // imageCache, httpCache or network
        receipt.cancel()  // ends this receipt; the exchange ends with the last receipt
    }

    func options() async throws {
        var options = ImageDownloader.Options()
        options.prioritization = .lifo
        options.maximumActiveDownloads = 8
        options.timeout = .seconds(10)
        options.serializer = .raster(maximumPixels: 1 << 24)
        options.cache = MemoryImageCache(capacity: 256 << 20, preferredUsage: 192 << 20) { image, _ in
            image.pixels.count < 16 << 20
        }
        let thumbnails = ImageDownloader(
            client: client.adding(.cache(CachePolicy.MemoryStore(limit: 64 << 20))), options: options)
        print(thumbnails.activeDownloads)
    }

    func filters(raster: Raster) throws {
        let small = try ImageFilter.aspectFit(width: 200, height: 150).applied(to: raster)
        let negative = ImageFilter(id: "negative") { raster in
            let pixels = raster.pixels.enumerated().map { $0 % 4 == 3 ? $1 : 255 - $1 }
            return Raster(width: raster.width, height: raster.height, pixels: Bytes(pixels), of: raster)
        }
        print(small.width, negative)
    }
}
#endif
