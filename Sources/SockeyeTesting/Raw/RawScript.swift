import SockeyeCore
import SockeyeNet

/// Runs the steps of a script on a connection.
struct RawScript {
    let steps: [RawStep]

    /// Runs all steps. A script that does not end by closing ends with its side closed in good order: the client sees
    /// everything that was sent and then the end, whatever it still had to say.
    func run(on connection: TestConnection) async throws {
        for step in steps {
            try Task.checkCancellation()
            guard try await run(step.action, on: connection) else { return }
        }
        try await connection.closeWrite()
        try await connection.discardToEnd()
    }

    /// False when the connection is closed.
    private func run(_ action: RawStep.Action, on connection: TestConnection) async throws -> Bool {
        switch action {
        case .readRequestHead: return try await connection.read(through: "\r\n\r\n") != nil
        case .readRequest: return try await readRequest(on: connection)
        case .readBytes(let count): _ = try await connection.read(exactly: count)
        case .readToEnd: try await connection.discardToEnd()
        case .send(let bytes, let chunk, let pause): try await send(bytes, chunk, pause, on: connection)
        case .pause(let duration): try await sleep(duration)
        case .wait(let signal): try await signal.wait(timeout: .seconds(60))
        case .fire(let signal): signal.fire()
        case .hang: try await hang()
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
            if sent > 0, pause > .zero { try await sleep(pause) }
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

    private func sleep(_ duration: Duration) async throws {
        let poller = try EpollPoller.shared()
        do throws(TransportError) {
            try await poller.sleep(until: poller.time.now.advanced(by: duration))
        } catch {
            throw error.asTestError
        }
    }

    private func hang() async throws {
        let poller = try EpollPoller.shared()
        do throws(TransportError) {
            while true { try await poller.sleep(until: .distantFuture) }
        } catch {
            throw error.asTestError
        }
    }
}
