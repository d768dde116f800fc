package import SockeyeNet

/// What the engine does as its client says: a plain value. The client's configuration contains it, and documents each member.
package struct EngineConfiguration: Sendable {
    package var tls = TLSOptions()
    package var tlsOverrides: [String: TLSOptions] = [:]
    package var timeouts = Timeouts()
    package var limits = ResponseLimits()
    package var tolerances: ResponseTolerances = []
    package var pool = PoolConfiguration()
    package var socket = SocketOptions()
    package var decompresses = true
    package var userAgent: String? = "sockeye"
    package var hostOverrides: [String: [EndpointAddress]] = [:]
    package var resolver: (any NameResolver)?
    package var resolverCacheLifetime: Duration? = .seconds(30)
    package var addressPolicy = AddressPolicy.any
    package var proxy = Proxy.Configuration.none
    package var allowsPlaintextCredentials = false
    package var pollerThreads = 0

    package init() {}
}
