/// A mistake of the caller in a request. Faults of trailers are found after the body was sent, all others before any
/// byte of the request is sent. A fault contains no field values, because they may be secret.
package enum RequestFault: Error, Sendable, Hashable {
    /// The method is not a token (RFC 9110 9.1).
    case invalidMethod
    /// The target has blanks, controls, bytes outside ASCII or a fragment, or its form does not fit the method.
    case invalidTarget
    /// The authority is not a valid `host[:port]`.
    case invalidAuthority
    /// The field name is not a token (RFC 9110 5.1).
    case invalidFieldName(Headers.Name)
    /// The value of this field holds CR, LF, NUL or another control byte except HTAB (RFC 9110 5.5).
    case invalidFieldValue(Headers.Name)
    /// The value of this field is malformed, such as an empty Host.
    case malformedFieldValue(Headers.Name)
    /// This field occurs twice but may occur at most once.
    case repeatedField(Headers.Name)
    /// This field governs framing, routing, authentication or state and must not be a trailer (RFC 9110 6.5.1).
    case forbiddenTrailer(Headers.Name)
    /// The method is TRACE or CONNECT, which carry no body (RFC 9110 9.3.8, 9.3.6).
    case bodyNotAllowed
    /// The body's length is negative.
    case invalidLength
    /// The caller's Content-Length, for a body of otherwise unknown length, is not a decimal number in range.
    case invalidContentLength
}

extension RequestFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidMethod: "the method is not a token"
        case .invalidTarget: "the request target is not valid for this method"
        case .invalidAuthority: "the host is not valid"
        case .invalidFieldName(let name): "the field name \(FieldNameExcerpt(name.text.utf8)) is not a token"
        case .invalidFieldValue(let name): "the value of the field \(name.text) contains a control character"
        case .malformedFieldValue(let name): "the value of the field \(name.text) is malformed or empty"
        case .repeatedField(let name): "the field \(name.text) is given more than once"
        case .forbiddenTrailer(let name): "the field \(name.text) must not be sent as a trailer"
        case .bodyNotAllowed: "the method does not allow a body"
        case .invalidLength: "the length of the body is negative"
        case .invalidContentLength:
            "Content-Length is not a single decimal number in range; pass the body's length as `length:` instead"
        }
    }
}
