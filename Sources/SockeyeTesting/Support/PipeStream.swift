import SockeyeCore
package import SockeyeNet
package import SockeyePlatform
import Synchronization

/// One end of an in-memory pipe: a byte stream without sockets that can simulate short reads and failures.
package final class PipeStream: ByteStream {
    /// The behavior of a pipe.
    package struct Manner: Sendable {
        /// The number of bytes that each direction holds before a writer has to wait.
        package var capacity = 64 << 10
        /// The maximum number of bytes of one read or write. A write of several buffers has this limit for each buffer.
        package var fragment = Int.max
        /// True if every second call reports that it would block. The stream becomes ready immediately afterwards.
        package var stutters = false

        package init(capacity: Int = 64 << 10, fragment: Int = .max, stutters: Bool = false) {
            self.capacity = capacity
            self.fragment = fragment
            self.stutters = stutters
        }
    }

    private struct Direction {
        var bytes: [UInt8] = []
        var start = 0
        var isEnded = false
        /// The number of bytes written so far.
        var total = 0

        var count: Int { bytes.count - start }

        mutating func take(_ limit: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let amount = min(limit, count, buffer.count)
            unsafe bytes.withUnsafeBytes { source in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + amount)]))
            }
            start += amount
            if start == bytes.count {
                bytes.removeAll(keepingCapacity: true)
                start = 0
            }
            return amount
        }
    }

    private struct End {
        let point: WaitPoint
        var isClosed = false
        /// True if the next call must report that it would block (``Manner/stutters``).
        var mustPauseReading = false
        var mustPauseWriting = false
    }

    private struct State {
        /// `directions[i]` carries bytes from end `i` to the other end.
        var directions = [Direction(), Direction()]
        var ends: [End]
        var failure: TransportError?
    }

    private final class Shared: Sendable {
        let state: Mutex<State>

        init(_ points: [WaitPoint]) {
            state = Mutex(State(ends: points.map { End(point: $0) }))
        }
    }

    private let shared: Shared
    private let point: WaitPoint
    private let peerPoint: WaitPoint
    /// The index of this end in the shared state, 0 or 1.
    private let own: Int
    private let manner: Manner

    private init(_ shared: Shared, own: Int, points: [WaitPoint], manner: Manner) {
        self.shared = shared
        self.own = own
        self.manner = manner
        point = points[own]
        peerPoint = points[1 - own]
    }

    deinit {
        close()
    }

    /// Makes two connected ends.
    ///
    /// - Parameter second: The behavior of the second end; nil if both ends behave alike.
    package static func pair(
        _ manner: Manner = Manner(), second: Manner? = nil, poller: (any Poller)? = nil
    ) throws(TransportError) -> (PipeStream, PipeStream) {
        let poller: any Poller = if let poller { poller } else { try EventPoller.shared() }
        let points = [try poller.makeWaitPoint(descriptor: nil), try poller.makeWaitPoint(descriptor: nil)]
        let shared = Shared(points)
        return (
            PipeStream(shared, own: 0, points: points, manner: manner),
            PipeStream(shared, own: 1, points: points, manner: second ?? manner)
        )
    }

    /// The number of bytes that this end has written so far.
    package var bytesWritten: Int {
        shared.state.withLock { $0.directions[own].total }
    }

    /// Makes every further read and write at both ends fail, as after a connection reset. Bytes in transit are lost.
    package func breakOff(_ error: TransportError = .failed(.recv, .connectionReset)) {
        shared.state.withLock { $0.failure = error }
        point.signal([.read, .write])
        peerPoint.signal([.read, .write])
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        nonisolated(unsafe) let buffer = unsafe buffer
        let (transfer, wakesSelf) = shared.state.withLock { state -> (Transfer, Bool) in
            if state.ends[own].isClosed { return (.failed(.closed), false) }
            if let failure = state.failure { return (.failed(failure), false) }
            if state.ends[own].mustPauseReading {
                state.ends[own].mustPauseReading = false
                return (.wouldBlock(.read), true)
            }
            guard state.directions[1 - own].count > 0 else {
                return (state.directions[1 - own].isEnded ? .end : .wouldBlock(.read), false)
            }
            state.ends[own].mustPauseReading = manner.stutters
            return unsafe (.bytes(state.directions[1 - own].take(manner.fragment, into: buffer)), false)
        }
        if wakesSelf { point.signal(.read) }
        if case .bytes = transfer { peerPoint.signal(.write) }
        return transfer
    }

    package var hasNothingToRead: Bool {
        shared.state.withLock { state in
            let incoming = state.directions[1 - own]
            return !state.ends[own].isClosed && state.failure == nil && incoming.count == 0 && !incoming.isEnded
        }
    }

    package func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        nonisolated(unsafe) let buffer = unsafe buffer
        let (transfer, wakesSelf) = shared.state.withLock { state -> (Transfer, Bool) in
            if state.ends[own].isClosed { return (.failed(.closed), false) }
            if let failure = state.failure { return (.failed(failure), false) }
            if state.directions[own].isEnded || state.ends[1 - own].isClosed {
                return (.failed(.failed(.send, .brokenPipe)), false)
            }
            if state.ends[own].mustPauseWriting {
                state.ends[own].mustPauseWriting = false
                return (.wouldBlock(.write), true)
            }
            let space = manner.capacity - state.directions[own].count
            guard space > 0 else { return (.wouldBlock(.write), false) }
            state.ends[own].mustPauseWriting = manner.stutters
            let count = unsafe min(buffer.count, space, manner.fragment)
            unsafe state.directions[own].bytes.append(contentsOf: buffer.prefix(count))
            state.directions[own].total += count
            return (.bytes(count), false)
        }
        if wakesSelf { point.signal(.write) }
        if case .bytes = transfer { peerPoint.signal(.read) }
        return transfer
    }

    package func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
        var total = 0
        for index in vectors.indices {
            let piece = unsafe vectors[index].bytes
            guard piece.count > 0 else { continue }
            let result = unsafe write(piece)
            guard case .bytes(let count) = result else { return total > 0 ? .bytes(total) : result }
            total += count
            if count < piece.count { break }
        }
        return .bytes(total)
    }

    package func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint { point }

    package func closeWrite() -> Transfer {
        let isClosed = shared.state.withLock { state in
            state.directions[own].isEnded = true
            return state.ends[own].isClosed
        }
        peerPoint.signal(.read)
        return isClosed ? .failed(.closed) : .bytes(0)
    }

    package func abort() {
        shared.state.withLock { state in
            state.directions[0].isEnded = true
            state.directions[1].isEnded = true
        }
        point.signal([.read, .write])
        peerPoint.signal([.read, .write])
    }

    package func close() {
        shared.state.withLock { state in
            state.ends[own].isClosed = true
            state.directions[own].isEnded = true
        }
        point.close()
        peerPoint.signal([.read, .write])
    }
}
