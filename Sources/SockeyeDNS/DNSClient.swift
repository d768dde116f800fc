#if AsyncDNS
import SockeyeCore
import SockeyePlatform
import Synchronization

/// The owner of a ``NameServerChannel``: a lock around it, tasks that wait for its sockets, and a task for its
/// time-outs.
///
/// All these tasks end when no look-up is queued or under way. Until then they wait at one poller (event loop): the
/// poller of the first caller after an idle time. The channel is called only under the lock, by methods of
/// ``DNSState``. Results are delivered after the lock is released.
final class DNSClient: Sendable {
    typealias Answer = NameServerChannel.Answer

    private let state: Mutex<DNSState>

    /// The longest time of one look-up, whatever the number of servers.
    private static let longestLookUp = Duration.seconds(30)

    /// - Parameters:
    ///   - path: The configuration file. This client replaces the channel after the file has changed.
    ///   - settings: Returns the settings for a channel. Called for each new channel.
    init(path: String, settings: @escaping @Sendable () -> NameServerChannel.Settings) {
        state = Mutex(DNSState(path: path, settings: settings))
    }

    func answer(for host: String, on poller: any Poller, start: LookUpStart) async throws(ResolveError) -> Answer {
        let operation = DNSState.LookUp()
        var ticket: UInt64 = 0
        try act { state, work throws(ResolveError) in
            ticket = try state.begin(host, DNSState.Waiter(lookUp: operation, start: start), poller, &work)
        }
        let outcome: DNSState.LookUp.Outcome
        do throws(TransportError) {
            outcome = try await operation.outcome(
                until: poller.time.now.advanced(by: Self.longestLookUp), poller: poller)
        } catch {
            act { state, work in state.leave(ticket, &work) }
            throw ResolveError(error)
        }
        return try outcome.get()
    }

    private func act<Failure: Error>(
        _ body: (inout DNSState, inout DNSState.Work) throws(Failure) -> Void
    ) throws(Failure) {
        let work = try state.withLock { state throws(Failure) in
            var work = DNSState.Work()
            try body(&state, &work)
            return work
        }
        carryOut(work)
    }

    private func carryOut(_ work: DNSState.Work) {
        for (lookUp, outcome) in work.finished { lookUp.finish(outcome) }
        for watch in work.watches {
            Task { await serve(watch, as: .reader) }
            // No task waits until a UDP socket is writable: a datagram that cannot be sent at once counts as lost.
            if watch.isStream { Task { await serve(watch, as: .writer) } }
        }
        if let timer = work.timer { Task { await keepTime(timer) } }
    }

    /// Lets the channel process a socket whenever the socket is ready. Returns when the socket is closed.
    private func serve(_ watch: DNSState.Watch, as role: StreamRole) async {
        let time = watch.point.poller.time
        while true {
            // A wait needs a deadline. If it passes, the channel finds nothing to do, and the next wait begins.
            let wake = await watch.point.wait(
                for: role == .reader ? .read : .write, as: role, until: time.now.advanced(by: Self.longestLookUp))
            if wake == .closed || wake == .cancelled { return }
            var hasMore = true
            while hasMore {
                act { state, work in hasMore = state.process(watch, reads: role == .reader, &work) }
                if hasMore { await Task.yield() }
            }
        }
    }

    /// Lets the channel repeat or give up unanswered queries at their time-outs.
    private func keepTime(_ timer: WaitTimer) async {
        while true {
            guard let (poller, wait) = state.withLock({ $0.untilTimeout(timer) }) else { return }
            if await timer.sleep(until: poller.time.now.advanced(by: wait)) != .timedOut { return }
            act { state, work in state.timePassed(timer, &work) }
        }
    }
}
#endif
