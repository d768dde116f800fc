import HTTPTypes
package import SockeyeCore
package import SockeyeHTTP
package import SockeyeNet
import Synchronization

/// The shared storage of a response: the head as received, `Headers` made on first use, the request that it answers, and the
/// reader of its body. One object, so that a response, its body and an iterator are a reference each.
///
/// Building `Headers` costs microseconds, more than all the rest of a small exchange's parsing; most callers look at
/// the status and at one or two fields.
@usableFromInline package final class ResponseStorage: Sendable {
    private enum Origin {
        case wire(ResponseHead)
        case values(reason: String, minorVersion: Int)
        case stored(StoredHead)
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
    private let built = AtomicLazyReference<SharedFields>()
    /// Whether the body is delivered decoded, and the fields that described the coding are hidden.
    let hidesCoding: Bool
    /// The connection that left HTTP with this response; nil of all others.
    let handover: ConnectionHandover?

    /// A head as parsed; `hidesCoding` leaves out the fields that describe a coding which has been undone.
    package init(
        head: ResponseHead, hidesCoding: Bool, request: RequestIdentity, started: MonotonicTime, tls: TLSInfo? = nil,
        body: BodyContent, handover: ConnectionHandover? = nil
    ) {
        self.handover = handover
        self.started = started
        self.tls = tls
        status = head.summary.status
        setsCookies = head.summary.setsCookies
        reader = BodyReader(body)
        self.request = request
        origin = .wire(head)
        self.hidesCoding = hidesCoding
    }

    /// - Parameters:
    ///   - isDecoded: Whether a content coding of the body was undone before.
    ///   - setsCookies: Nil: as the fields have it. A stored response has set its cookies before.
    package init(
        status: Int, fields: Headers, reason: String, request: RequestIdentity?, body: BodyContent,
        isDecoded: Bool = false, setsCookies: Bool? = nil, tls: TLSInfo? = nil, minorVersion: Int = 1
    ) {
        handover = nil
        started = nil
        self.tls = tls
        self.status = status
        self.setsCookies = setsCookies ?? fields.contains(.setCookie)
        reader = BodyReader(body)
        self.request = request
        origin = .values(reason: reason, minorVersion: minorVersion)
        _ = built.storeIfNil(SharedFields(fields))
        hidesCoding = isDecoded
    }

    /// The head of a response that a cache has.
    ///
    /// - Parameter setsCookies: Whether somebody has just set cookies by it. Those of the stored fields were set before.
    package init(_ head: StoredHead, request: RequestIdentity, body: BodyContent, setsCookies: Bool) {
        handover = nil
        started = nil
        tls = nil
        status = head.status
        self.setsCookies = setsCookies
        reader = BodyReader(body)
        self.request = request
        origin = .stored(head)
        hidesCoding = head.isDecoded
    }

    /// The same head with other content.
    ///
    /// - Parameter fields: Other fields for it; nil for the same.
    init(_ other: ResponseStorage, fields: Headers? = nil, body: BodyContent) {
        handover = other.handover
        started = other.started
        tls = other.tls
        status = other.status
        setsCookies = other.setsCookies
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
        case .stored(let head): return head.makeFields()
        case .values: return [:]
        }
    }

    package var reason: String {
        switch origin {
        case .wire(let head): head.reason
        case .values(let reason, _): reason
        case .stored(let head): head.reason
        }
    }

    package var minorVersion: Int {
        switch origin {
        case .wire(let head): head.summary.minorVersion
        case .values(_, let minorVersion): minorVersion
        case .stored: 1
        }
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

    package func firstValue(of name: Headers.Name) -> String? {
        values(of: name).first
    }

    /// Every value of a field as the bytes that were received.
    package func rawValues(of name: Headers.Name) -> [Bytes] {
        if case .wire(let head) = origin { return head.rawValues(of: name) }
        return fields[values: name].map { Bytes($0) }
    }

    package func values(of name: Headers.Name) -> [String] {
        if hidesCoding, name == .contentEncoding || name == .contentLength { return [] }
        switch origin {
        case .wire(let head): return head.values(of: name)
        case .stored(let head): return head.values(of: name)
        case .values: return fields[values: name]
        }
    }
}

/// Fields by reference, for who sets them once and without a lock: to destroy an optional of them that another generic type holds
/// goes through its value witnesses.
private final class SharedFields: Sendable {
    let value: Headers

    init(_ value: Headers) {
        self.value = value
    }
}

/// A pull source of the pieces of a response body. One task at a time.
package protocol BodySource: AnyObject, Sendable {
    /// The next non-empty piece; nil at the end, and from then on.
    func next() async throws(SockeyeError) -> Bytes?

    /// The trailer fields, once `next` has returned nil.
    var trailers: Headers? { get }
}

/// The single pass over a body: who may read it, and what is left.
///
/// States: unread → reading → ended; a piece being fetched takes the source out for that time, so that a second task
/// that reads along gets an error instead of a data race. Dropping the reader drops the source, and with it, if the
/// body was not read to its end, the connection.
///
/// It has no identity of its own, but is part of the object that a response is.
package struct BodyReader: ~Copyable, Sendable {
    // Not private: the compiler (6.3.1, without optimization) fails to link a private type into the object that embeds this.
    enum State {
        /// The first piece may be here already; without a source it is all there is.
        case unread(first: Bytes, source: (any BodySource)?)
        case reading(first: Bytes, source: (any BodySource)?)
        case fetching
        case ended
    }

    private let state: Mutex<State>
    private let receivedTrailers = AtomicLazyReference<SharedFields>()
    /// The length of the body as it is delivered, where known beforehand.
    package let expectedLength: Int?

    package init(_ content: BodyContent) {
        state = Mutex(.unread(first: content.first, source: content.source))
        if let trailers = content.trailers { _ = receivedTrailers.storeIfNil(SharedFields(trailers)) }
        expectedLength = content.expectedLength
    }

    /// Claims the one pass. False when it was claimed before.
    package func begin() -> Bool {
        state.withLock { state in
            guard case .unread(let first, let source) = state else { return false }
            state = .reading(first: first, source: source)
            return true
        }
    }

    /// The result of a read without waiting.
    package enum Turn {
        /// A piece, or nil at the end.
        case piece(Bytes?)
        /// The next piece has to be fetched, with ``fetch(from:)``; until then nobody else can read.
        case fetch(any BodySource)
        /// Another task is reading, or nobody has claimed the pass.
        case busy
    }

    /// Takes what is here. Most bodies are small and here already, so that reading them does not suspend.
    package func take() -> Turn {
        state.withLock { state in
            switch state {
            case .reading(let first, let source):
                if !first.isEmpty {
                    state = source == nil ? .ended : .reading(first: Bytes(), source: source)
                    return .piece(first)
                }
                guard let source else {
                    state = .ended
                    return .piece(nil)
                }
                state = .fetching
                return .fetch(source)
            case .fetching, .unread: return .busy
            case .ended: return .piece(nil)
            }
        }
    }

    package func next() async throws(SockeyeError) -> Bytes? {
        switch take() {
        case .piece(let bytes): return bytes
        case .fetch(let source): return try await fetch(from: source)
        case .busy: throw Self.consumed
        }
    }

    package func fetch(from source: any BodySource) async throws(SockeyeError) -> Bytes? {
        do throws(SockeyeError) {
            let piece = try await source.next()
            if piece == nil, let trailers = source.trailers { _ = receivedTrailers.storeIfNil(SharedFields(trailers)) }
            state.withLock { $0 = piece == nil ? .ended : .reading(first: Bytes(), source: source) }
            return piece
        } catch {
            state.withLock { $0 = .ended }
            throw error
        }
    }

    /// Where the body comes from, as long as nobody has begun to read it.
    package var unread: (any BodySource)? {
        state.withLock { state in
            guard case .unread(_, let source) = state else { return nil }
            return source
        }
    }

    /// The start of the body, as far as it is here and nobody has begun to read it.
    package var start: Bytes {
        state.withLock { state in
            guard case .unread(let first, let source) = state else { return Bytes() }
            return first.isEmpty ? (source as? LimitedSource)?.start ?? Bytes() : first
        }
    }

    package var trailers: Headers? { receivedTrailers.load()?.value }

    /// Wraps the source of content that is still to come, before anybody reads. Returns how many bytes are here already.
    package func wrapSource(_ wrap: (any BodySource) -> any BodySource) -> Int {
        var count = 0
        replaceUnread { first, source in
            count = first.count
            return (first, source.map(wrap))
        }
        return count
    }

    /// Replaces the content, before anybody reads.
    func replaceUnread(_ change: (Bytes, (any BodySource)?) -> (Bytes, (any BodySource)?)) {
        state.withLock { state in
            guard case .unread(let first, let source) = state else { return }
            let (newFirst, newSource) = change(first, source)
            state = .unread(first: newFirst, source: newSource)
        }
    }

    /// Ends the body wherever it is, which frees the connection. Not while somebody reads.
    package func discard() {
        state.withLock { $0 = .ended }
    }

    /// The whole body when it is here already and nobody has begun to read it.
    package func takeComplete() -> Bytes? {
        state.withLock { state in
            guard case .unread(let first, nil) = state else { return nil }
            state = .ended
            return first
        }
    }

    package static let consumed = SockeyeError(
        .init(
            .bodyConsumed, phase: .body, blame: .caller,
            message: "the body can be read once, by one task at a time"))
}

/// The parts of a body when its response is made.
package struct BodyContent: Sendable {
    /// What of it is here already.
    package var first: Bytes
    /// Where the rest comes from; nil when `first` is all.
    package var source: (any BodySource)?
    /// The length of the body as it is delivered, where known beforehand.
    package var expectedLength: Int?
    /// The trailer fields, where the whole body is here.
    package var trailers: Headers?

    package init(
        first: Bytes = Bytes(), source: (any BodySource)? = nil, expectedLength: Int?, trailers: Headers? = nil
    ) {
        self.first = first
        self.source = source
        self.expectedLength = expectedLength
        self.trailers = trailers
    }
}
