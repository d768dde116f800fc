public import SockeyeCore
public import SockeyeNet
import Synchronization

/// The server's end of a connection as plain bytes, for upgrades, tunnels and the scripts of a ``RawServer``.
///
/// One task may read while another writes. Every method that waits throws ``TestServerError``: `disconnected` if the
/// connection is lost, and `misuse` if two tasks read at the same time. These methods throw `CancellationError` if
/// the task that calls them is cancelled. When a server stops, it cancels the tasks of its handlers and scripts.
public final class TestConnection: Sendable {
    /// The index of the connection on its server, counted from 0.
    public let index: Int
    /// The client's address; nil if the client had already disconnected.
    public let peerAddress: EndpointAddress?
    /// The parameters that the TLS handshake agreed on; nil for plain connections.
    public let tls: TestTLSInfo?

    let reader: ConnectionReader
    let writer: ConnectionWriter
    let stream: any ByteStream
    private let socket: SocketStream
    private let isOpen = Atomic(true)

    package init(index: Int, socket: SocketStream, stream: any ByteStream) {
        self.index = index
        self.socket = socket
        self.stream = stream
        peerAddress = socket.peerAddress
        tls = (stream as? TLSStream)?.info.map(TestTLSInfo.init)
        reader = ConnectionReader(stream)
        writer = ConnectionWriter(stream)
    }

    deinit {
        close()
    }

    /// Reads the bytes that have arrived, waiting for at least one byte.
    ///
    /// - Returns: At most `limit` bytes; nil if the peer has ended its direction.
    public func read(upTo limit: Int = 64 << 10) async throws -> Bytes? {
        while true {
            let buffered = unsafe reader.consume { (0, $0.count) }
            if buffered > 0 { return reader.take(min(buffered, limit)) }
            guard try await fill() else { return nil }
        }
    }

    /// Reads exactly `count` bytes.
    ///
    /// - Throws: ``TestServerError`` (`disconnected`) if the peer ends its direction earlier.
    public func read(exactly count: Int) async throws -> Bytes {
        while unsafe reader.consume({ (0, $0.count) }) < count {
            guard try await fill() else {
                throw TestServerError(.disconnected, "the peer ended its direction before \(count) bytes")
            }
        }
        return reader.take(count)
    }

    /// Reads up to and including the first occurrence of `delimiter`, by default the blank line that ends a head.
    ///
    /// - Returns: The bytes with the delimiter; nil if the peer ended its direction before any byte.
    /// - Throws: ``TestServerError``: `disconnected` if the peer ends its direction before the delimiter, or
    ///   `bodyTooLarge` if the delimiter does not end within the first `limit` bytes.
    public func read(through delimiter: String = "\r\n\r\n", upTo limit: Int = 1 << 20) async throws -> Bytes? {
        let pattern = Bytes(delimiter)
        var searched = 0
        while true {
            let (found, count) = unsafe reader.consume { buffer -> (consumed: Int, result: (Int?, Int)) in
                unsafe (0, (buffer.end(of: pattern, from: searched), buffer.count))
            }
            if let found, found <= limit { return reader.take(found) }
            if count > limit { throw TestServerError(.bodyTooLarge, "no delimiter within \(limit) bytes") }
            searched = max(0, count - pattern.count)
            guard try await fill() else {
                if count == 0 { return nil }
                throw TestServerError(.disconnected, "the peer closed the connection within a message")
            }
        }
    }

    /// Reads and discards bytes until the peer ends its direction.
    ///
    /// - Returns: The number of bytes read.
    @discardableResult
    public func discardToEnd() async throws -> Int {
        var count = 0
        repeat {
            unsafe count += reader.consume { ($0.count, $0.count) }
        } while try await fill()
        return count
    }

    /// Writes all bytes, waiting while the peer does not accept them.
    public func write(_ bytes: Bytes) async throws {
        do throws(TransportError) { try await writer.send(body: bytes) } catch { throw error.asTestError }
    }

    /// Writes a text in UTF-8.
    public func write(_ text: String) async throws {
        try await write(Bytes(text))
    }

    /// Shuts down the writing direction; the peer can still send.
    public func closeWrite() async throws {
        do throws(TransportError) { try await writer.closeWrite() } catch { throw error.asTestError }
    }

    /// Closes both directions; over TLS it sends close_notify first. Data already sent still arrives, unless unread
    /// input makes the kernel reset the connection.
    public func close() {
        guard claimClosing() else { return }
        stream.close()
    }

    /// Closes a TLS connection without close_notify. A client must treat such an end as a possible truncation attack.
    /// On plain connections this method is the same as ``close()``.
    public func closeWithoutNotify() {
        guard claimClosing() else { return }
        socket.close()
        stream.close()
    }

    /// Closes with a TCP reset: unsent data is lost and the peer's next call fails.
    public func reset() {
        guard claimClosing() else { return }
        socket.reset()
        stream.close()
    }

    /// Closes the reader and the writer; the caller then closes the descriptor. In this order, no task makes a system
    /// call on a descriptor number that was reused. Returns false if the connection was already closed.
    private func claimClosing() -> Bool {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return false }
        reader.close()
        writer.close()
        return true
    }

    private func fill() async throws -> Bool {
        do { return try await reader.fill() } catch let error as TransportError { throw error.asTestError }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the end of the first occurrence of `pattern` at or after `start`.
    fileprivate func end(of pattern: Bytes, from start: Int) -> Int? {
        guard !pattern.isEmpty else { return 0 }
        guard count >= pattern.count else { return nil }
        for position in start..<Swift.max(start, count - pattern.count + 1)
        where unsafe self[position] == pattern.first && self[position..<position + pattern.count].elementsEqual(pattern)
        {
            return position + pattern.count
        }
        return nil
    }
}
