import Sockeye

/// 5: any asynchronous sequence of bytes goes up as it comes, its length enforced, its progress reported.
struct StreamUp: Job {
    let title = "stream up from an AsyncSequence"

    func run(_ client: HTTPClient) async throws -> String {
        let (chunks, length) = (Chunks(count: 1024), 1024 * 1024)
        let response = try await client.put(
            "blob", .stream(chunks, length: length), options: .reportingProgress { _ in })
        return "\(try await response.text()) bytes"
    }
}

/// A kilobyte again and again.
struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var count: Int

    func makeAsyncIterator() -> Chunks { self }

    mutating func next() async -> [UInt8]? {
        count -= 1
        return count >= 0 ? [UInt8](repeating: 0x78, count: 1024) : nil
    }
}
