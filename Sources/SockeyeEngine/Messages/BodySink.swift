package import SockeyeCore
import SockeyeNet

/// Where a body producer puts its bytes. Returns when the system has taken them, which is the whole of backpressure.
package protocol BodySink: Sendable {
    /// Sends one piece; an empty one is nothing. Throws when the request is over, whoever ended it.
    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError)

    /// Sends exactly `count` bytes of a file, from where the reader is; over a connection that takes them from the system
    /// directly they are not read at all. Throws when the file has fewer, before anything else can follow them.
    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError)

    /// The clock of whoever sends.
    var time: TimeSource { get }

    /// Suspends until `deadline` on that clock. Throws when the request is over before, whoever ended it.
    func pause(until deadline: MonotonicTime) async throws(SockeyeError)
}

extension BodySink {
    package var time: TimeSource { .system }

    package func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        do throws(TransportError) {
            try await EpollPoller.shared().sleep(until: deadline)
        } catch {
            throw SockeyeError(error, phase: .send)
        }
    }

    package func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        try await copy(count, of: &file)
    }

    /// Reads `count` bytes and sends them, piece by piece.
    package func copy(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        var left = count
        while left > 0 {
            guard let piece = try await file.read(atMost: left) else { throw file.endedEarly(missing: left) }
            try await write(piece)
            left -= piece.count
        }
    }
}
