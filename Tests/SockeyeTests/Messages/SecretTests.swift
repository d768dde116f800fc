import Foundation
import HTTPTypes
import SockeyeArchiving
import SockeyeCore
import SockeyeDiagnostics
import SockeyeHTTP
import SockeyeNet
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeTransfers

/// Values of fields, bodies, credentials and user information appear in no text that is made of a value implicitly:
/// interpolation, `print`, `dump`, `String(reflecting:)`, mirrors, `localizedDescription`.
@Suite("Secrets")
struct SecretTests {
    static let secret = "s3cr3t-of-mine"
    static let fields: Headers = [.authorization: secret, .setCookie: "a=\(secret)"]
    static let headers: Headers = [.authorization: secret, .cookie: "a=\(secret)"]
    static let plainURL = try! HTTPURL("https://ada:\(secret)@example.com/a")
    static let url = try! HTTPURL("https://ada:\(secret)@example.com/a?X-Amz-Signature=\(secret)#id_token=\(secret)")

    struct Holder: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () async throws -> Any

        init(_ name: String, _ make: @escaping @Sendable () async throws -> Any) {
            testDescription = name
            self.make = make
        }
    }

    static var request: OutgoingRequest {
        OutgoingRequest(method: .post, url: url, headers: headers, body: .string(secret))
    }

    static var response: IncomingResponse {
        IncomingResponse(status: .ok, headers: fields, body: Bytes(secret), url: url)
    }

    static var evidence: SockeyeError.Evidence {
        SockeyeError.Evidence(status: .ok, headers: fields, body: Bytes(secret))
    }

    static var error: SockeyeError {
        var fields = SockeyeError.Fields(.decodingFailed, phase: .decode, blame: .peer, message: "no")
        fields.request = RequestIdentity(method: "GET", url: url)
        fields.response = evidence
        fields.decoding = .init(codingPath: secret, excerpt: secret)
        fields.history = [prior]
        fields.resumeData = resumeData
        return SockeyeError(fields)
    }

    static var prior: PriorExchange {
        PriorExchange(
            reason: .redirected, method: .get, url: url, status: .found, headers: fields, error: nil, start: .zero,
            duration: .zero)
    }

    static var resumeData: ResumeData? {
        guard let url = try? HTTPURL("https://ada:\(secret)@example.com/a?signature=\(secret)"),
            let validator = StrongValidator(eTags: ["\"a\""], lastModified: [], date: nil)
        else { return nil }
        return ResumeData(
            url: url, validator: validator, bytesWritten: 0, totalBytes: nil, temporaryPath: "/tmp/a",
            checksums: [])
    }

    static let holders: [Holder] = messages + errors + policies + settings

    private static let messages = [
        Holder("Headers") { headers },
        Holder("HTTPURL") { plainURL },
        Holder("Bytes") { Bytes(secret) },
        Holder("Request") { request },
        Holder("RequestBody of bytes") { OutgoingRequest.Body.string(secret) },
        Holder("RequestBody of a stream") {
            OutgoingRequest.Body.stream(AsyncStream<Bytes> { $0.yield(Bytes(secret)) })
        },
        Holder("Response") { response },
        Holder("ResponseBody") { response.body },
        Holder("InterimResponse") { IncomingResponse.Interim(status: .init(code: 103), headers: fields) },
        Holder("MultipartForm") {
            var form = MultipartForm()
            form.field("password", secret)
            return form
        },
        Holder("MultipartPart") {
            let head = "multipart/form-data; boundary=b"
            let body = "--b\r\nContent-Disposition: form-data; name=x; filename=\"\(secret)\"\r\n\r\n\(secret)\r\n--b--"
            let response = IncomingResponse(
                status: .ok, headers: [.contentType: head], body: Bytes(body), url: try HTTPURL("http://a/"))
            var parts = try response.parts().makeAsyncIterator()
            let part = try #require(try await parts.next())
            return (part, part.body, parts)
        },
        Holder("SignedContent") { SigningInterceptor.Content(.string(secret)) },
        Holder("DownloadedFile") { DownloadedFile(path: "/a", response: response, count: 1, interruptions: 0) },
    ]

    private static let errors = [
        Holder("ResponseEvidence") { evidence },
        Holder("PriorExchange") { prior },
        Holder("ResumeData") { resumeData as Any },
        Holder("SockeyeError") { error },
        Holder("SockeyeError of a URL") {
            do { return try OutgoingRequest(url: "http://ada:\(secret)@[::x/") } catch { return error }
        },
        Holder("SockeyeError of a field") {
            let lines = try #require(throws: RequestFault.self) {
                try FieldSection.encode([.authorization: "\(secret)\n"])
            }
            return SockeyeError(lines)
        },
        Holder("SockeyeError of a proxy") {
            do { return try Proxy("ftp://ada:\(secret)@a") } catch { return error }
        },
        Holder("CompoundError") { SockeyeError.CompoundError(errors: [error]) },
    ]

    private static let policies: [Holder] = [
        Holder("Credential of a user") { Credential.user("ada", password: secret) },
        Holder("Credential that is a token") { Credential.bearer(secret) },
        Holder("AuthenticationPolicy.Token") { AuthenticationPolicy.Token(secret) },
        Holder("Basic") { AuthenticationPolicy.basic(user: "ada", password: secret) },
        Holder("Digest") { AuthenticationPolicy.digest(user: "ada", password: secret) },
        Holder("Challenge") {
            ChallengeParser.challenges(in: ["Digest realm=\"a\", nonce=\"\(secret)\"", "Negotiate \(secret)"])
        },
        Holder("AuthenticationChallenge") {
            AuthenticationChallenge(
                request: request, headers: fields, challenges: ChallengeParser.challenges(in: ["Negotiate \(secret)"]),
                previousFailures: 0, isFromRequestedOrigin: true)
        },
        Holder("AuthenticationDisposition") {
            AuthenticationChallenge.Disposition.useCredential(.user("ada", password: secret))
        },
        Holder("Cookie") { try ClientCookie(name: "a", value: secret, domain: "example.com") },
        Holder("CookiePolicy") {
            let jar = CookiePolicy.Jar()
            jar.set(try ClientCookie(name: "a", value: secret, domain: "example.com"))
            return CookiePolicy(jar)
        },
        Holder("HeaderInterceptor") { HeaderInterceptor.setting(.authorization, to: secret) },
        Holder("ProposedRedirect") {
            RedirectPolicy.Proposal(
                original: request, status: .found, headers: fields, request: request, leavesOrigin: true, count: 0)
        },
        Holder("RedirectDecision") { RedirectPolicy.Decision.follow(request) },
        Holder("ProposedRetry") { RetryPolicy.Proposal(request, .success(response), count: 0, pause: nil) },
        Holder("ClientEvent") {
            let events = Recorder<ClientEvent>()
            let mock = MockTransport { _ in .text(secret, headers: ["X-Key": secret]) }
            let client = HTTPClient(transport: mock).monitored { events.append($0) }
            _ = try await client.send(request)
            return events.values
        },
    ]

    private static let settings = [
        Holder("Proxy") { try Proxy("http://ada:\(secret)@proxy") },
        Holder("ProxySelection") { Proxy.Selection.http("http://ada:\(secret)@proxy") },
        Holder("TLSConfiguration") {
            var configuration = TLSOptions()
            configuration.identity = .pem(certificateChain: .text("a"), privateKey: .text(secret), passphrase: secret)
            return configuration
        },
        Holder("ClientConfiguration") {
            var configuration = ClientConfiguration()
            configuration.proxy = .http("http://ada:\(secret)@proxy")
            configuration.interceptors = [AuthenticationPolicy.basic(user: "ada", password: secret)]
            return configuration
        },
        Holder("HTTPClient of a scope") {
            HTTPClient().scoped(baseURL: "http://ada:\(secret)@a/", headers: headers)
                .adding(.basic(user: "ada", password: secret))
        },
        Holder("Settings") { ParameterSerializer.Options(headers: headers) },
        Holder("CallMetrics.Exchange") { CallMetrics.Exchange(method: .get, url: url, start: .zero, ofCallAt: .zero) },
    ]

    /// Names in the library's list, and names that services use.
    static let secretNames =
        SecretNames.fields + ["Authorization", "Cookie", "X-Own-Token", "X-Session", "My-Signature", "Client_Secret"]

    @Test("every part of the library hides a value whose name indicates a secret", arguments: secretNames)
    func hidden(name: String) async throws {
        let request = try OutgoingRequest(
            url: "http://h.test/a?\(name)=\(Self.secret)&\(name.lowercased())=\(Self.secret)",
            headers: [Headers.Name(name): Self.secret])
        let prior = PriorExchange(
            reason: .retried, method: .get, url: request.url, status: nil, headers: nil, error: nil, start: .zero,
            duration: .zero)
        let error = SockeyeError(.init(.timeout, phase: .head, blame: .peer, message: "no"))
            .about(RequestIdentity(method: "GET", url: request.url))
        for text in [request.curlCommand().description, "\(error)", error.url ?? "", "\(prior)"] {
            #expect(!text.contains(Self.secret), "\(text)")
        }
        #expect(throws: EncodingError.self) {
            try HTTPClient().scoped(headers: [Headers.Name(name): Self.secret]).archivedScope()
        }
    }

    @Test("no text made of a value shows its secrets", arguments: holders)
    func texts(holder: Holder) async throws {
        let value = try await holder.make()
        var dumped = ""
        dump(value, to: &dumped)
        var printed = ""
        print(value, to: &printed)
        var texts = [dumped, printed, "\(value)", String(describing: value), String(reflecting: value)]
        texts += Self.leaves(of: value, depth: 0)
        if let error = value as? any Error { texts.append(error.localizedDescription) }
        if let value = value as? any CustomDebugStringConvertible { texts.append(value.debugDescription) }
        for text in texts { #expect(!Self.reveals(text), "\(text.prefix(2000))") }
    }

    /// Returns the labels and texts of everything that mirrors show inside a value.
    private static func leaves(of value: Any, depth: Int) -> [String] {
        guard depth < 12 else { return [] }
        let children = Mirror(reflecting: value).children.prefix(200)
        return children.flatMap { child in
            // The description of a URL includes the whole query; its debug description does not.
            let text = child.value is HTTPURL ? String(reflecting: child.value) : "\(child.value)"
            return ["\(child.label ?? ""): \(text)"] + leaves(of: child.value, depth: depth + 1)
        }
    }

    /// True if a text has the secret as it is (percent-encoding does not change it), in base64, or as a list of
    /// bytes.
    private static func reveals(_ text: String) -> Bool {
        let coded = Data(secret.utf8).base64EncodedString().prefix(12)
        if text.contains(secret) || text.contains(coded) { return true }
        let numbers = text.split { !$0.isNumber }.compactMap { UInt8($0) }
        return numbers.count >= secret.utf8.count
            && numbers.indices.contains { numbers[$0...].starts(with: secret.utf8) }
    }
}
