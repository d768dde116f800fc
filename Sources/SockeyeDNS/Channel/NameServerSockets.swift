#if AsyncDNS
import CSockeyeAres
import CSockeyeSystem
import SockeyePlatform

/// The socket functions that c-ares calls for a ``NameServerChannel``, and the events that these calls cause.
///
/// All sockets are non-blocking and close-on-exec. The channel's owner watches the sockets that are reported to it,
/// and closes each of them after the watching has ended. This class closes all other sockets as soon as c-ares calls
/// the close function. Each method call on the channel makes a limited number of reads, so that a flooding server
/// cannot keep the thread busy.
@safe final class NameServerSockets {
    let log = NameServerLog()
    private var events = NameServerChannel.Events()
    /// The sockets that were reported to the channel's owner. These do not include probes: sockets that c-ares only
    /// connects, to find the local address for a destination.
    private var reported: Set<Int32> = []
    /// The TCP sockets.
    private var streams: [Int32: NameServerStream] = [:]
    // The state of the current method call on the channel.
    private(set) var readCount = 0
    /// True if the last read found no input left.
    private var isDrained = false
    private var probes = 0
    /// The error of the last socket that could not be opened for lack of descriptors or memory.
    private var shortage: SystemError?
    /// The response code (RFC 1035 4.1.1) of the last message that the current call has read; 0 before the first
    /// message.
    private var responseCode: UInt8 = 0

    /// The maximum number of reads in one method call on the channel. The channel's owner then lets other tasks run and
    /// calls again.
    private static let readLimit = 256
    /// The maximum number of probes in one method call on the channel. Each probe takes four system calls. Further
    /// probes fail, and their destinations count as unreachable.
    private static let probeLimit = 256
    private enum ResponseCode {
        static let serverFailure: UInt8 = 2
        static let refused: UInt8 = 5
    }

    func takeEvents() -> NameServerChannel.Events {
        defer { events = NameServerChannel.Events() }
        for socket in events.retired {
            reported.remove(socket)
            streams[socket] = nil
        }
        return events
    }

    func beginCall() {
        (readCount, probes, isDrained, responseCode, shortage) = (0, 0, false, 0, nil)
    }

    var isOverBudget: Bool { readCount >= Self.readLimit && !isDrained }

    /// True if the current call may read from `socket` again, and `socket` may have more input.
    func mayRead(_ socket: Int32) -> Bool {
        !isDrained && readCount < Self.readLimit && reported.contains(socket) && !events.retired.contains(socket)
    }

    // MARK: Callbacks for C

    /// The table of callbacks, valid as long as this object lives. The c-ares channel must not outlive this object.
    let calls: UnsafeMutablePointer<sockeye_ares_calls>

    init() {
        unsafe calls = .allocate(capacity: 1)
        unsafe calls.initialize(
            to: sockeye_ares_calls(
                context: Unmanaged.passUnretained(self).toOpaque(),
                open: { unsafe NameServerSockets.at($0).open($1) },
                close: { unsafe NameServerSockets.at($0).close($1) },
                connect: { _, socket, address, length in unsafe sockeye_connect(socket, address, length) },
                receive: { sockets, socket, room, size, address, length in
                    let room = unsafe UnsafeMutableRawBufferPointer(start: room, count: size)
                    return unsafe NameServerSockets.at(sockets).receive(socket, room, address, length)
                },
                send: { unsafe NameServerSockets.at($0).send($1, $2?.assumingMemoryBound(to: IOVector.self), $3) },
                use: { unsafe NameServerSockets.at($0).report($1) }))
    }

    deinit {
        unsafe calls.deallocate()
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> NameServerSockets {
        unsafe Unmanaged<NameServerSockets>.fromOpaque(pointer!).takeUnretainedValue()
    }

    // MARK: Calls

    private func report(_ socket: Int32) {
        guard reported.insert(socket).inserted else { return }
        events.opened.append((socket, streams[socket] != nil))
    }

    private func open(_ kind: sockeye_ares_socket) -> Int32 {
        if kind.is_probe {
            probes += 1
            guard probes <= Self.probeLimit else { return -sockeye_error_family_not_supported }
        }
        let socket = DescriptorReserve.admit(
            sockeye_socket_open_raw(kind.domain, kind.type, kind.protocol), for: .socket)
        guard socket >= 0 else {
            let error = SystemError.last
            if error.isOutOfResources { shortage = error }
            return -error.code
        }
        if kind.is_stream {
            streams[socket] = NameServerStream()
            _ = SystemSocket.set(socket, .noDelay, to: 1)
        } else if !kind.is_probe {
            // Room for the answers to all queries under way; the kernel may grant less.
            _ = SystemSocket.set(socket, .receiveBufferSize, to: 1 << 20)
        }
        return socket
    }

    private func close(_ socket: Int32) {
        if reported.contains(socket) {
            events.retired.append(socket)
        } else {
            streams[socket] = nil
            SystemSocket.close(socket)
        }
    }

    private func receive(
        _ socket: Int32, _ room: UnsafeMutableRawBufferPointer, _ address: UnsafeMutableRawPointer?,
        _ length: UnsafeMutablePointer<UInt32>?
    ) -> Int {
        let isStream = streams[socket] != nil
        while readCount < Self.readLimit {
            readCount += 1
            let count = unsafe sockeye_receive_from(socket, room.baseAddress, room.count, address, length)
            let error = SystemError(ofResult: count)
            // An empty datagram is not an end of file, although old versions of c-ares treat it as one
            // (CVE-2023-32067).
            if count == 0, !isStream { continue }
            if error == .interrupted { continue }
            if count > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
                if isStream {
                    unsafe streams[socket]?.advance(by: bytes) { unsafe note($0) }
                } else {
                    unsafe note(bytes)
                }
            }
            isDrained = error == .wouldBlock
            return count
        }
        return -Int(sockeye_error_would_block)
    }

    /// Records the response code of a message. The bytes may be only the start of the message.
    private func note(_ message: UnsafeRawBufferPointer) {
        guard message.count >= 4 else { return }
        responseCode = unsafe message[3] & 0x0F
        unsafe log.note(message)
    }

    private func send(_ socket: Int32, _ vectors: UnsafePointer<IOVector>?, _ count: Int32) -> Int {
        let vectors = unsafe UnsafeBufferPointer(start: vectors, count: Int(count))
        var result = unsafe sendOnce(socket, vectors)
        guard case .failure(let error) = result else { return (try? result.get()) ?? 0 }
        guard streams[socket] == nil else { return -Int(error.code) }
        // ECONNREFUSED reports an ICMP response to an earlier datagram; the new datagram was not sent. If this method
        // returned the error, only the new query would fail, and the earlier queries would wait for their time-outs. So
        // this method sends the new datagram once more. If the server refuses it too, the next read reports the error,
        // and c-ares fails all queries to this server at once.
        if error == .connectionRefused { result = unsafe sendOnce(socket, vectors) }
        switch result {
        case .success(let count): return count
        // A datagram that does not fit into the socket's buffer counts as sent and lost, so c-ares repeats it after a
        // time-out. If c-ares saw the error, it would give up the server.
        case .failure(.wouldBlock): return unsafe vectors.reduce(0) { unsafe $0 + $1.length }
        case .failure(let error): return -Int(error.code)
        }
    }

    private func sendOnce(_ socket: Int32, _ vectors: UnsafeBufferPointer<IOVector>) -> Result<Int, SystemError> {
        let count = unsafe SystemSocket.send(socket, vectors: vectors)
        return count < 0 ? .failure(.last) : .success(count)
    }

    // MARK: Answers

    func settle(_ question: UInt64, _ result: Result<NameServerChannel.Answer, NameServerChannel.Failure>) {
        events.answers.append((question, result))
    }

    /// Converts a status of ares.h. The numbers are literals because ares.h declares them as macros in some versions
    /// and as an enumeration in others.
    func failure(ofStatus status: Int32) -> NameServerChannel.Failure {
        switch status {
        case 0, 1: .noData
        case 3: .serverFailure
        case 4, 19: .notFound
        case 6: .refused
        case 8: .invalidName
        case 2, 10: .malformed
        case 11: shortage.map { .outOfResources($0) } ?? unanswered
        case 12: .unanswered
        case 15: .outOfResources(.noMemory)
        case 16, 24: .cancelled
        default: unsafe .other(code: status, text: String(cString: sockeye_ares_text(status)))
        }
    }

    /// The failure for status 11 of ares.h (ARES_ECONNREFUSED). c-ares reports this status if a server answered
    /// SERVFAIL or REFUSED, and also if no server can be reached.
    private var unanswered: NameServerChannel.Failure {
        switch responseCode {
        case ResponseCode.serverFailure: .serverFailure
        case ResponseCode.refused: .refused
        default: .unreachable
        }
    }
}
#endif
