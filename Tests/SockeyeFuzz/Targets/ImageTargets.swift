import SockeyeCore
import SockeyeImages

/// Images: their headers and their pixels.
enum ImageTargets {
    /// Checks that sizes are within the limits, and that a prefix gives the same information as the whole file.
    static let headers: FuzzTarget = { bytes in
        let limits = ImageInfo.Limits(maximumPixels: 1 << 24, maximumFrames: 100)
        let body = Bytes(bytes)
        guard let info = try? ImageInfo(body, limits: limits) else {
            _ = try? ImageInfo.peek(body, limits: limits)
            return
        }
        for size in info.sizes { require(size.width > 0 && size.height > 0, "an empty image") }
        require(info.sizes.allSatisfy { $0.width * $0.height <= limits.maximumPixels }, "more pixels than the limit")
        _ = (info.size, info.displaySize)
        guard let peeked = try? ImageInfo.peek(body, limits: limits) else {
            fatalError("a complete image counts as too short")
        }
        // The directory of an icon has only one byte for each side of an image. The sizes in the images themselves
        // replace these sizes.
        let isIcon = info.format == .ico || info.format == .cur
        require(peeked.format == info.format, "the prefix says \(peeked), the whole \(info)")
        require(isIcon || peeked.size == info.size, "the prefix says \(peeked), the whole \(info)")
        for count in [8, 30, bytes.count / 2] where count < bytes.count {
            _ = try? ImageInfo.peek(body.slice(0..<count), limits: limits)
        }
    }

    /// Decodes the image to the number of pixels that the header gives, or fails.
    static let rasters: FuzzTarget = { bytes in
        let limits = ImageInfo.Limits(maximumPixels: 1 << 16, maximumFrames: 10)
        guard let raster = try? Raster(decoding: Bytes(bytes), limits: limits) else { return }
        require(raster.pixels.count == 4 * raster.width * raster.height, "\(raster.pixels.count) bytes of pixels")
        require(raster.width * raster.height <= limits.maximumPixels, "more pixels than the limit")
    }
}
