#if Observability || Service
import Sockeye
import SockeyeEngine
public import SockeyeHTTP
import Tracing

extension TracingInterceptor {
    /// The fields to record in the span of each attempt. Default: none, because fields may contain secrets.
    ///
    /// The values of secret fields, such as `Authorization` and `Set-Cookie`, are recorded as `REDACTED`. In the URLs
    /// of other fields, such as `Location`, the values of secret query items are replaced with the same word.
    ///
    /// ```swift
    /// .tracing(
    ///     capturing: .init(
    ///         request: ["Idempotency-Key"], response: ["Server-Timing", "Age"]))
    /// ```
    ///
    /// The attribute `http.request.header.<name>` or `http.response.header.<name>` holds all values of the field;
    /// `<name>` is in lower case.
    public struct CapturedFields: Sendable, Hashable {
        /// The names of request fields. Fields that the client adds when it sends the request, such as `Host` and its
        /// own `User-Agent`, are not recorded.
        public var request: [Headers.Name]
        /// The names of response fields.
        public var response: [Headers.Name]

        /// Makes lists of names.
        public init(request: [Headers.Name] = [], response: [Headers.Name] = []) {
            self.request = request
            self.response = response
        }

        func attributes(of request: OutgoingRequest) -> [String: SpanAttribute] {
            guard !self.request.isEmpty else { return [:] }
            return Self.attributes("http.request.header.", self.request) { request.headers[values: $0] }
        }

        func attributes(of response: IncomingResponse) -> [String: SpanAttribute] {
            guard !self.response.isEmpty else { return [:] }
            return Self.attributes("http.response.header.", self.response) { response.headers[values: $0] }
        }

        private static func attributes(
            _ prefix: String, _ names: [Headers.Name], _ values: (Headers.Name) -> [String]
        ) -> [String: SpanAttribute] {
            let mask = SecretItemMask(mark: QueryRedactor.mark)
            var attributes: [String: SpanAttribute] = [:]
            for name in names {
                let values = values(name)
                guard !values.isEmpty else { continue }
                attributes[prefix + name.lowercased] = .stringArray(
                    values.map { name.isSecret ? QueryRedactor.mark : mask.masking($0, of: name) })
            }
            return attributes
        }
    }
}
#endif
