package import HTTPTypes
package import SockeyeCore
package import SockeyeHTTP
package import SockeyeNet
import Synchronization

/// The shared storage of a response: the head as received, `HTTPFields` made on first use, the request that it answers, and the
/// reader of its body. One object, so that a response, its body and an iterator are a reference each.
///
/// Building `HTTPFields` costs microseconds, more than all the rest of a small exchange's parsing; most callers look at
/// the status and at one or two fields.
@usableFromInline package final class ResponseStorage: Sendable {
    private enum Origin {
        case wire(ResponseHead)
        case values(reason: String)
    }

    @usableFromInline package let status: Int
    /// Whether there is a Set-Cookie field.
    @usableFromInline package let setsCookies: Bool
    /// Nil for a body that belongs to no response.
    package let request: RequestIdentity?
    package let reader: BodyReader
    /// When its exchange began; nil where the clock was not read.
    package let started: MonotonicTime?
    /// The TLS session that it came by.
    package let tls: TLSInfo?
    private let origin: Origin
    private let built: Mutex<HTTPFields?>
    /// Whether the body is delivered decoded, and the fields that described the coding are hidden.
    let hidesCoding: Bool

    /// A head as parsed; `hidesCoding` leaves out the fields that describe a coding which has been undone.
    package init(
        head: ResponseHead, hidesCoding: Bool, request: RequestIdentity, started: MonotonicTime, tls: TLSInfo? = nil,
        body: BodyContent
    ) {
        self.started = started
        self.tls = tls
        status = head.summary.status
        setsCookies = head.summary.setsCookies
        reader = BodyReader(body)
        self.request = request
        origin = .wire(head)
        built = Mutex(nil)
        self.hidesCoding = hidesCoding
    }

    /// - Parameters:
    ///   - isDecoded: Whether a content coding of the body was undone before.
    ///   - setsCookies: Nil: as the fields have it. A stored response has set its cookies before.
    package init(
        status: Int, fields: HTTPFields, reason: String, request: RequestIdentity?, body: BodyContent,
        isDecoded: Bool = false, setsCookies: Bool? = nil, tls: TLSInfo? = nil
    ) {
        started = nil
        self.tls = tls
        self.status = status
        self.setsCookies = setsCookies ?? fields.contains(.setCookie)
        reader = BodyReader(body)
        self.request = request
        origin = .values(reason: reason)
        built = Mutex(fields)
        hidesCoding = isDecoded
    }

    package var fields: HTTPFields {
        built.withLock { built in
            if let fields = built { return fields }
            guard case .wire(let head) = origin else { return [:] }
            var fields = head.makeFields()
            if hidesCoding {
                fields[.contentEncoding] = nil
                fields[.contentLength] = nil
            }
            built = fields
            return fields
        }
    }

    package var reason: String {
        switch origin {
        case .wire(let head): head.reason
        case .values(let reason): reason
        }
    }

    package var minorVersion: Int {
        if case .wire(let head) = origin { head.summary.minorVersion } else { 1 }
    }

    /// The error of its body, with the request that it is about; and with the head where it is the body that is refused.
    ///
    /// - Parameter start: The start of the body, as far as it is here.
    package func completed(_ error: SockeyeError, start: @autoclosure () -> Bytes = Bytes()) -> SockeyeError {
        guard error.code == .limitExceeded, request != nil else { return error.about(request) }
        guard let evidence = error.response else {
            let evidence = SockeyeError.Evidence(status: .init(code: status), headers: fields, startOf: start())
            return error.with { $0.response = evidence }.about(request)
        }
        guard evidence.body.isEmpty else { return error }
        let start = start()
        guard !start.isEmpty else { return error }
        return error.with {
            $0.response = SockeyeError.Evidence(status: evidence.status, headers: evidence.headers, startOf: start)
        }
    }

    /// The error of a body that is announced larger than its limit, before anybody reads it.
    package var excess: SockeyeError? {
        guard let source = reader.unread as? LimitedSource, let excess = source.excess else { return nil }
        return completed(excess, start: source.start)
    }

    package func firstValue(of name: FieldName) -> String? {
        values(of: name).first
    }

    /// Every value of a field as the bytes it came in.
    package func rawValues(of name: FieldName) -> [Bytes] {
        if case .wire(let head) = origin { return head.rawValues(of: name) }
        guard let name = HTTPField.Name(name.description) else { return [] }
        return fields[fields: name].map { unsafe $0.withUnsafeBytesOfValue { unsafe Bytes($0) } }
    }

    package func values(of name: FieldName) -> [String] {
        if hidesCoding, name == .contentEncoding || name == .contentLength { return [] }
        if case .wire(let head) = origin { return head.values(of: name) }
        guard let name = HTTPField.Name(name.description) else { return [] }
        return fields[values: name]
    }
}
