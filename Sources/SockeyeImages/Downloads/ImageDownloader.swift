#if Images
public import Sockeye
import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

/// Downloads images: each once for all who ask for it at the same time, some at a time, and not at all where a cache has it.
/// The counterpart of `AFImageDownloader`.
///
/// ```swift
/// let downloader = ImageDownloader(client: client)
/// let thumbnail = try await downloader.image(url, filter: .aspectFill(width: 96, height: 96))
///
/// let receipt = downloader.download(url)
/// let image = try await receipt.value           // the raster, and where it came from
/// receipt.cancel()                              // of this receipt alone
/// ```
///
/// - **Merging.** Receipts for the same URL, fields and cache mode share one download, whatever their filters: the image is
///   fetched and decoded once, and each filter applied once. Each receipt ends on its own; the exchange is cancelled with the
///   last one, also if it has begun already (AFNetworking's goes on then). A failure is that of all. A receipt made after the
///   first result starts a download of its own.
/// - **Turns.** ``Options/maximumActiveDownloads`` are fetched, decoded and filtered at a time. The others wait, the
///   oldest or the newest first.
/// - **Caches.** ``Options/cache`` is asked first, and gets what was made of an image, whatever Cache-Control says.
///   The HTTP cache is the client's (``/Sockeye/CachePolicy``).
/// - **Threads.** Images are decoded and filtered by a few threads that all downloaders share, not by those that tasks run on.
///
/// A downloader that nobody holds any more ends with its last download.
public final class ImageDownloader: Sendable {
    /// Which of the downloads that wait goes first (`AFImageDownloadPrioritization`).
    @nonexhaustive public enum Prioritization: String, Sendable, Hashable, Codable {
        /// The oldest.
        case fifo
        /// The newest, as for lists that are scrolled through.
        case lifo
    }

    /// How a downloader works.
    public struct Options: Sendable {
        /// Which of the downloads that wait goes first. Default ``Prioritization/fifo``.
        public var prioritization = Prioritization.fifo
        /// How many downloads are active at a time, at least 1. Default 4.
        public var maximumActiveDownloads = 4
        /// How many more may wait. Past it a new one fails with ``/Sockeye/SockeyeError/Code-swift.struct/tooManyWaiting``.
        /// Default 1,000.
        public var maximumWaitingDownloads = 1000
        /// How long a receipt waits for its image, from when it is made, its turn included; nil for as long as the client
        /// does. Default 60 s. Past it the receipt fails with ``/Sockeye/SockeyeError/Code-swift.struct/timeout``; others of
        /// the same download go on.
        public var timeout: Duration? = .seconds(60)
        /// What is accepted as an image, how large it may be, and its ``Raster/scale``.
        public var serializer: BodySerializer<Raster> = .raster
        /// Where images are kept once they are decoded and filtered; nil for nowhere. Default: a cache of its own of 100 MiB.
        public var cache: (any ImageCache)? = MemoryImageCache()

        /// Makes options out of the defaults named at each property.
        public init() {}
    }

    /// One over the shared client, made when it is first asked for (`defaultInstance`).
    public static let shared = ImageDownloader(client: .shared)

    /// What sends the requests.
    public let client: HTTPClient
    /// As it was made.
    public let options: Options

    private struct State {
        var machine: ImageDownloadMachine
        var pending: [UInt64: (receipt: Receipt, timer: Task<Void, Never>?)] = [:]
        var tasks: [UInt64: Task<Void, Never>] = [:]
    }

    private let state: Mutex<State>
    private static let lastReceipt = Atomic<UInt64>(0)

    /// Makes a downloader.
    ///
    /// - Parameters:
    ///   - client: What sends the requests, with its base URL, fields, deadlines and policies.
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

    /// How many downloads are active.
    public var activeDownloads: Int { state.withLock(\.machine.activeCount) }
    /// How many downloads wait for their turn.
    public var waitingDownloads: Int { state.withLock(\.machine.waitingCount) }

    // MARK: Asking

    /// An image, as soon as it is there. Cancelling the task cancels its receipt.
    ///
    /// - Parameters: As of ``download(_:headers:filter:cacheMode:)``.
    /// - Throws: As ``Receipt/value``.
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

    /// Asks for an image and returns at once (`downloadImageForURLRequest:success:failure:`).
    ///
    /// - Parameters:
    ///   - url: Resolved against the client's base URL.
    ///   - headers: Fields of the request besides the client's.
    ///   - filter: What is made of the image. Default nil: it comes as it is.
    ///   - cacheMode: How caches are used. The downloader's own is not asked for
    ///     ``/Sockeye/CachedResponse/Mode/reloadIgnoringCache`` and ``/Sockeye/CachedResponse/Mode/reloadRevalidatingCache``; with
    ///     ``/Sockeye/CachedResponse/Mode/returnCacheDontLoad`` nothing is sent. Default nil: it is asked, and the client's
    ///     policy has its way.
    /// - Returns: What the image, or why there is none, will be asked of. What is wrong with the arguments it says, too.
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
        // Under the lock the task and the timer are known before anybody can want to cancel them.
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
        // Detached, as the timer is not part of what the caller does: it inherits neither priority nor task-local values.
        return Task.detached { [weak self] in
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            self?.end(receipt) { .imageTimeout(timeout, isWaiting: $0) }
        }
    }

    // MARK: Cancelling

    func cancel(_ receipt: Receipt) {
        end(receipt) { _ in .imageNotWanted }
    }

    /// Ends a receipt that has not ended, and its download if nobody else wants that.
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

    // MARK: Working

    private func start(_ download: UInt64, _ state: inout State) {
        guard let identity = state.machine.identity(of: download) else { return }
        // Detached, as of several callers none is in charge.
        state.tasks[download] = Task.detached { await self.run(download, identity) }
    }

    private func run(_ download: UInt64, _ identity: ImageDownloadMachine.Identity) async {
        var source: Result<DecodedImage, SockeyeError>?
        while let group = nextGroup(of: download) {
            // Another download may have put it there while this one waited for its turn.
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

    /// The group that is next; where there is none, the download has ended and another one takes its turn.
    private func nextGroup(of download: UInt64) -> ImageDownloadMachine.Group? {
        state.withLock { state in
            if let group = state.machine.nextGroup(of: download) { return group }
            state.tasks[download] = nil
            if let next = state.machine.end(download) { start(next, &state) }
            return nil
        }
    }

    /// Gives receipts what they wait for.
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

    // MARK: The cache

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
