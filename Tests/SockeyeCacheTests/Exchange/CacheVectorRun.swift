import HTTPTypes
import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeTesting
import Synchronization

/// Runs a case of the cache vectors against a client with a cache. The run moves its clock.
final class CacheVectorRun: Sendable {
    private struct State {
        var received: [(number: Int, request: MockRequest)] = []
        var failures: [String] = []
        /// The latest ETag and Last-Modified sent.
        var validators: [String: String] = [:]
    }

    private static let token = "0b6f1c1e-9d5a-4f43-8d1e-2f6f7c9a5b11"

    private let vector: CacheVector
    private let isOlder: Bool
    private let clock = ManualClock()
    private let state = Mutex(State())

    private init(_ vector: CacheVector, isOlder: Bool) {
        self.vector = vector
        self.isOlder = isOlder
    }

    /// Returns the differences from the expected results.
    static func failures(of vector: CacheVector, isOlder: Bool = false) async throws -> [String] {
        let run = CacheVectorRun(vector, isOlder: isOlder)
        try await run.play()
        return run.state.withLock(\.failures)
    }

    private func play() async throws {
        let policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))
        let mock = MockTransport { [self] request in try await answer(request) }
        let client = HTTPClient(
            transport: mock, interceptors: [policy, RedirectPolicy.manual],
            clock: CallClock(time: clock.timeSource) { () throws(TransportError) in try EventPoller.shared() })
        for (index, expected) in vector.requests.enumerated() {
            let number = index + 1
            do {
                let response = try await client.send(try request(number))
                let text = try await response.text()
                check(response, text, number)
            } catch {
                let mayFail = expected.expectedStatus.map { $0.value == nil } ?? false
                if !mayFail { note(number, "failed: \(error)") }
            }
            while policy.isRevalidating { try await Task.sleep(for: .milliseconds(1)) }
            if expected.pauseAfter == true { clock.advance(by: .seconds(3)) }
        }
    }

    private func note(_ number: Int, _ text: String) {
        state.withLock { $0.failures.append("\(number): \(text)") }
    }

    // MARK: The client

    private func url(_ expected: CacheVector.Request) -> String {
        if isOlder {
            return "https://cache.test/resource?uuid=\(vector.id)" + (expected.queryArg.map { "&target=\($0)" } ?? "")
        }
        return "https://cache.test/test/\(vector.id)" + (expected.filename.map { "/" + $0 } ?? "")
            + (expected.queryArg.map { "?" + $0 } ?? "")
    }

    private func request(_ number: Int) throws -> OutgoingRequest {
        let expected = vector.requests[number - 1]
        var request = try OutgoingRequest(
            method: HTTPRequest.Method(expected.requestMethod ?? "GET") ?? .get, url: url(expected),
            body: expected.requestBody.map { OutgoingRequest.Body.string($0) } ?? OutgoingRequest.Body.none)
        request.headers["Req-Num"] = String(number)
        for field in expected.requestHeaders ?? [] {
            request.headers.append(Headers.Name(field.name), value(of: field))
        }
        if expected.cache == "no-store" { request.options.cacheMode = .reloadIgnoringCache }
        return request
    }

    /// Returns the value of a field. A number in a date field is a date in seconds from now.
    private func value(of field: CacheVector.Field) -> String {
        let dates = ["date", "expires", "last-modified", "if-modified-since"]
        guard field.parts.count > 1 else { return "" }
        if case .number(let seconds) = field.parts[1], dates.contains(field.name.lowercased()) {
            return Self.date(clock.unixTime + Int64(seconds))
        }
        return field.parts[1].text ?? ""
    }

    private static func date(_ seconds: Int64) -> String {
        HTTPDate(secondsSinceEpoch: seconds).fieldValue
    }

    // MARK: The server

    private func answer(_ request: MockRequest) async throws -> TestServerResponse {
        let number = Int(request["Req-Num"] ?? "") ?? 0
        let expected = vector.requests[number - 1]
        let (count, numbers, validators) = state.withLock { state in
            state.received.append((number, request))
            return (state.received.count, state.received.map { String($0.number) }, state.validators)
        }
        if expected.disconnect == true {
            throw SockeyeError(
                .init(.connectionClosed, phase: .head, blame: .peer, message: "the server closed the connection"))
        }
        if let pause = expected.responsePause { clock.advance(by: .seconds(pause)) }
        var headers = responseHeaders(of: expected)
        headers["Server-Request-Count"] = String(count)
        headers["Client-Request-Count"] = String(number)
        headers["Request-Numbers"] = numbers.joined(separator: " ")
        let status = status(of: expected, request, validators)
        state.withLock { state in
            for name in ["ETag", "Last-Modified"] {
                if let value = headers[Headers.Name(name)] { state.validators[name] = value }
            }
        }
        let body = expected.responseBody.map { $0.value ?? "" } ?? Self.token
        return TestServerResponse(
            status: HTTPResponse.Status(code: status, reasonPhrase: expected.responseStatus?.last?.text ?? ""),
            headers: headers, body: status == 304 ? Bytes() : Bytes(body))
    }

    private func responseHeaders(of expected: CacheVector.Request) -> Headers {
        var headers = Headers()
        for field in expected.responseHeaders ?? [] {
            var value = value(of: field)
            if ["location", "content-location"].contains(field.name.lowercased()) {
                if isOlder {
                    value = "https://cache.test/resource?uuid=\(vector.id)" + (value.isEmpty ? "" : "&target=\(value)")
                } else if expected.magicLocations == true {
                    value = "https://cache.test/test/\(vector.id)/\(value)"
                }
            }
            headers.append(Headers.Name(field.name), value)
        }
        return headers
    }

    private func status(
        of expected: CacheVector.Request, _ request: MockRequest, _ validators: [String: String]
    ) -> Int {
        let usual = expected.responseStatus?.first.flatMap { $0.text }.flatMap(Int.init) ?? 200
        guard let type = expected.expectedType, type.contains("_validate") else { return usual }
        let isETag = type.hasPrefix("etag")
        let sent = request[isETag ? .ifNoneMatch : .ifModifiedSince]
        return sent != nil && sent == validators[isETag ? "ETag" : "Last-Modified"] ? 304 : 999
    }

    // MARK: Checking

    private func check(_ response: IncomingResponse, _ text: String, _ number: Int) {
        let expected = vector.requests[number - 1]
        let count = response["Server-Request-Count"].flatMap { Int($0) } ?? 0
        let received = state.withLock { $0.received.last { $0.number == number }?.request }
        switch expected.expectedType {
        case "cached" where count >= number: note(number, "was not cached")
        case "not_cached" where count < number: note(number, "was cached")
        case let type? where type.contains("_validate") && received == nil: note(number, "was not validated")
        default: break
        }
        if let status = expected.expectedStatus {
            if let status = status.value, status != response.statusCode {
                note(number, "status \(response.statusCode) instead of \(status)")
            }
        } else if let status = expected.responseStatus?.first?.text, Int(status) != response.statusCode {
            note(number, "status \(response.statusCode) instead of \(status)")
        } else if response.statusCode == 999 {
            note(number, "was not validated")
        }
        checkFields(response, expected, number)
        checkRequest(received, expected, number)
        let usual = expected.responseBody.map { $0.value ?? "" } ?? Self.token
        let wanted = expected.expectedResponseText.map { $0.value ?? text } ?? usual
        let hasBody = expected.checkBody != false && expected.requestMethod != "HEAD"
        if hasBody, text != wanted { note(number, "body \(text) instead of \(wanted)") }
    }

    private func checkFields(_ response: IncomingResponse, _ expected: CacheVector.Request, _ number: Int) {
        for field in expected.expectedResponseHeaders ?? [] {
            let value = response[Headers.Name(field.name)]
            let texts = field.parts.map { $0.text ?? "" }
            let isMet =
                switch texts.count {
                case 1: value != nil
                case 2: value == texts[1]
                default:
                    texts[1] == "="
                        ? value == response[Headers.Name(texts[2])]
                        : (value.flatMap { Int($0) } ?? -1) > (Int(texts[2]) ?? 0)
                }
            if !isMet { note(number, "field \(field.name) is \(value ?? "missing")") }
        }
        for field in expected.expectedResponseHeadersMissing ?? [] {
            let value = response[Headers.Name(field.name)]
            let isPresent = field.parts.count > 1 ? value == field.parts[1].text : value != nil
            if isPresent { note(number, "field \(field.name) is present") }
        }
    }

    private func checkRequest(_ received: MockRequest?, _ expected: CacheVector.Request, _ number: Int) {
        if let method = expected.expectedMethod, received?.method.rawValue != method {
            note(number, "method \(received?.method.rawValue ?? "none") instead of \(method)")
        }
        for field in expected.expectedRequestHeaders ?? [] {
            let value = received?[Headers.Name(field.name)]
            if value == nil || field.parts.count > 1 && value != field.parts[1].text {
                note(number, "field \(field.name) of the request is \(value ?? "missing")")
            }
        }
        for field in expected.expectedRequestHeadersMissing ?? [] where received?[Headers.Name(field.name)] != nil {
            note(number, "field \(field.name) of the request is present")
        }
    }
}
