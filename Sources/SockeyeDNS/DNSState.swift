#if AsyncDNS
import SockeyeCore
import SockeyePlatform

/// The state that a ``DNSClient`` guards with its lock: the channel to the name servers, the look-up queue, and a
/// `WaitPoint` for each socket of the channel, where tasks wait until the socket is ready.
///
/// The state is idle or busy. `begin` makes it busy and sets a timer. When the last look-up ends, the state becomes
/// idle, without sockets, timer or poller. The channel stays open while idle, because with the option `rotate` of
/// resolv.conf(5) it remembers which server to ask next. `begin` replaces the channel if its configuration file has
/// changed. The channel is also replaced if abandoned look-ups, which have no waiter any more, take at least half of
/// the places for look-ups under way.
struct DNSState {
    typealias LookUp = InFlightOperation<NameServerChannel.Answer, ResolveError>

    /// A call of ``DNSClient/answer(for:on:start:)``, which waits for one look-up on behalf of all callers that share
    /// the look-up.
    struct Waiter: Sendable {
        let lookUp: LookUp
        let start: LookUpStart
    }

    /// A socket of the channel and its wait point.
    struct Watch: Sendable {
        let socket: Int32
        let isStream: Bool
        let point: WaitPoint
    }

    /// The work to do after the lock is released.
    struct Work: Sendable {
        var finished: [(LookUp, LookUp.Outcome)] = []
        var watches: [Watch] = []
        /// A new timer, for which the caller must start a task that calls `timePassed` at each time-out; nil if no
        /// timer was started.
        var timer: WaitTimer?
    }

    private let path: String
    private let settings: @Sendable () -> NameServerChannel.Settings
    private var queue = LookUpQueue<Waiter>()
    private var channel: NameServerChannel?
    /// The version of the configuration file when the channel was opened; nil if the file was missing.
    private var version: FileVersion?
    private var points: [Int32: WaitPoint] = [:]
    // Nil while no look-up is queued or under way.
    private var timer: WaitTimer?
    private var poller: (any Poller)?

    init(path: String, settings: @escaping @Sendable () -> NameServerChannel.Settings) {
        self.path = path
        self.settings = settings
    }

    // MARK: Look-ups

    /// Adds a look-up to the queue, and begins it if a place is free. Returns its ticket for ``leave(_:_:)``.
    mutating func begin(
        _ host: String, _ waiter: Waiter, _ poller: any Poller, _ work: inout Work
    ) throws(ResolveError) -> UInt64 {
        let ticket = try queue.join(host, waiter)
        if self.poller == nil { self.poller = poller }
        if channel == nil || version != SystemFile.version(of: path) { openChannel(&work) }
        advance(&work)
        abandonWithoutCallers(&work)
        return ticket
    }

    /// Abandons the look-ups that continue without callers, if queued look-ups need the places. A look-up under way
    /// continues after its last caller has left, so that its answer can be cached.
    private mutating func abandonWithoutCallers(_ work: inout Work) {
        for waiter in queue.abandonWithoutCallers(\.start.hasNoCallers) {
            // A caller that joins the look-up before it ends gets this error and starts another look-up.
            work.finished.append((waiter.lookUp, .failure(.abandoned)))
        }
        guard queue.isClogged else { return }
        openChannel(&work)
        advance(&work)
    }

    /// Removes the waiter of a look-up. If this was the last waiter of all look-ups, all look-ups end and all sockets
    /// are closed.
    mutating func leave(_ ticket: UInt64, _ work: inout Work) {
        queue.leave(ticket)
        if queue.hasNoWaiters {
            _ = queue.takeAll()
            channel?.cancelAll()
        } else if queue.isClogged {
            openChannel(&work)
        }
        advance(&work)
    }

    // MARK: Sockets and time

    /// Reads from or writes to a ready socket. Returns true if the caller has to call again, after other tasks have
    /// run.
    mutating func process(_ watch: Watch, reads: Bool, _ work: inout Work) -> Bool {
        guard let channel, points[watch.socket] === watch.point else { return false }
        let hasMore = channel.process(watch.socket, reads: reads)
        advance(&work)
        return hasMore
    }

    /// Returns the poller to wait at, and the time to wait before calling ``timePassed(_:_:)``. Nil if this timer is no
    /// longer in use.
    func untilTimeout(_ timer: WaitTimer) -> (any Poller, Duration)? {
        guard timer === self.timer, let channel, let poller else { return nil }
        return (poller, .milliseconds(channel.untilTimeout))
    }

    mutating func timePassed(_ timer: WaitTimer, _ work: inout Work) {
        guard timer === self.timer else { return }
        channel?.processTimeouts()
        advance(&work)
        abandonWithoutCallers(&work)
    }

    // MARK: The channel

    /// Opens a channel with the current settings. The look-ups that were under way return to the queue, and
    /// ``advance(_:)`` begins them again.
    private mutating func openChannel(_ work: inout Work) {
        closeChannel()
        queue.restart()
        // Taken before the file is read, so that a change meanwhile is noticed at the next look-up.
        version = SystemFile.version(of: path)
        do throws(NameServerChannel.Failure) {
            channel = try NameServerChannel(settings())
        } catch {
            fail(ResolveError(error), &work)
        }
    }

    private mutating func closeChannel() {
        guard let channel else { return }
        channel.cancelAll()
        close(channel.takeEvents().retired)
        self.channel = nil
    }

    private mutating func fail(_ error: ResolveError, _ work: inout Work) {
        for waiter in queue.takeAll() { work.finished.append((waiter.lookUp, .failure(error))) }
        closeChannel()
    }

    /// Begins queued look-ups while places are free, and processes the channel's events until it has no more.
    private mutating func advance(_ work: inout Work) {
        while let channel {
            while let (ticket, host, waiter) = queue.next() {
                if waiter.start.begin() {
                    channel.query(for: host, as: ticket)
                } else {
                    // The look-up was withdrawn, because its last caller left before the query was sent.
                    _ = queue.finish(ticket)
                    work.finished.append((waiter.lookUp, .failure(.cancelled)))
                }
            }
            let events = channel.takeEvents()
            if events.isEmpty { break }
            take(events, &work)
        }
        guard !queue.isEmpty else {
            timer?.close()
            (timer, poller) = (nil, nil)
            return
        }
        guard timer == nil, let poller else { return }
        do throws(TransportError) {
            timer = try WaitTimer(poller: poller)
            work.timer = timer
        } catch {
            fail(ResolveError(error), &work)
        }
    }

    private mutating func take(_ events: NameServerChannel.Events, _ work: inout Work) {
        for (ticket, result) in events.answers {
            if case .failure(.interrupted) = result, queue.repeat(ticket) { continue }
            guard let waiter = queue.finish(ticket) else { continue }
            work.finished.append((waiter.lookUp, result.mapError(ResolveError.init)))
        }
        var lack: TransportError?
        for (socket, isStream) in events.opened where !events.retired.contains(socket) {
            do throws(TransportError) {
                guard let poller else { continue }
                let point = try poller.makeWaitPoint(descriptor: socket)
                points[socket] = point
                work.watches.append(Watch(socket: socket, isStream: isStream, point: point))
            } catch {
                lack = error
            }
        }
        close(events.retired)
        if let lack { fail(ResolveError(lack), &work) }
    }

    /// Closes the wait point before the socket, so that no event can reach the next user of the descriptor's number.
    private mutating func close(_ sockets: [Int32]) {
        for socket in sockets {
            points.removeValue(forKey: socket)?.close()
            SystemSocket.close(socket)
        }
    }
}

extension ResolveError {
    fileprivate init(_ failure: NameServerChannel.Failure) {
        self =
            switch failure {
            case .notFound: .notFound
            case .noData: .noData
            case .serverFailure: .serverFailure
            case .refused: .refused
            case .unanswered: .unanswered
            case .unreachable: .unreachable
            case .interrupted: .interrupted
            case .malformed: .malformed
            case .invalidName: .invalidName
            case .cancelled: .cancelled
            case .outOfResources(let error): .outOfResources(error)
            case .other(let code, let text): .failed(code: code, text: text)
            }
    }

    /// Converts the error of a wait at a poller.
    init(_ error: TransportError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .timedOut: .unanswered
            case .system(_, let reason) where error.isOutOfResources: .outOfResources(reason)
            default: .custom(error)
            }
    }
}
#endif
