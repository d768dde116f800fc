import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// Performs the opening handshake of each attempt of a call.
///
/// Every request gets its own key, and each response with the status 101 is checked before outer interceptors see it.
final class HandshakeInterceptor: Interceptor {
    private let options: WebSocketConnection.Options
    private let accept: @Sendable (String) -> String?
    private let agreed = Mutex<OpeningHandshake.Agreement?>(nil)

    /// - Parameter accept: Computes the value of Sec-WebSocket-Accept for a key; nil if it cannot.
    init(
        _ options: WebSocketConnection.Options,
        accept: @escaping @Sendable (String) -> String? = { OpeningHandshake.accept(for: $0) }
    ) {
        self.options = options
        self.accept = accept
    }

    var stage: Call.Stage { .attempt }

    /// The agreement (subprotocol and compression) in the last valid response; nil before the first one.
    var agreement: OpeningHandshake.Agreement? { agreed.withLock { $0 } }

    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        // Some services take an access token as a subprotocol, so another origin must not get the caller's
        // subprotocols.
        guard !request.options.leftOrigin || !offersSubprotocols(request) else {
            throw SockeyeError(
                .init(
                    .redirectRefused, phase: .prepare, blame: .policy,
                    message: "the redirect leads to another origin, which must not get the subprotocols of the "
                        + "caller; open the WebSocket at \(request.url.masked) if you trust that origin"))
        }
        let handshake = OpeningHandshake(
            subprotocols: options.subprotocols, compression: options.compression?.wanted, accept: accept)
        guard handshake.expectedAccept != nil else {
            throw SockeyeError(
                .init(
                    .outOfResources, phase: .prepare, blame: .network,
                    message: "OpenSSL could not compute SHA-1, which the opening handshake of a WebSocket needs "
                        + "(RFC 6455 4.1)"))
        }
        var request = request
        for (name, value) in handshake.fields { request.headers[name] = value }
        let response = try await call.proceed(request)
        guard response.status == .switchingProtocols else { return Self.replacingSchemes(ofRedirect: response) }
        do throws(OpeningHandshake.Fault) {
            let agreement = try handshake.agreement(
                accept: response.values(of: "Sec-WebSocket-Accept"),
                subprotocol: response.values(of: "Sec-WebSocket-Protocol"),
                extensions: response.values(of: "Sec-WebSocket-Extensions"))
            agreed.withLock { $0 = agreement }
        } catch {
            throw await response.refusal(.upgradeRefused, error.description)
        }
        return response
    }

    private func offersSubprotocols(_ request: OutgoingRequest) -> Bool {
        !options.subprotocols.isEmpty || request.headers.contains("Sec-WebSocket-Protocol")
    }

    /// Returns a redirect with http and https in Location instead of ws and wss, because the policy for redirects
    /// follows only http and https. Returns other responses unchanged.
    private static func replacingSchemes(ofRedirect response: IncomingResponse) -> IncomingResponse {
        guard RedirectMachine.isRedirect(response.statusCode) else { return response }
        let locations = response.locations
        let replaced = locations.map { WebSocketURL<String>.replacingScheme(of: $0) }
        guard replaced != locations else { return response }
        var headers = response.headers
        headers[values: .location] = replaced
        // Only the error for a refused redirect needs the content. The bytes that have arrived suffice for that.
        let content = response.head.reader.takeComplete() ?? Bytes()
        let body = BodyContent(first: content, expectedLength: content.count)
        return IncomingResponse(ResponseStorage(response.head, fields: headers, body: body))
    }
}
