import SockeyeCore
import SockeyeEngine
import Synchronization

/// Passes a body on as slowly as it shall go.
final class ThrottledSink: BodySink {
    private let target: any BodySink
    private let pacer: Mutex<Pacer>

    init(target: any BodySink, _ throttle: Throttle) {
        self.target = target
        pacer = Mutex(Pacer(throttle))
    }

    var time: TimeSource { target.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        let bytes = (chunk as? Bytes) ?? Bytes(chunk)
        var sent = 0
        while sent < bytes.count {
            let count = min(try await allowance(), bytes.count - sent)
            let start = time.now
            try await target.write(bytes.slice(sent..<sent + count))
            note(count, since: start)
            sent += count
        }
    }

    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        var left = count
        while left > 0 {
            let count = min(try await allowance(), left)
            let start = time.now
            try await target.write(count, of: &file)
            note(count, since: start)
            left -= count
        }
    }

    /// Waits until something may go out; returns how much.
    private func allowance() async throws(SockeyeError) -> Int {
        while true {
            let now = time.now
            switch pacer.withLock({ $0.next(at: now) }) {
            case .send(let count): return count
            case .wait(let deadline): try await pause(until: deadline)
            }
        }
    }

    private func note(_ count: Int, since start: MonotonicTime) {
        let now = time.now
        pacer.withLock { $0.sent(count, from: start, to: now) }
    }
}
