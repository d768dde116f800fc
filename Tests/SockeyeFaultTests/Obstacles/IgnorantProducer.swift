import SockeyeTesting

/// Yields once and then nothing, whether cancelled or not.
struct IgnorantProducer: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// Lets it end after all.
    let end: TestSignal
    private var isFirst = true

    init(end: TestSignal) {
        self.end = end
    }

    func makeAsyncIterator() -> IgnorantProducer { self }

    mutating func next() async throws -> [UInt8]? {
        if isFirst {
            isFirst = false
            return [1]
        }
        await Task { [end] in try? await end.wait(timeout: .seconds(60)) }.value
        return nil
    }
}
