import SockeyeHTTP

/// The configuration by reference, with what every request needs of it worked out once.
final class SharedConfiguration: Sendable {
    let value: EngineConfiguration
    /// The limits in the engine's terms.
    let wireLimits: HTTP1Limits
    let tolerances: ResponseTolerances
    /// The client's own fields, with and without the codings that it asks for.
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
        var fields = Headers()
        if let userAgent = configuration.userAgent { fields.append(.userAgent, userAgent) }
        fields.append(.accept, "*/*")
        uncodedDefaults = DefaultFields(fields)
        fields.append(.acceptEncoding, "gzip, deflate")
        defaults = DefaultFields(fields)
    }
}
