import Sockeye
import SockeyeDiagnostics
import SockeyeToolKit

/// Prints the fields of every request and response of a call on standard error, for `--verbose`.
///
/// It stands between the interceptors and the sockets, so that it sees redirects, retries and added fields.
struct VerboseTransport: HTTPTransport {
    private let base: SocketTransport
    /// A client without interceptors, which knows the default fields of its requests.
    private let plain: HTTPClient
    private let showsSecrets: Bool
    private let terminal = Terminal.error

    init(_ configuration: HTTPClient.Configuration, showsSecrets: Bool) {
        base = SocketTransport(configuration: configuration)
        plain = HTTPClient(transport: base)
        self.showsSecrets = showsSecrets
    }

    var sockets: SocketTransport? { base }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let command = try await request.curlCommand(as: plain, showingSecrets: showsSecrets)
        tell(SentHead(request, command).lines, ">")
        let response = try await base.send(request)
        let status = "HTTP/1.\(response.minorVersion) \(response.status.code) \(response.reason)"
        tell([status] + MaskedFields(response.headers, showsSecrets: showsSecrets).lines, "<")
        return response
    }

    private func tell(_ lines: [String], _ mark: String) {
        for line in lines { terminal.tell("\(mark) \(TerminalText.escaping(line))") }
        terminal.tell(mark)
    }
}

/// Prints the connection of each exchange, for `--verbose`.
struct ConnectionMonitor: EventMonitor {
    let kinds: ClientEvent.Kinds = .exchangeConnected
    private let terminal = Terminal.error

    func handle(_ event: ClientEvent) {
        guard case .exchangeConnected(let exchange) = event, let connection = exchange.metrics.connection else {
            return
        }
        let words = [
            connection.isReused ? "reused connection" : "new connection", connection.remoteAddress.map { "to \($0)" },
            connection.tlsVersion.map { "with \($0)" },
        ]
        terminal.tell("* " + words.compactMap(\.self).joined(separator: " "))
    }
}
