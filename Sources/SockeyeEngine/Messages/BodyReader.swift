package import HTTPTypes
package import SockeyeCore
import Synchronization

/// A pull source of the pieces of a response body. One task at a time.
package protocol BodySource: AnyObject, Sendable {
    /// The next non-empty piece; nil at the end, and from then on.
    func next() async throws(SockeyeError) -> Bytes?

    /// The trailer fields, once `next` has returned nil.
    var trailers: HTTPFields? { get }
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
    private let receivedTrailers: Mutex<HTTPFields?>
    /// The length of the body as it is delivered, where known beforehand.
    package let expectedLength: Int?

    package init(_ content: BodyContent) {
        state = Mutex(.unread(first: content.first, source: content.source))
        receivedTrailers = Mutex(content.trailers)
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
            if piece == nil, let trailers = source.trailers { receivedTrailers.withLock { $0 = trailers } }
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

    package var trailers: HTTPFields? { receivedTrailers.withLock { $0 } }

    /// Wraps the source of what is still to come, before anybody reads. Returns how many bytes are here already.
    package func wrapSource(_ wrap: (any BodySource) -> any BodySource) -> Int {
        state.withLock { state in
            guard case .unread(let first, let source) = state else { return 0 }
            state = .unread(first: first, source: source.map(wrap))
            return first.count
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
    package var trailers: HTTPFields?

    package init(
        first: Bytes = Bytes(), source: (any BodySource)? = nil, expectedLength: Int?, trailers: HTTPFields? = nil
    ) {
        self.first = first
        self.source = source
        self.expectedLength = expectedLength
        self.trailers = trailers
    }
}
