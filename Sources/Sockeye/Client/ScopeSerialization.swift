import SockeyeEngine
package import SockeyeHTTP
package import SockeyeSerialization

/// The serializers of a scope (a client with its own defaults), in one object. A scope without serializers stores nil
/// instead, so that its calls have no additional cost.
package final class ScopeSerialization: Sendable {
    package let requestSerializer: (any RequestSerializer)?
    package let decoder: (any ResponseDecoder)?
    /// The names of fields that the request serializer must not add to requests to origins other than the scope's. Any
    /// list, even an empty one, also excludes Authorization and similar fields (`WithheldFields`). If nil, the
    /// serializer may add any field.
    package let withheld: [Headers.Name]?

    /// Returns nil if `requestSerializer` and `decoder` are nil.
    package init?(
        requestSerializer: (any RequestSerializer)?, decoder: (any ResponseDecoder)?, withheld: [Headers.Name]? = nil
    ) {
        guard requestSerializer != nil || decoder != nil else { return nil }
        self.requestSerializer = requestSerializer
        self.decoder = decoder
        self.withheld = withheld
    }

    package var queryStyle: RequestParameters.Style { requestSerializer?.queryStyle ?? .standard }

    /// Returns a copy for requests to origins other than the scope's.
    func withholding(_ fields: [Headers.Name]) -> ScopeSerialization? {
        ScopeSerialization(requestSerializer: requestSerializer, decoder: decoder, withheld: fields)
    }

    /// Returns the request with the parameters in its query or body.
    func serialize(_ parameters: RequestParameters, into request: OutgoingRequest) throws -> OutgoingRequest {
        let made = try (requestSerializer ?? .form).serialize(parameters, into: request)
        guard let withheld else { return made }
        return made.withholding(withheld, besides: request)
    }
}

extension OutgoingRequest {
    /// Returns the request without the credentials and the credential-carrying interceptors that a serializer added to
    /// `given`. The path of the unix-domain socket and the TLS settings are those of `given`.
    fileprivate func withholding(_ fields: [Headers.Name], besides given: OutgoingRequest) -> OutgoingRequest {
        var request = self
        request.change { values in
            values.headers = values.headers.withoutCredentials(and: fields, besides: given.headers)
            values.options.unixSocketPath = given.options.unixSocketPath
            // The serializer's trust roots, pins and client certificate are meant for the scope's own servers.
            if values.options.hasRareOptions { values.options.tls = given.options.tls }
            // The serializer's interceptors come first; see `OutgoingRequest.Options.merging`.
            let (all, own) = (values.options.interceptors, given.options.interceptors)
            guard all.count > own.count else { return }
            values.options.interceptors = InterceptorList(all.dropLast(own.count)).outsideScope.added + own
        }
        return request
    }
}
