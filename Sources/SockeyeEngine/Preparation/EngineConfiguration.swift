import SockeyeHTTP
package import SockeyeNet

/// The settings of the engine as a plain value. The client's configuration contains it and documents each member.
package struct EngineConfiguration: Sendable {
    package var tls = TLSOptions()
    package var tlsOverrides: [String: TLSOptions] = [:]
    package var timeouts = Timeouts()
    package var limits = ResponseLimits()
    package var tolerances: ResponseTolerances = []
    package var pool = PoolOptions()
    package var socket = SocketOptions()
    package var decompresses = true
    package var userAgent: String? = "sockeye"
    package var hostOverrides: [String: [EndpointAddress]] = [:]
    package var resolver: (any NameResolver)?
    package var resolverCacheLifetime: Duration? = .seconds(30)
    package var addressOrder = EndpointAddress.Order.asResolved
    package var addressPolicy = EndpointAddress.Policy.any
    package var proxy = Proxy.Selection.none
    package var allowsPlaintextCredentials = false
    package var pollerThreads = 0

    package init() {}

    /// The fixed addresses of hosts, with each host in the form of `urlForm(_:)`.
    package var overrides: HostOverrides { HostOverrides(hostOverrides, form: Self.urlForm) }

    /// Returns a host as in URLs: a name in lower case and as A-labels, an IPv6 address in its shortest form. A host
    /// that no URL can have is returned unchanged.
    static func urlForm(_ host: String) -> String {
        let text = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return (try? Host(Array(text.utf8)[...]))?.name ?? host
    }
}

/// The configuration by reference, with derived values that every request needs, computed once.
final class SharedConfiguration: Sendable {
    let value: EngineConfiguration
    /// The limits as the HTTP/1 parser takes them.
    let wireLimits: HTTP1Limits
    let tolerances: ResponseTolerances
    let timeouts: SharedTimeouts
    /// The fields that the client adds to requests: `defaults` with Accept-Encoding, `uncodedDefaults` without it.
    let defaults: DefaultFields
    let uncodedDefaults: DefaultFields

    init(_ configuration: EngineConfiguration) {
        value = configuration
        var limits = HTTP1Limits()
        limits.headBytes = configuration.limits.headBytes
        limits.fieldCount = configuration.limits.fieldCount
        limits.interimBytes = configuration.limits.interimBytes
        wireLimits = limits
        tolerances = configuration.tolerances
        timeouts = SharedTimeouts(configuration.timeouts)
        var fields = Headers()
        if let userAgent = configuration.userAgent { fields.append(.userAgent, userAgent) }
        fields.append(.accept, "*/*")
        uncodedDefaults = DefaultFields(fields)
        fields.append(.acceptEncoding, ContentCoding.accepted)
        defaults = DefaultFields(fields)
    }
}
