public import SockeyeSerialization

/// An image as it came, and what its headers say of it.
public struct ImageContent: Sendable, Hashable {
    /// Format, size, frames, orientation.
    public let info: ImageInfo
    /// The file.
    public let bytes: Bytes

    /// Makes a content of its parts.
    public init(info: ImageInfo, bytes: Bytes) {
        self.info = info
        self.bytes = bytes
    }
}
