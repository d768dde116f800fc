/// A fault of a request before a byte of it is sent: the caller's mistake, never a trap. Values are not part of
/// it, since they may be secret.
package enum RequestFault: Error, Sendable, Hashable {
    /// The method is no token (RFC 9110 9.1).
    case invalidMethod
    /// The target has blanks, controls, bytes beyond ASCII or a fragment, or is in a form that does not fit the method.
    case invalidTarget
    /// The authority is no `host[:port]` as it stands on the wire.
    case invalidAuthority
    /// The field name is no token (RFC 9110 5.1).
    case invalidFieldName(Headers.Name)
    /// The value of this field holds CR, LF, NUL or another control byte (RFC 9110 5.5).
    case invalidFieldValue(Headers.Name)
    /// The value of this field is not what the field is for, as an empty Host.
    case malformedFieldValue(Headers.Name)
    /// This field may stand at most once.
    case repeatedField(Headers.Name)
    /// This field governs framing, routing, authentication or state and may not be a trailer (RFC 9110 6.5.1).
    case forbiddenTrailer(Headers.Name)
    /// TRACE and CONNECT carry no body (RFC 9110 9.3.8, 9.3.6).
    case bodyNotAllowed
    /// The body's length is negative.
    case invalidLength
    /// Content-Length of a body of unknown length is not a decimal number in range.
    case invalidContentLength
}

extension RequestFault: CustomStringConvertible {
    /// A sentence for people, without values.
    package var description: String {
        switch self {
        case .invalidMethod: "the method is not a token"
        case .invalidTarget: "the request target is not valid for this method"
        case .invalidAuthority: "the host is not valid"
        case .invalidFieldName(let name): "the field name \(FieldNameExcerpt(name.text.utf8)) is not a token"
        case .invalidFieldValue(let name): "the value of the field \(name.text) holds a control character"
        case .malformedFieldValue(let name): "the value of the field \(name.text) is malformed or empty"
        case .repeatedField(let name): "the field \(name.text) is given more than once"
        case .forbiddenTrailer(let name): "the field \(name.text) may not be a trailer"
        case .bodyNotAllowed: "the method does not allow a body"
        case .invalidLength: "the length of the body is negative"
        case .invalidContentLength:
            "Content-Length is not one decimal number in range; pass the length of the body as `length:` instead"
        }
    }
}
