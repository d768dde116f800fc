package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

/// Gives every request of a client, a scope or a call a field; made by `.setting(_:to:)` and `.appending(_:_:)`.
///
/// ```swift
/// let client = HTTPClient().adding(.setting("X-Tenant", to: "a"))
/// ```
///
/// The field is there once around the call, as if the caller had set it: a redirect to another origin takes it along
/// unless it is one of those that stay behind (Authorization and its kind, ``RedirectPolicy/strippedFields``). A field
/// that only fills a gap is a scope's matter; see
/// ``HTTPClient/scoped(baseURL:isConfined:trusting:headers:unixSocketPath:timeouts:tolerances:requestSerializer:decoder:)``.
public struct HeaderInterceptor: SynchronousInterceptor {
    package let name: Headers.Name
    package let value: String
    package let replaces: Bool

    package init(_ name: Headers.Name, _ value: String, replaces: Bool) {
        self.name = name
        self.value = value
        self.replaces = replaces
    }

    /// Sends the request with the field.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await interceptAlone(request, in: call)
    }

    package var outcomeFilter: OutcomeFilter { .nothing }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        var request = request
        request.change { values in
            if replaces { values.headers[name] = value } else { values.headers.append(name, value) }
        }
        return .replacing(request)
    }
}

extension HeaderInterceptor: OriginBoundInterceptor {
    func outsideScope(withholding fields: [Headers.Name]) -> (any Interceptor)? {
        name.isOriginBound || fields.contains(name) ? nil : self
    }
}

extension HeaderInterceptor: CustomStringConvertible, CustomReflectable {
    /// The name only: the value may be secret.
    public var description: String { "\(replaces ? "setting" : "appending") \(name)" }

    /// The description alone, so that dumps do not show the value either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Interceptor where Self == HeaderInterceptor {
    /// Gives every request this field, instead of all that it has of that name.
    public static func setting(_ name: Headers.Name, to value: String) -> HeaderInterceptor {
        HeaderInterceptor(name, value, replaces: true)
    }

    /// Gives every request one more field, whatever it has of that name.
    public static func appending(_ name: Headers.Name, _ value: String) -> HeaderInterceptor {
        HeaderInterceptor(name, value, replaces: false)
    }
}
