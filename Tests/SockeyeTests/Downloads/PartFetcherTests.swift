import Foundation
import SockeyeCore
import SockeyeHTTP
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("The fetcher of parts", .timeLimit(.minutes(1))) struct PartFetcherTests {
    private static let size = 2 << 20
    private static let content = Bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) })
    /// The first response comes in two pieces, cut here. The first piece crosses the end of the first part.
    private static let cut = size * 3 / 4
    private static let parts = [0..<size / 2, size / 2..<size]

    /// Returns a client whose server sends the whole in two pieces, and refuses every part after the signal.
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

    /// The start of the piece is more than its writer queues, so the fetcher waits until the disk has written it. The
    /// first write therefore comes after the fetcher has cut the piece at the end of the part, and before the fetcher
    /// looks at that end again.
    @Test("the rest of a piece that crosses the end of the first part is kept if the parts are given up meanwhile")
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
}
