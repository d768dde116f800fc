import SockeyeTesting

/// A body that yields one piece and then blocks, even if it is cancelled.
struct UncancellableProducer: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// Fired by the test to end the body.
    let end: TestSignal
    private var isFirst = true

    init(end: TestSignal) {
        self.end = end
    }

    func makeAsyncIterator() -> UncancellableProducer { self }

    mutating func next() async throws -> [UInt8]? {
        if isFirst {
            isFirst = false
            return [1]
        }
        await Task { [end] in try? await end.wait(timeout: .seconds(60)) }.value
        return nil
    }
}
