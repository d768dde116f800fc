import SockeyeCore
import SockeyeTestSupport
import Testing

@testable import Sockeye
@testable import SockeyeCache
@testable import SockeyeEngine

@Suite("The end of a cache's writer", .timeLimit(.minutes(1))) struct CacheWriterEndTests {
    enum Step: String, Sendable { case write, commit, abandon }

    /// A writer that fails in one step and records the calls of `commit` and `abandon`.
    private struct FailingWriter: CachePolicy.Writer {
        struct Failure: Error {}

        let failing: Step?
        let ends = Recorder<Step>()

        func write(_ piece: Bytes) async throws {
            if failing == .write { throw Failure() }
        }

        func commit() async throws {
            ends.append(.commit)
            if failing == .commit { throw Failure() }
        }

        func abandon() { ends.append(.abandon) }
    }

    enum Content: CaseIterable {
        case received, streamed, leftToBackground

        func store(by writer: some CachePolicy.Writer) async throws {
            let source = StoredPiecesSource([Bytes("a"), Bytes("b")])
            let content = BodyContent(source: source, expectedLength: nil)
            switch self {
            case .received:
                await response(BodyContent(first: Bytes("ab"), expectedLength: 2))
                    .store(by: writer, id: "1", finisher: nil)
            case .streamed:
                let response = response(content)
                await response.store(by: writer, id: "1", finisher: nil)
                #expect(try await response.bytes() == Bytes("ab"))
            case .leftToBackground: await BodyFinisher.store(source, behind: Bytes(), to: writer, upTo: 100)
            }
        }

        private func response(_ content: BodyContent) -> IncomingResponse {
            IncomingResponse(ResponseStorage(status: 200, fields: [:], reason: "", request: nil, body: content))
        }
    }

    @Test(
        "a writer is committed or abandoned once, and abandoned after a commit that fails",
        arguments: Content.allCases)
    func ends(content: Content) async throws {
        for (failing, ends) in [(nil, [.commit]), (.write, [.abandon]), (.commit, [.commit, .abandon])]
            as [(Step?, [Step])]
        {
            let writer = FailingWriter(failing: failing)
            try await content.store(by: writer)
            #expect(writer.ends.values == ends)
        }
    }
}
