import Foundation
import Sockeye
import SockeyeCore
import SockeyeStreams
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

/// The raw answer of a lying server.
struct RawAnswer: Sendable {
    let text: String
    /// True if the connection ends after it. Otherwise the next request uses the same connection.
    var closesConnection = true

    /// Returns a head with and without content after it.
    static func both(_ head: String, content: String = String(repeating: "x", count: 70)) -> [RawAnswer] {
        [RawAnswer(text: head + "\r\n\r\n"), RawAnswer(text: head + "\r\n\r\n" + content)]
    }
}

/// A loopback server that gives the answers of a table by index, to a client that must handle them all.
final class NumberScene: Sendable {
    private let server: FaultServer
    let count: Int
    let folder: String

    /// The longest time for each call; the server ends each answer at once.
    static let deadline = Duration.seconds(10)

    /// Starts the server.
    ///
    /// - Parameter answers: The answers for each index, given in turn; the last one is repeated.
    init(_ answers: [[RawAnswer]]) throws {
        count = answers.count
        let url = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path()
        let given = Shared([Int](repeating: 0, count: answers.count))
        server = try FaultServer { peer in
            while let head = try await peer.connection.read(through: "\r\n\r\n") {
                let path = String(decoding: head, as: UTF8.self).split(separator: " ")[1].dropFirst()
                guard let index = Int(path.prefix { $0 != "/" }), answers.indices.contains(index) else { return }
                let turn = given.value.withLock { given in
                    given[index] += 1
                    return given[index] - 1
                }
                let answer = answers[index][min(turn, answers[index].count - 1)]
                try await peer.connection.write(answer.text)
                guard !answer.closesConnection else {
                    try await peer.connection.closeWrite()
                    _ = try await peer.connection.discardToEnd()
                    return
                }
            }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Returns the URL of an index. Requests with different names get the answers of the index in one common sequence.
    func url(_ index: Int, _ name: String = "") -> String { server.url("/\(index)/\(name)") }

    /// Makes a call for each answer. Each call has to end before its deadline, with a value or an error of the library.
    func run(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ call: (Int) async throws -> Void
    ) async {
        for index in 0..<count {
            let start = ContinuousClock.now
            do {
                try await call(index)
            } catch let error as SockeyeError {
                #expect(error.code != .timeout, "\(what), answer \(index): \(error)", sourceLocation: sourceLocation)
            } catch {
                Issue.record("\(what), answer \(index): a foreign error: \(error)", sourceLocation: sourceLocation)
            }
            #expect(ContinuousClock.now - start < Self.deadline, "\(what), \(index)", sourceLocation: sourceLocation)
        }
    }

    /// Makes a client with the deadline for its calls.
    static func client(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = ClientConfiguration()
        configuration.timeouts = Timeouts(total: deadline)
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }
}

/// The ways in which a caller reads a response.
enum ResponseReading: String, CaseIterable, Sendable {
    case bytes, text, json, pieces, lines, dropped, head, download, downloadInParts, response

    func read(_ index: Int, of scene: NumberScene, by client: HTTPClient) async throws {
        let url = scene.url(index, rawValue)
        let path = "\(scene.folder)/\(rawValue)-\(index)"
        switch self {
        case .bytes: _ = try await client.get(url).bytes()
        case .text: _ = try await client.get(url).text()
        case .json: _ = try await client.get(url, as: JSONValue.self)
        case .pieces: for try await _ in try await client.get(url).body {}
        case .lines: for try await _ in try await client.get(url).body.lines(limit: 1024) {}
        case .dropped: _ = try await client.get(url)
        case .head: _ = try await client.head(url)
        case .download: _ = try await client.download(url, to: .file(path), options: .resuming(atMost: 0)).value
        case .downloadInParts:
            _ = try await client.download(url, to: .file(path), options: .parallel(4).resuming(atMost: 0)).value
        case .response: _ = try await client.get(url).download(to: .file(path))
        }
    }
}
