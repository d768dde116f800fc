package import SockeyeCore
package import SockeyeHTTP
import Synchronization

/// The single pass over a body: its reading state and the remaining content.
///
/// States: unread → reading → ended. While a piece is being fetched, the state holds no source, so that a second
/// reading task gets an error instead of a data race. Releasing the reader releases the source and, if the body was not
/// read to its end, the connection.
package struct BodyReader: ~Copyable, Sendable {
    // If this type is private, Swift 6.3.1 without optimization fails to link `ResponseStorage`, which embeds the
    // reader.
    enum State {
        /// The first piece may have arrived already; if there is no source, that piece is the whole body.
        case unread(first: Bytes, source: (any BodySource)?)
        case reading(first: Bytes, source: (any BodySource)?)
        case fetching
        case ended
    }

    private let state: Mutex<State>
    private let receivedTrailers = AtomicLazyReference<SharedFields>()
    /// The number of bytes that the body will deliver; nil if unknown.
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

    /// Returns the next piece; nil at the end. Throws ``consumed`` if another task is reading, or if the pass was not
    /// claimed.
    package func next() async throws(SockeyeError) -> Bytes? {
        switch take() {
        case .piece(let bytes): return bytes
        case .fetch(let source): return try await fetch(from: source)
        case .busy: throw Self.consumed
        }
    }

    /// Waits for the next piece after ``Turn/fetch(_:)``; nil at the end. An error ends the body.
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

    /// False once reading has begun, or once the body was taken or discarded.
    package var isUnread: Bool {
        state.withLock { state in
            guard case .unread = state else { return false }
            return true
        }
    }

    /// The source of an unread body; nil once reading has begun, or if the whole body has arrived.
    package var unread: (any BodySource)? {
        state.withLock { state in
            guard case .unread(_, let source) = state else { return nil }
            return source
        }
    }

    /// The bytes of the body that arrived before the first read; empty if none arrived, or once reading has begun. If
    /// this object holds no such bytes and its source is a ``LimitedSource``, these are the bytes that the source
    /// holds. Bytes that other sources hold are left out.
    package var start: Bytes {
        state.withLock { state in
            guard case .unread(let first, let source) = state else { return Bytes() }
            return first.isEmpty ? (source as? LimitedSource)?.start ?? Bytes() : first
        }
    }

    /// The trailer fields; nil before the end of the body, and for a body without trailers.
    package var trailers: Headers? { receivedTrailers.load()?.value }

    /// Wraps the source of the content, if there is a source. Returns the number of bytes that have already arrived and
    /// therefore bypass the wrapper. If reading has begun, wraps nothing and returns nil.
    package func wrapSource(_ wrap: (any BodySource) -> any BodySource) -> Int? {
        var count: Int?
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

    /// Ends the body at its present position. Must not be called while a task reads.
    ///
    /// - Returns: The source of the rest; nil if there is no source, or if the body has ended already. The connection
    ///   is freed when the caller releases the source.
    @discardableResult
    package func discard() -> (any BodySource)? {
        state.withLock { state in
            let old = state
            state = .ended
            switch old {
            case .unread(_, let source), .reading(_, let source): return source
            case .fetching, .ended: return nil
            }
        }
    }

    /// Takes the whole body if it has arrived and reading has not begun.
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
