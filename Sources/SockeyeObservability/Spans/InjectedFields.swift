#if Observability || Service
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Tracing

/// The fields that instruments inject into a request. Usually there is one, `traceparent`, which needs no array.
struct InjectedFields: Sendable {
    struct Field: Sendable {
        let name: Headers.Name
        let value: String
        /// True for the fields of W3C Trace Context and Baggage, which no policy looks up before a request is sent.
        let isUsual: Bool
    }

    private(set) var first: Field?
    private(set) var others: [Field] = []

    var count: Int { first == nil ? 0 : 1 + others.count }

    /// Sets a field. The last value of a name is used.
    mutating func set(_ field: Field) {
        guard let first, first.name != field.name else {
            self.first = field
            return
        }
        others.removeAll { $0.name == field.name }
        others.append(field)
    }

    /// Appends the fields to `fields`, which are sent with the request, so that the request is not copied. If the
    /// request already has one of the fields, or a field has an unusual name, returns a copy of the request with the
    /// new values instead.
    func add(to request: OutgoingRequest, or fields: inout FieldLineBuffer) -> Preparation {
        guard let first else { return .ready }
        let headers = request.parts.headers
        if first.isUsual, !headers.contains(first.name),
            others.isEmpty || others.allSatisfy({ $0.isUsual && !headers.contains($0.name) })
        {
            fields.append(first.name, first.value)
            for field in others { fields.append(field.name, field.value) }
            return .ready
        }
        var request = request
        request.change { values in
            for field in [first] + others { values.headers[field.name] = field.value }
        }
        return .replacing(request)
    }
}

/// Writes a context into the fields of a request. Baggage may contain text from untrusted peers, so names and values
/// that are invalid in a field (RFC 9110 5.1, 5.5) are omitted.
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout InjectedFields) {
        guard !value.isEmpty, Headers.isPrintableASCII(value) else { return }
        let isUsual = key == "traceparent" || key == "tracestate" || key == "baggage"
        let name = Headers.Name(key)
        guard isUsual || name.isValid else { return }
        carrier.set(InjectedFields.Field(name: name, value: value, isUsual: isUsual))
    }
}
#endif
