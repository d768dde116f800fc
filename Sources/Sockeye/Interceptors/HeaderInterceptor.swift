package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

/// Sets or appends a field in every request of a client, a scope or a call. Create one with `.setting(_:to:)` or
/// `.appending(_:_:)`.
///
/// ```swift
/// let client = HTTPClient().adding(.setting("X-Tenant", to: "a"))
/// ```
///
/// The interceptor runs once per call, and the client treats the field like one that the caller set in the request. A
/// redirect to another origin removes Authorization, Cookie and similar fields, and those that
/// ``RedirectPolicy/strippedFields`` covers. It keeps all other fields. To set a field only in requests that lack it,
/// use the headers of a scope; see `scoped` of ``HTTPClient``.
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
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
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
        WithheldFields(fields).contains(name) ? nil : self
    }
}

extension HeaderInterceptor: CustomStringConvertible, CustomReflectable {
    /// The name of the field. The value is left out because it may be secret.
    public var description: String { "\(replaces ? "setting" : "appending") \(name)" }

    /// A mirror with the description only, so that dumps do not show the value either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Interceptor where Self == HeaderInterceptor {
    /// Sets this field in every request, and replaces existing fields of that name.
    public static func setting(_ name: Headers.Name, to value: String) -> HeaderInterceptor {
        HeaderInterceptor(name, value, replaces: true)
    }

    /// Appends this field to every request, and keeps existing fields of that name.
    public static func appending(_ name: Headers.Name, _ value: String) -> HeaderInterceptor {
        HeaderInterceptor(name, value, replaces: false)
    }
}
