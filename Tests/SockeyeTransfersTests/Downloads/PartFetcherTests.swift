import Foundation
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeTransfers

@Suite("The fetcher of parts", .timeLimit(.minutes(1))) struct PartFetcherTests {
    private static let size = 2 << 20
    private static let content = Bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) })
    /// The first response comes in two pieces, cut here. The first piece crosses the end of the first part.
    private static let cut = size * 3 / 4
    private static let parts = [0..<size / 2, size / 2..<size]

    /// Returns a client whose server sends the whole content in two pieces, and refuses each request for a part once
    /// the signal has been fired.
    private static func client(refusingPartsAfter signal: TestSignal) -> HTTPClient {
        HTTPClient(
            transport: MockTransport { request in
                guard request[.range] == nil else {
                    try await signal.wait()
                    return .status(404)
                }
                let pieces = AsyncStream<Bytes> { continuation in
                    continuation.yield(content.slice(0..<cut))
                    continuation.yield(content.slice(cut..<size))
                    continuation.finish()
                }
                return .stream(pieces, length: size, headers: ["ETag": "\"v1\"", "Accept-Ranges": "bytes"])
            })
    }

    /// The start of the piece is longer than the queue of its writer, so the fetcher waits until the disk has written
    /// it. The first write therefore comes after the fetcher has cut the piece at the end of the part, and before the
    /// fetcher looks at that end again.
    @Test("the rest of a piece that crosses the end of the first part is kept if the parts are abandoned meanwhile")
    func abandoning() async throws {
        let folder = try TemporaryFolder()
        let (board, refused) = (PartProgress(Self.parts), TestSignal())
        var calls = FileCalls.system
        unsafe calls.write = { descriptor, bytes, position in
            board.abandon()
            refused.fire()
            return unsafe FileCalls.system.write(descriptor, bytes, position)
        }
        let file = try await DownloadFile.create(beside: folder("x"), calls: calls)
        let writers = file.writers(at: Self.parts.map(\.lowerBound)) { board.recordWrite($0, upTo: $1) }
        let client = Self.client(refusingPartsAfter: refused)
        let request = try OutgoingRequest(url: "https://example.com/f")
        let fetcher = PartFetcher(
            client: client, requests: DownloadRequests(request, for: client),
            settings: DownloadSettings(destination: .file(folder("x"))), rules: ResumeMachine.Rules(),
            entity: ResumeMachine.Entity(validator: StrongValidator(fieldValue: "\"v1\""), total: Self.size),
            partProgress: board)
        let end = try await fetcher.run(client.send(request), writers)
        guard case .abandoned = end else {
            Issue.record("\(end)")
            return
        }
        #expect(board.contiguous == Self.size)
        #expect(FileManager.default.contents(atPath: file.path) == Data(Self.content))
    }

    // MARK: Answers to requests for parts

    /// A server's answer to a request for the second of two parts.
    enum Answer: CaseIterable {
        case part, whole, missing, otherVersion, shifted, longer, wrongTotal

        /// True if the answer is the requested part.
        var isRight: Bool { self == .part }

        func response(_ range: Range<Int>) -> TestServerResponse {
            switch self {
            case .part: Self.part(range)
            case .whole: .bytes(content, headers: ["ETag": "\"v1\""])
            case .missing: .status(404)
            case .otherVersion: Self.part(range, tag: "\"v2\"")
            case .shifted: Self.part(range.lowerBound - 1..<range.upperBound - 1)
            case .longer: Self.part(range.lowerBound - 1..<range.upperBound)
            case .wrongTotal: Self.part(range, total: size + 1)
            }
        }

        static func part(_ range: Range<Int>, tag: String = "\"v1\"", total: Int = size) -> TestServerResponse {
            .bytes(
                content.slice(range), status: 206,
                headers: [
                    "ETag": tag, "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)",
                ])
        }
    }

    /// The outcome of fetching two parts.
    private struct Outcome {
        let end: PartFetcher.End
        let progress: PartProgress
        let bytes: Data?
        /// The number of requests for parts.
        let requests: Int
    }

    /// Fetches two parts. The server sends the whole content first, and answers each request for a part with `answer`.
    ///
    /// - Parameter resumes: The number of times that a part may be requested again.
    private func fetch(
        resumes: Int = 5, _ answer: @escaping @Sendable (Range<Int>, _ request: Int) throws -> TestServerResponse
    ) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let count = Atomic(0)
        let client = HTTPClient(
            transport: MockTransport { request in
                guard let field = request[.range] else {
                    return .bytes(Self.content, headers: ["ETag": "\"v1\"", "Accept-Ranges": "bytes"])
                }
                let ends = field.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
                #expect(request["If-Range"] == "\"v1\"" && ends.count == 2)
                return try answer(ends[0]..<ends[1] + 1, count.wrappingAdd(1, ordering: .relaxed).newValue)
            })
        let progress = PartProgress(Self.parts)
        let file = try await DownloadFile.create(beside: folder("x"))
        let writers = file.writers(at: Self.parts.map(\.lowerBound)) { progress.recordWrite($0, upTo: $1) }
        var settings = DownloadSettings(destination: .file(folder("x")))
        settings.backoff = .none
        let fetcher = PartFetcher(
            client: client, requests: DownloadRequests(try OutgoingRequest(url: "https://example.com/f"), for: client),
            settings: settings, rules: ResumeMachine.Rules(maximumResumes: resumes),
            entity: ResumeMachine.Entity(validator: StrongValidator(fieldValue: "\"v1\""), total: Self.size),
            partProgress: progress)
        let end = try await fetcher.run(client.send(OutgoingRequest(url: "https://example.com/f")), writers)
        return Outcome(
            end: end, progress: progress, bytes: FileManager.default.contents(atPath: file.path),
            requests: count.load(ordering: .relaxed))
    }

    @Test(
        "a wrong answer to a request for a part abandons the parts, and only correct bytes are kept",
        arguments: Answer.allCases)
    func answers(answer: Answer) async throws {
        let outcome = try await fetch { range, _ in answer.response(range) }
        switch outcome.end {
        case .complete: #expect(answer.isRight)
        case .abandoned: #expect(!answer.isRight && outcome.progress.isAbandoned)
        case .failed(let error): Issue.record(error)
        }
        let count = outcome.progress.contiguous
        #expect(count >= (answer.isRight ? Self.size : Self.parts[0].upperBound) && outcome.requests == 1)
        #expect(outcome.bytes?.prefix(count) == Data(Self.content.slice(0..<count)))
    }

    @Test("a part that breaks off is requested from where it stopped")
    func brokenOff() async throws {
        let (ranges, middle) = (Recorder<Range<Int>>(), Self.size * 3 / 4)
        let outcome = try await fetch { range, request in
            ranges.append(range)
            guard request == 1 else { return Answer.part(range) }
            let part = AsyncThrowingStream<Bytes, any Error> { continuation in
                continuation.yield(Self.content.slice(range.lowerBound..<middle))
                continuation.finish(throwing: SockeyeError.failure(.connectionClosed, in: .body))
            }
            return .stream(
                part, length: range.count, status: 206,
                headers: [
                    "ETag": "\"v1\"",
                    "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.size)",
                ])
        }
        guard case .complete = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(ranges.values == [Self.parts[1], middle..<Self.size] && outcome.progress.interruptions == 1)
        #expect(outcome.bytes == Data(Self.content))
    }

    @Test("parts are abandoned after the last resume or without free descriptors, and other errors end the download")
    func errors() async throws {
        let rows: [(SockeyeError.Code, resumes: Int, requests: Int, isFailure: Bool)] = [
            (.connectionClosed, 0, 1, false), (.connectionClosed, 2, 3, false), (.outOfResources, 5, 1, false),
            (.tlsFailed, 5, 1, true),
        ]
        for (code, resumes, requests, isFailure) in rows {
            let outcome = try await fetch(resumes: resumes) { _, _ in throw SockeyeError.failure(code) }
            #expect(outcome.requests == requests)
            switch outcome.end {
            case .complete: Issue.record("\(code) was ignored")
            case .abandoned: #expect(!isFailure && outcome.progress.contiguous >= Self.parts[0].upperBound)
            case .failed(let error): #expect(isFailure && error.code == code)
            }
        }
    }

    // MARK: Several ends

    private static func failed(_ code: SockeyeError.Code) -> PartFetcher.End { .failed(.failure(code)) }

    /// Rows with the ends of three parts in order, `isCancelled` (true if the caller cancelled the download), and the
    /// merged end.
    private static let ends: [(ends: [PartFetcher.End], isCancelled: Bool, outcome: PartFetcher.End)] = [
        ([.complete, .complete, .complete], false, .complete),
        ([.complete, .abandoned, .complete], false, .abandoned),
        ([.abandoned, .complete, .abandoned], false, .abandoned),
        ([.complete, failed(.tlsFailed), .complete], false, failed(.tlsFailed)),
        // The first of several failures is the outcome.
        ([failed(.tlsFailed), failed(.timeout), failed(.fileFailed)], false, failed(.tlsFailed)),
        ([failed(.timeout), failed(.tlsFailed), failed(.cancelled)], false, failed(.timeout)),
        // A failure replaces `abandoned`, whichever comes first.
        ([.abandoned, failed(.fileFailed), .complete], false, failed(.fileFailed)),
        ([failed(.fileFailed), .abandoned, .complete], false, failed(.fileFailed)),
        // An abandoned part cancels the others. A cancellation is the outcome only if the caller cancelled the
        // download.
        ([.abandoned, failed(.cancelled), failed(.cancelled)], false, .abandoned),
        ([.abandoned, failed(.cancelled), failed(.fileFailed)], false, failed(.fileFailed)),
        ([.abandoned, failed(.cancelled), .complete], true, failed(.cancelled)),
        ([failed(.cancelled), .abandoned, .complete], true, failed(.cancelled)),
        // The total deadline cancels the other parts. Its timeout replaces a cancellation, and another failure does
        // not.
        ([failed(.cancelled), failed(.timeout), failed(.cancelled)], true, failed(.timeout)),
        ([failed(.cancelled), failed(.tlsFailed), .complete], true, failed(.cancelled)),
    ]

    @Test(
        "if several parts fail, the first failure is the outcome, unless another failure caused it",
        arguments: ends.indices)
    func severalEnds(index: Int) {
        let row = Self.ends[index]
        var end = PartFetcher.End.complete
        for next in row.ends { end.merge(next, isCancelled: row.isCancelled) }
        switch (end, row.outcome) {
        case (.complete, .complete), (.abandoned, .abandoned): break
        case (.failed(let error), .failed(let expected)): #expect(error.code == expected.code)
        default: Issue.record("\(end), not \(row.outcome)")
        }
    }
}
