import SockeyeCore
import SockeyeEngine
import SockeyePlatform

/// The policy of a download that waits because the process or the system has no file descriptor left (EMFILE, ENFILE),
/// or no memory.
///
/// Idle connections of the client's pool are closed first, beginning with the least recently used one. Then opening the
/// file is tried again every ``pause`` until ``limit`` has passed. A request without a descriptor for its new
/// connection waits in the same way.
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
                if await closeIdleConnection() { continue }
                let now = clock.time.now
                let deadline = end ?? now.deadline(after: limit)
                end = deadline
                guard now < deadline else { throw error }
                let isOver = (try? await clock.sleep(until: .earlier(deadline, now.advanced(by: Self.pause)))) != nil
                if Task.isCancelled { throw .cancelled }
                // The sleep failed: no descriptor is left for a timer either.
                guard isOver else { throw error }
            }
        }
    }
}
