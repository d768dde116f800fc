public import HTTPTypes
public import SockeyeEngine
import SockeyeHTTP
public import SockeyeSerialization
import Synchronization

extension OutgoingRequest {
    /// The request as a command of curl(1), as a client would send it: with the defaults of its scope and configuration.
    ///
    /// The request is prepared as if it were sent: base URL, fields, compression, cookies, credentials, interceptors of your own.
    /// So a policy that has no token yet asks for one. Nothing is sent to the server of the request; interceptors see a
    /// failure with ``SockeyeError/Code-swift.struct/cancelled``. Redirects, retries, caches and monitors stay out of it.
    ///
    /// - Parameters:
    ///   - client: The client that would send it.
    ///   - showingSecrets: Whether credentials are shown. Default false.
    ///   - limit: See ``curlCommand(showingSecrets:inlining:)``.
    /// - Throws: What preparing the call throws; ``SockeyeError/Code-swift.struct/invalidRequest`` where an interceptor answers in
    ///   the place of the server.
    public func curlCommand(
        as client: HTTPClient, showingSecrets: Bool = false, inlining limit: Int = 16 << 10
    ) async throws(SockeyeError) -> OutgoingRequest.CurlCommand {
        let scope = try client.scope.serving(url)
        var prepared = try await scope.prepared(self)
        let decodes = prepared.addDefaults(of: scope.sockets?.configuration)
        return CurlComposer(prepared, showsSecrets: showingSecrets, limit: limit, decodes: decodes).command
    }
}

extension HTTPClient {
    /// A call as a command of curl(1). See ``OutgoingRequest/curlCommand(as:showingSecrets:inlining:)``.
    ///
    /// ```swift
    /// print(try await api.curlCommand(.post, "items", .json(item)))
    /// ```
    public func curlCommand(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(), showingSecrets: Bool = false,
        inlining limit: Int = 16 << 10
    ) async throws(SockeyeError) -> OutgoingRequest.CurlCommand {
        let request = try makeRequest(method, url, content, query: query, headers: headers, options: options)
        return try await request.curlCommand(as: self, showingSecrets: showingSecrets, inlining: limit)
    }
}

extension ClientScope {
    /// The request as it comes out of the interceptors.
    fileprivate func prepared(_ request: OutgoingRequest) async throws(SockeyeError) -> OutgoingRequest {
        let request = try OutgoingRequest.Compression.applied(to: completing(request))
        let options = request.options
        let interceptors = settings.interceptors.without(options.skippedStages).adding(options.interceptors)
            .without([.redirects, .retries, .cache])
        let end = RecordingTransport()
        let chain = InterceptorChain(
            interceptors, to: end, monitors: [], clock: settings.clock, background: settings.background)
        do throws(SockeyeError) {
            _ = try await chain.send(request)
        } catch {
            guard let recorded = end.recorded else { throw error }
            return recorded
        }
        guard let recorded = end.recorded else {
            throw SockeyeError(
                .init(
                    .invalidRequest, phase: .prepare, blame: .caller,
                    message: "an interceptor answers the request, which is not sent")
            ).about(RequestIdentity(method: request.method.rawValue, url: request.url))
        }
        return recorded
    }
}

extension OutgoingRequest {
    /// Adds the fields that a transport over sockets does. Returns whether it would undo codings of the answer.
    fileprivate mutating func addDefaults(of configuration: EngineConfiguration?) -> Bool {
        guard let configuration else { return false }
        let decodes = parts.undoesCodings(byDefault: configuration.decompresses)
        var defaults = Headers()
        if let userAgent = configuration.userAgent { defaults.append(.userAgent, userAgent) }
        defaults.append(.accept, "*/*")
        if decodes { defaults.append(.acceptEncoding, ContentCoding.accepted) }
        headers = headers.merging(defaults)
        return decodes
    }
}

/// A transport that keeps the last request and sends nothing.
private final class RecordingTransport: HTTPTransport {
    private let last = Mutex<OutgoingRequest?>(nil)

    var recorded: OutgoingRequest? { last.withLock(\.self) }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        last.withLock { $0 = request }
        throw SockeyeError(
            .init(.cancelled, phase: .prepare, blame: .caller, message: "the request was made to be looked at"))
    }
}
