import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// A response that was dropped before its end. If little of it is left and the request was sent completely, the rest is
/// read and discarded, so that the connection can be reused. Otherwise the connection is closed, because HTTP/1.1 has
/// no other way to abandon a response (RFC 9112 9.6).
struct AbandonedResponse: Sendable {
    var state: ExchangeState
    let pool: ConnectionPool
    let time: TimeSource

    private var lease: ConnectionPool.Lease { state.lease }

    /// The largest rest of a body that is read and discarded, in bytes. Reading so few bytes costs less than a new
    /// connection.
    private static let largestRest = 64 * 1024
    /// The longest time that the rest may take to arrive.
    private static let longestWait = Duration.milliseconds(50)

    func drainOrClose() {
        guard isWorthDraining else {
            state.sender.detach()
            // Aborts at once, so that an endless response ends now and not when the task below runs.
            lease.connection.stream.abort()
            Task { await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil) }
            return
        }
        lease.connection.stream.setReadLowWaterMark(1)
        Task {
            var copy = self
            await copy.drain()
        }
    }

    private var isWorthDraining: Bool {
        guard let rest = state.receiver.reader.expected else { return false }
        return rest <= Self.largestRest && state.sender.hasFinishedUpload
    }

    private mutating func drain() async {
        let deadlines = RequestDeadlines(timeouts: SharedTimeouts(Timeouts()), time: time)
        let deadline = time.now.advanced(by: Self.longestWait)
        var rest = Self.largestRest
        // The loop also runs if `rest` is 0, because the end of the response is a separate event after the last piece.
        reading: while rest >= 0 {
            guard let event = try? state.receiver.reader.nextPiece(from: lease.connection.stream) else { break }
            switch event {
            case .piece(let piece): rest -= piece.count
            case .end:
                let verdict = state.receiver.finishResponse(state.sender)
                if let remainder = ConnectionReturn.settle(verdict, state, to: pool) {
                    await remainder.finish(&state, to: pool, deadlines: deadlines)
                }
                return
            case .wait(let interest):
                guard (try? await lease.connection.stream.wait(for: interest, as: .reader, until: deadline)) != nil
                else {
                    break reading
                }
            }
        }
        lease.connection.close()
        await pool.release(lease.id, reusable: false, keepAliveTimeout: nil, remainingUses: nil)
    }
}
