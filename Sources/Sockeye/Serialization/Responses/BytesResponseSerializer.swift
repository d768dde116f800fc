import SockeyeCore
public import SockeyeEngine

/// Hands the body over as it is, without a copy.
///
/// Accepts 2xx of any type.
public struct BytesResponseSerializer: BodyResponseSerializer {
    /// What is done with the body before.
    public var handling: BodyHandling

    /// Makes a serializer.
    public init(handling: BodyHandling = BodyHandling()) {
        self.handling = handling
    }

    /// The body.
    public func value(from body: Bytes, of response: Response) -> Bytes { body }
}

extension ResponseSerializer where Self == BytesResponseSerializer {
    /// The body as ``Bytes``; see ``BytesResponseSerializer``.
    public static var bytes: Self { BytesResponseSerializer() }
}

extension BytesResponseSerializer: Codable {
    private enum CodingKeys: CodingKey { case handling }

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.handling, into: &handling)
    }
}
