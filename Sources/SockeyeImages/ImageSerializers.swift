#if Images
public import SockeyeCore
import SockeyeSerialization

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

/// Reads an image's file and headers; no pixel is decoded. The counterpart of `AFImageResponseSerializer`.
///
/// Accepts 2xx with AFNetworking's ten types and WebP, `ImageInfo.mediaTypes`. Which format it is
/// decide the bytes. What lies about its size or is cut short is ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an
/// `ImageError` as its cause.
public struct ImageResponseSerializer: BodyResponseSerializer {
    /// What is done with the body before.
    public var handling: BodyHandling
    /// What the image may claim.
    public var limits: ImageInfo.Limits

    /// Makes a serializer.
    public init(
        limits: ImageInfo.Limits = ImageInfo.Limits(),
        handling: BodyHandling = BodyHandling(contentTypes: ImageInfo.mediaTypes)
    ) {
        self.limits = limits
        self.handling = handling
    }

    /// `image/*`.
    public var accept: String? { "image/*" }

    /// Reads the headers.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> ImageContent {
        ImageContent(info: try ImageInfo(body, limits: limits), bytes: body)
    }
}

extension ResponseSerializer where Self == ImageResponseSerializer {
    /// An image's file and headers; see ``ImageResponseSerializer``.
    public static var image: Self { ImageResponseSerializer() }
}

/// Reads no more of an image than it takes to tell its size; the rest is dropped with the response.
///
/// Accepts what ``ImageResponseSerializer`` does. The frames of an animation, and all pages of a TIFF but the first, may
/// remain unknown; see `ImageInfo.peek`.
public struct ImageInfoResponseSerializer: ResponseSerializer {
    /// Which responses are accepted.
    public var validation: ResponseValidation
    /// What the image may claim.
    public var limits: ImageInfo.Limits
    /// How many bytes to read at most. Default 1 MiB. Past it is ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded``.
    public var limit: Int

    /// Makes a serializer.
    public init(
        validation: ResponseValidation = ResponseValidation(contentTypes: ImageInfo.mediaTypes),
        limits: ImageInfo.Limits = ImageInfo.Limits(), limit: Int = 1 << 20
    ) {
        self.validation = validation
        self.limits = limits
        self.limit = limit
    }

    /// `image/*`.
    public var accept: String? { "image/*" }

    /// Reads until the size is known.
    public func value(of response: IncomingResponse) async throws(SockeyeError) -> ImageInfo {
        var body = try await response.validated(validation).body.makeAsyncIterator()
        var collected = BytesAccumulator(expected: nil)
        var tried = 0
        while let chunk = try await body.next() {
            collected.append(chunk)
            // Twice as many as at the last attempt, so that all attempts take time in proportion to the bytes.
            guard collected.count >= 2 * tried else { continue }
            tried = collected.count
            let prefix = collected.finish()
            if let info = try peek(prefix, of: response) { return info }
            guard tried < limit else {
                throw SockeyeError.tooLarge(limit: limit, seen: tried).about(response.request)
            }
            collected.append(prefix)
        }
        return try whole(collected.finish(), of: response)
    }

    private func peek(_ prefix: Bytes, of response: IncomingResponse) throws(SockeyeError) -> ImageInfo? {
        do throws(ImageError) {
            return try ImageInfo.peek(prefix, limits: limits)
        } catch {
            throw response.decodingFailure(error, body: prefix)
        }
    }

    private func whole(_ bytes: Bytes, of response: IncomingResponse) throws(SockeyeError) -> ImageInfo {
        do throws(ImageError) {
            return try ImageInfo(bytes, limits: limits)
        } catch {
            throw response.decodingFailure(error, body: bytes)
        }
    }
}

extension ResponseSerializer where Self == ImageInfoResponseSerializer {
    /// What the first bytes of an image say; see ``ImageInfoResponseSerializer``.
    public static var imageInfo: Self { ImageInfoResponseSerializer() }
}

/// Decodes an image into its pixels; see ``Raster``. What AFNetworking's `AFImageResponseSerializer` does with
/// `automaticallyInflatesResponseImage`.
///
/// Accepts 2xx with AFNetworking's ten types and WebP. Which format it is decide the bytes. What is not accepted is
/// ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an `ImageError` as its cause.
public struct RasterResponseSerializer: BodyResponseSerializer {
    /// What is done with the body before.
    public var handling: BodyHandling
    /// What the image may claim.
    public var limits: ImageInfo.Limits
    /// The images' ``Raster/scale``. Default 1. (`imageScale`)
    public var scale: Double

    /// Makes a serializer.
    public init(
        limits: ImageInfo.Limits = Raster.defaultLimits, scale: Double = 1,
        handling: BodyHandling = BodyHandling(contentTypes: ImageInfo.mediaTypes)
    ) {
        self.limits = limits
        self.scale = scale
        self.handling = handling
    }

    /// `image/*`.
    public var accept: String? { "image/*" }

    /// Decodes the image, on the caller's thread.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> Raster {
        try Raster(decoding: body, limits: limits, scale: scale)
    }
}

extension ResponseSerializer where Self == RasterResponseSerializer {
    /// The pixels of an image; see ``RasterResponseSerializer``.
    public static var raster: Self { RasterResponseSerializer() }

    /// The pixels of an image of at most so many.
    public static func raster(maximumPixels: Int) -> Self {
        RasterResponseSerializer(limits: ImageInfo.Limits(maximumPixels: maximumPixels))
    }
}

extension ImageError: ContentFormatError {
    package var contentFormat: String { "image" }
}

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
        .nested("handling", \.handling, BodyHandling.archive), .nested("limits", \.limits, ImageInfo.Limits.archive),
        .value("scale", \.scale))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes handling, limits and scale.
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
#endif
