extension ImageInfo {
    /// The formats whose headers can be read.
    public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
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
