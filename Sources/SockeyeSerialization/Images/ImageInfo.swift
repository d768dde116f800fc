/// What an image file says of itself: format, size in pixels, frames, orientation. Read from its headers; no pixel is
/// decoded, and nothing beside these values is allocated, whatever the file claims.
///
/// ```swift
/// let info = try ImageInfo(bytes)
/// print(info.format, info.width, info.height, info.frameCount ?? 0)
/// ```
///
/// This is what AFNetworking's image response serializer comes to without a graphics system.
public struct ImageInfo: Sendable, Hashable, Codable {
    /// A size in pixels.
    public struct Size: Sendable, Hashable, Codable {
        /// Pixels in a row, at least 1.
        public let width: Int
        /// Rows, at least 1.
        public let height: Int
    }

    /// The format, by its first bytes and not by what Content-Type says.
    public let format: Format
    /// The size of each picture in the file: the pages of a TIFF, the images of an ICO or CUR, in their order; of every
    /// other format one, that of the canvas. Never empty.
    public internal(set) var sizes: [Size]
    /// How many frames an animated GIF, PNG or WebP has, how many pages a TIFF, how many images an ICO or CUR; else 1.
    /// Nil only from ``peek(_:limits:)``, if it takes the rest of the file to tell.
    public internal(set) var frameCount: Int?
    /// How the stored pixels are to be turned for display, from TIFF or Exif fields; ``Orientation/up`` if none says.
    public internal(set) var orientation: Orientation

    init(_ format: Format, _ sizes: [Size], frameCount: Int?, orientation: Orientation = .up) {
        self.format = format
        self.sizes = sizes
        self.frameCount = frameCount
        self.orientation = orientation
    }

    /// The size as stored: of an ICO or CUR that of the largest image, of a TIFF that of the first page.
    public var size: Size {
        let isIcon = format == .ico || format == .cur
        let largest = sizes.max { $0.width * $0.height < $1.width * $1.height }
        return (isIcon ? largest : sizes.first) ?? Size(width: 1, height: 1)
    }

    /// The width of ``size``.
    public var width: Int { size.width }
    /// The height of ``size``.
    public var height: Int { size.height }
    /// The size as it is to be shown: ``size`` with its sides swapped if ``orientation`` turns by a quarter.
    public var displaySize: Size {
        orientation.swapsSides ? Size(width: height, height: width) : size
    }
}
