#if Images
import Sockeye
public import SockeyeEngine
import SockeyeHTTP

extension ImageDownloader {
    /// The right to one image: its own result, and its own end. The counterpart of `AFImageDownloadReceipt`.
    ///
    /// Nobody has to hold on to it: the download goes on without.
    public final class Receipt: Sendable {
        /// Different for each receipt of the process (`receiptID`).
        public let id: UInt64
        private let downloader: ImageDownloader
        let promise = TransferPromise<Image>()

        init(_ id: UInt64, _ downloader: ImageDownloader) {
            self.id = id
            self.downloader = downloader
        }

        /// The image, as soon as it is there.
        ///
        /// - Throws: Why there is none: what the client throws, ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an
        ///   ``ImageError`` or what the filter threw as its cause, or ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``. When it
        ///   is the waiting that is cancelled, that throws the same, and the download goes on.
        public var value: Image {
            get async throws(SockeyeError) { try await promise.value() }
        }

        /// What has come of it; nil as long as nothing has.
        public var result: Result<Image, SockeyeError>? { promise.result }

        /// Ends this receipt with ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` unless it has ended already, and its download
        /// if nobody else waits for that (`cancelTaskForImageDownloadReceipt:`).
        public func cancel() { downloader.cancel(self) }
    }

    /// An image, and where it came from.
    public struct Image: Sendable {
        /// Where an image came from.
        @nonexhaustive public enum Source: String, Sendable, Hashable {
            /// ``ImageDownloader/Options/cache``.
            case imageCache
            /// What the client's ``/Sockeye/CachePolicy`` had stored, be it that the server confirmed it.
            case httpCache
            /// The server.
            case network
        }

        /// The image, filtered.
        public let raster: Raster
        /// The response that it came in, whose content has been read; nil of one from the image cache.
        public let response: IncomingResponse?

        /// Where it came from.
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
