import Sockeye
import SockeyePlatform

/// A load of one large body in either direction, for a given time.
struct StreamLoad: Sendable {
    let client: HTTPClient
    /// The URL of the server: scheme, host and port.
    let server: String

    /// Reads a response body as it arrives, and cancels it when the time is over.
    ///
    /// - Returns: The number of bytes received.
    func download(seconds: Double) async throws -> Int {
        let end = SystemClock.monotonicNanoseconds + Int64(seconds * 1e9)
        let response = try await client.get(server + BenchmarkServer.downloadPath)
        guard response.status == .ok else {
            throw UnexpectedResponse(description: "status \(response.status.code) for the download")
        }
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
            if SystemClock.monotonicNanoseconds >= end { break }
        }
        return count
    }

    /// Sends a body of unknown length, in chunks, until the time is over.
    ///
    /// - Returns: The number of bytes that the server received.
    func upload(seconds: Double) async throws -> Int {
        let end = SystemClock.monotonicNanoseconds + Int64(seconds * 1e9)
        let response = try await client.put(server + BenchmarkServer.uploadPath, .stream(TimedPieces(end: end)))
        let text = try await response.text()
        guard response.status == .ok, let count = Int(text) else {
            throw UnexpectedResponse(description: "status \(response.status.code) for the upload")
        }
        return count
    }
}

/// The same 64 KiB repeated until a deadline: an upload that costs its producer almost nothing.
private struct TimedPieces: AsyncSequence, Sendable {
    typealias Element = Bytes
    typealias Failure = Never

    /// The deadline, by ``SystemClock/monotonicNanoseconds``.
    let end: Int64

    func makeAsyncIterator() -> Iterator { Iterator(end: end) }

    struct Iterator: AsyncIteratorProtocol {
        private static let piece = Bytes([UInt8](repeating: 0, count: 64 << 10))
        let end: Int64

        func next() async -> Bytes? { SystemClock.monotonicNanoseconds < end ? Self.piece : nil }
    }
}
