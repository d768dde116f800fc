import SockeyeCore
package import SockeyeNet
import Synchronization

/// An open connection to an origin, or to a proxy that forwards requests to the origin. The pool leases the
/// connection to one exchange at a time, and only that exchange uses the stream.
package final class OriginConnection: Sendable {
    package let stream: any ByteStream
    /// The TLS session with the origin. Nil for an http origin, even if TLS protects the connection to the proxy.
    package let tls: TLSInfo?
    /// The address of the peer of the socket, which may be a proxy; nil if unknown.
    package let remoteAddress: EndpointAddress?
    /// The poller that watches this connection and keeps the deadlines of its waits.
    package let poller: any Poller
    /// The connection's part of a call's metrics. Made once, because formatting its texts for each call is expensive.
    private let metrics: CallMetrics.Connection

    package init(
        stream: any ByteStream, tls: TLSInfo?, remoteAddress: EndpointAddress?, poller: any Poller,
        timings: DialTimings = DialTimings()
    ) {
        metrics = CallMetrics.Connection(remoteAddress, tls, timings)
        self.stream = stream
        self.tls = tls
        self.remoteAddress = remoteAddress
        self.poller = poller
    }

    func metrics(isReused: Bool) -> CallMetrics.Connection {
        var facts = metrics
        facts.isReused = isReused
        return facts
    }

    private let wasShutDown = Atomic(false)

    /// True if ``shutDown()`` ended the connection. Errors of its exchange are then not the peer's fault.
    package var isShutDown: Bool { wasShutDown.load(ordering: .acquiring) }

    /// Wakes the exchange when the connection is shut down. Set while the exchange waits for something other than the
    /// stream.
    private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets the closure that ``shutDown()`` calls; nil removes it. If the connection was shut down before, calls the
    /// new closure at once.
    func whenShutDown(_ interrupt: (@Sendable () -> Void)?) {
        interruption.withLock { $0 = interrupt }
        if let interrupt, isShutDown { interrupt() }
    }

    /// Shuts down both directions while an exchange uses the connection. The exchange then fails and closes the
    /// connection.
    package func shutDown() {
        wasShutDown.store(true, ordering: .releasing)
        stream.abort()
        interruption.withLock(\.self)?()
    }

    package func close() {
        stream.close()
        // The lifetime is released outside of the lock, because its release calls the closures of observers.
        _ = lifetime.withLock { $0.take() }
    }

    private let lifetime = Mutex<ConnectionLifetime?>(nil)

    /// Keeps the object that reports the end of the connection. The connection releases the object when it closes or is
    /// deallocated.
    func track(_ lifetime: ConnectionLifetime) { self.lifetime.withLock { $0 = lifetime } }

    /// True if the poller has noted input or the end of the stream on an idle connection. The connection may be usable
    /// even if this is true, because the input may be only a TLS session ticket; ``hasReceivedNothing()`` decides.
    /// Makes no system call.
    package var hasPendingRead: Bool { stream.waitPoint(for: .read, as: .reader).hasPendingRead }

    /// The time at which the peer closed the connection, as noted by the poller; nil if it has noted no close.
    var endTime: MonotonicTime? { stream.waitPoint(for: .read, as: .reader).endTime }

    /// True if an idle connection may carry a request: it has received nothing and is not closed.
    ///
    /// Bytes that arrived before the request was sent are not a response to it (RFC 9112 9.2). The check first looks
    /// into the socket without consuming anything, which is one system call. If bytes are there, or TLS cannot tell
    /// without reading, the check then reads the stream. The read consumes TLS handshake messages, such as
    /// session tickets; these are allowed.
    ///
    /// The system call takes a twentieth of a small request's CPU time, but the poller cannot replace it: the poller
    /// learns of a stray byte, or of the end of the stream, later than the check does.
    package func hasReceivedNothing() -> Bool {
        if stream.hasNothingToRead { return true }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            // TLS may stop before it has read all: after many records without application data, or because it must
            // write first.
            guard case .wouldBlock = unsafe stream.read(into: buffer) else { return false }
            return stream.hasReadAll
        }
    }
}

extension CallMetrics.Connection {
    fileprivate init(_ remoteAddress: EndpointAddress?, _ tls: TLSInfo?, _ timings: DialTimings) {
        self.init(
            CallMetrics.ConnectionFacts(
                remoteAddress: remoteAddress?.description, tlsVersion: tls?.version.description,
                cipherSuite: tls?.cipher, isTLSResumed: tls?.isResumed ?? false, timings: timings),
            isReused: false)
    }
}
