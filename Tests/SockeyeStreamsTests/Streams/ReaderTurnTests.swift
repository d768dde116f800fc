import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeStreams
import SockeyeTestSupport
import Testing

#if XML
import SockeyeXML
#endif

/// Runs readers of a body whose peer never pauses, next to another task on the same thread.
@Suite("Readers of a body that let other tasks run", .timeLimit(.minutes(1))) struct ReaderTurnTests {
    /// A way to read an endless body.
    struct Use: Sendable, CustomTestStringConvertible {
        typealias Reading = @Sendable (IncomingResponse, (Int) -> Void) async throws -> Void

        let testDescription: String
        let answer: EndlessAnswer
        /// The bytes that the peer sends.
        let end: Int
        /// The maximum of bytes, lines, events or values that are read before other tasks run.
        let limit: Int
        let read: Reading
    }

    static let uses: [Use] = {
        do { return try makeUses() } catch { preconditionFailure("zlib failed: \(error)") }
    }()

    private static func makeUses() throws -> [Use] {
        var uses = [
            Use(testDescription: "pieces", answer: .announced, end: 64 << 20, limit: 5 << 20) { response, count in
                for try await piece in response.body { count(piece.count) }
            },
            Use(
                testDescription: "decoded pieces", answer: try .zeros(), end: 128 << 10, limit: 3 << 20
            ) { response, count in
                for try await piece in response.body { count(piece.count) }
            },
            // Lines are counted once per window of 16 KiB.
            Use(testDescription: "lines", answer: .lines, end: 1 << 20, limit: 40_000) { response, count in
                for try await _ in response.body.lines { count(1) }
            },
            Use(testDescription: "events", answer: .events, end: 1 << 20, limit: 2048) { response, count in
                for try await _ in response.body.events { count(1) }
            },
            Use(testDescription: "JSON lines", answer: .jsonLines, end: 64 << 10, limit: 512) { response, count in
                for try await _ in response.body.jsonLines(of: Int.self) { count(1) }
            },
        ]
        #if XML
        uses.append(
            Use(testDescription: "XML events", answer: .elements, end: 1 << 20, limit: 20_000) { response, count in
                for try await _ in XMLEvents(response) { count(1) }
            })
        #endif
        return uses
    }

    @Test("a reader lets other tasks run after a budget, and ends when it is cancelled", arguments: uses)
    func turns(use: Use) async throws {
        var configuration = EngineConfiguration()
        configuration.limits.decodedBytes = .max
        let transport = SocketTransport(configuration: configuration) { _, poller throws(SockeyeError) in
            do throws(TransportError) {
                return try EndlessConnection(use.answer, end: use.end, poller: poller)
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
        let response = try await HTTPClient(transport: transport).get("http://a.test/")
        let (most, outcome) = try await SharedThread.cancel { count in try await use.read(response, count) }
        #expect(most <= use.limit)
        let error = #expect(throws: SockeyeError.self) { try outcome.get() }
        #expect(error?.code == .cancelled)
    }
}
