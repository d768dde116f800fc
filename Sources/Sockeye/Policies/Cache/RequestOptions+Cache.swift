public import SockeyeEngine
public import SockeyeHTTP

extension OutgoingRequest.Options {
    /// How the call uses its client's cache, instead of ``CachePolicy/mode-swift.property``. Default nil: as the policy has it,
    /// which changes nothing for a client without one.
    ///
    /// AFNetworking's counterpart is `cachePolicy`.
    public var cacheMode: CachePolicy.Mode? {
        get { cacheUse }
        set { cacheUse = newValue }
    }

    /// Options with another use of the client's cache, such as `.caching(.returnCacheElseLoad)`.
    public static func caching(_ mode: CachePolicy.Mode) -> OutgoingRequest.Options {
        OutgoingRequest.Options().caching(mode)
    }

    /// These options with another use of the client's cache.
    public func caching(_ mode: CachePolicy.Mode) -> OutgoingRequest.Options {
        with { $0.cacheMode = mode }
    }
}
