public import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Decodes an image into its pixels; see ``Raster``. What AFNetworking's `AFImageResponseSerializer` does with
/// `automaticallyInflatesResponseImage`.
///
/// Accepts 2xx with AFNetworking's ten types and WebP. Which format it is decide the bytes. What is not accepted is
/// ``Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an `ImageError` as its cause.
public struct RasterResponseSerializer: BodyResponseSerializer, Codable {
    /// What is done with the body before.
    public var handling: BodyHandling
    /// What the image may claim.
    public var limits: ImageLimits

    /// Makes a serializer.
    public init(
        limits: ImageLimits = Raster.defaultLimits,
        handling: BodyHandling = BodyHandling(contentTypes: ImageInfo.mediaTypes)
    ) {
        self.limits = limits
        self.handling = handling
    }

    /// `image/*`.
    public var accept: String? { "image/*" }

    /// Decodes the image, on the caller's thread.
    public func value(from body: Bytes, of response: Response) throws -> Raster {
        try Raster(decoding: body, limits: limits)
    }
}

extension ResponseSerializer where Self == RasterResponseSerializer {
    /// The pixels of an image; see ``RasterResponseSerializer``.
    public static var raster: Self { RasterResponseSerializer() }

    /// The pixels of an image of at most so many.
    public static func raster(maximumPixels: Int) -> Self {
        RasterResponseSerializer(limits: ImageLimits(maximumPixels: maximumPixels))
    }
}
