import SockeyeCore
import SockeyeTestSupport
import Synchronization
import Testing

@testable import Sockeye
@testable import SockeyeCache
@testable import SockeyeEngine

/// Runs loops of the cache over a body whose peer never pauses, next to another task on the same thread.
@Suite("Loops of the cache that let other tasks run", .timeLimit(.minutes(1))) struct CacheTurnTests {
    /// A body that never suspends its reader and ignores cancellation. It ends after 64 MiB, so that a loop that
    /// ignores cancellation fails its test instead of hanging.
    final class EndlessSource: BodySource {
        let trailers: Headers? = nil
        private let position = Atomic(0)
        private let count: @Sendable (Int) -> Void
        private static let piece = Bytes([UInt8](repeating: 1, count: 64 << 10))
        static let end = 64 << 20

        init(_ count: @escaping @Sendable (Int) -> Void) { self.count = count }

        func next() async throws(SockeyeError) -> Bytes? {
            guard position.load(ordering: .relaxed) < Self.end else { return nil }
            position.wrappingAdd(Self.piece.count, ordering: .relaxed)
            count(Self.piece.count)
            return Self.piece
        }
    }

    /// A writer that accepts any content.
    struct Writer: CachePolicy.Writer {
        func write(_ piece: Bytes) async throws {}
        func commit() async throws { Issue.record("the content is complete") }
        func abandon() {}
    }

    private static func response(_ source: any BodySource) -> IncomingResponse {
        IncomingResponse(
            ResponseStorage(
                status: 200, fields: [:], reason: "", request: nil,
                body: BodyContent(source: source, expectedLength: nil)))
    }

    /// The loops, each over the content of a source.
    enum Loop: CaseIterable {
        /// The refresh of a stale response.
        case refresh
        /// The rest of a body that its caller stopped reading.
        case abandonedBody
        /// The bytes that a caller has received before it fell behind.
        case skippedBytes

        func read(_ source: EndlessSource) async throws {
            switch self {
            case .refresh:
                let response = CacheTurnTests.response(source)
                await response.store(by: Writer(), id: "1", finisher: nil)
                await response.readToStore(upTo: .max)
            case .abandonedBody: await BodyFinisher.store(source, behind: Bytes(), to: Writer(), upTo: .max)
            case .skippedBytes: try await ResponseSource(CacheTurnTests.response(source)).skip(.max)
            }
        }
    }

    @Test(
        "a loop of the cache lets other tasks run after a MiB, and ends when it is cancelled", arguments: Loop.allCases)
    func turns(loop: Loop) async throws {
        let sum = Atomic(0)
        let (most, outcome) = try await SharedThread.cancel { count in
            let source = EndlessSource { bytes in
                count(bytes)
                sum.wrappingAdd(bytes, ordering: .relaxed)
            }
            try await loop.read(source)
        }
        #expect(most <= 1 << 20)
        #expect(sum.load(ordering: .relaxed) <= (SharedThread.turns + 2) << 20)
        guard loop == .skippedBytes else { return }
        let error = #expect(throws: SockeyeError.self) { try outcome.get() }
        #expect(error?.code == .cancelled)
    }
}
