import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

extension RedirectPolicy {
    /// Returns the request that follows a redirect (RFC 9110 15.4).
    ///
    /// If the redirect changes the method to GET, this request has neither content nor the fields that describe it. If
    /// the target has another origin, Authorization, Cookie and other credentials are removed, and so are the
    /// unix-domain socket and the TLS options of the call. For the changes to Referer, see ``RedirectPolicy``.
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
                values.headers =
                    redirect.leavesTLS
                    ? values.headers.withoutReferer : values.headers.limitingReferer(to: redirect.url.origin)
                // The unix-domain socket leads only to the origin of the call.
                values.options.unixSocketPath = nil
                // The call's trusted roots and client certificate are meant only for the origin of the call.
                if values.options.tls != nil { values.options.tls = nil }
            }
        }
        return request
    }
}

extension OutgoingRequest {
    /// Marks a request that has left the origin of the call. Policies then withhold their credentials, even if a later
    /// redirect returns to that origin.
    func markingOriginLeft(from previous: OutgoingRequest) -> OutgoingRequest {
        let hasLeft = previous.options.leftOrigin || previous.url.origin != url.origin
        guard hasLeft, !options.leftOrigin else { return self }
        var request = self
        request.options.leftOrigin = true
        return request
    }
}
