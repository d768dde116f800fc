import SockeyeCore
package import SockeyeNet
import Synchronization

/// An open connection to an origin. A lease has its stream exclusively.
package final class OriginConnection: Sendable {
    package let stream: any ByteStream
    /// The TLS session below HTTP; nil for plain connections.
    package let tls: TLSInfo?
    package let remoteAddress: EndpointAddress?
    /// Where this connection's deadlines are kept.
    package let poller: any Poller
    /// What calls are told of it, made once: its texts would cost each of them.
    private let facts: CallMetrics.Connection

    package init(
        stream: any ByteStream, tls: TLSInfo?, remoteAddress: EndpointAddress?, poller: any Poller,
        timings: DialTimings = DialTimings()
    ) {
        facts = CallMetrics.Connection(remoteAddress, tls, timings)
        self.stream = stream
        self.tls = tls
        self.remoteAddress = remoteAddress
        self.poller = poller
    }

    /// What a call is told of it.
    func facts(isReused: Bool) -> CallMetrics.Connection {
        var facts = facts
        facts.isReused = isReused
        return facts
    }

    private let wasShutDown = Atomic(false)

    /// Whether it was ended by ``shutDown()``, so that what its exchange runs into is not the peer's doing.
    package var isShutDown: Bool { wasShutDown.load(ordering: .acquiring) }

    /// Ends both directions under the exchange that uses them, which then closes.
    package func shutDown() {
        wasShutDown.store(true, ordering: .releasing)
        stream.abort()
    }

    package func close() {
        stream.close()
    }

    /// Whether something may have come on an idle connection, or its end, as the poller has noted: without a system
    /// call. If so, ``isQuiet()`` tells.
    package var hasNews: Bool { stream.waitPoint(for: .read, as: .reader).hasPendingRead }

    /// When the peer closed the connection, as the poller has noted; nil if it has not noted that.
    var endTime: MonotonicTime? { stream.waitPoint(for: .read, as: .reader).endTime }

    /// Looks whether an idle connection may carry a request: nothing has come on it and it is not closed.
    ///
    /// That there is nothing to read is the proof. It costs no system call more than reading right after the request would,
    /// which finds nothing either; and since it empties the edge, the next one can only be the answer. Anything that did
    /// come is not an answer to a request that was not sent yet (RFC 9112 9.2), unless it is TLS's own, such as a
    /// session ticket, which a read takes in.
    ///
    /// To trust the poller's silence instead, on a connection that was put back a moment ago, would save that call. It
    /// was tried (a twentieth of a small request's CPU) and taken out again: the poller hears of a stray byte, or of the
    /// end, later than a read does, and what strays must never be taken for an answer.
    package func isQuiet() -> Bool {
        if stream.hasNothingToRead { return true }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            if case .wouldBlock = unsafe stream.read(into: buffer) { true } else { false }
        }
    }
}

extension CallMetrics.Connection {
    fileprivate init(_ remoteAddress: EndpointAddress?, _ tls: TLSInfo?, _ timings: DialTimings) {
        isReused = false
        self.remoteAddress = remoteAddress?.description
        tlsVersion = tls?.version.description
        cipherSuite = tls?.cipher
        isTLSResumed = tls?.isResumed ?? false
        resolving = timings.resolving
        connecting = timings.connecting
        handshaking = timings.handshaking
    }
}
