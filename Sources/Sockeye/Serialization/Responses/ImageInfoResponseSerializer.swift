import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Reads no more of an image than it takes to tell its size; the rest is dropped with the response.
///
/// Accepts what ``ImageResponseSerializer`` does. The frames of an animation, and all pages of a TIFF but the first, may
/// remain unknown; see `ImageInfo.peek`.
public struct ImageInfoResponseSerializer: ResponseSerializer {
    /// Which responses are accepted.
    public var validation: ResponseValidation
    /// What the image may claim.
    public var limits: ImageLimits
    /// How many bytes to read at most. Default 1 MiB. Past it is ``SockeyeError/Code-swift.struct/limitExceeded``.
    public var limit: Int

    /// Makes a serializer.
    public init(
        validation: ResponseValidation = ResponseValidation(contentTypes: ImageInfo.mediaTypes),
        limits: ImageLimits = ImageLimits(), limit: Int = 1 << 20
    ) {
        self.validation = validation
        self.limits = limits
        self.limit = limit
    }

    /// `image/*`.
    public var accept: String? { "image/*" }

    /// Reads until the size is known.
    public func value(of response: Response) async throws(SockeyeError) -> ImageInfo {
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

    private func peek(_ prefix: Bytes, of response: Response) throws(SockeyeError) -> ImageInfo? {
        do throws(ImageError) {
            return try ImageInfo.peek(prefix, limits: limits)
        } catch {
            throw response.decodingFailure(error, body: prefix)
        }
    }

    private func whole(_ bytes: Bytes, of response: Response) throws(SockeyeError) -> ImageInfo {
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

extension ImageInfoResponseSerializer: Codable {
    private enum CodingKeys: CodingKey { case validation, limits, limit }

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.validation) { try validation.update(from: container.superDecoder(forKey: .validation)) }
        try container.read(.limits, into: &limits)
        try container.read(.limit, into: &limit)
    }
}
