import Synchronization

/// The right to read a stream that can be read once. Shared by all bodies that were made around it.
///
/// A request claims it before anything is sent, so that a second request fails instead of sending nothing. From the start of the
/// upload on it is reserved, and begun when its first element is requested; then it stays used however that ends. A request that
/// ends before that, as by a final response to its head (RFC 9110 10.1.1), gives it back.
package final class OneShotClaim: Sendable {
    private enum State {
        static let free: UInt8 = 0
        static let claimed: UInt8 = 1
        static let reserved: UInt8 = 2
        static let begun: UInt8 = 3
    }

    private let state = Atomic(State.free)
    /// The streams that a body is made of, where there are several.
    private let parts: [OneShotClaim]

    package init(of parts: [OneShotClaim] = []) {
        self.parts = parts
    }

    /// What is used up by using all of `parts`; nil of none.
    package static func all(_ parts: [OneShotClaim]) -> OneShotClaim? {
        parts.count > 1 ? OneShotClaim(of: parts) : parts.first
    }

    /// Claims the stream for a request, or all of several.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyConsumed`` where another request has, or where it was read.
    package func claim() throws(SockeyeError) {
        guard change(from: State.free, to: State.claimed) else { throw .bodySentTwice }
        for (index, part) in parts.enumerated() {
            do throws(SockeyeError) {
                try part.claim()
            } catch {
                for part in parts[..<index] { part.release() }
                release()
                throw error
            }
        }
    }

    /// Whether nothing was read, and no upload is about to.
    package var isUnread: Bool {
        let state = state.load(ordering: .relaxed)
        return (state == State.free || state == State.claimed) && parts.allSatisfy(\.isUnread)
    }

    /// Notes that an upload starts, which will read soon: ``release()`` has no effect from now on.
    func reserve() { _ = change(from: State.claimed, to: State.reserved) }

    /// Notes that the upload has ended without reading, and never will.
    func unreserve() { _ = change(from: State.reserved, to: State.claimed) }

    /// Gives back a claim, unless an upload has started.
    package func release() {
        guard change(from: State.claimed, to: State.free) else { return }
        for part in parts { part.release() }
    }

    /// Begins to read.
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
                message: "the body is a stream that can be sent once only, and was sent before or is being sent"))
    }
}
