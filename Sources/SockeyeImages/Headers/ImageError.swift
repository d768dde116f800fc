#if Images
/// The reason why bytes are not an accepted image, or why a filter of this library failed.
public struct ImageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. A minor release may add more kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case unknownFormat, truncated, malformed, emptyImage, tooLarge, tooManyFrames, unsupported
        }

        private let value: Value

        /// The first bytes are not those of a known format.
        public static let unknownFormat = Kind(value: .unknownFormat)
        /// The bytes end before the image does, or before an offset that the image refers to.
        public static let truncated = Kind(value: .truncated)
        /// The structure violates the format or contradicts itself.
        public static let malformed = Kind(value: .malformed)
        /// The width or height of the image, or of a filter's result, is 0 or negative.
        public static let emptyImage = Kind(value: .emptyImage)
        /// The image has more pixels than ``ImageInfo/Limits/maximumPixels``, or more than can be decoded
        /// (536,870,911). Or the result of a filter would have more pixels than ``Raster/defaultLimits`` allow.
        public static let tooLarge = Kind(value: .tooLarge)
        /// The image has more frames than ``ImageInfo/Limits/maximumFrames``.
        public static let tooManyFrames = Kind(value: .tooManyFrames)

        /// The format is recognised, but this library cannot decode it or the file's variant of it, or decoding would
        /// take too much time or memory.
        public static let unsupported = Kind(value: .unsupported)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// The kind of error.
    public let kind: Kind
    /// The format, detected from the first bytes; nil if unknown.
    public let format: ImageInfo.Format?
    /// One sentence for people; its wording may change.
    public let message: String

    init(_ kind: Kind, _ format: ImageInfo.Format?, _ message: String) {
        self.kind = kind
        self.format = format
        self.message = message
    }

    init(tooManyFrames format: ImageInfo.Format, _ limits: ImageInfo.Limits) {
        self.init(.tooManyFrames, format, "the file has more than the limit of \(limits.maximumFrames) frames")
    }

    /// The format and the reason.
    public var description: String { format.map { "\($0): \(message)" } ?? message }
}
#endif
