#if Images
public import SockeyeHTTP

/// Where an ``ImageDownloader`` looks for images before it asks for them. The counterpart of `AFImageRequestCache`.
///
/// It is asked by many tasks at once, and should answer soon: the caller waits for it.
///
/// A minor version may add requirements, each with a default implementation made of the existing ones.
public protocol ImageCache: Sendable {
    /// The image of this name; nil where there is none (`imageforRequest:withAdditionalIdentifier:`).
    func image(for key: ImageKey) -> Raster?

    /// Keeps an image under a name, instead of the one that has it, or does not keep it
    /// (`addImage:forRequest:withAdditionalIdentifier:`).
    func add(_ image: Raster, for key: ImageKey)

    /// Removes an image; tells whether there was one (`removeImageforRequest:withAdditionalIdentifier:`).
    @discardableResult func remove(_ key: ImageKey) -> Bool

    /// Removes all images; tells whether there were any (`removeAllImages`).
    @discardableResult func removeAll() -> Bool
}

/// The name of an image in an ``ImageCache``: what was asked for, and what was made of it.
///
/// The fields of the request belong to it, as answers to different credentials must not mix; those that a client or its
/// interceptors add do not. Clients of different users need caches of their own.
public struct ImageKey: Sendable, Hashable, CustomStringConvertible {
    /// The URL that was asked for, with its user information.
    public let url: HTTPURL
    /// The fields that the request had of its own.
    public let headers: Headers
    /// What was made of the image: the ``ImageFilter/id`` of its filter, or nil (AFNetworking's additional identifier).
    public let identifier: String?
    /// The image's ``Raster/scale``.
    public let scale: Double

    /// Makes a name of its parts.
    public init(url: HTTPURL, headers: Headers = [:], identifier: String? = nil, scale: Double = 1) {
        self.url = url
        self.headers = headers
        self.identifier = identifier
        self.scale = Raster.checked(scale)
    }

    /// The URL without user information and with `***` for the values of secret query items, and the identifier.
    public var description: String {
        url.masked + (identifier.map { " (\($0))" } ?? "")
    }
}
#endif
