import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

/// One iteration of a stream of events: makes the connections that ``EventStreamMachine`` decides on, and feeds the
/// parser.
struct EventStreamRun {
    private enum Phase {
        case connecting
        case open(EventConnection)
        /// Between two connections, until the given time.
        case pausing(MonotonicTime)
        case over
    }

    private let source: HTTPClient.EventStream.Source
    private let options: HTTPClient.EventStream.Options
    private let clock: CallClock
    private let total: TotalDeadline
    private var phase = Phase.connecting
    private var machine: EventStreamMachine
    private var parser: EventStreamParser
    /// True if a chunk arrived since the last report to ``machine``.
    private var hasUnreportedInput = false
    /// The end of the wait for the next event; nil for no limit.
    private var idleEnd: MonotonicTime?
    /// The number of the current event, from 1.
    private var number = 0
    /// The work that the task may do before it lets other tasks run: 1024 units or 1 MiB, whichever is used up first
    /// (about 500 µs). An event costs one unit and the number of bytes of its data. A call of the parser that returns
    /// nil costs one unit, and 512 bytes for each line parsed since the previous such call.
    private var turn = TurnBudget(units: 1024)
    private var countedLines = 0

    init(_ source: HTTPClient.EventStream.Source, _ options: HTTPClient.EventStream.Options) {
        self.source = source
        self.options = options
        parser = EventStreamParser(limits: options.limits, window: LineSplitter.usualWindow)
        switch source {
        case .body:
            clock = .system
            total = TotalDeadline()
            machine = EventStreamMachine(nil, lastEventID: options.lastEventID)
        case .call(let client, let request):
            clock = client.scope.settings.clock
            total = TotalDeadline(of: try? request.get(), by: client, at: clock.time)
            let rules = options.mayRepeat(try? request.get()) ? options.reconnection : nil
            machine = EventStreamMachine(rules, lastEventID: options.lastEventID)
        }
    }

    /// Returns the next event; nil at the end of the stream.
    mutating func nextEvent() async throws(SockeyeError) -> ServerSentEvent? {
        while let update = try await next() {
            if case .event(let event) = update { return event }
        }
        return nil
    }

    /// Returns the next update; nil at the end of the stream.
    mutating func next() async throws(SockeyeError) -> HTTPClient.EventStream.Update? {
        // The wait for the peer begins now, and does not include the time that the caller took since the last event.
        beginWait()
        do throws(SockeyeError) {
            while true {
                let update: HTTPClient.EventStream.Update?
                switch phase {
                case .open(let connection): update = try await advance(connection)
                case .connecting: update = try await connect()
                case .pausing(let end): update = try await pause(until: end)
                case .over: return nil
                }
                if let update { return update }
            }
        } catch {
            phase = .over
            throw error.about(try? identity)
        }
    }

    private mutating func beginWait() {
        idleEnd = options.idle.map { clock.time.now.advanced(by: $0) }
    }

    private var identity: RequestIdentity? {
        get throws(SockeyeError) {
            switch source {
            case .body(let body): return body.storage.request
            case .call(_, let request):
                let parts = try request.get().parts
                return RequestIdentity(method: parts.method.rawValue, url: parts.url)
            }
        }
    }

    // MARK: Connecting

    private mutating func connect() async throws(SockeyeError) -> HTTPClient.EventStream.Update? {
        guard case .call(let client, let request) = source else { return try openBody() }
        let response: IncomingResponse
        let completed = try complete(request.get())
        do throws(SockeyeError) {
            response = try await client.send(completed)
        } catch {
            return try lose(.failed(isTransient: error.isTransientForStreams), error, isOpen: false)
        }
        try undoCodings(of: response)
        switch machine.answered(status: response.statusCode, isEventStream: EventStreamResponse.hasType(response)) {
        case .end:
            response.discard()
            phase = .over
            return nil
        case .refuse: throw await EventStreamResponse.refusal(of: response, by: clock)
        case .open:
            open(try EventConnection(response))
            return .opened(response)
        }
    }

    private mutating func openBody() throws(SockeyeError) -> HTTPClient.EventStream.Update? {
        guard case .body(let body) = source else { return nil }
        let response = IncomingResponse(body.storage)
        try undoCodings(of: response)
        open(try EventConnection(response))
        return nil
    }

    /// Undoes the content codings without a limit on the total size, since a stream may be endless. The size of each
    /// event is limited instead.
    private func undoCodings(of response: IncomingResponse) throws(SockeyeError) {
        do throws(SockeyeError) {
            try response.undoCodings(DecodingLimits(maximumBytes: .max))
        } catch {
            // Discards the body, unless another reader has begun to read it.
            if response.head.reader.begin() { response.discard() }
            throw error
        }
    }

    private mutating func open(_ connection: EventConnection) {
        // A reconnected stream keeps its last event ID until the server sends another ID, as in browsers.
        parser = EventStreamParser(
            limits: options.limits, lastEventID: machine.lastEventID, window: LineSplitter.usualWindow)
        countedLines = 0
        beginWait()
        phase = .open(connection)
    }

    private func complete(_ request: OutgoingRequest) throws(SockeyeError) -> OutgoingRequest {
        var request = request
        if let id = machine.lastEventIDField { request.headers["Last-Event-ID"] = id }
        if machine.hasOpened { try total.bound(&request, at: clock.time.now) }
        return request
    }

    // MARK: Reading

    private mutating func advance(_ connection: EventConnection) async throws(SockeyeError)
        -> HTTPClient.EventStream.Update?
    {
        if let event = try parse() {
            number += 1
            if turn.spend(event.data.utf8.count) { try await Self.yieldTurn() }
            return .event(event)
        }
        // Lines that yield no event, such as comments, take time as well.
        let lines = parser.lineCount - countedLines
        countedLines = parser.lineCount
        if turn.spend(lines * 512) { try await Self.yieldTurn() }
        if parser.resume() { return nil }
        if hasUnreportedInput {
            hasUnreportedInput = false
            machine.received(lastEventID: parser.lastEventID, retry: parser.retry)
        }
        do throws(SockeyeError) {
            guard let chunk = try await connection.read(until: idleEnd, of: options.idle, by: clock) else {
                return try lose(.ended, nil, isOpen: true)
            }
            hasUnreportedInput = true
            parser.append(chunk)
            return nil
        } catch {
            return try lose(.failed(isTransient: error.isTransientForStreams), error, isOpen: true)
        }
    }

    private static func yieldTurn() async throws(SockeyeError) {
        if Task.isCancelled { throw SockeyeError(.cancelled, phase: .body) }
        await Task.yield()
    }

    private mutating func parse() throws(SockeyeError) -> ServerSentEvent? {
        do throws(StreamFault) {
            return try parser.next()
        } catch {
            throw SockeyeError(error)
        }
    }

    // MARK: Losing

    private mutating func lose(
        _ loss: EventStreamMachine.ConnectionEnd, _ error: SockeyeError?, isOpen: Bool
    ) throws(SockeyeError) -> HTTPClient.EventStream.Update? {
        switch machine.lost(loss, isOpen: isOpen, random: options.random()) {
        case .end:
            phase = .over
            return nil
        case .fail: throw error ?? SockeyeError(.cancelled, phase: .body)
        case .reconnect(let pause):
            let end = clock.time.now.advanced(by: pause)
            guard end < total.end else { throw total.error }
            phase = .pausing(end)
            return .lost(error, reconnectingIn: pause)
        }
    }

    private mutating func pause(until end: MonotonicTime) async throws(SockeyeError) -> HTTPClient.EventStream.Update? {
        do throws(TransportError) {
            try await clock.sleep(until: end)
        } catch {
            throw SockeyeError(error, phase: .prepare)
        }
        phase = .connecting
        return nil
    }

    // MARK: Ending

    /// Ends the stream early. Reads the rest of the response if it is short, so that the connection can be reused.
    mutating func finish() async {
        guard case .open(let connection) = phase else { return }
        phase = .over
        await connection.drain(by: clock)
    }

    /// Ends the stream after an event with data that cannot be decoded. Returns the error for the caller.
    mutating func fail(_ error: any Error, in text: Bytes, excerpt: String?) -> SockeyeError {
        defer { phase = .over }
        guard case .open(let connection) = phase else { return SockeyeError(.cancelled, phase: .decode) }
        return connection.response.decodingFailure(error, of: "event \(number)", in: text, excerpt: excerpt)
    }
}

extension HTTPClient.EventStream.Options {
    /// Returns true if a request may be sent again after its stream was lost.
    fileprivate func mayRepeat(_ request: OutgoingRequest?) -> Bool {
        guard let parts = request?.parts, parts.body.isReplayable else { return false }
        return reconnects ?? (parts.method == .get)
    }
}

extension SockeyeError {
    /// True if another connection may succeed. False for the total deadline, since that covers all connections.
    ///
    /// Also true for a truncated content coding: the truncation means that the connection broke off.
    fileprivate var isTransientForStreams: Bool {
        mayPass && limit?.name != "timeouts.total" || underlying as? CodecError == .truncated
    }
}
