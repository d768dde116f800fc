#if Observability || Service
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Tracing

/// The fields that instruments inject into a request. Usually there is only `traceparent`, which needs no array.
struct InjectedFields: Sendable {
    struct Field: Sendable {
        let name: Headers.Name
        let value: String
        /// True for the fields of W3C Trace Context and Baggage. No interceptor of the library needs these fields. So
        /// they need not be set in the request: the client can add them when it sends the request.
        let isUsual: Bool
    }

    private static let traceparentName: Headers.Name = "traceparent"

    var traceparent: String?
    private(set) var others: [Field] = []

    var count: Int { (traceparent == nil ? 0 : 1) + others.count }

    /// Sets a field other than `traceparent`. A later value of the same name replaces the earlier one.
    mutating func set(_ field: Field) {
        others.removeAll { $0.name == field.name }
        others.append(field)
    }

    /// Adds the injected fields to a request. Usually they are appended to `fields`, which the client sends in addition
    /// to the request's own fields, so that the request need not be copied. Returns a copy of the request with the new
    /// values instead if the request already has one of the injected fields, or if ``Field/isUsual`` is false for one.
    func add(to request: OutgoingRequest, or fields: inout FieldLineBuffer) -> Preparation {
        let headers = request.parts.headers
        if traceparent == nil || !headers.contains(Self.traceparentName),
            others.isEmpty || others.allSatisfy({ $0.isUsual && !headers.contains($0.name) })
        {
            if let traceparent { fields.append(Self.traceparentName, traceparent) }
            for field in others { fields.append(field.name, field.value) }
            return .ready
        }
        var request = request
        request.change { values in
            if let traceparent { values.headers[Self.traceparentName] = traceparent }
            for field in others { values.headers[field.name] = field.value }
        }
        return .replacing(request)
    }
}

/// Writes a context into the fields of a request. Baggage may contain text from untrusted peers, so a field is omitted
/// if its name or value is invalid (RFC 9110 5.1, 5.5). It is also omitted if the value is empty or not ASCII.
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout InjectedFields) {
        guard !value.isEmpty, Headers.isPrintableASCII(value) else { return }
        guard key != "traceparent" else {
            carrier.traceparent = value
            return
        }
        let isUsual = key == "tracestate" || key == "baggage"
        let name = Headers.Name(key)
        guard isUsual || name.isValid else { return }
        carrier.set(InjectedFields.Field(name: name, value: value, isUsual: isUsual))
    }
}
#endif
