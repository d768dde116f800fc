#if Images
public import SockeyeCore

/// The pixels of an image.
///
/// ```swift
/// let raster = try await client.get(url, as: .raster)
/// // red, green, blue, alpha
/// let pixel = raster[12, 34]
/// ```
///
/// PNG, JPEG, GIF, BMP and WebP are decoded. Of an animated GIF only the first frame is decoded, of an animated PNG
/// only the default image. Animated WebP, TIFF, icons, compressed bitmaps and bitmaps of 2 or 16 bits per pixel are
/// ``ImageError/Kind-swift.struct/unsupported``.
public struct Raster: Sendable, Hashable {
    /// The number of pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The pixels row by row from the top, four bytes each: red, green, blue, alpha.
    ///
    /// Colours are in the colour space of the file (usually sRGB) and are not premultiplied: a transparent pixel may
    /// have any colour.
    public let pixels: Bytes
    /// The transformation of the pixels for display. ``pixels`` are as stored, before this transformation.
    public let orientation: ImageInfo.Orientation
    /// The format of the file from which the pixels were decoded.
    public let format: ImageInfo.Format
    /// The number of pixels per point. The sizes of an ``ImageFilter`` are in points. Default 1. The counterpart of
    /// AFNetworking's `AFImageResponseSerializer.imageScale`.
    public let scale: Double

    /// Returns a pixel; `x` counts from the left, `y` from the top.
    ///
    /// - Precondition: Both lie within the image.
    public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "the coordinates are outside of the image")
        let offset = 4 * (y * width + x)
        return SIMD4(pixels[offset], pixels[offset + 1], pixels[offset + 2], pixels[offset + 3])
    }

    /// The default limits of decoding: at most 67,108,864 pixels, which take 256 MiB.
    public static let defaultLimits = ImageInfo.Limits(maximumPixels: 1 << 26)

    /// Decodes a file.
    ///
    /// Decoding takes four bytes of memory per pixel, and during the call up to eight more for a JPEG of several scans.
    /// The headers are checked against the limits before memory is allocated, and an image that turns out to be larger
    /// than its headers say is refused. Decoding takes time proportional to the number of pixels, about a second for 64
    /// million, and is not interrupted by cancellation.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: The limits for the numbers of pixels and frames that the headers state. More than 536,870,911 pixels
    ///     are always refused.
    ///   - scale: See ``scale``. Values that are not positive and finite count as 1.
    /// - Throws: ``ImageError``.
    public init(
        decoding bytes: Bytes, limits: ImageInfo.Limits = defaultLimits, scale: Double = 1
    ) throws(ImageError) {
        let info = try ImageInfo(bytes, limits: limits)
        width = info.width
        height = info.height
        orientation = info.orientation
        format = info.format
        pixels = try info.format.decodePixels(bytes, info.size)
        self.scale = Self.checked(scale)
    }

    /// Creates an image from pixels, such as the result of a custom ``ImageFilter``.
    ///
    /// - Precondition: Both sides are at least 1, and there are four bytes for each pixel.
    ///
    /// - Parameters:
    ///   - width: The number of pixels in a row.
    ///   - height: The number of rows.
    ///   - pixels: See ``pixels``.
    ///   - original: The source image. The new image takes its ``format`` and ``scale``.
    ///   - orientation: See ``orientation``. Default ``ImageInfo/Orientation/up``: the pixels are as displayed.
    public init(
        width: Int, height: Int, pixels: Bytes, of original: Raster, orientation: ImageInfo.Orientation = .up
    ) {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        precondition(width > 0 && height > 0 && !overflows && count <= Int.max / 4, "the size is empty or too large")
        precondition(pixels.count == 4 * count, "pixels must have 4 × width × height bytes")
        self.width = width
        self.height = height
        self.pixels = pixels
        self.orientation = orientation
        format = original.format
        scale = original.scale
    }

    static func checked(_ scale: Double) -> Double { scale > 0 && scale.isFinite ? scale : 1 }
}
#endif
