import Sockeye
public import SockeyeEngine

extension OutgoingRequest.Options {
    /// The cache mode of the call, which overrides ``CachePolicy/mode-swift.property`` of the client's policy. Default
    /// nil: the policy's mode applies.
    ///
    /// Ignored if the client has no cache.
    ///
    /// AFNetworking's counterpart is `cachePolicy`.
    public var cacheMode: CachePolicy.Mode? {
        get { further[CacheModeKey.self] }
        set { further[CacheModeKey.self] = newValue }
    }

    /// Creates options with a cache mode, such as `.caching(.returnCacheElseLoad)`.
    public static func caching(_ mode: CachePolicy.Mode) -> OutgoingRequest.Options {
        OutgoingRequest.Options().caching(mode)
    }

    /// Returns these options with another cache mode.
    public func caching(_ mode: CachePolicy.Mode) -> OutgoingRequest.Options {
        with { $0.cacheMode = mode }
    }
}

package enum CacheModeKey: OutgoingRequest.ContextKey { package typealias Value = CachePolicy.Mode }
