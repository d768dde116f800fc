import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Reads an image's file and headers; no pixel is decoded. The counterpart of `AFImageResponseSerializer`.
///
/// Accepts 2xx with AFNetworking's ten types and WebP, `ImageInfo.mediaTypes`. Which format it is
/// decide the bytes. What lies about its size or is cut short is ``SockeyeError/Code-swift.struct/decodingFailed`` with an
/// `ImageError` as its cause.
public struct ImageResponseSerializer: BodyResponseSerializer {
    /// What is done with the body before.
    public var handling: BodyHandling
    /// What the image may claim.
    public var limits: ImageLimits

    /// Makes a serializer.
    public init(
        limits: ImageLimits = ImageLimits(), handling: BodyHandling = BodyHandling(contentTypes: ImageInfo.mediaTypes)
    ) {
        self.limits = limits
        self.handling = handling
    }

    /// `image/*`.
    public var accept: String? { "image/*" }

    /// Reads the headers.
    public func value(from body: Bytes, of response: Response) throws -> ImageContent {
        ImageContent(info: try ImageInfo(body, limits: limits), bytes: body)
    }
}

extension ResponseSerializer where Self == ImageResponseSerializer {
    /// An image's file and headers; see ``ImageResponseSerializer``.
    public static var image: Self { ImageResponseSerializer() }
}

extension ImageResponseSerializer: Codable {
    private enum CodingKeys: CodingKey { case handling, limits }

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.handling, into: &handling)
        try container.read(.limits, into: &limits)
    }
}
