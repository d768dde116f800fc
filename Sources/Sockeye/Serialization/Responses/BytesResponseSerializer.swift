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
    public func value(from body: Bytes, of response: IncomingResponse) -> Bytes { body }
}

extension ResponseSerializer where Self == BytesResponseSerializer {
    /// The body as ``Bytes``; see ``BytesResponseSerializer``.
    public static var bytes: Self { BytesResponseSerializer() }
}
