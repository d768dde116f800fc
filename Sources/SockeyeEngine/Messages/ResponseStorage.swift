import HTTPTypes
package import SockeyeCore
package import SockeyeHTTP
package import SockeyeNet
import Synchronization

/// The shared storage of a response: the head as received, `Headers` made on first use, the request that it answers,
/// and the reader of its body. A single object, so that a response, its body and an iterator are one reference each.
///
/// Building `Headers` costs microseconds, more than the rest of a small exchange's parsing together. Most callers look
/// at the status and at one or two fields.
@usableFromInline package final class ResponseStorage: Sendable {
    private enum Origin {
        case wire(ResponseHead)
        case values(reason: String, minorVersion: Int)
        case stored(StoredHead)
    }

    @usableFromInline package let status: Int
    /// True if there is a Set-Cookie field.
    @usableFromInline package let setsCookies: Bool
    /// The request; nil for a body that belongs to no response.
    package let request: RequestIdentity?
    package let reader: BodyReader
    /// The start time of the exchange; nil if the clock was not read.
    package let started: MonotonicTime?
    /// The TLS session of its connection.
    package let tls: TLSInfo?
    private let origin: Origin
    private let built = AtomicLazyReference<SharedFields>()
    /// True if the body is delivered decoded, and the fields that described the coding are hidden.
    let hidesCoding: Bool
    /// The connection that left HTTP with this response; nil for all other responses.
    let handover: ConnectionHandover?

    /// Creates the storage from a parsed head. `hidesCoding` leaves out the fields that describe a coding which has
    /// been undone.
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
    ///   - isDecoded: True if a content coding of the body was already undone.
    ///   - setsCookies: Nil means as the fields say. A stored response has set its cookies before.
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

    /// Creates the storage from the head of a cached response.
    ///
    /// - Parameter setsCookies: True if the response has just set cookies. Those of the stored fields were set before.
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

    /// Creates the storage from the same head with other content.
    ///
    /// - Parameter fields: Replacements for the fields; nil keeps them.
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

    /// Returns an error of the body, completed with the request. If the body exceeds a limit, also with the head and
    /// the start of the body.
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

    /// The error of a body that is announced larger than its limit; nil once a reader has begun to read it.
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

/// Fields by reference, for holders that set them once and without a lock. Another generic type that holds an optional
/// of the fields themselves destroys it through value witnesses.
private final class SharedFields: Sendable {
    let value: Headers

    init(_ value: Headers) {
        self.value = value
    }
}

/// A pull source of the pieces of a response body. One task at a time.
package protocol BodySource: AnyObject, Sendable {
    /// Returns the next non-empty piece; nil at the end and on every later call.
    func next() async throws(SockeyeError) -> Bytes?

    /// The trailer fields, available once `next` has returned nil.
    var trailers: Headers? { get }
}

/// The single pass over a body: its reading state and the remaining content.
///
/// States: unread → reading → ended. Fetching a piece takes the source out for that time, so that a second reading task
/// gets an error instead of a data race. Releasing the reader releases the source and, if the body was not read to its
/// end, the connection.
///
/// It is a part of the response's storage object and has no identity of its own.
package struct BodyReader: ~Copyable, Sendable {
    // Not private: the compiler (6.3.1, unoptimized) fails to link a private type into the object that embeds this one.
    enum State {
        /// The first piece may have arrived already; without a source it is the whole body.
        case unread(first: Bytes, source: (any BodySource)?)
        case reading(first: Bytes, source: (any BodySource)?)
        case fetching
        case ended
    }

    private let state: Mutex<State>
    private let receivedTrailers = AtomicLazyReference<SharedFields>()
    /// The length of the body as delivered, if known beforehand.
    package let expectedLength: Int?

    package init(_ content: BodyContent) {
        state = Mutex(.unread(first: content.first, source: content.source))
        if let trailers = content.trailers { _ = receivedTrailers.storeIfNil(SharedFields(trailers)) }
        expectedLength = content.expectedLength
    }

    /// Claims the single pass. False if it was claimed before.
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
        /// The next piece must be fetched with ``fetch(from:)``; until then no other task can read.
        case fetch(any BodySource)
        /// Another task is reading, or the pass was not claimed.
        case busy
    }

    /// Takes the piece that has arrived. Most bodies are small and have arrived completely, so that reading them does
    /// not suspend.
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

    /// The source of the body; nil once a reader has begun.
    package var unread: (any BodySource)? {
        state.withLock { state in
            guard case .unread(_, let source) = state else { return nil }
            return source
        }
    }

    /// The received start of the body; empty once a reader has begun.
    package var start: Bytes {
        state.withLock { state in
            guard case .unread(let first, let source) = state else { return Bytes() }
            return first.isEmpty ? (source as? LimitedSource)?.start ?? Bytes() : first
        }
    }

    package var trailers: Headers? { receivedTrailers.load()?.value }

    /// Wraps the source of the content that is still to come, unless reading has begun. Returns the number of bytes
    /// that have already arrived.
    package func wrapSource(_ wrap: (any BodySource) -> any BodySource) -> Int {
        var count = 0
        replaceUnread { first, source in
            count = first.count
            return (first, source.map(wrap))
        }
        return count
    }

    /// Replaces the content, unless reading has begun.
    func replaceUnread(_ change: (Bytes, (any BodySource)?) -> (Bytes, (any BodySource)?)) {
        state.withLock { state in
            guard case .unread(let first, let source) = state else { return }
            let (newFirst, newSource) = change(first, source)
            state = .unread(first: newFirst, source: newSource)
        }
    }

    /// Ends the body wherever it is, which frees the connection. Must not be called while a task reads.
    package func discard() {
        state.withLock { $0 = .ended }
    }

    /// Takes the whole body if it has arrived and no reader has begun.
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

/// The parts of a body at the creation of its response.
package struct BodyContent: Sendable {
    /// The part that has already arrived.
    package var first: Bytes
    /// The source of the rest; nil if `first` is the whole body.
    package var source: (any BodySource)?
    /// The length of the body as delivered, if known beforehand.
    package var expectedLength: Int?
    /// The trailer fields, if the whole body has arrived.
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
