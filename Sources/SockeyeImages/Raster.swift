#if Images
public import SockeyeCore

/// The pixels of an image.
///
/// ```swift
/// let raster = try await client.get(url, as: .raster)
/// let pixel = raster[12, 34]                 // red, green, blue, alpha
/// ```
///
/// PNG, JPEG, GIF, BMP and WebP are decoded. Of what moves it is the first picture: of a GIF the first frame, of an animated
/// PNG the one that other programs show. Animated WebP, TIFF, icons and compressed bitmaps are
/// ``ImageError/Kind-swift.struct/unsupported``.
public struct Raster: Sendable, Hashable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Row by row from the top, four bytes a pixel: red, green, blue, alpha. 8 bits each, in the colour space of the file
    /// (usually sRGB), and not premultiplied: a transparent pixel may have a colour.
    public let pixels: Bytes
    /// How the pixels are to be turned for display. They come as they are stored.
    public let orientation: ImageInfo.Orientation
    /// The format that they were decoded from.
    public let format: ImageInfo.Format
    /// Pixels to a point, the unit in which sizes of an ``ImageFilter`` are given: 2 for an image that is made for screens of
    /// twice the density. Default 1. (`AFImageResponseSerializer.imageScale`)
    public let scale: Double

    /// A pixel; `x` counts from the left, `y` from the top.
    ///
    /// - Precondition: Both lie within the image.
    public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "no pixel of the image")
        let offset = 4 * (y * width + x)
        return SIMD4(pixels[offset], pixels[offset + 1], pixels[offset + 2], pixels[offset + 3])
    }

    /// What is decoded unless a caller says otherwise: at most 67,108,864 pixels, 256 MiB of them.
    public static let defaultLimits = ImageInfo.Limits(maximumPixels: 1 << 26)

    /// Decodes a file.
    ///
    /// It takes four bytes of memory a pixel, and for a JPEG of several scans up to eight more while it runs. What the
    /// headers say is checked against the limits before any of it is allocated, and an image that turns out to be larger
    /// than its headers say is refused. It takes time in proportion to the pixels, 64 million of them about a second, and
    /// is not interrupted if the task is cancelled.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limits: What the image may claim. More than 536,870,911 pixels are refused in any case.
    ///   - scale: See ``scale``. What is not above zero counts as 1.
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

    /// Makes an image of pixels, such as what an ``ImageFilter`` of your own has made.
    ///
    /// - Precondition: Both sides are at least 1, and there are four bytes for each pixel.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - pixels: See ``pixels``.
    ///   - original: What the image was made of: its ``format`` and ``scale`` are those of the new one.
    ///   - orientation: See ``orientation``. Default: the pixels are as they are to be shown.
    public init(
        width: Int, height: Int, pixels: Bytes, of original: Raster, orientation: ImageInfo.Orientation = .up
    ) {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        precondition(width > 0 && height > 0 && !overflows && count <= Int.max / 4, "an image without a size")
        precondition(pixels.count == 4 * count, "not four bytes a pixel")
        self.width = width
        self.height = height
        self.pixels = pixels
        self.orientation = orientation
        format = original.format
        scale = original.scale
    }

    /// The scale that a caller meant, where it is one.
    static func checked(_ scale: Double) -> Double { scale > 0 && scale.isFinite ? scale : 1 }
}
#endif
