import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// The settings that the request serializers of the library share.
///
/// Fields and options are those that the requests lack: neither ever overrides what a call or its scope has set, and what
/// is not set here either is left to the client. (AFNetworking has observers to tell which flags were touched; here nil
/// is "not touched".)
public struct RequestSettings: Sendable {
    /// How parameters of the URL are written. Default: AFNetworking's style.
    public var queryStyle: RequestParameters.Style
    /// For which methods parameters go into the URL. Default: for GET, HEAD and DELETE.
    public var placement: RequestSettings.ParameterPlacement
    /// Fields for requests that do not have them, such as `Headers.defaults(product:version:)`. Default
    /// none.
    public var headers: Headers
    /// Options for requests that do not have them; of closures and ``OutgoingRequest/Options/closesConnection``, too. Default none.
    public var options: OutgoingRequest.Options

    /// Makes settings out of the defaults named at each property.
    public init(
        queryStyle: RequestParameters.Style = .standard, placement: RequestSettings.ParameterPlacement = .standard,
        headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) {
        self.queryStyle = queryStyle
        self.placement = placement
        self.headers = headers
        self.options = options
    }

    func filling(_ request: OutgoingRequest) -> OutgoingRequest {
        var request = request
        request.headers = request.headers.merging(headers)
        request.options = request.options.merging(options)
        return request
    }
}

extension OutgoingRequest.Options {
    /// These options, and those of `defaults` where these leave it open.
    func merging(_ defaults: OutgoingRequest.Options) -> OutgoingRequest.Options {
        var merged = self
        if let usual = defaults.timeouts { merged.timeouts = timeouts?.over(usual) ?? usual }
        merged.compression = compression ?? defaults.compression
        merged.bodyLimit = bodyLimit ?? defaults.bodyLimit
        if !defaults.interceptors.isEmpty { merged.interceptors = defaults.interceptors + interceptors }
        if !defaults.skippedStages.isEmpty { merged.skippedStages.formUnion(defaults.skippedStages) }
        merged.expectContinue = expectContinue ?? defaults.expectContinue
        merged.decompresses = decompresses ?? defaults.decompresses
        merged.unixSocketPath = unixSocketPath ?? defaults.unixSocketPath
        merged.isIdempotent = isIdempotent ?? defaults.isIdempotent
        merged.closesConnection = closesConnection || defaults.closesConnection
        if onInterim == nil, let usual = defaults.onInterim { merged.onInterim = usual }
        if onBodyProgress == nil, let usual = defaults.onBodyProgress { merged.onBodyProgress = usual }
        return merged
    }
}
