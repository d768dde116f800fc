import Foundation
import HTTPTypes
import Sockeye
import SockeyeArchiving
import SockeyeFoundation
import SockeyePropertyLists

@testable import SockeyeCache
@testable import SockeyeDiagnostics

#if DiskCache
import SockeyeDiskCache
#endif
#if Images
import SockeyeImages
#endif
#if Observability || Service
import SockeyeObservability
#endif
#if XML
@testable import SockeyeTransfers
import SockeyeTransfers
import SockeyeXML
#endif

// The listing of AFNetworking.md, and every code span of the second columns of its tables: compiled, not run.

private struct Fish: Codable, Sendable {
    var id: Int
    var name: String
    var caughtAt: String
}

private struct FishAPI: Sendable {
    private let client: HTTPClient
    private let decoder = JSONDecoder()

    // initWithBaseURL:sessionConfiguration:, with both serializers and the security policy
    init(baseURL: String, pinnedCertificates folder: String, token: String) throws {
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var configuration = HTTPClient.Configuration()
        configuration.timeouts.stall = .seconds(30)
        configuration.tls = .securityPolicy(pinning: try .publicKey(folder: folder))
        client = HTTPClient(configuration: configuration)
            .scoped(
                baseURL: baseURL, headers: .defaults(product: "Fishing", version: "1.2"),
                requestSerializer: .form(.afNetworking), decoder: .json(decoder)
            )
            .adding(.bearer(token))
            .adding(.cookies())
    }

    // GET:parameters:headers:progress:success:failure:
    func fish(in river: String, largerThan size: Int?) async throws(SockeyeError) -> [Fish] {
        try await client.get("fish", query: ["river": river, "min_size": size], as: [Fish].self)
    }

    // The same with a completion handler, for callers that are not asynchronous yet
    @discardableResult
    func fish(
        in river: String, completion: @escaping @Sendable (Result<[Fish], SockeyeError>) -> Void
    ) -> Task<Void, Never> {
        Task {
            do throws(SockeyeError) {
                completion(.success(try await fish(in: river, largerThan: nil)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    // POST:parameters:headers:constructingBodyWithBlock:progress:success:failure:
    func add(_ photo: String, of fish: Fish, progress: (TransferProgress) -> Void) async throws -> Fish {
        let form = HTTPClient.Content.multipart { form in
            try form.parameters(["name": fish.name, "caught_at": fish.caughtAt])
            try form.file("photo", at: photo)
        }
        let task: TransferTask<Fish> = try client.uploadTask(
            .post, "fish/\(fish.id)/photos", form, as: .json(decoder: decoder))
        for await update in task.progress { progress(update) }
        return try await task.value
    }

    // downloadTaskWithRequest:progress:destination:completionHandler:
    func downloadMap(of river: String, to folder: String) throws -> DownloadTask {
        try client.download("maps/\(river)", to: .folder(folder))
    }
}

private struct AFNetworkingArticle {
    enum TagKey: OutgoingRequest.ContextKey { typealias Value = Int }

    let client: HTTPClient
    let path: String
    let name: String

    func sessions(
        _ api: HTTPClient, url: String, method: HTTPRequest.Method, content: HTTPClient.Content,
        request: OutgoingRequest, fields: Headers
    ) async throws {
        _ = try await api.get(path)
        _ = try await api.head(path)
        try await api.post(path, content)
        try await api.put(path, content)
        try await api.patch(path, content)
        try await api.delete(path)
        _ = try await client.send(request)
        _ = try await api.request(method, path, content)
        _ = client.scoped(baseURL: url)
        _ = client.scoped(headers: fields)
        _ = try await api.get(path, headers: fields)
    }

    func managers(
        _ task: TransferTask<Fish>, configuration: inout HTTPClient.Configuration, encoder: JSONEncoder
    ) async throws {
        _ = try encoder.encode(configuration)
        let options = OutgoingRequest.Options()
        print(options.context[TagKey.self] ?? 0, task.context[TagKey.self] ?? 0)
        print(task.request, task.response as Any, task.error as Any, try await task.value)
        do { _ = try await client.get(path, as: Fish.self) } catch { print(error.response?.body ?? Bytes()) }
        print(client.transfers.all(), client.transfers.all(.upload), client.transfers.all(.download))
        await client.transfers.invalidate(cancelling: true)
        await client.shutDown()
        await client.pool?.reset(only: client)
        configuration.pool.connectionsPerOrigin = 4
    }

    struct NoParameters: RequestSerializer {
        func serialize(_ parameters: RequestParameters, into request: OutgoingRequest) -> OutgoingRequest { request }
    }

    func requestSerializers(
        value: Fish, encoder: JSONEncoder, settings: inout ParameterSerializer.Options
    ) async throws {
        _ = client.scoped(requestSerializer: NoParameters())
        _ = client.scoped(requestSerializer: .form(.afNetworking))
        settings.placement = .uri(for: [.get, .head])
        let style: RequestParameters.Style = RequestParameters.Style.custom { "\($0.count)" }
        _ = client.scoped(requestSerializer: .form(style))
        _ = client.scoped(requestSerializer: .form(charset: .isoLatin1))
        try await client.post(path, .json(value, encoder: encoder))
        print(JSONValue.WritingOptions())
        _ = client.scoped(requestSerializer: .propertyList)
    }

    func fieldsAndOptions(version: String, password: String, token: String, limit: Duration) async throws {
        _ = client.scoped(headers: Headers.defaults(product: name, version: version))
        let options: OutgoingRequest.Options = .timeout(stall: limit).skipping(.cookies)
        _ = try await client.get(path, options: options)
        _ = client.adding(.basic(user: name, password: password))
        _ = client.adding(.bearer(token))
        _ = client.removing(.authentication)
    }

    func forms(
        _ form: inout MultipartForm, filename: String, type: String, chunks: AsyncStream<[UInt8]>, count: Int,
        stream: sending InputStream, bytes: [UInt8], value: Int
    ) throws {
        try form.file(name, at: path, filename: filename, contentType: type)
        form.stream(name, chunks, length: count)
        form.inputStream(name, stream, length: count)
        form.data(name, bytes, filename: filename)
        form.field(name, value)
    }

    func parts(
        _ form: inout MultipartForm, fields: Headers, body: OutgoingRequest.Body, parameters: RequestParameters,
        size: Int, pause: Duration
    ) async throws {
        form.part(headers: fields, body)
        try form.parameters(parameters)
        form.throttle(packetSize: size, delay: pause)
        _ = body.throttled(packetSize: size, delay: pause)
        _ = try await form.body().write(toFile: path)
    }

    struct Nothing: ResponseSerializer {
        func value(of response: IncomingResponse) async throws { print(IncomingResponse.Validation()) }
    }

    func responses(_ value: JSONValue, statuses: StatusCodeSet, types: [String]) async throws {
        try await client.get(path, as: Nothing())
        _ = try await client.get(path, as: .json(Fish.self).accepting(statusCodes: statuses, contentTypes: types))
        _ = try await client.get(path, as: .json(Fish.self))
        _ = try await client.get(path, as: .json(options: JSONValue.ReadingOptions()))
        _ = try await client.get(path, as: .json(removingNulls: true))
        _ = value.removingNulls()
        _ = try await client.get(path, as: .propertyList(Fish.self))
        _ = try await client.get(path, as: .compound(.json(Fish.self), .propertyList(Fish.self)))
        _ = try await client.get(path, as: .text)
        #if XML
        _ = try await client.get(path, as: .xmlEvents)
        _ = try await client.get(path, as: .xml)
        #endif
        #if Images
        _ = try await client.get(path, as: .image)
        _ = try await client.get(path, as: .imageInfo)
        _ = try await client.get(path, as: .raster)
        #endif
    }

    func errors(_ error: SockeyeError) {
        let response: SockeyeError.Evidence? = error.response
        print(response as Any, error.underlying as Any)
    }

    func bodies(
        _ bytes: [UInt8], stream: sending InputStream, chunks: AsyncStream<[UInt8]>, count: Int,
        sink: some IncomingResponse.Body.Sink
    ) async throws {
        try await client.post(path, .bytes(bytes))
        try await client.post(path, .file(path))
        try await client.post(path, .inputStream(stream))
        try await client.post(path, .body(.stream(length: count) { chunks }))
        let response = try await client.get(path)
        for try await chunk in response.body { print(chunk.count) }
        try await client.get(path).body.write(to: sink)
        try await response.body.write(to: sink)
        let asked: IncomingResponse.Disposition = .allow
        let deciding = IncomingResponse.DecidingSerializer(.json(Fish.self)) { $0.status == .ok ? asked : .cancel }
        _ = try await client.get(path, as: deciding)
    }

    func tasks(
        _ task: TransferTask<DownloadedFile>, url: String, destination: DownloadDestination, data: ResumeData
    ) async throws {
        _ = try client.download(url, to: destination)
        _ = await task.cancelProducingResumeData()
        _ = try client.download(resuming: data, to: destination)
        await task.pause()
        await task.resume()
        print(task.uploadProgress, task.downloadProgress, task.progress, await task.state == .paused)
        await task.cancel()
        _ = try await client.get(url, options: .reportingProgress { print($0) })
        _ = try client.download(url, to: destination, options: .priority(.high).after(task))
        print(task.metrics.map { (metrics: CallMetrics) in metrics.duration } ?? .zero)
    }

    func batches(_ requests: [OutgoingRequest], configuration: inout HTTPClient.Configuration) async throws {
        configuration.runningTasks = 4
        let batch: RequestBatch = client.batch(requests, atMost: 4, as: .text)
        print(await batch.results().count)
    }

    func trust(
        _ tls: inout TLSOptions, pins: TLSOptions.Pinning, folder: String, identity: TLSOptions.Identity
    ) throws {
        tls = TLSOptions.securityPolicy(pinning: pins)
        tls.pinning = try .publicKey(folder: folder)
        tls.pinning = try .certificate(folder: folder)
        tls.roots = .file(path)
        tls.roots = .directory(folder)
        tls.allowInvalidCertificates = false
        tls.validatesDomainName = true
        tls.identity = identity
    }

    func policies(storage: Credential.Storage, options: inout OutgoingRequest.Options, bytes: Int) {
        _ = client.adding(.challengeHandler { _ in .cancel })
        _ = client.adding(.credentials(storage))
        _ = client.adding(.cookies(CookiePolicy.Jar()))
        options.handlesCookies = false
        let _: RedirectPolicy = .redirects(.following { redirect in .follow(redirect.request) })
        _ = client.adding(.cache(CachePolicy.MemoryStore(limit: bytes)))
        var policy = CachePolicy(CachePolicy.MemoryStore(limit: bytes))
        policy.mode = CachePolicy.Mode.returnCacheElseLoad
        policy.willCache = { response, _ in response }
    }

    struct Watch: EventMonitor {
        func handle(_ event: ClientEvent) {
            switch event {
            case .fileMoved, .downloadResumed, .taskResumed, .taskPaused, .taskEnded: print(event)
            case .bodySent, .callReturned: print(event)
            default: break
            }
        }
    }

    func watching(host: String) -> [any Sendable] {
        let client = client.monitored(by: Watch()).monitored(by: NetworkActivity())
        let reachability: NetworkReachability = NetworkReachability.shared
        return [client.monitored(.callReturned) { print($0) }, reachability, NetworkReachability(host: host)]
    }

    #if Observability || Service
    func logs() -> HTTPClient { client.adding(.logging()) }
    #endif

    #if DiskCache
    func disk(folder: String, bytes: Int) throws -> CachePolicy {
        CachePolicy(try DiskCacheStore(at: folder, limit: bytes))
    }
    #endif

    #if Images
    func images() async throws {
        let images = ImageDownloader(client: client)
        print(try await images.image(path), MemoryImageCache())
    }
    #endif
}
