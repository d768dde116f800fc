import SockeyeImages

/// The snippets of SockeyeImages.md, which would need the hosts that they name: compiled, not run.
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
}
