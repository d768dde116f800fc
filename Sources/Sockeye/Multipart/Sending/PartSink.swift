import SockeyeCore
import SockeyeMultipart
import Synchronization

/// Passes the content of one part on, as long as it is what was declared: a part that is one byte short would make the
/// server take a delimiter for content.
final class PartSink: BodySink {
    private let target: any BodySink
    private let ledger: Mutex<PartLedger>

    init(target: any BodySink, part: Int, length: Int?) {
        self.target = target
        ledger = Mutex(PartLedger(part: part, declared: length))
    }

    var time: TimeSource { target.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        try take(chunk.count)
        try await target.write(chunk)
    }

    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        try take(count)
        try await target.write(count, of: &file)
    }

    /// Called once, when the content is over.
    func finish() throws(SockeyeError) {
        let ledger = ledger.withLock { $0 }
        do throws(MultipartFault) { try ledger.finish() } catch { throw SockeyeError(error) }
    }

    private func take(_ count: Int) throws(SockeyeError) {
        do throws(MultipartFault) {
            try ledger.withLock { ledger throws(MultipartFault) in try ledger.take(count) }
        } catch {
            throw SockeyeError(error)
        }
    }
}
