import Foundation
import Sockeye
import SockeyeTesting
import Testing

@testable import Jobs

/// The test vectors of Signature Version 4 in the folder `../shared/vectors` beside the checkout, from
/// github.com/awslabs/aws-c-auth. Without that folder only the vectors in `JobsTests` run.
@Suite("Vectors of Signature Version 4", .timeLimit(.minutes(1)))
struct SigV4VectorTests {
    private struct Case: Decodable {
        struct Context: Decodable {
            struct Credentials: Decodable {
                let accessKeyId: String
                let secretAccessKey: String
                let token: String?
            }

            let credentials: Credentials
            let region: String
            let service: String
            let timestamp: String
            let omitSessionToken: Bool?
        }

        let id: String
        let context: Context
        let request: String
        let signature: String
    }

    /// The vectors with another signature than that of this signer, with the reasons.
    private static let differences: [String: String] = [
        "get-relative-unnormalized": "a URL has no dot segments (RFC 3986 6.2.2.3)",
        "get-slash-pointless-dot-unnormalized": "a URL has no dot segments (RFC 3986 6.2.2.3)",
        "get-slash-normalized": "the signer keeps empty segments, as S3 requires",
        "get-slashes-normalized": "the signer keeps empty segments, as S3 requires",
        "post-x-www-form-urlencoded": "the client adds Content-Length after the signature",
        "post-x-www-form-urlencoded-parameters": "the client adds Content-Length after the signature",
    ]

    private static let file = URL(filePath: #filePath)
        .appending(path: "../../../../../shared/vectors/sigv4/requests.json").standardizedFileURL

    private static func load() throws -> [Case] {
        guard FileManager.default.fileExists(atPath: file.path()) else {
            print("vectors: \(file.path()) is absent, so only the vectors of JobsTests run")
            return []
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([Case].self, from: Data(contentsOf: file))
    }

    @Test("the signer makes the signature of each vector, except for the listed ones")
    func signatures() async throws {
        for vector in try Self.load() {
            let sent = try await Self.authorization(of: vector)
            let isEqual = sent?.hasSuffix(", Signature=\(vector.signature)") == true
            #expect(isEqual == (Self.differences[vector.id] == nil), "\(vector.id): \(sent ?? "not signed")")
        }
    }

    /// Sends the request of a vector over a transport in memory. Returns its Authorization field.
    private static func authorization(of vector: Case) async throws -> String? {
        let context = vector.context
        let date = try Date(context.timestamp, strategy: .iso8601)
        let signer = SigV4(
            keyID: context.credentials.accessKeyId, secret: context.credentials.secretAccessKey,
            region: context.region, service: context.service)
        let mock = MockTransport { _ in .status(200) }
        let client = signed(HTTPClient(transport: mock), by: signer) { date }

        let parts = vector.request.split(separator: "\n\n", maxSplits: 1)
        let lines = (parts.first ?? "").split(separator: "\n")
        // The target may have blanks.
        let words = (lines.first ?? "").split(separator: " ")
        let method = try #require(HTTPRequest.Method(String(words.first ?? "")))
        let target = words.dropFirst().dropLast().joined(separator: " ")
        var headers = Headers()
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            let (name, value) = (String(field[0]), field.count == 2 ? String(field[1]) : "")
            // The client makes these fields itself.
            guard !["host", "content-length"].contains(name.lowercased()) else { continue }
            headers.append(Headers.Name(name), value)
        }
        if let token = context.credentials.token, context.omitSessionToken != true {
            headers.append("X-Amz-Security-Token", token)
        }
        let type = headers["Content-Type"] ?? "text/plain"
        let content = parts.count == 2 ? HTTPClient.Content.text(String(parts[1]), contentType: type) : nil
        try await client.request(method, "https://example.amazonaws.com\(target)", content, headers: headers)
        return mock.requests.first?[.authorization]
    }
}
