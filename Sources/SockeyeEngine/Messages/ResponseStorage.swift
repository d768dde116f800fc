import HTTPTypes
package import SockeyeCore
package import SockeyeHTTP
package import SockeyeNet
import Synchronization

/// The shared storage of a response: the head as received, `Headers` made on first use, the request that it answers,
/// and the reader of its body. A single object, so that a response, its body and an iterator are one reference each.
///
/// Building `Headers` costs microseconds, more than all other parsing of a small exchange. Most callers look only at
/// the status and at one or two fields, which are read without building `Headers`.
@usableFromInline package final class ResponseStorage: Sendable {
    private enum Origin {
        case wire(ResponseHead)
        case values(reason: String, minorVersion: Int)
        case deferred(any DeferredHead)
    }

    @usableFromInline package let status: Int
    /// True if the server's answer to this request sets cookies. Set-Cookie fields from a cache's store do not count:
    /// their cookies were set when the response was stored.
    @usableFromInline package let setsCookies: Bool
    /// The request; nil for a body that belongs to no response.
    package let request: RequestIdentity?
    package let reader: BodyReader
    /// The start time of the exchange; nil if the clock was not read.
    package let started: MonotonicTime?
    /// The TLS session of the response's connection; nil without TLS.
    package let tls: TLSInfo?
    private let origin: Origin
    private let built = AtomicLazyReference<SharedFields>()
    /// True if the body is delivered decoded, and the fields that described the coding are hidden.
    let hidesCoding: Bool
    /// The limits for ``IncomingResponse/undoCodings(_:)``; nil if the body has no content coding, or is delivered
    /// decoded.
    let codedLimits: CodedLimits?
    /// The connection that the response to a requested upgrade hands over to the caller; nil for all other responses.
    let handover: ConnectionHandover?

    package init(
        head: ResponseHead, hidesCoding: Bool, request: RequestIdentity, started: MonotonicTime, tls: TLSInfo? = nil,
        body: BodyContent, handover: ConnectionHandover? = nil, codedLimits: CodedLimits? = nil
    ) {
        self.handover = handover
        self.codedLimits = codedLimits
        self.started = started
        self.tls = tls
        status = head.summary.status
        setsCookies = head.summary.setsCookies
        reader = BodyReader(body)
        self.request = request
        origin = .wire(head)
        self.hidesCoding = hidesCoding
    }

    /// - Parameter isDecoded: True if a content coding of the body was already undone.
    package init(
        status: Int, fields: Headers, reason: String, request: RequestIdentity?, body: BodyContent,
        isDecoded: Bool = false, tls: TLSInfo? = nil, minorVersion: Int = 1
    ) {
        handover = nil
        codedLimits = nil
        started = nil
        self.tls = tls
        self.status = status
        setsCookies = fields.contains(.setCookie)
        reader = BodyReader(body)
        self.request = request
        origin = .values(reason: reason, minorVersion: minorVersion)
        _ = built.storeIfNil(SharedFields(fields))
        hidesCoding = isDecoded
    }

    /// Creates the storage from the head of a cached response.
    ///
    /// - Parameter setsCookies: True if the server has just confirmed the stored response, and the confirmation sets
    ///   cookies. The cookies of the stored fields were set before.
    package init(_ head: any DeferredHead, request: RequestIdentity, body: BodyContent, setsCookies: Bool) {
        handover = nil
        codedLimits = nil
        started = nil
        tls = nil
        status = head.status
        self.setsCookies = setsCookies
        reader = BodyReader(body)
        self.request = request
        origin = .deferred(head)
        hidesCoding = head.isDecoded
    }

    /// Creates the storage from the head of another response, with other content.
    ///
    /// - Parameter fields: Replacements for the fields. Nil keeps the fields of `other`.
    package init(_ other: ResponseStorage, fields: Headers? = nil, body: BodyContent) {
        handover = other.handover
        codedLimits = other.codedLimits
        started = other.started
        tls = other.tls
        status = other.status
        setsCookies = other.setsCookies && fields?.contains(.setCookie) ?? true
        reader = BodyReader(body)
        request = other.request
        origin = fields == nil ? other.origin : .values(reason: other.reason, minorVersion: other.minorVersion)
        if let fields = fields.map(SharedFields.init) ?? other.built.load() { _ = built.storeIfNil(fields) }
        hidesCoding = other.hidesCoding
    }

    package var fields: Headers {
        if let built = built.load() { return built.value }
        return built.storeIfNil(SharedFields(makeFields())).value
    }

    private func makeFields() -> Headers {
        switch origin {
        case .wire(let head):
            var fields = head.makeFields()
            if hidesCoding {
                fields[.contentEncoding] = nil
                fields[.contentLength] = nil
            }
            return fields
        case .deferred(let head): return head.makeFields()
        case .values: return [:]
        }
    }

    package var reason: String {
        switch origin {
        case .wire(let head): head.reason
        case .values(let reason, _): reason
        case .deferred(let head): head.reason
        }
    }

    package var minorVersion: Int {
        switch origin {
        case .wire(let head): head.summary.minorVersion
        case .values(_, let minorVersion): minorVersion
        case .deferred: 1
        }
    }

    /// Returns an error of the body with the request added. If the body exceeds a limit, the head and the start of the
    /// body are added, too.
    ///
    /// - Parameter start: The start of the body as far as it was received.
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

    /// The error of a body whose Content-Length exceeds the limit of the request or client (``LimitedSource``). Nil for
    /// every other body, and after reading has begun.
    package var announcedSizeError: SockeyeError? {
        guard let source = reader.unread as? LimitedSource, let announcedSizeError = source.announcedSizeError else {
            return nil
        }
        return completed(announcedSizeError, start: source.start)
    }

    package func firstValue(of name: Headers.Name) -> String? {
        values(of: name).first
    }

    /// Returns every value of a field as the bytes that were received.
    package func rawValues(of name: Headers.Name) -> [Bytes] {
        if hidesCoding, name == .contentEncoding || name == .contentLength { return [] }
        if case .wire(let head) = origin { return head.rawValues(of: name) }
        return fields[values: name].map { Bytes($0) }
    }

    package func values(of name: Headers.Name) -> [String] {
        if hidesCoding, name == .contentEncoding || name == .contentLength { return [] }
        switch origin {
        case .wire(let head): return head.values(of: name)
        case .deferred(let head): return head.values(of: name)
        case .values: return fields[values: name]
        }
    }
}

/// A box for `Headers`. An `AtomicLazyReference` is set once and without a lock, but it can hold only a class instance.
final class SharedFields: Sendable {
    let value: Headers

    init(_ value: Headers) {
        self.value = value
    }
}
