import SockeyeArchiving

extension XMLResponseSerializer: Codable {
    private static let archive = Archive<Self>(
        .nested("handling", \.handling, BodyHandling.archive), .value("options", \.options))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes handling and options.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension XMLEventsResponseSerializer: Codable {
    private static let archive = Archive<Self>(
        .nested("validation", \.validation, ResponseValidation.archive), .value("limits", \.limits))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes validation and limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}
