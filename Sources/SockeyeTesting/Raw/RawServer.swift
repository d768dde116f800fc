public import SockeyeCore
public import SockeyeNet

/// A server that follows a script byte for byte. The script determines the timing, and can contain responses that a
/// correct server never sends.
///
/// ```swift
/// let server = try await RawServer.start(script: [
///     .readRequestHead,
///     .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"),
///     .reset,
/// ])
/// await #expect(throws: SockeyeError.self) {
///     try await client.get(server.url()).text()
/// }
/// #expect(server.receivedText().hasPrefix("GET / HTTP/1.1\r\n"))
/// ```
///
/// At the end of its script the server shuts down its sending direction and waits for the client to close; use
/// ``RawStep/close``, ``RawStep/reset`` or ``RawStep/hang`` for other endings. If the client disconnects, the script
/// of its connection ends early, and no error is reported. Stopping the server, or releasing the last reference, closes
/// all connections.
public final class RawServer: Sendable {
    let acceptor: Acceptor
    private let recordings: ConditionVariable<[Recording]>
    private let task: Task<Void, Never>

    private struct Recording: Sendable {
        var received: [UInt8] = []
        /// True if the script has completed or failed.
        var isOver = false
    }

    /// The maximum number of received bytes that are kept for each connection.
    private static let recordingLimit = 16 << 20

    private init(on address: ListenAddress, _ tls: TestTLS?, script: @escaping @Sendable (Int) -> [RawStep]) throws {
        let recordings = ConditionVariable<[Recording]>([])
        let activity = ConditionVariable(TestServerActivity())
        acceptor = try Acceptor(on: address, tls: tls, activity: activity) { connection in
            let index = connection.index
            recordings.update { list in
                while list.count <= index { list.append(Recording()) }
            }
            connection.reader.record { bytes in
                recordings.update { list in
                    let room = Self.recordingLimit - list[index].received.count
                    list[index].received.append(contentsOf: bytes.slice(0..<min(room, bytes.count)))
                }
            }
            let isFinished = (try? await RawScript(steps: script(index)).run(on: connection)) != nil
            if isFinished { activity.update { $0.finishedScripts += 1 } }
            recordings.update { $0[index].isOver = true }
        }
        self.recordings = recordings
        task = acceptor.start()
    }

    deinit {
        task.cancel()
    }

    /// Starts a server that follows the same script on every connection.
    ///
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public static func start(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, script: [RawStep]
    ) async throws -> RawServer {
        try RawServer(on: address, tls) { _ in script }
    }

    /// Starts a server with a script for each connection in turn; all further connections get the last script. Without
    /// scripts, every connection gets an empty script.
    ///
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public static func start(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, scripts: [[RawStep]]
    ) async throws -> RawServer {
        try RawServer(on: address, tls) { scripts.isEmpty ? [] : scripts[min($0, scripts.count - 1)] }
    }

    /// Starts a server that calls `script` with the index of each connection, counted from 0.
    ///
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public static func start(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil,
        scriptFor script: @escaping @Sendable (Int) -> [RawStep]
    ) async throws -> RawServer {
        try RawServer(on: address, tls, script: script)
    }

    /// Stops accepting, ends all scripts, closes all connections, and returns when this is done.
    public func stop() async {
        task.cancel()
        await task.value
    }

    // MARK: Address

    /// The address that the server listens on, with the actual port.
    public var address: EndpointAddress { acceptor.address }

    /// The port; 0 for a unix-domain socket.
    public var port: Int { address.port ?? 0 }

    /// Returns the URL of a path on this server, such as `http://127.0.0.1:40123/users`. A given `host` replaces the
    /// address.
    public func url(_ path: String = "/", host: String? = nil) -> String {
        acceptor.url(path, host: host)
    }

    // MARK: Activity

    /// The counters of the server's activity so far.
    public var activity: TestServerActivity { acceptor.activity.value }

    /// The number of accepted connections.
    public var connectionCount: Int { activity.connections }

    /// Returns the first 16 MiB of the bytes read from a connection so far; empty if the connection does not exist.
    ///
    /// The result contains only bytes that a step has read from the kernel, which may be more than the step needed.
    public func received(_ connection: Int = 0) -> Bytes {
        let list = recordings.value
        return list.indices.contains(connection) ? Bytes(list[connection].received) : Bytes()
    }

    /// ``received(_:)`` as text.
    public func receivedText(_ connection: Int = 0) -> String {
        String(decoding: received(connection), as: UTF8.self)
    }

    /// Suspends until `condition` holds for the server's activity, for instance `$0.openConnections == 0`.
    ///
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(30), until condition: @Sendable (TestServerActivity) -> Bool
    ) async throws -> TestServerActivity {
        try await acceptor.activity.wait(for: "the raw server's activity", timeout: timeout, until: condition)
    }

    /// Suspends until this many connections have been accepted.
    ///
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    public func waitForConnections(_ count: Int = 1, timeout: Duration = .seconds(30)) async throws {
        try await wait(timeout: timeout) { $0.connections >= count }
    }

    /// Suspends until this many bytes have been read from a connection, and returns all bytes read by then. Bytes that
    /// the script has not read yet do not count. Bytes after the first 16 MiB are neither counted nor returned.
    ///
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    @discardableResult
    public func waitForBytes(
        _ count: Int, connection: Int = 0, timeout: Duration = .seconds(30)
    ) async throws -> Bytes {
        _ = try await recordings.wait(for: "\(count) bytes on connection \(connection)", timeout: timeout) { list in
            list.indices.contains(connection) && list[connection].received.count >= count
        }
        return received(connection)
    }

    /// Suspends until the script of a connection has ended: it completed, or a step failed, for example because the
    /// client disconnected.
    ///
    /// - Returns: The bytes that were read from the connection, up to the first 16 MiB.
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    @discardableResult
    public func waitForEnd(ofConnection connection: Int = 0, timeout: Duration = .seconds(30)) async throws -> Bytes {
        _ = try await recordings.wait(for: "the end of connection \(connection)", timeout: timeout) { list in
            list.indices.contains(connection) && list[connection].isOver
        }
        return received(connection)
    }
}
