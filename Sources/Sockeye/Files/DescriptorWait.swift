import SockeyeCore
import SockeyeEngine
import SockeyePlatform

/// The wait of a download for the descriptor of its file, in a process that has none left (EMFILE).
///
/// It is like the wait of a request for a connection: idle connections of the client are closed first, the least recently
/// used before others. Then the file is tried again every ``pause``, until ``limit`` has passed.
package struct DescriptorWait: Sendable {
    /// As of requests that wait for a connection.
    var limit = PhaseLimits().pool
    var clock = CallClock.system
    /// Closes an idle connection; false if there is none.
    var closeIdleConnection: @Sendable () async -> Bool = { false }

    private static let pause = Duration.milliseconds(100)

    /// Opens a file by `open`.
    ///
    /// - Throws: The error of the last attempt, or that of a cancellation.
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
                try? await clock.sleep(until: .earlier(deadline, now.advanced(by: Self.pause)))
                if Task.isCancelled { throw .cancelled }
            }
        }
    }
}
