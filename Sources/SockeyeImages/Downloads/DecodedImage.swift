#if Images
import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// A downloaded and decoded image before any filter, with its response.
struct DecodedImage: Sendable {
    let raster: Raster
    let response: IncomingResponse
    private let bytes: Bytes

    /// The threads for decoding and filtering. Decoding or filtering an image may take a second, which is too long for
    /// the cooperative thread pool. Work in the queue belongs to active downloads, so the limit of active downloads
    /// bounds the queue.
    private static let threads = ThreadPool(
        name: "sockeye-image", threads: 4, queueLimit: 1 << 20, idleTime: .seconds(10))

    /// A serializer that returns the undecoded body and the response; ``fetch(_:by:)`` decodes the body on ``threads``.
    private struct Collecting: ResponseSerializer {
        let base: BodySerializer<Raster>

        var accept: String? { base.accept }

        func value(of response: IncomingResponse) async throws(SockeyeError) -> (Bytes, IncomingResponse) {
            (try await base.handling.body(of: response), response)
        }
    }

    /// An interceptor that runs after the HTTP cache and fails each request that the cache does not answer.
    private struct NothingLoaded: Interceptor {
        var stage: Call.Stage { .attempt }

        func intercept(_ request: OutgoingRequest, in call: Call) throws(SockeyeError) -> IncomingResponse {
            throw .imageNotCached.about(request.url)
        }
    }

    /// Sends the request and decodes the image of its response.
    static func fetch(
        _ identity: ImageDownloadMachine.Identity, by downloader: ImageDownloader
    ) async -> Result<DecodedImage, SockeyeError> {
        let serializer = downloader.options.serializer
        var request = OutgoingRequest(url: identity.url, headers: identity.headers)
        if let mode = identity.cacheMode { request.options.cacheMode = mode }
        if identity.cacheMode == .returnCacheDontLoad { request.options.interceptors = [NothingLoaded()] }
        do throws(SockeyeError) {
            let (bytes, response) = try await downloader.client.send(request, as: Collecting(base: serializer))
            return await work(on: bytes, of: response) {
                try serializer.format.value(fromProcessed: bytes, serializer.handling, of: response)
            }.map { DecodedImage(raster: $0, response: response, bytes: bytes) }
        } catch {
            return .failure(error)
        }
    }

    func applying(_ filter: ImageFilter?) async -> Result<Raster, SockeyeError> {
        guard let filter else { return .success(raster) }
        return await Self.work(on: bytes, of: response) { try filter.applied(to: raster) }
    }

    /// Runs work on one of the threads. An error that is not a `SockeyeError` becomes a decoding failure of the
    /// response.
    ///
    /// Work that has begun is awaited even after all callers of its download have cancelled. The work still takes
    /// memory, so the download counts as active until the work ends.
    private static func work(
        on bytes: Bytes, of response: IncomingResponse, _ body: @escaping @Sendable () throws -> Raster
    ) async -> Result<Raster, SockeyeError> {
        let result: Result<Raster, any Error>
        do throws(ThreadPoolRejection) {
            result = try await threads.run(isAbandoned: false) { Result(catching: body) }
        } catch .cancelled {
            return .failure(SockeyeError.imageCancelled.about(response.request))
        } catch {
            // The pool has no thread for the work. Blocking the current thread is better than failing.
            result = Result(catching: body)
        }
        return result.mapError { error in
            (error as? SockeyeError)?.about(response.request) ?? response.decodingFailure(error, body: bytes)
        }
    }
}

extension SockeyeError {
    static var imageCancelled: SockeyeError {
        SockeyeError(.init(.cancelled, phase: .prepare, blame: .caller, message: "the image request was cancelled"))
    }

    static var imageNotCached: SockeyeError {
        SockeyeError(
            .init(
                .unacceptableStatus, phase: .head, blame: .policy,
                message: "the image is not cached, and the cache mode forbids a request"))
    }

    static func imageTimeout(_ configured: Duration, isWaiting: Bool) -> SockeyeError {
        var fields = Fields(
            .timeout, phase: isWaiting ? .pool : .body, blame: isWaiting ? .policy : .peer,
            message: isWaiting ? "the image download did not start in time" : "the image was not downloaded in time")
        fields.limit = Limit("ImageDownloader.Options.timeout", configured: configured)
        return SockeyeError(fields)
    }

    static func tooManyImagesWait(limit: Int, _ url: HTTPURL) -> SockeyeError {
        var fields = Fields(
            .tooManyWaiting, phase: .pool, blame: .policy, message: "\(limit) image downloads are already waiting")
        fields.limit = Limit("maximumWaitingDownloads", configured: limit, seen: limit + 1)
        return SockeyeError(fields).about(url)
    }

    func about(_ url: HTTPURL?) -> SockeyeError {
        about(url.map { RequestIdentity(method: "GET", url: $0.removingUserInfo) })
    }
}
#endif
