import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

extension ParameterSerializer {
    /// The placement of the parameters, their style in the URL, and default header fields and options for requests.
    ///
    /// ``headers`` and ``requestOptions`` never override the fields and options of a call or of its client's scope (see
    /// `scoped` of ``HTTPClient``). An option that is set in none of these places has the client's default.
    public struct Options: Sendable {
        /// The style of parameters in the URL. Default ``RequestParameters/Style/standard``.
        public var queryStyle: RequestParameters.Style
        /// The placement of the parameters. Default: in the URL for GET, HEAD and DELETE.
        public var placement: Placement
        /// The fields for requests that lack them, such as `Headers.defaults(product:version:)`. Default none.
        public var headers: Headers
        /// The options for requests that lack them. Default none.
        ///
        /// Each option is filled in separately: deadlines phase by phase, and the ``OutgoingRequest/Options/context``
        /// value by value. The ``OutgoingRequest/Options/skippedStages`` are added to those of the request, and the
        /// ``OutgoingRequest/Options/interceptors`` are put before those of the request.
        ///
        /// If the serializer was set for a client with a base URL or trusted origins (see `scoped` of ``HTTPClient``),
        /// some settings are withheld from requests to other origins. These are ``OutgoingRequest/Options/tls``, the
        /// unix-domain socket, credentials such as the Authorization field in ``headers``, and interceptors with
        /// ``Interceptor/carriesCredentials``.
        public var requestOptions: OutgoingRequest.Options

        /// Creates settings with the default of each property.
        public init(
            queryStyle: RequestParameters.Style = .standard, placement: Placement = .standard,
            headers: Headers = [:],
            requestOptions: OutgoingRequest.Options = OutgoingRequest.Options()
        ) {
            self.queryStyle = queryStyle
            self.placement = placement
            self.headers = headers
            self.requestOptions = requestOptions
        }

        func filling(_ request: OutgoingRequest) -> OutgoingRequest {
            var request = request
            request.headers = request.headers.merging(headers)
            request.options = request.options.merging(requestOptions)
            return request
        }
    }
}

extension OutgoingRequest.Options {
    /// Returns these options, completed by `defaults`. A test by reflection fails if a public option is missing here.
    func merging(_ defaults: OutgoingRequest.Options) -> OutgoingRequest.Options {
        var merged = self
        merged.expectContinue = expectContinue ?? defaults.expectContinue
        merged.decompresses = decompresses ?? defaults.decompresses
        merged.unixSocketPath = unixSocketPath ?? defaults.unixSocketPath
        merged.isIdempotent = isIdempotent ?? defaults.isIdempotent
        merged.closesConnection = closesConnection || defaults.closesConnection
        // Setting one of the following allocates, so each is set only if the defaults have it.
        guard defaults.hasRareOptions else { return merged }
        if let usual = defaults.timeouts { merged.timeouts = timeouts?.over(usual) ?? usual }
        if tls == nil, let usual = defaults.tls { merged.tls = usual }
        if tolerances == nil, let usual = defaults.tolerances { merged.tolerances = usual }
        if bodyLimit == nil, let usual = defaults.bodyLimit { merged.bodyLimit = usual }
        if onInterim == nil, let usual = defaults.onInterim { merged.onInterim = usual }
        if onBodyProgress == nil, let usual = defaults.onBodyProgress { merged.onBodyProgress = usual }
        merged.completeCall(from: defaults)
        return merged
    }

    /// Completes the options that this module adds to those of the engine.
    private mutating func completeCall(from defaults: OutgoingRequest.Options) {
        if compression == nil, let usual = defaults.compression { compression = usual }
        if !defaults.interceptors.isEmpty { interceptors = defaults.interceptors + interceptors }
        if !defaults.skippedStages.isEmpty { skippedStages.formUnion(defaults.skippedStages) }
        if defaults.collectsMetrics { collectsMetrics = true }
        if !defaults.context.values.isEmpty { context = context.over(defaults.context) }
        if !defaults.further.values.isEmpty { further = further.over(defaults.further) }
    }
}
