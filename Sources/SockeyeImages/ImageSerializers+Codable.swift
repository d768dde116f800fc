import SockeyeArchiving
import SockeyeSerialization

extension ImageResponseSerializer: Codable {
    private static let archive = Archive<Self>(
        .nested("handling", \.handling, BodyHandling.archive), .nested("limits", \.limits, ImageInfo.Limits.archive))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes handling and limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension ImageInfoResponseSerializer: Codable {
    private static let archive = Archive<Self>(
        .nested("validation", \.validation, ResponseValidation.archive),
        .nested("limits", \.limits, ImageInfo.Limits.archive), .value("limit", \.limit))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes validation and limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension RasterResponseSerializer: Codable {
    private static let archive = Archive<Self>(
        .nested("handling", \.handling, BodyHandling.archive), .nested("limits", \.limits, ImageInfo.Limits.archive))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes handling and limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension ImageInfo.Limits: Codable {
    fileprivate static let archive = Archive<Self>(
        .value("maximumPixels", \.maximumPixels), .value("maximumFrames", \.maximumFrames))

    /// Reads limits; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes both limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}
