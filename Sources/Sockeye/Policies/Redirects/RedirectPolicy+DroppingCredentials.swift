import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

extension RedirectPolicy {
    /// The request that follows a redirect: without content after a change of method, and, at another origin, without
    /// Authorization, Cookie and the other credentials (RFC 9110 15.4).
    func request(_ request: OutgoingRequest, redirectedBy redirect: Redirect) -> OutgoingRequest {
        var request = request
        request.change { values in
            values.url = redirect.url
            values.method = HTTPRequest.Method(redirect.method) ?? values.method
            if !redirect.keepsBody {
                values.body = .none
                values.headers = values.headers.withoutContentFields
            }
            if redirect.leavesOrigin {
                values.headers = values.headers.withoutCredentials(and: strippedFields)
                if redirect.leavesTLS { values.headers = values.headers.withoutReferer }
                // The socket leads to the first origin alone.
                values.options.unixSocketPath = nil
                // So do the trusted roots and the client certificate of the call.
                if values.options.tls != nil { values.options.tls = nil }
            }
        }
        return request
    }
}

extension OutgoingRequest {
    /// Marks a request that has left the origin of the call: policies then keep their credentials back, also where a later
    /// redirect returns.
    func markingOriginLeft(from previous: OutgoingRequest) -> OutgoingRequest {
        let hasLeft = previous.options.leftOrigin || previous.url.origin != url.origin
        guard hasLeft, !options.leftOrigin else { return self }
        var request = self
        request.options.leftOrigin = true
        return request
    }
}
