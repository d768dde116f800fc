import Crypto
import Foundation
import Sockeye
import SockeyeTesting

// snippet.show
/// Signature Version 4 of Amazon Web Services, for paths without characters
/// that need an escape, and without empty segments.
struct SigV4: Sendable {
    var keyID: String
    var secret: String
    var region: String
    var service: String

    func sign(
        _ request: inout OutgoingRequest, _ content: SigningInterceptor.Content,
        at date: Date
    ) async throws {
        let stamp = date.formatted(
            .iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let scope = "\(stamp.prefix(8))/\(region)/\(service)/aws4_request"
        request.headers["X-Amz-Date"] = stamp
        let digest = try await content.reduce(into: SHA256()) {
            $0.update(data: Data($1))
        }.finalize()
        let host = request.url.origin.description.split(separator: "//")[1]
        let pairs = request.headers.map {
            ("\($0.name)".lowercased(), $0.value.replacing(#/ +/#, with: " "))
        }
        let fields = Dictionary(pairs + [("host", "\(host)")]) { "\($0),\($1)" }
            .sorted { $0.key < $1.key }
        let names = fields.map(\.key).joined(separator: ";")
        let query = (request.url.query ?? "").split(separator: "&").sorted()
            .joined(separator: "&")
        let head =
            ["\(request.method)", request.url.path, query]
            + fields.map { "\($0.key):\($0.value)" }
        let canonical = (head + ["", names, hex(digest)]).joined(
            separator: "\n")
        let hash = hex(SHA256.hash(data: Data(canonical.utf8)))
        var key = Data("AWS4\(secret)".utf8)
        for part in scope.split(separator: "/") { key = mac(part, key) }
        let signature = hex(
            mac("AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n\(hash)", key))
        request.headers[.authorization] =
            "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope), "
            + "SignedHeaders=\(names), Signature=\(signature)"
    }

    private func mac(_ text: some StringProtocol, _ key: Data) -> Data {
        Data(
            HMAC<SHA256>.authenticationCode(
                for: Data(text.utf8), using: SymmetricKey(data: key)))
    }

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}

func signed(
    _ client: HTTPClient, by signer: SigV4,
    now: @escaping @Sendable () -> Date = { Date() }
) -> HTTPClient {
    client.adding(
        .signing { request, content in
            try await signer.sign(&request, content, at: now())
        })
}
// snippet.hide

extension SigV4 {
    /// The account of Amazon's published test vectors (github.com/awslabs/aws-c-auth, tests/aws-signing-test-suite/v4).
    /// The job uses the vector `get-vanilla`.
    static let ofVectors = SigV4(
        keyID: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1",
        service: "service")
    static let momentOfVectors = Date(timeIntervalSince1970: 1_440_938_160)
}

extension Job {
    static let signer = Job("A SigV4 signer") {
        let mock = MockTransport { _ in .status(200) }
        let client = signed(HTTPClient(transport: mock), by: .ofVectors) { SigV4.momentOfVectors }
        _ = try await client.get("https://example.amazonaws.com/")
        let field = mock.requests.first?[.authorization] ?? ""
        return field.split(separator: ", ").last.map(String.init) ?? "no signature"
    }
}
