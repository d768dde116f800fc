import SockeyeCore
import SockeyeEngine
import SockeyePlatform

/// The policy of a download that waits because the process or the system has no file descriptor left (EMFILE, ENFILE),
/// or no memory.
///
/// Before each new attempt to use the file or to send the request, the least recently used idle connection of the
/// client's pool is closed. If no connection is idle, the download waits for ``pause`` instead. The attempts end when
/// ``limit`` has passed.
package struct DescriptorWait: Sendable {
    /// The longest wait; nil for no limit. Default: the same as for requests that wait for a connection.
    var limit = PhaseLimits().pool
    var clock = CallClock.system
    /// Closes an idle connection; false if none exists.
    var closeIdleConnection: @Sendable () async -> Bool = { false }

    private static let pause = Duration.milliseconds(100)

    /// Opens a file with `open`, and tries again while descriptors or memory are lacking.
    ///
    /// - Throws: The error of the last attempt, or ``FileFailure/cancelled``.
    func open<File>(_ open: () async throws(FileFailure) -> File) async throws(FileFailure) -> File {
        var end: MonotonicTime?
        while true {
            do throws(FileFailure) {
                return try await open()
            } catch {
                guard case .system(let fault) = error, fault.systemError.isOutOfResources else { throw error }
                switch await wait(until: &end) {
                case .again: continue
                case .cancelled: throw .cancelled
                case .expired: throw error
                }
            }
        }
    }

    /// Reads or writes a file with `access`, and tries again while descriptors or memory are lacking.
    ///
    /// - Throws: The error of the last attempt, or ``SockeyeError/Code-swift.struct/cancelled``.
    func access<Value>(_ access: () async throws(SockeyeError) -> Value) async throws(SockeyeError) -> Value {
        try await attempt(access, cancellation: SockeyeError(.cancelled, phase: .prepare)) { error in
            error.code == .outOfResources
        }
    }

    /// Sends a request with `send`, and tries again while it cannot connect for lack of descriptors or memory.
    ///
    /// If the pool has no other connection, open or being opened, it fails the request instead of waiting for a
    /// descriptor. This method sends such a request again, because other downloads may close their files meanwhile.
    ///
    /// - Throws: The error of the last attempt, or ``SockeyeError/Code-swift.struct/cancelled``.
    func send<Response>(
        about identity: RequestIdentity, _ send: () async throws(SockeyeError) -> Response
    ) async throws(SockeyeError) -> Response {
        try await attempt(send, cancellation: SockeyeError(.cancelled, phase: .pool).about(identity)) { error in
            error.code == .outOfResources && (error.phase == .resolve || error.phase == .connect)
        }
    }

    /// Repeats `work` while its error is one of a shortage. Throws `cancellation` if the task is cancelled during a
    /// wait.
    private func attempt<Value>(
        _ work: () async throws(SockeyeError) -> Value, cancellation: @autoclosure () -> SockeyeError,
        isShortage: (SockeyeError) -> Bool
    ) async throws(SockeyeError) -> Value {
        var end: MonotonicTime?
        while true {
            do throws(SockeyeError) {
                return try await work()
            } catch {
                guard isShortage(error) else { throw error }
                switch await wait(until: &end) {
                case .again: continue
                case .cancelled: throw cancellation()
                case .expired: throw error
                }
            }
        }
    }

    /// The outcome of one wait.
    private enum WaitEnd {
        case again, cancelled
        /// The limit has passed, or no descriptor is left for a timer either.
        case expired
    }

    /// Closes an idle connection. If no connection is idle, waits for the time ``pause``.
    ///
    /// Checks the limit first. Otherwise the attempts would not end while other tasks keep returning connections to the
    /// pool.
    ///
    /// - Parameter end: The deadline of all waits in one call of `open`, `access` or `send`. The first wait sets it.
    private func wait(until end: inout MonotonicTime?) async -> WaitEnd {
        if Task.isCancelled { return .cancelled }
        let now = clock.time.now
        let deadline = end ?? now.deadline(after: limit)
        end = deadline
        guard now < deadline else { return .expired }
        if await closeIdleConnection() { return .again }
        let isOver = (try? await clock.sleep(until: .earlier(deadline, now.advanced(by: Self.pause)))) != nil
        if Task.isCancelled { return .cancelled }
        return isOver ? .again : .expired
    }
}
