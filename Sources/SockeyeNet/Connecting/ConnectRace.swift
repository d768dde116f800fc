import SockeyeCore

/// Drives a ``HappyEyeballsMachine`` with real sockets: one child task for each attempt and for each time to wake at.
struct ConnectRace {
    private enum Event: Sendable {
        case connected(HappyEyeballsMachine.Attempt, SocketStream)
        case failed(HappyEyeballsMachine.Attempt, TransportError)
        case timePassed
    }

    var machine: HappyEyeballsMachine
    let refused: [ConnectError.Attempt]
    let options: SocketOptions
    let poller: any Poller
    let deadline: MonotonicTime
    private var failures: [ConnectError.Attempt] = []
    private var winner: SocketStream?

    init(
        machine: HappyEyeballsMachine, refused: [ConnectError.Attempt], options: SocketOptions, poller: any Poller,
        deadline: MonotonicTime
    ) {
        self.machine = machine
        self.refused = refused
        self.options = options
        self.poller = poller
        self.deadline = deadline
    }

    mutating func run(_ addresses: [SocketAddress]) async throws(ConnectError) -> SocketStream {
        await withTaskGroup(of: Event.self) { group in
            var step = machine.begin(with: addresses, at: poller.time.now)
            act(on: step, in: &group)
            while step.verdict == .undecided, poller.time.now < deadline, let event = await group.next() {
                // A cancelled attempt looks like a failed one; the next address must not be tried then.
                if Task.isCancelled {
                    dispose(event)
                    break
                }
                step = take(event)
                act(on: step, in: &group)
            }
            group.cancelAll()
            for await event in group { dispose(event) }
        }
        if let winner { return winner }
        let reason: ConnectError.Reason =
            Task.isCancelled ? .cancelled : poller.time.now >= deadline ? .timedOut : .allFailed
        throw ConnectError(reason: reason, attempts: refused + failures)
    }

    private func act(on step: HappyEyeballsMachine.Step, in group: inout TaskGroup<Event>) {
        let poller = poller
        if let attempt = step.start {
            let (options, deadline) = (options, deadline)
            group.addTask {
                do throws(TransportError) {
                    let stream = try await SocketStream.connect(
                        to: attempt.address, options: options, poller: poller, until: deadline)
                    return .connected(attempt, stream)
                } catch {
                    return .failed(attempt, error)
                }
            }
        }
        // Timers of earlier steps run on: an event too many changes nothing.
        if let time = step.wakeAt, time < deadline {
            group.addTask {
                _ = try? await poller.sleep(until: time)
                return .timePassed
            }
        }
    }

    private mutating func take(_ event: Event) -> HappyEyeballsMachine.Step {
        let now = poller.time.now
        switch event {
        case .connected(let attempt, let stream):
            winner = stream
            return machine.attemptSucceeded(attempt.id)
        case .failed(let attempt, let error):
            failures.append(ConnectError.Attempt(address: attempt.address, failure: .transport(error)))
            return machine.attemptFailed(attempt.id, at: now)
        case .timePassed:
            return machine.timePassed(at: now)
        }
    }

    /// Takes in what ends after the race is over: sockets are closed, and of what timed out a note is made.
    private mutating func dispose(_ event: Event) {
        switch event {
        case .connected(_, let stream): stream.close()
        case .failed(let attempt, let error):
            let cause = error == .cancelled && !Task.isCancelled ? TransportError.timedOut : error
            failures.append(ConnectError.Attempt(address: attempt.address, failure: .transport(cause)))
        case .timePassed: break
        }
    }
}
