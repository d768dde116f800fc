package import SockeyeSerialization

/// What a scope says about serialization. One object, absent unless something is said, so that scopes without it and
/// calls that serialize nothing do not pay for it.
package final class ScopeSerialization: Sendable {
    package let requestSerializer: (any RequestSerializer)?
    package let decoder: (any ResponseDecoder)?

    package init?(requestSerializer: (any RequestSerializer)?, decoder: (any ResponseDecoder)?) {
        guard requestSerializer != nil || decoder != nil else { return nil }
        self.requestSerializer = requestSerializer
        self.decoder = decoder
    }

    package var queryStyle: ParameterStyle { requestSerializer?.queryStyle ?? .standard }
}
