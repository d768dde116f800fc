import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTesting
import Synchronization

/// Runs a case and reports the differences from the results that curl's authors expect.
struct CurlRun {
    let vector: CurlCase

    /// Error codes of curl, with the equivalent codes of this library. A case with any other code only has to fail.
    private static let codes: [Int: Set<SockeyeError.Code>] = [
        1: [.invalidURL, .malformedResponse, .redirectRefused], 5: [.badConfiguration, .resolutionFailed],
        7: [.proxyFailed, .connectFailed, .invalidURL],
        8: [.malformedResponse, .connectionClosed, .limitExceeded, .proxyFailed], 43: [.proxyFailed],
        22: [.unacceptableStatus], 47: [.limitExceeded], 18: [.connectionClosed], 28: [.timeout],
        52: [.connectionClosed],
        56: [.malformedResponse, .connectionClosed, .proxyFailed], 97: [.badConfiguration, .proxyFailed],
        60: [.tlsFailed], 61: [.malformedResponse, .badContentCoding], 63: [.limitExceeded, .malformedResponse],
    ]

    /// - Throws: ``CurlCommand/Unsupported``.
    func complaints() async throws -> [String] {
        // These exit codes report failures of curl's arguments, of its input and output, and of its globbing.
        let codes = vector.expect.errorcode
        guard codes.allSatisfy({ ![2, 3, 4, 23, 26].contains($0) }), codes != [43] || vector.isAboutProxies else {
            throw CurlCommand.Unsupported(description: "exit code \(codes)")
        }
        guard !vector.features.contains("brotli") else { throw CurlCommand.Unsupported(description: "brotli") }
        let isRecorded = vector.expect.protocol != nil || vector.expect.proxy != nil
        guard isRecorded || vector.expectsFailure || vector.servers.count > 1 else {
            throw CurlCommand.Unsupported(description: "no expected request")
        }
        let servers = try await CurlServers.start(vector)
        let command = try CurlCommand(vector, servers.variables)
        let current = Mutex<CurlProxy.Route?>(nil)
        let client = try client(command, servers) { url in
            guard case .choosing(let choose)? = current.withLock({ $0 }) else { return nil }
            return choose(url)
        }
        var complaints: [String] = []
        for (index, call) in command.calls.enumerated() {
            current.withLock { $0 = call.proxy }
            let isLast = index == command.calls.count - 1
            complaints += await judge(call, await send(call, client), isOnly: command.calls.count == 1, isLast: isLast)
        }
        complaints += compare(servers, command)
        await servers.stop()
        return complaints
    }

    /// Compares the requests that the servers received with the expected ones.
    private func compare(_ servers: CurlServers, _ command: CurlCommand) -> [String] {
        var complaints: [String] = []
        if let expected = vector.expect.protocol?.bytes {
            complaints += compare(servers.log.requests, with: expected, servers.variables)
        }
        if let expected = vector.expect.proxy?.bytes {
            complaints += compare(servers.log.requests(of: .proxy), with: expected, servers.variables)
        }
        if command.announcesClient, servers.log.announcements == 0 {
            complaints.append("no line of the PROXY protocol")
        }
        if let socks = servers.socks, !vector.expectsFailure {
            let hosts = command.calls.map { try? HTTPURL($0.url).host }
            if socks.targets != hosts { complaints.append("a SOCKS proxy for \(socks.targets) instead of \(hosts)") }
        }
        return complaints
    }

    /// - Parameter choose: Returns the proxy of a URL in the current call. One client makes all calls, like one curl
    ///   process.
    private func client(
        _ command: CurlCommand, _ servers: CurlServers, _ choose: @escaping @Sendable (HTTPURL) -> Proxy?
    ) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tls: TLSOptions(roots: try CurlServer.roots), timeouts: Timeouts(total: .seconds(20)))
        // curl sends credentials without TLS by default.
        configuration.allowsPlaintextCredentials = true
        if !command.verifiesServer { configuration.tls.verification = .none }
        for entry in command.overrides {
            let parts = entry.split(separator: ":", maxSplits: 2).map(String.init)
            guard parts[0] != "*" else { throw CurlCommand.Unsupported(description: "--resolve *") }
            let host = parts[2].filter { !"[]".contains($0) }
            let address = EndpointAddress(literal: host, port: Int(parts[1]) ?? 0)
            configuration.hostOverrides["\(parts[0]):\(parts[1])"] = address.map { [$0] }
        }
        if command.announcesClient { configuration.socket.proxyProtocol = .v1 }
        let routes = command.calls.compactMap(\.proxy)
        if !routes.isEmpty { configuration.proxy = .choosing(choose) }
        if case .invalid(let invalid)? = routes.first { configuration.proxy = invalid }
        return HTTPClient(configuration: configuration)
    }

    private func send(_ call: CurlCommand.Call, _ client: HTTPClient) async -> ResponseOutcome {
        var body = OutgoingRequest.Body.none
        if let bytes = call.body {
            let chunks = AsyncStream<Bytes> { continuation in
                continuation.yield(bytes)
                continuation.finish()
            }
            body = call.isChunked ? .stream(chunks) : .bytes(bytes)
        }
        var outcome = ResponseOutcome()
        do {
            var (headers, method) = (call.headers, call.method)
            if !call.form.isEmpty {
                let form = try call.form.form(for: vector)
                (headers[.contentType], method, body) = (form.contentType, method ?? "POST", try form.body())
            }
            let request = try OutgoingRequest(
                method: HTTPRequest.Method(method ?? "GET") ?? .get, url: call.url, headers: headers, body: body,
                options: call.allOptions)
            let response = try await client.send(request)
            outcome.head = response
            if call.failsOnStatus { _ = try await response.validated() }
            outcome.body = try await response.bytes(upTo: call.limit ?? IncomingResponse.defaultCollectLimit)
        } catch {
            outcome.error = error as? SockeyeError
        }
        return outcome
    }

    private func judge(
        _ call: CurlCommand.Call, _ outcome: ResponseOutcome, isOnly: Bool, isLast: Bool
    ) async -> [String] {
        if vector.expectsFailure {
            guard isLast else { return [] }
            guard let error = outcome.error else { return ["no error, expected \(vector.expect.errorcode)"] }
            let allowed = vector.expect.errorcode.compactMap { Self.codes[$0] }
            return allowed.isEmpty || allowed.contains { $0.contains(error.code) } ? [] : ["another error: \(error)"]
        }
        if let error = outcome.error {
            // In cases named partial, the first transfer is meant to be cut short. curl's exit code is that of the last
            // transfer.
            let mayFail = !isLast && vector.name.contains("partial")
            return mayFail ? [] : ["failed: \(error)"]
        }
        let last = call.retries > 0 ? vector.section("data\(call.retries)") : nil
        guard isOnly, let raw = vector.visible ?? last ?? vector.section("data"),
            let expected = HTTPText.response(raw)
        else { return [] }
        let isRepeated = vector.expectsChallenge || vector.expectsProxyChallenge
        if call.redirects.follows || isRepeated { return compare(outcome, withLastOf: raw) }
        var complaints: [String] = []
        if outcome.head?.status.code != expected.status {
            complaints.append("status \(outcome.head?.status.code ?? 0) instead of \(expected.status ?? 0)")
        }
        if let body = body(expected, call), !isSame(body, outcome) {
            complaints.append("a body of \(outcome.body.count) bytes instead of \(body.count)")
        }
        return complaints
    }

    /// Compares with the last of several responses, which curl prints in sequence.
    private func compare(_ outcome: ResponseOutcome, withLastOf visible: Bytes) -> [String] {
        let text = String(decoding: visible, as: UTF8.self)
        guard let start = text.ranges(of: "HTTP/1.").last?.lowerBound,
            let last = HTTPText.response(Bytes(text[start...])), vector.visible != nil
        else { return [] }
        var complaints: [String] = []
        if outcome.head?.status.code != last.status {
            complaints.append("status \(outcome.head?.status.code ?? 0) instead of \(last.status ?? 0)")
        }
        if !isSame(last.body, outcome) {
            complaints.append("a body of \(outcome.body.count) bytes instead of \(last.body.count)")
        }
        return complaints
    }

    /// Returns the body that the user should see; nil if the case does not say.
    private func body(_ expected: HTTPText, _ call: CurlCommand.Call) -> [UInt8]? {
        if call.method == "HEAD" || [204, 304].contains(expected.status ?? 0) { return [] }
        if vector.visible != nil { return expected.body }
        if expected.isChunked || !expected.values("content-encoding").isEmpty { return nil }
        return expected.length.map { Array(expected.body.prefix($0)) } ?? expected.body
    }

    /// Returns true for the expected body. If the response has trailers, curl prints them after the body.
    private func isSame(_ expected: [UInt8], _ outcome: ResponseOutcome) -> Bool {
        if outcome.body.elementsEqual(expected) { return true }
        return outcome.head?.trailers != nil && expected.starts(with: outcome.body)
    }

    // MARK: Requests

    /// The fields that define the request; the rest of a head differs between clients.
    private static let compared = [
        "host", "range", "authorization", "proxy-authorization", "cookie", "content-length", "transfer-encoding",
        "expect", "accept", "content-range", "header-type",
    ]

    private func compare(
        _ requests: [HTTPText], with recording: Bytes, _ variables: CurlCommand.Variables
    ) -> [String] {
        // The recording's marks for the end of a connection and for the line of the PROXY protocol are ignored.
        var bytes = Array(recording)
        for mark in ["[DISCONNECT]\n", "proxy-line\r\n"] {
            while let range = bytes.firstRange(of: Array(mark.utf8)) { bytes.removeSubrange(range) }
        }
        if hasForm { bytes = CurlForm.withWholeBoundaries(bytes) }
        let expected = HTTPText.requests(bytes, bodyIsHeldBack: vector.skippedBytes > 0)
        guard requests.count == expected.count else {
            let seen = requests.map { "'\($0.start)'" }.joined(separator: ", ")
            return ["\(requests.count) requests instead of \(expected.count): \(seen)"]
        }
        return zip(requests, expected).flatMap { seen, wanted in
            var complaints: [String] = []
            let line = variables.fill(vector.renamed(wanted.start))
            if seen.start != line { complaints.append("'\(seen.start)' instead of '\(line)'") }
            // If curl expects a challenge, it first sends the request without its body. Other clients need not do that.
            let comparesBody = !vector.expectsChallenge || !wanted.body.isEmpty
            for name in Self.compared where name != "content-length" || comparesBody {
                let values = wanted.values(name).map { comparable(variables.fill(vector.renamed($0))) }
                let present = seen.values(name).map(comparable)
                if present != values { complaints.append("\(name) \(present) instead of \(values)") }
            }
            if comparesBody, !isSame(seen.body, wanted.body) { complaints.append("another request body") }
            return complaints
        }
    }

    /// Removes the response from a Digest field if the host was renamed, because the response then differs.
    private func comparable(_ value: String) -> String {
        DigestText.comparable(vector.isRenamed ? value.replacing(/, response="[^"]*"/, with: "") : value)
    }

    private var hasForm: Bool { vector.command.contains("-F ") }

    private func isSame(_ body: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard hasForm else { return body == wanted }
        return CurlForm.withoutBoundaries(body) == CurlForm.withoutBoundaries(wanted)
    }
}
