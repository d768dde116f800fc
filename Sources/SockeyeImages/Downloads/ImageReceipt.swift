#if Images
import Sockeye
public import SockeyeEngine
import SockeyeHTTP

extension ImageDownloader {
    /// A receipt for one requested image, with its own result and cancellation. The counterpart of AFNetworking's
    /// `AFImageDownloadReceipt`.
    ///
    /// It need not be kept: the download continues without references to it.
    public final class Receipt: Sendable {
        /// The id, unique in this process. AFNetworking's counterpart is `receiptID`.
        public let id: UInt64
        private let downloader: ImageDownloader
        let promise = TransferPromise<Image>()

        init(_ id: UInt64, _ downloader: ImageDownloader) {
            self.id = id
            self.downloader = downloader
        }

        /// The image, when it is available.
        ///
        /// - Throws: The client's error, or one of these:
        ///   - ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` if decoding or the filter fails; the cause is
        ///     an ``ImageError`` or the filter's own error.
        ///   - ``/Sockeye/SockeyeError/Code-swift.struct/timeout`` after ``ImageDownloader/Options/timeout``.
        ///   - ``/Sockeye/SockeyeError/Code-swift.struct/tooManyWaiting`` if
        ///     ``ImageDownloader/Options/maximumWaitingDownloads`` downloads were already waiting.
        ///   - ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` after ``cancel()``, or if the task that awaits
        ///     this property is cancelled. Cancelling that task does not end the download.
        public var value: Image {
            get async throws(SockeyeError) { try await promise.value() }
        }

        /// The result; nil before the receipt has ended.
        public var result: Result<Image, SockeyeError>? { promise.result }

        /// Ends this receipt with ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` unless it has already ended. If
        /// no other receipt shares its download, the download is cancelled. AFNetworking's counterpart is
        /// `cancelTaskForImageDownloadReceipt:`.
        public func cancel() { downloader.cancel(self) }
    }

    /// An image and its source.
    public struct Image: Sendable {
        /// The source of an image.
        @nonexhaustive public enum Source: String, Sendable, Hashable {
            /// ``ImageDownloader/Options/cache``.
            case imageCache
            /// The client's HTTP cache (``/SockeyeCache/CachePolicy``), also if the server revalidated the response.
            case httpCache
            /// The server.
            case network
        }

        /// The decoded image, with the requested filter applied.
        public let raster: Raster
        /// The response that contained the image; its content has already been read. Nil if the image is from the image
        /// cache.
        public let response: IncomingResponse?

        /// The source of the image.
        public var source: Source {
            guard let response else { return .imageCache }
            return switch response.cacheOutcome?.kind {
            case .hit, .staleHit, .revalidated: .httpCache
            case .joined, .miss, .bypass, nil: .network
            }
        }
    }
}
#endif
