public import SockeyeEngine
public import SockeyeHTTP

/// Many requests, of which a limited number run at a time. Nothing is sent before results are requested.
///
/// ```swift
/// // in order; the first error ends the batch
/// let users = try await client.batch(urls, as: .json(User.self)).values()
/// // in order; one result for each request
/// let results = try await client.batch(urls, as: .json(User.self)).results()
/// // in the order of completion
/// for await item in try client.batch(urls, as: .json(User.self)) { … }
/// ```
///
/// Requesting results twice sends all requests twice. This type is the counterpart of AFNetworking's
/// `batchOfRequestOperations:progressBlock:completionBlock:`.
public struct RequestBatch<Serializer: ResponseSerializer>: Sendable where Serializer.Value: Sendable {
    /// The value or error of one request.
    public typealias Outcome = Result<Serializer.Value, SockeyeError>
    /// Called with the number of completed requests and the total, after each completion; one call at a time.
    public typealias ProgressHandler = @Sendable (_ done: Int, _ total: Int) -> Void

    /// The outcome of one request, with the position of the request.
    public struct Item: Sendable {
        /// The position of the request.
        public let index: Int
        /// The value or error of the request.
        public let outcome: Outcome
    }

    /// The requests, in order.
    public let requests: [OutgoingRequest]
    /// The maximum number of requests that run at a time, at least 1.
    public let width: Int
    private let client: HTTPClient
    private let serializer: Serializer

    init(_ requests: [OutgoingRequest], width: Int, client: HTTPClient, serializer: Serializer) {
        self.requests = requests
        self.width = Swift.max(1, width)
        self.client = client
        self.serializer = serializer
    }

    /// Returns the values of all requests, in their order.
    ///
    /// - Throws: The error of the first request that fails; the others are then cancelled.
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` if the calling task is cancelled before all requests
    ///   have completed.
    public func values(onProgress: ProgressHandler? = nil) async throws(SockeyeError) -> [Serializer.Value] {
        var values = [Serializer.Value?](repeating: nil, count: requests.count)
        var failure: SockeyeError?
        await run(onProgress) { item in
            switch item.outcome {
            case .success(let value): values[item.index] = value
            case .failure(let error): failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
        // Without a failure, a missing value means that the task was cancelled.
        let complete = values.compactMap(\.self)
        guard complete.count == requests.count else { throw SockeyeError(.cancelled, phase: .prepare) }
        return complete
    }

    /// Returns the outcomes of all requests, in their order. If the task is cancelled, the remaining requests are
    /// cancelled.
    public func results(onProgress: ProgressHandler? = nil) async -> [Outcome] {
        let cancelled = Outcome.failure(SockeyeError(.cancelled, phase: .prepare))
        var results = [Outcome](repeating: cancelled, count: requests.count)
        await run(onProgress) { item in
            results[item.index] = item.outcome
            return true
        }
        return results
    }

    /// Sends the requests and passes their outcomes to `take` as they complete.
    ///
    /// - Parameter take: No further request starts until it returns. If it returns false, the batch ends and running
    ///   requests are cancelled.
    fileprivate func run(_ onProgress: ProgressHandler?, _ take: (Item) async -> Bool) async {
        await withTaskGroup(of: Item.self) { group in
            var next = 0
            func addNext() {
                guard next < requests.count, !Task.isCancelled else { return }
                let index = next
                next += 1
                group.addTask { Item(index: index, outcome: await outcome(of: requests[index])) }
            }
            for _ in 0..<Swift.min(width, requests.count) { addNext() }
            var done = 0
            for await item in group {
                done += 1
                onProgress?(done, requests.count)
                guard await take(item) else { return group.cancelAll() }
                addNext()
            }
        }
    }

    private func outcome(of request: OutgoingRequest) async -> Outcome {
        do throws(SockeyeError) {
            return .success(try await client.send(request, as: serializer))
        } catch {
            return .failure(error)
        }
    }
}

extension RequestBatch: AsyncSequence {
    /// The outcome of one request.
    public typealias Element = Item
    /// Iterating never throws; errors are in the items.
    public typealias Failure = Never

    /// Starts the batch. Releasing the iterator or cancelling the iterating task cancels the remaining requests.
    public func makeAsyncIterator() -> Iterator {
        Iterator(self)
    }

    /// Returns the outcomes in the order of completion.
    ///
    /// A further request starts only when the consumer takes an item. Together, the running requests and the items that
    /// wait for the consumer never exceed ``RequestBatch/width``.
    public struct Iterator: AsyncIteratorProtocol {
        private var items: AsyncStream<Element>.Iterator
        private let taken: AsyncStream<Void>.Continuation

        fileprivate init(_ batch: RequestBatch) {
            let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
            let (takes, taken) = AsyncStream.makeStream(of: Void.self)
            let work = Task {
                var takes = takes.makeAsyncIterator()
                await batch.run(nil) { item in
                    if case .terminated = continuation.yield(item) { return false }
                    return await takes.next(isolation: #isolation) != nil
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
            items = stream.makeAsyncIterator()
            self.taken = taken
        }

        /// Returns the next item; nil after the last one, or if the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            guard let item = await items.next(isolation: actor) else { return nil }
            taken.yield()
            return item
        }

        /// Returns the next item; nil after the last one, or if the task is cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }
    }
}

extension HTTPClient {
    /// Returns a batch of requests, of which at most `width` run at a time. See ``RequestBatch``.
    ///
    /// - Parameters:
    ///   - requests: The requests. ``RequestBatch/values(onProgress:)`` and ``RequestBatch/results(onProgress:)`` keep
    ///     their order.
    ///   - width: The maximum number of requests that run at a time, at least 1. Default: 8. Each origin also has the
    ///     limit ``/Sockeye/PoolOptions/connectionsPerOrigin``, by default 16. Requests beyond this limit wait in the
    ///     connection pool.
    ///   - serializer: Makes a value from each response. The serializer's Accept field is sent unless the request or
    ///     the client sets that field.
    public func batch<Serializer: ResponseSerializer>(
        _ requests: [OutgoingRequest], atMost width: Int = 8, as serializer: Serializer
    ) -> RequestBatch<Serializer> {
        RequestBatch(requests, width: width, client: self, serializer: serializer)
    }

    /// Returns a batch of GET requests for URLs, absolute or relative to the client's base. At most `width` run at a
    /// time.
    ///
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/invalidURL`` for the first invalid URL.
    public func batch<Serializer: ResponseSerializer>(
        _ urls: [some HTTPURL.Convertible], atMost width: Int = 8, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), as serializer: Serializer
    ) throws(SockeyeError) -> RequestBatch<Serializer> {
        var requests: [OutgoingRequest] = []
        for url in urls {
            requests.append(OutgoingRequest(url: try scope.resolve(url), headers: headers, options: options))
        }
        return batch(requests, atMost: width, as: serializer)
    }
}
