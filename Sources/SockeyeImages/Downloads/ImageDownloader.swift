#if Images
public import Sockeye
public import SockeyeCache
import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

/// A downloader of images: merges simultaneous requests for an image, limits active downloads, and uses an image cache.
///
/// The counterpart of AFNetworking's `AFImageDownloader`. A ``Receipt`` stands for one request of a caller for an
/// image.
///
/// ```swift
/// let downloader = ImageDownloader(client: client)
/// let thumbnail = try await downloader.image(
///     url, filter: .aspectFill(width: 96, height: 96))
///
/// let receipt = downloader.download(url)
/// // the raster and its source
/// let image = try await receipt.value
/// // ends only this receipt
/// receipt.cancel()
/// ```
///
/// - **Merging.** Receipts for the same URL, fields and cache mode share one download, whatever their filters: the
///   image is fetched and decoded once, and each filter applied once. Cancelling a receipt does not affect the others.
///   When the last receipt is cancelled, the request is cancelled, even if it was already sent (AFNetworking lets it
///   continue). A failure to fetch or decode the image goes to all receipts. A new receipt joins a download only until
///   the download has failed or has delivered the fetched image to its first receipt.
/// - **Limit.** Up to ``Options/maximumActiveDownloads`` images are fetched, decoded and filtered at a time. Further
///   downloads wait; ``Options/prioritization`` selects whether the oldest or the newest of them starts next.
/// - **Caches.** ``Options/cache`` is checked first. It stores filtered images, regardless of Cache-Control. The HTTP
///   cache is the client's (``/SockeyeCache/CachePolicy``).
/// - **Threads.** Images are decoded and filtered outside Swift's cooperative thread pool, on up to four threads that
///   all downloaders share.
///
/// After its last reference is released, a downloader lives until its last download ends.
public final class ImageDownloader: Sendable {
    /// The order of waiting downloads (`AFImageDownloadPrioritization`).
    @nonexhaustive public enum Prioritization: String, Sendable, Hashable, Codable {
        /// The oldest first.
        case fifo
        /// The newest first, as for lists that are scrolled through.
        case lifo
    }

    /// The settings of a downloader.
    public struct Options: Sendable {
        /// The order of waiting downloads. Default ``Prioritization/fifo``.
        public var prioritization = Prioritization.fifo
        /// The maximum number of active downloads, at least 1. Default 4.
        public var maximumActiveDownloads = 4
        /// The maximum number of waiting downloads. If it is reached, a receipt for a further download fails with
        /// ``/Sockeye/SockeyeError/Code-swift.struct/tooManyWaiting``. Default 1,000.
        public var maximumWaitingDownloads = 1000
        /// The time limit of a receipt from its creation, including the wait for its turn; nil if only the client's
        /// limits apply. Default 60 s.
        ///
        /// After this time the receipt fails with ``/Sockeye/SockeyeError/Code-swift.struct/timeout``; other receipts
        /// of the same download continue.
        public var timeout: Duration? = .seconds(60)
        /// The serializer, which sets the accepted images, their maximum size, and their ``Raster/scale``.
        public var serializer: BodySerializer<Raster> = .raster
        /// The cache for decoded and filtered images; nil for no cache. Default: a separate ``MemoryImageCache`` of 100
        /// MiB.
        public var cache: (any ImageCache)? = MemoryImageCache()

        /// Creates options with the defaults named at each property.
        public init() {}
    }

    /// A downloader with the shared client, created on first use (`defaultInstance`).
    public static let shared = ImageDownloader(client: .shared)

    /// The client that sends the requests.
    public let client: HTTPClient
    /// The options.
    public let options: Options

    private struct State {
        var machine: ImageDownloadMachine
        /// The receipts that have not ended, by id, each with the task of its time-out; nil without time-out.
        var pending: [UInt64: (receipt: Receipt, timer: Task<Void, Never>?)] = [:]
        /// The tasks of the active downloads, by the download's id.
        var tasks: [UInt64: Task<Void, Never>] = [:]
    }

    private let state: Mutex<State>
    private static let lastReceipt = Atomic<UInt64>(0)

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests, with its base URL, fields, deadlines and policies.
    ///   - options: See ``Options``.
    public init(client: HTTPClient, options: Options = Options()) {
        self.client = client
        self.options = options
        state = Mutex(
            State(
                machine: ImageDownloadMachine(
                    prioritization: options.prioritization,
                    activeLimit: options.maximumActiveDownloads,
                    waitingLimit: options.maximumWaitingDownloads)))
    }

    /// The number of active downloads.
    public var activeDownloads: Int { state.withLock(\.machine.activeCount) }
    /// The number of waiting downloads.
    public var waitingDownloads: Int { state.withLock(\.machine.waitingCount) }

    // MARK: Requests

    /// Returns an image when it is available. Cancelling the calling task cancels the receipt that this method creates.
    ///
    /// - Parameters: See ``download(_:headers:filter:cacheMode:)``.
    /// - Throws: The errors of ``Receipt/value``.
    public func image(
        _ url: some HTTPURL.Convertible, headers: Headers = [:], filter: ImageFilter? = nil,
        cacheMode: CachePolicy.Mode? = nil
    ) async throws(SockeyeError) -> Raster {
        let receipt = download(url, headers: headers, filter: filter, cacheMode: cacheMode)
        do throws(SockeyeError) {
            return try await receipt.value.raster
        } catch {
            receipt.cancel()
            throw error
        }
    }

    /// Requests an image and returns at once (`downloadImageForURLRequest:success:failure:`).
    ///
    /// - Parameters:
    ///   - url: Resolved against the client's base URL.
    ///   - headers: Header fields in addition to the client's.
    ///   - filter: The filter to apply. Default nil: the unchanged image.
    ///   - cacheMode: The use of caches. ``Options/cache`` is not read for
    ///     ``/SockeyeCache/CachedResponse/Mode/reloadIgnoringCache`` and
    ///     ``/SockeyeCache/CachedResponse/Mode/reloadRevalidatingCache``; with
    ///     ``/SockeyeCache/CachedResponse/Mode/returnCacheDontLoad`` nothing is sent, and an image that is not cached
    ///     fails with ``/Sockeye/SockeyeError/Code-swift.struct/unacceptableStatus``. Default nil: ``Options/cache`` is
    ///     used, and the client's policy decides on the HTTP cache.
    /// - Returns: The receipt, which later has the image or the error. It also reports invalid arguments.
    @discardableResult public func download(
        _ url: some HTTPURL.Convertible, headers: Headers = [:], filter: ImageFilter? = nil,
        cacheMode: CachePolicy.Mode? = nil
    ) -> Receipt {
        let receipt = Receipt(Self.lastReceipt.wrappingAdd(1, ordering: .relaxed).newValue, self)
        do throws(SockeyeError) {
            let url = try client.scope.resolve(url)
            let identity = ImageDownloadMachine.Identity(url: url, headers: headers, cacheMode: cacheMode)
            if let raster = cached(identity, filter) {
                receipt.promise.fulfill(.success(Image(raster: raster, response: nil)))
            } else {
                try admit(receipt, identity, filter)
            }
        } catch {
            receipt.promise.fulfill(.failure(error))
        }
        return receipt
    }

    private func admit(
        _ receipt: Receipt, _ identity: ImageDownloadMachine.Identity, _ filter: ImageFilter?
    ) throws(SockeyeError) {
        // Creates the timer and the download's task within the lock, so that both are stored before another thread can
        // cancel them.
        let isRefused = state.withLock { state in
            let admission = state.machine.add(receipt.id, for: identity, filter)
            guard admission != .refused else { return true }
            state.pending[receipt.id] = (receipt, options.timeout.map { timer(for: receipt, $0) })
            if case .start(let download) = admission { start(download, &state) }
            return false
        }
        if isRefused { throw .tooManyImagesWait(limit: max(0, options.maximumWaitingDownloads), identity.url) }
    }

    private func timer(for receipt: Receipt, _ timeout: Duration) -> Task<Void, Never> {
        let clock = client.scope.settings.clock
        let deadline = clock.time.now.deadline(after: timeout)
        // Detached, so that the timer inherits neither priority nor task-local values of the caller.
        return Task.detached { [weak self] in
            // If no descriptors are left for a timer, the sleep fails and the receipt times out at once.
            try? await clock.sleep(until: deadline)
            guard !Task.isCancelled else { return }
            self?.end(receipt) { .imageTimeout(timeout, isWaiting: $0) }
        }
    }

    // MARK: Cancellation

    func cancel(_ receipt: Receipt) {
        end(receipt) { _ in .imageCancelled }
    }

    /// Ends a receipt unless it has already ended. If no other receipt shares its download, the download is cancelled.
    private func end(_ receipt: Receipt, _ error: (_ isWaiting: Bool) -> SockeyeError) {
        let ended = state.withLock { state -> (isWaiting: Bool, url: HTTPURL?, tasks: [Task<Void, Never>?])? in
            guard let (_, timer) = state.pending.removeValue(forKey: receipt.id) else { return nil }
            let isWaiting = state.machine.isWaiting(receipt.id)
            let url = state.machine.url(of: receipt.id)
            guard case .cancel(let download) = state.machine.remove(receipt.id) else {
                return (isWaiting, url, [timer])
            }
            return (isWaiting, url, [timer, state.tasks[download]])
        }
        guard let ended else { return }
        for task in ended.tasks { task?.cancel() }
        receipt.promise.fulfill(.failure(error(ended.isWaiting).about(ended.url)))
    }

    // MARK: Downloads

    private func start(_ download: UInt64, _ state: inout State) {
        guard let identity = state.machine.identity(of: download) else { return }
        // Detached, since the download belongs to several callers.
        state.tasks[download] = Task.detached { await self.run(download, identity) }
    }

    private func run(_ download: UInt64, _ identity: ImageDownloadMachine.Identity) async {
        var source: Result<DecodedImage, SockeyeError>?
        while let group = nextGroup(of: download) {
            // Another download may have cached the image while this one waited for its turn.
            if source == nil, let raster = cached(identity, group.filter) {
                settle(.success(Image(raster: raster, response: nil))) {
                    $0.take(group, of: download, isFetched: false)
                }
                continue
            }
            let original: Result<DecodedImage, SockeyeError>
            if let source { original = source } else { original = await DecodedImage.fetch(identity, by: self) }
            source = original
            switch original {
            case .success(let decoded):
                let result = await decoded.applying(group.filter)
                if let raster = try? result.get() {
                    options.cache?.add(raster, for: key(identity, group.filter))
                }
                settle(result.map { Image(raster: $0, response: decoded.response) }) { $0.take(group, of: download) }
            case .failure(let error):
                settle(.failure(error)) { $0.takeAll(of: download) }
            }
        }
    }

    /// Returns the next group of receipts with the same filter. If no receipt is left, ends the download, starts a
    /// waiting download, and returns nil.
    private func nextGroup(of download: UInt64) -> ImageDownloadMachine.Group? {
        state.withLock { state in
            if let group = state.machine.nextGroup(of: download) { return group }
            state.tasks[download] = nil
            if let next = state.machine.end(download) { start(next, &state) }
            return nil
        }
    }

    /// Ends receipts with a result.
    private func settle(
        _ result: Result<Image, SockeyeError>, _ take: (inout ImageDownloadMachine) -> [UInt64]
    ) {
        let settled = state.withLock { state in
            take(&state.machine).compactMap { state.pending.removeValue(forKey: $0) }
        }
        for (receipt, timer) in settled {
            timer?.cancel()
            receipt.promise.fulfill(result)
        }
    }

    // MARK: Cache

    private func cached(_ identity: ImageDownloadMachine.Identity, _ filter: ImageFilter?) -> Raster? {
        switch identity.cacheMode {
        case .reloadIgnoringCache, .reloadRevalidatingCache: nil
        case nil, .useProtocol, .returnCacheElseLoad, .returnCacheDontLoad:
            options.cache?.image(for: key(identity, filter))
        }
    }

    private func key(_ identity: ImageDownloadMachine.Identity, _ filter: ImageFilter?) -> ImageKey {
        ImageKey(
            url: identity.url, headers: identity.headers, identifier: filter?.id, scale: options.serializer.scale)
    }
}

extension BodySerializer<Raster> {
    /// The scale of the images; 1 if the serializer is a closure.
    fileprivate var scale: Double { (format as? RasterFormat)?.scale ?? 1 }
}
#endif
