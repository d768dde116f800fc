import Foundation
import HTTPTypes
import Sockeye
import SockeyeTesting

#if Observability || Service
import SockeyeObservability
#endif
#if Service
import Configuration
import SockeyeService
import SockeyeTransfers
#endif

// Every code span of the second columns in MigrationFromAsyncHTTPClient.md: compiled, not run. The listings of that
// article are in Examples/Sources/MirrorExample and MirrorExampleBefore.

private struct MigrationFromAsyncHTTPClientArticle {
    struct User: Codable, Sendable { var name: String }

    let client: HTTPClient
    let url: String
    let path: String
    let limit: Duration

    func clients(_ configuration: HTTPClient.Configuration) async {
        _ = HTTPClient()
        _ = HTTPClient.shared
        _ = HTTPClient(configuration: configuration)
        await client.shutDown()
        print(client.pool?.executor as Any)
    }

    func calls(
        _ request: OutgoingRequest, method: HTTPRequest.Method, content: HTTPClient.Content, socket: String
    ) async throws {
        _ = try await client.send(request)
        _ = try await client.get(url, options: .timeout(total: limit))
        try await client.post(url, content)
        try await client.put(url, content)
        try await client.patch(url, content)
        try await client.delete(url)
        _ = try await client.request(method, url, content)
        _ = client.scoped(unixSocketPath: socket)
        var options = OutgoingRequest.Options()
        options.unixSocketPath = socket
        _ = try await client.get(url, as: User.self)
        let task = Task { try await client.get(url) }
        task.cancel()
        _ = try await task.value
    }

    func requests(_ text: String, limit: Int, value: String, fields: Headers) async throws {
        var request = try OutgoingRequest(method: .post, url: text, headers: fields, body: "content")
        request.url = try HTTPURL(text)
        request.method = .put
        request.headers.append("X-Tag", value)
        request.headers["X-Tag"] = value
        request.headers.removeAll(named: "X-Tag")
        print(request.headers["X-Tag"] as Any, request.headers[values: "X-Tag"], request.headers.contains("X-Tag"))
        request.body = .none
        request.options.tls = TLSOptions(verification: .chainOnly)
        print(request.url.scheme, request.url.host, request.url.port, request.url.scheme == .https)
        _ = try await request.collectBody(upTo: limit)
        print(request.body.length as Any)
    }

    func credentials(name: String, password: String, token: String, value: String) {
        _ = client.adding(.basic(user: name, password: password))
        _ = client.adding(.bearer(token))
        _ = client.adding(.setting(.authorization, to: value))
    }

    func contents(
        _ bytes: [UInt8], text: String, chunks: AsyncStream<[UInt8]>, octets: AsyncStream<UInt8>, count: Int,
        data: Data, fields: Headers
    ) async throws {
        let chunk = bytes
        let contents: [HTTPClient.Content] = [
            .bytes(bytes), .bytes(data), .text(text), .file(path), .stream(chunks, length: count), .stream(chunks),
            .stream(octets),
            .writer(length: count) { writer in try await writer.write(chunk) },
        ]
        for content in contents { try await client.post(url, content) }
        let body = OutgoingRequest.Body.bytes(bytes).trailers { fields }
        try await client.post(url, .body(body))
    }

    func responses(limit: Int) async throws {
        let response = try await client.get(url)
        print(response.status, response.headers, response.url, response.minorVersion, response.reason)
        for exchange in response.history { print(exchange.url, exchange.status as Any, exchange.headers as Any) }
        for try await chunk in response.body { print(chunk.count) }
        _ = try await response.body.collect(upTo: limit)
        print(response.trailers as Any, response.url.host)
        _ = try await response.bytes(upTo: limit)
        _ = try await response.json(User.self)
        try await response.body.write { chunk in print(chunk.count) }
        _ = try await client.get(url, options: .limit(body: limit))
    }

    func madeResponses(_ content: Bytes, fields: Headers, url: HTTPURL, chunks: AsyncStream<[UInt8]>) {
        _ = IncomingResponse(status: .ok, headers: fields, body: content, url: url)
        _ = IncomingResponse.Body(content)
        let mock = MockTransport { _ in .stream(chunks) }
        _ = HTTPClient(transport: mock)
    }

    struct Words: ResponseSerializer {
        func value(of response: IncomingResponse) async throws -> Int {
            try await response.text().split(separator: " ").count
        }
    }

    struct Watch: EventMonitor {
        func handle(_ event: ClientEvent) { print(event) }
    }

    func delegates() async throws {
        _ = client.monitored(by: Watch())
        _ = client.monitored(.requestSent) { print($0) }
        _ = client.monitored(.bodySent) { print($0) }
        _ = client.monitored(.headReceived) { print($0) }
        _ = client.monitored(.callContinued) { print($0) }
        _ = client.monitored(.exchangeConnected) { print($0) }
        let serializer = Words()
        do {
            print(try await client.get(url, as: serializer))
        } catch { print(error) }
    }

    func downloads() async throws {
        let task = try client.download(url, to: .file(path))
        for await progress in task.progress { print(progress.total as Any, progress.completed) }
        print(task.response?.headers as Any, task.response?.history as Any, task.response?.url as Any)
        _ = try await task.value
        await task.cancel()
    }

    func cookies(line: String, url: HTTPURL, domain: String) async throws {
        let jar = CookiePolicy.Jar()
        _ = client.adding(.cookies(jar))
        try jar.set(line, from: url)
        for cookie in jar.cookies(for: url) {
            print(cookie.name, cookie.value, cookie.path, cookie.domain, cookie.isHTTPOnly, cookie.isSecure)
            print(cookie.expiration as Any)
        }
        _ = try ClientCookie(name: "a", value: "b", domain: domain)
    }

    func configuration(host: String, address: EndpointAddress, ca: String, bytes: Int, ratio: Int, count: Int) {
        var configuration = HTTPClient.Configuration()
        configuration.tls = TLSOptions(roots: .systemAnd(.file(ca)))
        configuration.tls.identity = .pem("chain.pem", "key.pem")
        configuration.tls.verification = .none
        configuration.tls.verification = .chainOnly
        configuration.tls.minimumVersion = .v1_3
        configuration.tlsOverrides[host] = TLSOptions(roots: .file(ca))
        configuration.hostOverrides[host] = [address]
        configuration.addressOrder = .shuffled
        configuration.addressOrder = .asResolved
        configuration.timeouts.connect = limit
        configuration.timeouts.head = limit
        configuration.timeouts.stall = limit
        configuration.timeouts.pool = limit
        configuration.pool.idleTimeout = limit
        configuration.pool.connectionsPerOrigin = count
        configuration.pool.maximumUses = count
        configuration.decompresses = false
        configuration.limits.decodedBytes = bytes
        configuration.limits.decodedRatio = ratio
        configuration.tolerances = [.missingCloseNotify]
        configuration.socket.multipath = true
        configuration.socket.localAddress = address
        configuration.pollerThreads = 1
    }

    func policies(url: String, count: Int) async throws {
        _ = client.adding(.redirects(.manual))
        _ = client.adding(.redirects(.following(atMost: 5)))
        var policy = RedirectPolicy.following
        policy.maximumCount = 5
        policy.decide = { redirect in .follow(redirect.request) }
        _ = client.adding(.retry(max: 3))
        _ = client.adding(.waitingForNetwork())
        try await client.pool?.prewarm(url, count: count, as: client)
    }

    func proxies(url: String, credential: Credential, fields: Headers) throws {
        var configuration = HTTPClient.Configuration()
        configuration.proxy = .http("http://proxy.example:3128")
        configuration.proxy = .socks5("socks5://proxy.example:1080")
        configuration.proxy = .environment
        let proxy = try Proxy(url, authentication: .credential(credential), connectHeaders: { _ in fields })
        configuration.proxy = .through(proxy)
        print(proxy.host, proxy.port, Set([proxy]).count)
    }

    func errors(_ error: SockeyeError) -> Bool {
        print("\(error)", error.message, error.underlying as Any, error.limit as Any)
        return switch error.code {
        case .invalidURL, .invalidRequest, .bodyLengthMismatch, .bodyFailed, .timeout, .cancelled: true
        case .shutDown, .tooManyWaiting, .connectFailed, .proxyFailed, .tlsFailed, .connectionClosed: true
        case .malformedResponse, .limitExceeded, .badContentCoding, .redirectLoop, .badConfiguration: true
        default:
            switch error.phase {
            case .pool, .connect, .tls, .send, .head, .body: true
            default: false
            }
        }
    }

    func proxyErrors(_ error: SockeyeError) -> Bool {
        error.response?.status == .proxyAuthenticationRequired || error.proxyFailure?.step == .tunnel
    }

    #if Observability || Service
    func observed() {
        _ = client.adding(.logging())
        _ = client.adding(.tracing())
    }
    #endif

    #if Service
    func settings(_ reader: ConfigReader) throws {
        _ = try HTTPClient(config: reader)
        _ = try ClientConfiguration(config: reader)
    }
    #endif
}
