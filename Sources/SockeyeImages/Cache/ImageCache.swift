#if Images
public import SockeyeHTTP

/// The cache in which an ``ImageDownloader`` looks for an image before it sends a request.
///
/// The counterpart of AFNetworking's `AFImageRequestCache`. Several tasks may call the cache at the same time. The
/// calls block the calling thread, so they should be fast.
///
/// A minor version may add requirements, each with a default implementation in terms of the existing ones.
public protocol ImageCache: Sendable {
    /// Returns the image for a key; nil if it is not cached (`imageforRequest:withAdditionalIdentifier:`).
    func image(for key: ImageKey) -> Raster?

    /// Stores an image under a key in place of the previous image (`addImage:forRequest:withAdditionalIdentifier:`). A
    /// cache may ignore the new image.
    func add(_ image: Raster, for key: ImageKey)

    /// Removes an image. Returns true if it was cached (`removeImageforRequest:withAdditionalIdentifier:`).
    @discardableResult func remove(_ key: ImageKey) -> Bool

    /// Removes all images. Returns true if there were any (`removeAllImages`).
    @discardableResult func removeAll() -> Bool
}

/// The key of an image in an ``ImageCache``: the request, the filter and the scale.
///
/// The key includes the header fields of the request itself, so that images for different credentials have different
/// keys. It does not include header fields that a client or its interceptors add: clients of different users need
/// separate caches.
public struct ImageKey: Sendable, Hashable, CustomStringConvertible {
    /// The requested URL, with its user information.
    public let url: HTTPURL
    /// The header fields of the request itself.
    public let headers: Headers
    /// The ``ImageFilter/id`` of the image's filter; nil without a filter. AFNetworking calls it the additional
    /// identifier.
    public let identifier: String?
    /// The image's ``Raster/scale``.
    public let scale: Double

    /// Creates a key from its parts.
    public init(url: HTTPURL, headers: Headers = [:], identifier: String? = nil, scale: Double = 1) {
        self.url = url
        self.headers = headers
        self.identifier = identifier
        self.scale = Raster.checked(scale)
    }

    /// The URL, followed by the identifier in parentheses if there is one. The URL is shown without user information,
    /// and with `***` for the values of secret query items.
    public var description: String {
        url.masked + (identifier.map { " (\($0))" } ?? "")
    }
}
#endif
