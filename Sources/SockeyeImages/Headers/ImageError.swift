#if Images
/// Why bytes are no image, or none that is accepted.
public struct ImageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong. More kinds may be added in a minor release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case unknownFormat, truncated, malformed, emptyImage, tooLarge, tooManyFrames, unsupported
        }

        private let value: Value

        /// The first bytes are those of no format that is known.
        public static let unknownFormat = Kind(value: .unknownFormat)
        /// The bytes end before the image does, or before something that it points to.
        public static let truncated = Kind(value: .truncated)
        /// The structure breaks the format's rules or contradicts itself.
        public static let malformed = Kind(value: .malformed)
        /// A side has no pixels.
        public static let emptyImage = Kind(value: .emptyImage)
        /// There are more pixels than ``ImageInfo/Limits/maximumPixels``.
        public static let tooLarge = Kind(value: .tooLarge)
        /// There are more frames than ``ImageInfo/Limits/maximumFrames``.
        public static let tooManyFrames = Kind(value: .tooManyFrames)

        /// The format, or what the file makes of it, can be told but not decoded.
        public static let unsupported = Kind(value: .unsupported)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// What was wrong.
    public let kind: Kind
    /// The format that the first bytes announce, if they do.
    public let format: ImageInfo.Format?
    /// One sentence for people; its wording may change.
    public let message: String

    init(_ kind: Kind, _ format: ImageInfo.Format?, _ message: String) {
        self.kind = kind
        self.format = format
        self.message = message
    }

    init(tooManyFrames format: ImageInfo.Format, _ limits: ImageInfo.Limits) {
        self.init(.tooManyFrames, format, "more than \(limits.maximumFrames) frames")
    }

    /// The format and the reason.
    public var description: String { format.map { "\($0): \(message)" } ?? message }
}
#endif
