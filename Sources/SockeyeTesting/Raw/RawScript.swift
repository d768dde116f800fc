public import SockeyeCore
import SockeyeNet

/// One step of the script that a ``RawServer`` follows on a connection.
public struct RawStep: Sendable {
    enum Action: Sendable {
        case readRequestHead
        case readRequest
        case readBytes(Int)
        case readToEnd
        case send(Bytes, chunk: Int, pause: Duration)
        case pause(Duration)
        case wait(TestSignal)
        case fire(TestSignal)
        case closeWrite
        case close
        case closeWithoutNotify
        case reset
        case hang
        case loop([RawStep], times: Int)
        case run(@Sendable (TestConnection) async throws -> Void)
    }

    let action: Action

    // MARK: Reading

    /// Reads up to and including an empty line.
    public static let readRequestHead = RawStep(action: .readRequestHead)

    /// Reads a request head and the content that its fields announce (Content-Length or chunked).
    public static let readRequest = RawStep(action: .readRequest)

    /// Reads this many bytes; the script ends if the client closes its sending direction earlier.
    public static func readBytes(_ count: Int) -> RawStep { RawStep(action: .readBytes(count)) }

    /// Reads until the client closes its sending direction.
    public static let readToEnd = RawStep(action: .readToEnd)

    // MARK: Sending

    /// Sends these bytes.
    public static func send(_ bytes: Bytes) -> RawStep { sendSlowly(bytes, chunk: max(1, bytes.count)) }

    /// Sends a text in UTF-8. HTTP requires `\r\n` at the end of lines.
    public static func send(_ text: String) -> RawStep { send(Bytes(text)) }

    /// Sends bytes in pieces of `chunk` bytes, each in a separate packet, with a pause in between.
    public static func sendSlowly(_ bytes: Bytes, chunk: Int = 1, pause: Duration = .zero) -> RawStep {
        RawStep(action: .send(bytes, chunk: max(1, chunk), pause: pause))
    }

    /// Sends a text in pieces; see ``sendSlowly(_:chunk:pause:)-(Bytes,_,_)``.
    public static func sendSlowly(_ text: String, chunk: Int = 1, pause: Duration = .zero) -> RawStep {
        sendSlowly(Bytes(text), chunk: chunk, pause: pause)
    }

    // MARK: Waiting and synchronization

    /// Pauses for a duration.
    public static func pause(_ duration: Duration) -> RawStep { RawStep(action: .pause(duration)) }

    /// Waits until the test fires a signal. If that takes more than 60 seconds, the script ends.
    public static func waitUntil(_ signal: TestSignal) -> RawStep { RawStep(action: .wait(signal)) }

    /// Fires a signal, so the test knows that the script has reached this step.
    public static func fire(_ signal: TestSignal) -> RawStep { RawStep(action: .fire(signal)) }

    /// Suspends without reading or writing until the server stops.
    public static let hang = RawStep(action: .hang)

    /// Repeats steps `times` times; by default until the connection ends. Without steps, does nothing.
    public static func loop(_ steps: [RawStep], times: Int = .max) -> RawStep {
        RawStep(action: .loop(steps, times: times))
    }

    /// Runs a closure on the connection.
    public static func run(_ body: @escaping @Sendable (TestConnection) async throws -> Void) -> RawStep {
        RawStep(action: .run(body))
    }

    // MARK: Closing

    /// Shuts down the writing direction (FIN); the client can still send.
    public static let closeWrite = RawStep(action: .closeWrite)

    /// Closes both directions at once; over TLS it sends close_notify first.
    public static let close = RawStep(action: .close)

    /// Closes without TLS's close_notify, as an attacker does when cutting the connection.
    public static let closeWithoutNotify = RawStep(action: .closeWithoutNotify)

    /// Closes with a TCP reset.
    public static let reset = RawStep(action: .reset)
}

/// Runs the steps of a script on a connection.
struct RawScript {
    let steps: [RawStep]

    /// Runs all steps. If no step ends the script, shuts down the writing direction and discards input to its end. So
    /// the client receives all bytes that were sent, and then the end of the connection, even if the client is still
    /// sending.
    func run(on connection: TestConnection) async throws {
        for step in steps {
            try Task.checkCancellation()
            guard try await run(step.action, on: connection) else { return }
        }
        try await connection.closeWrite()
        try await connection.discardToEnd()
    }

    /// Runs one step. Returns false if the script ends after this step without an error: the step closed the
    /// connection, or the client closed its sending direction instead of sending a request.
    private func run(_ action: RawStep.Action, on connection: TestConnection) async throws -> Bool {
        switch action {
        case .readRequestHead: return try await connection.read(through: "\r\n\r\n") != nil
        case .readRequest: return try await readRequest(on: connection)
        case .readBytes(let count): _ = try await connection.read(exactly: count)
        case .readToEnd: try await connection.discardToEnd()
        case .send(let bytes, let chunk, let pause): try await send(bytes, chunk, pause, on: connection)
        case .pause(let duration): try await Delay(clock: nil).sleep(for: duration)
        case .wait(let signal): try await signal.wait(timeout: .seconds(60))
        case .fire(let signal): signal.fire()
        case .hang: try await EventPoller.waitForCancellation()
        case .loop(let steps, let times): return try await loop(steps, times, on: connection)
        case .run(let body): try await body(connection)
        case .closeWrite: try await connection.closeWrite()
        case .close:
            connection.close()
            return false
        case .closeWithoutNotify:
            connection.closeWithoutNotify()
            return false
        case .reset:
            connection.reset()
            return false
        }
        return true
    }

    private func loop(_ steps: [RawStep], _ times: Int, on connection: TestConnection) async throws -> Bool {
        guard !steps.isEmpty else { return true }
        var count = 0
        while count < times {
            for step in steps {
                try Task.checkCancellation()
                guard try await run(step.action, on: connection) else { return false }
            }
            count += 1
        }
        return true
    }

    private func send(_ bytes: Bytes, _ chunk: Int, _ pause: Duration, on connection: TestConnection) async throws {
        var sent = 0
        while sent < bytes.count {
            if sent > 0 { try await Delay(clock: nil).sleep(for: pause) }
            let count = min(chunk, bytes.count - sent)
            try await connection.write(bytes.slice(sent..<sent + count))
            sent += count
        }
    }

    private func readRequest(on connection: TestConnection) async throws -> Bool {
        guard let bytes = try await connection.read(through: "\r\n\r\n") else { return false }
        var parser = RequestHeadParser()
        let head = try unsafe bytes.withUnsafeBytes { buffer throws(MalformedRequest) in
            try unsafe parser.parse(buffer)?.head
        }
        guard let head else { return true }
        let content = RequestContent(head.framing, owesContinue: false, connection: connection)
        while try await content.next() != nil {}
        return true
    }
}
