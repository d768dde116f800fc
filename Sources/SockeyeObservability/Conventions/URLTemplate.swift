#if Observability || Service
public import Sockeye
public import SockeyeEngine
import SockeyeHTTP

extension OutgoingRequest.Options {
    /// Returns options with the template of the call's path, such as `/users/{id}`.
    ///
    /// ```swift
    /// try await client.get("users/\(id)", options: .urlTemplate("/users/{id}"))
    /// ```
    ///
    /// Spans are named after the template (`GET /users/{id}`), and logs, metrics and spans record it as `url.template`.
    /// Use few different templates, because each adds a series to the metrics. The template is not recorded for a
    /// request that follows a redirect to another path.
    public static func urlTemplate(_ template: String) -> OutgoingRequest.Options {
        .context(URLTemplateKey.self, template)
    }

    /// Returns these options with the template of the call's path; see `urlTemplate(_:)`.
    public func urlTemplate(_ template: String) -> OutgoingRequest.Options {
        context(URLTemplateKey.self, template)
    }
}

extension HTTPClient {
    /// Returns a client that shares this client's connections, and uses this template for calls that set no template;
    /// see `urlTemplate(_:)`.
    ///
    /// ```swift
    /// let user = client.urlTemplate("/users/{id}")
    /// try await user.get("users/7")
    /// ```
    public func urlTemplate(_ template: String) -> HTTPClient {
        context(URLTemplateKey.self, template)
    }
}

private enum URLTemplateKey: OutgoingRequest.ContextKey {
    typealias Value = String
}

extension ObservedCall {
    /// The template of the caller's URL; nil if not set.
    var template: String? { context.isEmpty ? nil : context[URLTemplateKey.self] }

    /// Returns the template if `url` has the path of the caller's URL; nil after a redirect to another path.
    func template(of url: HTTPURL) -> String? {
        guard let template, url.path == self.url.path else { return nil }
        return template
    }
}
#endif
