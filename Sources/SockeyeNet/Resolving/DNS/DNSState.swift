#if AsyncDNS
import SockeyeCore
import SockeyePlatform

/// What a ``DNSClient`` guards by its lock: the channel, the line before it, and the points at which its sockets are waited for.
///
/// Idle → `begin` → busy, with a timer → nothing is under way and nobody in line → idle, without sockets, timer or poller. The
/// channel stays, since it knows which server is next (`rotate`), until the file of its settings has changed.
struct DNSState {
    typealias LookUp = InFlightOperation<NameServerChannel.Answer, ResolveError>

    /// A look-up in the line or under way.
    struct Waiter: Sendable {
        let lookUp: LookUp
        let start: LookUpStart
    }

    /// A socket of the channel, and where its readiness is waited for.
    struct Watch: Sendable {
        let socket: Int32
        let isStream: Bool
        let point: WaitPoint
    }

    /// What is to be done behind the lock.
    struct Work: Sendable {
        var finished: [(LookUp, LookUp.Outcome)] = []
        var watches: [Watch] = []
        var timer: WaitTimer?
    }

    private let path: String
    private let settings: @Sendable () -> NameServerChannel.Settings
    private var line = LookUpLine<Waiter>()
    private var channel: NameServerChannel?
    private var version: FileVersion?
    private var points: [Int32: WaitPoint] = [:]
    // Nil while nothing is under way.
    private var timer: WaitTimer?
    private var poller: (any Poller)?

    init(path: String, settings: @escaping @Sendable () -> NameServerChannel.Settings) {
        self.path = path
        self.settings = settings
    }

    // MARK: Look-ups

    mutating func begin(
        _ host: String, _ waiter: Waiter, _ poller: any Poller, _ work: inout Work
    ) throws(ResolveError) -> UInt64 {
        let ticket = try line.join(host, waiter)
        if self.poller == nil { self.poller = poller }
        if channel == nil || version != FileVersion(of: path) { openChannel(&work) }
        advance(&work)
        giveUpDeserted(&work)
        return ticket
    }

    /// Gives up look-ups under way whose callers have left, if others need their places.
    private mutating func giveUpDeserted(_ work: inout Work) {
        for waiter in line.leaveDeserted(\.start.isDeserted) {
            work.finished.append((waiter.lookUp, .failure(.cancelled)))
        }
        guard line.isClogged else { return }
        openChannel(&work)
        advance(&work)
    }

    /// The waiter of a look-up has left. With the last one go the sockets.
    mutating func leave(_ ticket: UInt64, _ work: inout Work) {
        line.leave(ticket)
        if line.isDeserted {
            _ = line.takeAll()
            channel?.cancelAll()
        } else if line.isClogged {
            openChannel(&work)
        }
        advance(&work)
    }

    // MARK: Sockets and time

    /// Reads or writes what a socket is ready for; whether more may be there.
    mutating func process(_ watch: Watch, reads: Bool, _ work: inout Work) -> Bool {
        guard let channel, points[watch.socket] === watch.point else { return false }
        let hasMore = channel.process(watch.socket, reads: reads)
        advance(&work)
        return hasMore
    }

    /// How long to wait before ``timePassed(_:_:)``; nil where this timer has had its time.
    func untilTimeout(_ timer: WaitTimer) -> (any Poller, Duration)? {
        guard timer === self.timer, let channel, let poller else { return nil }
        return (poller, .milliseconds(channel.untilTimeout))
    }

    mutating func timePassed(_ timer: WaitTimer, _ work: inout Work) {
        guard timer === self.timer else { return }
        channel?.processTimeouts()
        advance(&work)
        giveUpDeserted(&work)
    }

    // MARK: The channel

    /// Begins anew with the settings as they are now, and asks again what was under way.
    private mutating func openChannel(_ work: inout Work) {
        closeChannel()
        line.restart()
        // Before they are read: what changes meanwhile is found the next time.
        version = FileVersion(of: path)
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
        for waiter in line.takeAll() { work.finished.append((waiter.lookUp, .failure(error))) }
        closeChannel()
    }

    /// Begins the look-ups that there are places for, and takes in the events of that and of earlier calls.
    private mutating func advance(_ work: inout Work) {
        while let channel {
            while let (ticket, host, waiter) = line.next() {
                if waiter.start.begin() {
                    channel.ask(for: host, as: ticket)
                } else {
                    // Withdrawn a moment ago; its task is about to leave.
                    _ = line.finish(ticket)
                    work.finished.append((waiter.lookUp, .failure(.cancelled)))
                }
            }
            let events = channel.takeEvents()
            if events.isEmpty { break }
            take(events, &work)
        }
        guard !line.isEmpty else {
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
            if case .failure(.interrupted) = result, line.repeat(ticket) { continue }
            guard let waiter = line.finish(ticket) else { continue }
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

    /// The order matters: once the wait point is gone no event can reach the next user of the number.
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
            case .outOfResources(let error): .outOfResources(error.code)
            case .other(let code, let text): .failed(code: code, text: text)
            }
    }

    /// A wait at a poller that could not begin, or was ended.
    init(_ error: TransportError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .timedOut: .unanswered
            case .system(_, let code) where error.isOutOfResources: .outOfResources(code)
            default: .custom(error)
            }
    }
}
#endif
