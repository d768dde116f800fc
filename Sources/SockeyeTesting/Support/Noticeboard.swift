import SockeyeCore
import SockeyeNet
import Synchronization

/// A value that many change and anybody can wait on: a test waits for what it needs instead of sleeping.
final class Noticeboard<Notice: Sendable>: Sendable {
    private struct Content {
        var notice: Notice
        var waiting: [WaitTimer] = []
    }

    private let content: Mutex<Content>

    init(_ notice: Notice) {
        content = Mutex(Content(notice: notice))
    }

    var notice: Notice {
        content.withLock { $0.notice }
    }

    /// Changes the value and lets everybody who waits look at it.
    func update(_ change: (inout Notice) -> Void) {
        let waiting = content.withLock { content in
            change(&content.notice)
            defer { content.waiting = [] }
            return content.waiting
        }
        for sleeper in waiting { sleeper.signal() }
    }

    /// Suspends until `condition` holds and returns the value it held for.
    ///
    /// - Throws: ``TestServerError/Code-swift.struct/timedOut`` with the last value, or `CancellationError`.
    func wait(
        for purpose: String, timeout: Duration, until condition: @Sendable (Notice) -> Bool
    ) async throws -> Notice {
        let poller = try EpollPoller.shared()
        let sleeper = try WaitTimer(poller: poller)
        let deadline = poller.time.now.advanced(by: timeout)
        while true {
            let (notice, holds) = content.withLock { content in
                let holds = condition(content.notice)
                if !holds { content.waiting.append(sleeper) }
                return (content.notice, holds)
            }
            if holds { return notice }
            let wake = await sleeper.sleep(until: deadline)
            guard wake != .ready else { continue }
            content.withLock { $0.waiting.removeAll { $0 === sleeper } }
            if wake == .cancelled { throw CancellationError() }
            throw TestServerError(.timedOut, "waited \(timeout) for \(purpose); last seen: \(notice)")
        }
    }
}
