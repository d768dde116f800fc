#if Images
import SockeyeCore

/// The format, size in pixels, frames and orientation of an image file.
///
/// The values are read from the file's headers. No pixel is decoded, and memory is allocated only for these values.
///
/// ```swift
/// let info = try ImageInfo(bytes)
/// print(info.format, info.width, info.height, info.frameCount ?? 0)
/// ```
///
/// This type is the counterpart of AFNetworking's image response serializer, but needs no graphics system.
public struct ImageInfo: Sendable, Hashable, Codable {
    /// A size in pixels.
    public struct Size: Sendable, Hashable, Codable {
        /// The number of pixels in a row, at least 1.
        public let width: Int
        /// The number of rows, at least 1.
        public let height: Int
    }

    /// The format, detected from the first bytes and not from Content-Type.
    public let format: Format
    /// The sizes of the pictures in the file: the pages of a TIFF, the images of an ICO or CUR, in order; for other
    /// formats only the canvas. Never empty.
    public internal(set) var sizes: [Size]
    /// The number of frames, pages or images: the frames of an animated GIF, PNG or WebP, the pages of a TIFF, or the
    /// images of an ICO or CUR. For all other files 1.
    ///
    /// Nil only from ``peek(_:limits:)``, if the rest of the file is needed for the count.
    public internal(set) var frameCount: Int?
    /// The transformation of the stored pixels for display, from TIFF or Exif fields; ``Orientation/up`` if there are
    /// no such fields.
    public internal(set) var orientation: Orientation

    init(_ format: Format, _ sizes: [Size], frameCount: Int?, orientation: Orientation = .up) {
        self.format = format
        self.sizes = sizes
        self.frameCount = frameCount
        self.orientation = orientation
    }

    /// The size as stored: for an ICO or CUR, the size of its largest image; for a TIFF, the size of its first page.
    public var size: Size {
        let isIcon = format == .ico || format == .cur
        let largest = sizes.max {
            $0.width.multipliedSaturated(by: $0.height) < $1.width.multipliedSaturated(by: $1.height)
        }
        return (isIcon ? largest : sizes.first) ?? Size(width: 1, height: 1)
    }

    /// The width of ``size``.
    public var width: Int { size.width }
    /// The height of ``size``.
    public var height: Int { size.height }
    /// The size as displayed: ``size``, with its sides swapped if ``orientation`` rotates by a quarter turn.
    public var displaySize: Size {
        orientation.swapsSides ? Size(width: height, height: width) : size
    }
}

extension ImageInfo {
    /// The transformation of stored pixels for display, by its number in TIFF 6.0 and Exif.
    ///
    /// This type never gains a case: Exif defines these eight.
    public enum Orientation: Int, Sendable, Hashable, Codable {
        /// As stored.
        case up = 1
        /// Mirrored left to right.
        case upMirrored
        /// Rotated by 180°.
        case down
        /// Rotated by 180° and mirrored left to right.
        case downMirrored
        /// Mirrored left to right, then rotated by 90° counter-clockwise.
        case leftMirrored
        /// Rotated by 90° clockwise.
        case right
        /// Mirrored left to right, then rotated by 90° clockwise.
        case rightMirrored
        /// Rotated by 90° counter-clockwise.
        case left

        /// True if width and height are swapped.
        public var swapsSides: Bool { rawValue >= 5 }
    }
}

extension ImageInfo {
    /// The limits for the values in an image's header. They protect callers that allocate memory of the announced size.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of pixels of a picture, width times height: 268,435,456 by default, 1 GiB in RGBA.
        public var maximumPixels = 1 << 28
        /// The maximum number of frames, pages or images of a file: 16,384 by default.
        public var maximumFrames = 1 << 14

        /// Creates limits; see the properties.
        public init(maximumPixels: Int = 1 << 28, maximumFrames: Int = 1 << 14) {
            self.maximumPixels = maximumPixels
            self.maximumFrames = maximumFrames
        }
    }
}

extension ImageInfo {
    /// The image formats with headers that ``ImageInfo`` can read. ``Raster`` decodes only some of these formats.
    @nonexhaustive public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
        /// Portable Network Graphics, including animated ones (APNG).
        case png
        /// JPEG: JFIF, Exif or bare.
        case jpeg
        /// GIF 87a and 89a.
        case gif
        /// Windows and OS/2 bitmap.
        case bmp
        /// Windows icon.
        case ico
        /// Windows cursor.
        case cur
        /// TIFF 6.0; BigTIFF is not supported.
        case tiff
        /// WebP, lossy, lossless and animated.
        case webp

        /// The media types of the format, the most usual first.
        public var mediaTypes: [String] {
            switch self {
            case .png: ["image/png"]
            case .jpeg: ["image/jpeg"]
            case .gif: ["image/gif"]
            case .bmp: ["image/bmp", "image/x-bmp", "image/x-xbitmap", "image/x-win-bitmap"]
            case .ico: ["image/x-icon", "image/ico"]
            case .cur: ["image/x-icon"]
            case .tiff: ["image/tiff"]
            case .webp: ["image/webp"]
            }
        }

        /// The possible first bytes of a file of this format; nil matches any byte. TIFF has two byte orders.
        var signatures: [[UInt8?]] {
            switch self {
            case .png: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]]
            case .jpeg: [[0xFF, 0xD8, 0xFF]]
            case .gif: [Array("GIF87a".utf8), Array("GIF89a".utf8)]
            case .bmp: [Array("BM".utf8)]
            case .ico: [[0x00, 0x00, 0x01, 0x00]]
            case .cur: [[0x00, 0x00, 0x02, 0x00]]
            case .tiff: [[0x49, 0x49, 0x2A, 0x00], [0x4D, 0x4D, 0x00, 0x2A]]
            case .webp: [Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBP".utf8)]
            }
        }

    }

    /// The media types of images: the ten that AFNetworking's image response serializer accepts, and `image/webp`.
    public static let mediaTypes = [
        "image/tiff", "image/jpeg", "image/gif", "image/png", "image/ico", "image/x-icon", "image/bmp", "image/x-bmp",
        "image/x-xbitmap", "image/x-win-bitmap", "image/webp",
    ]
}
#endif
