#if Images
public import SockeyeCore
import SockeyeSerialization

/// An image file with the information in its headers.
public struct ImageContent: Sendable, Hashable {
    /// Format, size, frames, orientation.
    public let info: ImageInfo
    /// The bytes of the file.
    public let bytes: Bytes

    /// Creates a content from its parts.
    public init(info: ImageInfo, bytes: Bytes) {
        self.info = info
        self.bytes = bytes
    }
}

/// The body format of the serializer `.image`.
package struct ImageContentFormat: BodyFormat {
    /// The limits on the pixels and frames that the image's headers declare.
    package var limits: ImageInfo.Limits

    package init(limits: ImageInfo.Limits = ImageInfo.Limits()) {
        self.limits = limits
    }

    package func value(from body: Bytes, _: BodyHandling, of _: IncomingResponse) throws -> ImageContent {
        ImageContent(info: try ImageInfo(body, limits: limits), bytes: body)
    }
}

extension ResponseSerializer where Self == BodySerializer<ImageContent> {
    /// Reads an image file and the headers in it; no pixel is decoded. The counterpart of `AFImageResponseSerializer`.
    ///
    /// Accepts responses with status 2xx and one of AFNetworking's ten image types or WebP (``ImageInfo/mediaTypes``).
    /// The format is detected from the bytes. An image that is truncated, malformed or beyond the limits throws
    /// ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed``, caused by an ``ImageError``.
    public static var image: Self { .image(limits: ImageInfo.Limits()) }

    /// Reads an image file and the headers in it; see `.image`.
    ///
    /// - Parameter limits: The limits on the pixels and frames that the image's headers declare.
    public static func image(limits: ImageInfo.Limits) -> Self {
        ImageContent.serializer(ImageContentFormat(limits: limits))
    }
}

extension ImageContent: FormattedValue {
    package static func serializer(_ format: ImageContentFormat) -> BodySerializer<ImageContent> {
        BodySerializer(format, accept: "image/*", handling: BodyHandling(contentTypes: ImageInfo.mediaTypes))
    }
}

/// Reads an image only until its width and height are known; the rest of the body is not read.
///
/// Accepts the same responses as `.image`. The result may lack the number of frames of an animation, and all pages of a
/// TIFF except the first; see `ImageInfo.peek`.
public struct ImageInfoResponseSerializer: ResponseSerializer {
    /// The conditions for accepted responses.
    public var validation: IncomingResponse.Validation
    /// The limits on the pixels and frames that the image's headers declare.
    public var limits: ImageInfo.Limits
    /// The maximum number of bytes to read. Default 1 MiB. If an image needs more, reading it throws
    /// ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded``.
    public var limit: Int

    /// Creates a serializer.
    public init(
        validation: IncomingResponse.Validation = IncomingResponse.Validation(contentTypes: ImageInfo.mediaTypes),
        limits: ImageInfo.Limits = ImageInfo.Limits(), limit: Int = 1 << 20
    ) {
        self.validation = validation
        self.limits = limits
        self.limit = limit
    }

    /// `image/*`.
    public var accept: String? { "image/*" }

    /// Reads until the width and height are known.
    public func value(of response: IncomingResponse) async throws(SockeyeError) -> ImageInfo {
        var body = try await response.validated(validation).body.makeAsyncIterator()
        var collected = BytesAccumulator(expected: nil)
        var tried = 0
        while let chunk = try await body.next() {
            collected.append(chunk)
            let isTooLong = collected.count > limit
            // Parses only after the number of bytes has doubled, so that all attempts together take linear time.
            guard isTooLong || collected.count >= 2 * tried else { continue }
            tried = collected.count
            let prefix = collected.finish()
            // Bytes beyond the limit are not parsed: the outcome must not depend on the sizes of the received chunks.
            let parsed = isTooLong ? prefix.slice(0..<max(0, limit)) : prefix
            if let info = try peek(parsed, of: response) { return info }
            guard !isTooLong else { throw SockeyeError.tooLarge(limit: limit, seen: tried).about(response.request) }
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
    /// Reads the headers of an image; see ``ImageInfoResponseSerializer``.
    public static var imageInfo: Self { ImageInfoResponseSerializer() }
}

/// The body format of the serializer `.raster`.
package struct RasterFormat: BodyFormat {
    /// The limits on the pixels and frames that the image's headers declare.
    package var limits: ImageInfo.Limits
    /// The images' ``Raster/scale``.
    package var scale: Double

    package init(limits: ImageInfo.Limits = Raster.defaultLimits, scale: Double = 1) {
        self.limits = limits
        self.scale = scale
    }

    package func value(from body: Bytes, _: BodyHandling, of _: IncomingResponse) throws -> Raster {
        try Raster(decoding: body, limits: limits, scale: scale)
    }
}

extension ResponseSerializer where Self == BodySerializer<Raster> {
    /// Decodes the pixels of an image; see ``Raster``. Decoding blocks the caller's actor, for example the main actor.
    ///
    /// The counterpart of AFNetworking's `AFImageResponseSerializer` with `automaticallyInflatesResponseImage`.
    /// Accepts the same responses as `.image`, and fails with the same errors.
    public static var raster: Self { .raster(limits: Raster.defaultLimits) }

    /// Decodes the pixels of an image of at most `maximumPixels` pixels.
    public static func raster(maximumPixels: Int) -> Self {
        .raster(limits: ImageInfo.Limits(maximumPixels: maximumPixels))
    }

    /// Decodes the pixels of an image; see `.raster`.
    ///
    /// - Parameters:
    ///   - limits: The limits on the pixels and frames that the image's headers declare. Default
    ///     ``Raster/defaultLimits``.
    ///   - scale: The images' ``Raster/scale``; AFNetworking's counterpart is `imageScale`. Default 1.
    public static func raster(limits: ImageInfo.Limits = Raster.defaultLimits, scale: Double = 1) -> Self {
        Raster.serializer(RasterFormat(limits: limits, scale: scale))
    }
}

extension Raster: FormattedValue {
    package static func serializer(_ format: RasterFormat) -> BodySerializer<Raster> {
        BodySerializer(format, accept: "image/*", handling: BodyHandling(contentTypes: ImageInfo.mediaTypes))
    }
}

extension ImageError: ContentFormatError {
    package var contentFormat: String { "image" }
}

extension ImageContentFormat: Codable {
    private static let archive = Archive<Self>(.nested("limits", \.limits, ImageInfo.Limits.archive))

    package init(from decoder: any Decoder) throws { self = try Self.archive.read(from: decoder, over: Self()) }

    package func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension ImageInfoResponseSerializer: Codable {
    private static let archive = Archive<Self>(
        .nested("validation", \.validation, IncomingResponse.Validation.archive),
        .nested("limits", \.limits, ImageInfo.Limits.archive), .value("limit", \.limit))

    /// Decodes a serializer; missing values get their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Encodes the validation, the limits on pixels and frames, and the maximum number of bytes.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension RasterFormat: Codable {
    private static let archive = Archive<Self>(
        .nested("limits", \.limits, ImageInfo.Limits.archive), .value("scale", \.scale))

    package init(from decoder: any Decoder) throws { self = try Self.archive.read(from: decoder, over: Self()) }

    package func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension ImageInfo.Limits: Codable {
    fileprivate static let archive = Archive<Self>(
        .value("maximumPixels", \.maximumPixels), .value("maximumFrames", \.maximumFrames))

    /// Decodes limits; missing values get their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Encodes both limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}
#endif
