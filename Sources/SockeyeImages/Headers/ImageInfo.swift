#if Images
import SockeyeCore

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
        let largest = sizes.max {
            $0.width.multipliedSaturated(by: $0.height) < $1.width.multipliedSaturated(by: $1.height)
        }
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

extension ImageInfo {
    /// How stored pixels are to be turned for display, by the number that TIFF 6.0 and Exif have for it.
    ///
    /// Never gains a case: EXIF has these eight.
    public enum Orientation: Int, Sendable, Hashable, Codable {
        /// As stored.
        case up = 1
        /// Mirrored left to right.
        case upMirrored
        /// Turned by 180°.
        case down
        /// Turned by 180° and mirrored left to right.
        case downMirrored
        /// Mirrored left to right, then turned by 90° counter-clockwise.
        case leftMirrored
        /// Turned by 90° clockwise.
        case right
        /// Mirrored left to right, then turned by 90° clockwise.
        case rightMirrored
        /// Turned by 90° counter-clockwise.
        case left

        /// Whether width and height change places.
        public var swapsSides: Bool { rawValue >= 5 }
    }
}

extension ImageInfo {
    /// Limits on what the header of an image may claim, for callers that allocate memory by it.
    public struct Limits: Sendable, Hashable {
        /// The most pixels that a picture may have, width times height: 268,435,456 by default, 1 GiB in RGBA.
        public var maximumPixels = 1 << 28
        /// The most frames, pages or images that a file may have: 16,384 by default.
        public var maximumFrames = 1 << 14

        /// Makes limits; see the properties.
        public init(maximumPixels: Int = 1 << 28, maximumFrames: Int = 1 << 14) {
            self.maximumPixels = maximumPixels
            self.maximumFrames = maximumFrames
        }
    }
}

extension ImageInfo {
    /// The formats whose headers can be read.
    @nonexhaustive public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
        /// Portable Network Graphics, animated (APNG) ones included.
        case png
        /// JPEG, in JFIF or Exif files or bare.
        case jpeg
        /// GIF 87a and 89a.
        case gif
        /// Windows and OS/2 bitmap.
        case bmp
        /// Windows icon.
        case ico
        /// Windows cursor.
        case cur
        /// TIFF 6.0; BigTIFF is not known.
        case tiff
        /// WebP, lossy, lossless and animated.
        case webp

        /// The media types under which the format is served, the most usual first.
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

        /// The first bytes of the format; nil stands for any byte. TIFF has two byte orders.
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
