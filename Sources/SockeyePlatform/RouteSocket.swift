import CSockeyeSystem

/// A netlink socket for the kernel's routes and interfaces (rtnetlink(7)), non-blocking and close-on-exec.
///
/// A socket belongs to the network namespace of the thread that opened it, whichever thread uses it.
package enum RouteSocket {
    /// Opens a socket. Returns a negative number on failure, with the error in ``SystemError/last``. The error is
    /// `notSupported` on systems without ``SystemFeature/routes``.
    ///
    /// - Parameter listens: True to receive a message for every change of links, addresses, routes and rules.
    package static func open(listening listens: Bool) -> Int32 {
        DescriptorReserve.admit(sockeye_route_open(listens), for: .socket)
    }

    /// The result of reading change messages.
    package enum ChangeResult: Sendable, Hashable {
        /// A message of the kernel was read, or the kernel dropped messages (`noBuffers`), which also shows a change.
        /// Also the result if the limit of datagrams was reached, because more messages may be pending.
        case change
        /// No message of the kernel was pending.
        case nothing
        case failed(SystemError)
    }

    /// Reads and discards pending messages, at most `limit` datagrams. Their contents do not matter: callers query the
    /// current state.
    ///
    /// - Parameter number: The descriptor of a socket that listens.
    package static func readChanges(_ number: Int32, atMost limit: Int = 256) -> ChangeResult {
        var byte: UInt8 = 0
        var hasNews = false
        for _ in 0..<limit {
            // The kernel drops the rest of a datagram that does not fit.
            let (count, isOfKernel) = unsafe withUnsafeMutableBytes(of: &byte) { unsafe receive(number, $0) }
            if count >= 0 {
                if isOfKernel { hasNews = true }
                continue
            }
            switch SystemError(ofResult: count) {
            case .interrupted: continue
            case .wouldBlock: return hasNews ? .change : .nothing
            case .noBuffers: hasNews = true
            case let error?: return .failed(error)
            case nil: break
            }
        }
        return .change
    }

    /// Receives a datagram; `isOfKernel` is false if another process has sent it.
    private static func receive(_ number: Int32, _ room: UnsafeMutableRawBufferPointer) -> (
        count: Int, isOfKernel: Bool
    ) {
        var isOfKernel = false
        let count = unsafe sockeye_route_receive(number, room.baseAddress, room.count, &isOfKernel)
        return (count, isOfKernel)
    }

    /// Sends a query and returns the kernel's answer, which is available as soon as send(2) returns. Returns `refused`
    /// with the error if the query cannot be sent; nil if there is no valid answer.
    ///
    /// - Parameters:
    ///   - number: The descriptor of a socket that does not listen.
    ///   - question: A message of ``RouteMessage`` that has this sequence number.
    package static func query(_ number: Int32, _ question: [UInt8], sequence: UInt32) -> RouteMessage.Answer? {
        let sent = unsafe sockeye_route_send(number, question, question.count)
        if let error = SystemError(ofResult: sent) { return .refused(error) }
        var datagram = [UInt8](repeating: 0, count: 16 << 10)
        // Skips answers to earlier queries, which may still be unread.
        for _ in 0..<16 {
            let (count, isOfKernel) = unsafe datagram.withUnsafeMutableBytes { unsafe receive(number, $0) }
            if SystemError(ofResult: count) == .interrupted { continue }
            guard count > 0 else { return nil }
            guard isOfKernel else { continue }
            if let answer = RouteMessage.answer(to: sequence, in: Array(datagram[..<count])) { return answer }
        }
        return nil
    }
}
