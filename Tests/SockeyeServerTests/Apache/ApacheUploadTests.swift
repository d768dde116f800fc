import Foundation
import HTTPTypes
import Sockeye
import Synchronization
import Testing

/// Bodies for which Apache requires credentials, and which it returns unchanged (mod_reflector).
@Suite(
    "Apache: uploads", .enabled(if: ApacheServer.isInstalled, "\(ApacheServer.missing)"), .timeLimit(.minutes(1)))
struct ApacheUploadTests {
    enum Kind: CaseIterable {
        case bytes, file, streamWithLength, streamWithoutLength, form
    }

    private static let count = 3_000_003

    let apache: ApacheServer
    let log: ApacheLog
    let client: HTTPClient

    init() throws {
        apache = try ApacheServer.shared.get()
        log = ApacheLog(server: apache)
        client = HTTPClient().adding(.digest(user: ApacheServer.user, password: ApacheServer.password))
    }

    private func body(_ kind: Kind, _ content: Bytes, in folder: String) throws -> OutgoingRequest.Body {
        let path = folder + "/content"
        try Data(content).write(to: URL(filePath: path))
        switch kind {
        case .bytes: return .bytes(content)
        case .file: return try .file(path)
        case .streamWithLength: return .stream(length: content.count) { Pieces(cutting: content) }
        case .streamWithoutLength: return .stream { Pieces(cutting: content) }
        case .form:
            var form = MultipartForm()
            try form.file("file", at: path)
            form.field("text", "field")
            return try form.body()
        }
    }

    @Test(
        "an upload is sent again after the challenge, byte for byte, and the next one needs no challenge",
        arguments: Kind.allCases)
    func replayed(kind: Kind) async throws {
        let folder = try Scratch.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let body = try body(kind, RandomBytes.make(Self.count), in: folder)
        try await body.write(toFile: folder + "/sent")
        let sent = try Data(contentsOf: URL(filePath: folder + "/sent"))
        for challenges in [1, 0] {
            let response = try await client.post(apache.url("/digest/echo", mark: log.mark), .body(body))
            #expect(response.status == .ok && response.history.count == challenges)
            #expect(try await Digest.of(response.bytes()) == Digest.of(sent))
        }
        #expect(try await log.entries(3).map(\.status) == [401, 200, 200])
        #expect(client.pool?.statistics.leased == 0)
    }

    @Test("a one-shot upload gets the 401 unless the client already has a nonce")
    func unrepeatable() async throws {
        let content = RandomBytes.make(Self.count)
        func post() async throws -> IncomingResponse {
            try await client.post(apache.url("/digest/echo", mark: log.mark), .stream(Pieces(cutting: content)))
        }
        let refused = try await post()
        #expect(refused.status == .unauthorized && refused.history.isEmpty)
        _ = try await client.get(apache.url("/digest/hello")).bytes()
        let accepted = try await post()
        #expect(accepted.status == .ok && accepted.history.isEmpty)
        #expect(try await Digest.of(accepted.bytes()) == Digest.of(content))
        #expect(try await log.entries(2).map(\.status) == [401, 200])
    }

    @Test("with Expect: 100-continue no body is sent before Apache accepts it")
    func expectsContinue() async throws {
        let seen = Mutex<(interim: [Int], sent: [Int])>(([], []))
        var options = OutgoingRequest.Options()
        options.expectContinue = .seconds(30)
        options.onInterim = { response in seen.withLock { $0.interim.append(response.status.code) } }
        options.onBodyProgress = { count in seen.withLock { $0.sent.append(count) } }
        let content = RandomBytes.make(300_000)
        let response = try await client.post(
            apache.url("/digest/echo", mark: log.mark), .bytes(content), options: options)
        #expect(response.status == .ok && response.history.count == 1)
        #expect(try await Digest.of(response.bytes()) == Digest.of(content))
        let (interim, sent) = seen.withLock { $0 }
        // Apache sends 100 only after the second head, so nothing was sent after the first.
        #expect(interim == [100])
        #expect(sent == sent.sorted() && sent.last == content.count)
        #expect(try await log.entries(2).map(\.status) == [401, 200])
    }

    @Test("an upload follows a redirect and answers the challenge after it", arguments: ["/again", "/digest/moved"])
    func redirected(path: String) async throws {
        let content = RandomBytes.make(300_000)
        let response = try await client.post(apache.url(path), .bytes(content))
        #expect(response.status == .ok && response.url.path == "/digest/echo")
        #expect(try await Digest.of(response.bytes()) == Digest.of(content))
        // Apache redirects before it checks credentials, also within the protected paths.
        #expect(response.history.map(\.reason) == [.redirected, .challenged])
    }

    @Test("64 concurrent uploads arrive, each with its own content")
    func concurrent() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<64 {
                group.addTask {
                    let content = RandomBytes.make(20_000)
                    // Apache may close a kept connection just when a request arrives. The client repeats a POST only
                    // with an Idempotency-Key.
                    let response = try await client.post(
                        apache.url("/digest/echo"),
                        .bytes(content), headers: ["Idempotency-Key": UUID().uuidString])
                    #expect(try await Digest.of(response.bytes()) == Digest.of(content))
                }
            }
            try await group.waitForAll()
        }
        #expect(client.pool?.statistics.leased == 0)
    }
}
