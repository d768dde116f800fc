import Synchronization

/// The right to read a stream that can be read only once. All bodies that send the stream share this claim.
///
/// A request claims the stream before anything is sent, so that a second request with the same stream fails instead of
/// being sent without content. The claim is reserved when the upload starts, and begun when the upload fetches the
/// first element. From then on the stream counts as read, however the upload ends. If the request ends before an
/// element is fetched, for example with a final response to its head (RFC 9110 10.1.1), it releases the claim.
package final class OneShotClaim: Sendable {
    private enum State {
        static let free: UInt8 = 0
        static let claimed: UInt8 = 1
        static let reserved: UInt8 = 2
        static let begun: UInt8 = 3
        /// Still reserved by an upload, although ``release()`` was called.
        static let orphaned: UInt8 = 4
    }

    private let state = Atomic(State.free)
    /// The claims of the streams that a body consists of, if there are several.
    private let parts: [OneShotClaim]

    package init(of parts: [OneShotClaim] = []) {
        self.parts = parts
    }

    /// Returns a claim on all of `parts`; nil if `parts` is empty. A single part that itself has parts gets a claim of
    /// its own around it, because each body with several parts begins its claim (``beginParts(_:)``).
    package static func all(_ parts: [OneShotClaim]) -> OneShotClaim? {
        parts.count > 1 || parts.first?.parts.isEmpty == false ? OneShotClaim(of: parts) : parts.first
    }

    /// Claims the stream, or all of several streams, for a request.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyConsumed`` if another request has claimed it, or if it was read.
    package func claim() throws(SockeyeError) {
        guard change(from: State.free, to: State.claimed) else { throw .bodySentTwice }
        for (index, part) in parts.enumerated() {
            do throws(SockeyeError) {
                try part.claim()
            } catch {
                // Releases only the parts claimed here: other requests may have claimed the rest.
                for part in parts[..<index] { part.release() }
                _ = change(from: State.claimed, to: State.free)
                throw error
            }
        }
    }

    /// True if nothing was read and no upload is about to read.
    package var isUnread: Bool {
        let state = state.load(ordering: .relaxed)
        return (state == State.free || state == State.claimed) && parts.allSatisfy(\.isUnread)
    }

    /// Records that an upload is about to read. From now on ``release()`` takes effect only at ``unreserve()``, because
    /// the request may end while the upload is still about to read.
    func reserve() { _ = change(from: State.claimed, to: State.reserved) }

    /// Records that the upload has ended without reading. Releases the claim if ``release()`` was called meanwhile.
    func unreserve() {
        if !change(from: State.reserved, to: State.claimed) { free(from: State.orphaned) }
    }

    /// Releases a claim: at once, or at the end of an upload that has reserved it. Has no effect if reading has begun.
    package func release() {
        // In this order, because the upload may unreserve the claim between the two steps.
        if !change(from: State.reserved, to: State.orphaned) { free(from: State.claimed) }
    }

    private func free(from old: UInt8) {
        guard change(from: old, to: State.free) else { return }
        for part in parts { part.release() }
    }

    /// Reads several streams one after the other. If reading fails, releases the streams that were not begun, so that
    /// other requests may send them.
    package func beginParts(_ read: () async throws -> Void) async throws {
        // The claim on a single stream has no parts. `read` begins this claim when it reads the stream.
        guard !parts.isEmpty else { return try await read() }
        let before = state.exchange(State.begun, ordering: .relaxed)
        guard before != State.begun else { throw SockeyeError.bodySentTwice }
        do {
            try await read()
        } catch {
            // If this claim was free, the parts were not claimed for this reader. Other requests may have claimed them,
            // so they are not released.
            if before != State.free { for part in parts { part.release() } }
            throw error
        }
    }

    /// Begins the reading.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyConsumed`` the second time.
    package func begin() throws(SockeyeError) {
        guard state.exchange(State.begun, ordering: .relaxed) != State.begun else { throw .bodySentTwice }
    }

    private func change(from old: UInt8, to new: UInt8) -> Bool {
        state.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
    }
}

extension SockeyeError {
    fileprivate static var bodySentTwice: SockeyeError {
        SockeyeError(
            .init(
                .bodyConsumed, phase: .prepare, blame: .caller,
                message: "the body is a one-shot stream, and another request has sent it or is sending it"))
    }
}
