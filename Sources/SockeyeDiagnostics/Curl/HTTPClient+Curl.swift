public import HTTPTypes
import Sockeye
public import SockeyeEngine
import SockeyeHTTP
public import SockeyeSerialization
import Synchronization

extension OutgoingRequest {
    /// Returns the request as a curl(1) command, with the defaults of the client's configuration and scope (see
    /// `scoped` of ``/Sockeye/HTTPClient``).
    ///
    /// The request is prepared as if it were sent: base URL, fields, compression, cookies, credentials, and your
    /// interceptors. An authentication policy without a token fetches one. Nothing is sent to the server of the
    /// request; interceptors see a failure with ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``. Redirects,
    /// retries, caches and monitors are not involved.
    ///
    /// - Parameters:
    ///   - client: The client that would send the request.
    ///   - showingSecrets: True to show credentials. Default: false.
    ///   - limit: See ``curlCommand(showingSecrets:inlining:)``.
    /// - Throws: The errors of preparing the call, and ``/Sockeye/SockeyeError/Code-swift.struct/invalidRequest`` if an
    ///   interceptor answers the request itself.
    public func curlCommand(
        as client: HTTPClient, showingSecrets: Bool = false, inlining limit: Int = 16 << 10
    ) async throws(SockeyeError) -> OutgoingRequest.CurlCommand {
        let scope = try client.scope.serving(url)
        var prepared = try await scope.requestAfterInterceptors(self)
        let decodes = prepared.addDefaults(of: scope.sockets?.configuration)
        return CurlComposer(prepared, showsSecrets: showingSecrets, limit: limit, decodes: decodes).command
    }
}

extension HTTPClient {
    /// Returns a call as a curl(1) command. See ``OutgoingRequest/curlCommand(as:showingSecrets:inlining:)``.
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
    /// Returns the request as it leaves the interceptors.
    fileprivate func requestAfterInterceptors(_ request: OutgoingRequest) async throws(SockeyeError) -> OutgoingRequest
    {
        let request = try OutgoingRequest.Compression.applied(to: completing(request))
        let options = request.options
        let interceptors = settings.interceptors.without(options.skippedStages).adding(options.interceptors)
            .without([.redirects, .retries, .cache])
        let end = RecordingTransport(for: sockets)
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
                    message: "an interceptor answered the request, so there is no request to show")
            ).about(RequestIdentity(method: request.method.rawValue, url: request.url))
        }
        return recorded
    }
}

extension OutgoingRequest {
    /// Adds the default fields of a transport over sockets. Returns true if the transport would decode the response.
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

/// A transport that records the last request and sends nothing.
private final class RecordingTransport: HTTPTransport {
    /// The transport that would send the request. The authentication and cookie policies read its settings for proxies
    /// and for addresses of hosts, to find out whether a request to `localhost` would stay on this machine.
    let sockets: SocketTransport?
    private let last = Mutex<OutgoingRequest?>(nil)

    init(for sockets: SocketTransport?) {
        self.sockets = sockets
    }

    var recorded: OutgoingRequest? { last.withLock(\.self) }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        last.withLock { $0 = request }
        throw SockeyeError(
            .init(
                .cancelled, phase: .prepare, blame: .caller,
                message: "the request was prepared for a curl command and not sent"))
    }
}
