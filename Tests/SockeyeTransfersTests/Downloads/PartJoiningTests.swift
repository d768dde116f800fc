import Dispatch
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

/// Downloads in parts that continue in one piece, because the server refuses the parts.
@Suite("Parts that are given up", .timeLimit(.minutes(1))) struct PartJoiningTests {
    private static let size = 2 << 20
    private static let content = Bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) })
    /// The first response breaks off here, within the first part.
    private static let cut = 256 << 10

    /// The first response breaks off, and requests for parts are refused. After that the rest is served.
    ///
    /// - Parameter goingOn: Called at the request for the rest.
    private static func server(goingOn: @escaping @Sendable () -> Void) -> MockTransport {
        let requests = Atomic(0)
        return MockTransport { request in
            let fields: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
            guard requests.wrappingAdd(1, ordering: .relaxed).newValue > 1 else {
                let pieces = AsyncThrowingStream<Bytes, any Error> { continuation in
                    continuation.yield(content.slice(0..<cut))
                    continuation.finish(throwing: SockeyeError.failure(.connectionClosed))
                }
                return .stream(pieces, length: size, headers: fields)
            }
            guard let range = request[.range] else {
                goingOn()
                return .bytes(content, headers: fields)
            }
            guard range.hasSuffix("-"), let from = Int(range.dropFirst("bytes=".count).dropLast()) else {
                return .status(404)
            }
            goingOn()
            return .bytes(
                content.slice(from..<size), status: 206,
                headers: fields.merging([.contentRange: "bytes \(from)-\(size - 1)/\(size)"]))
        }
    }

    @Test("the download goes on only after the writes of the parts have ended")
    func running() async throws {
        let folder = try TemporaryFolder()
        let goesOn = DispatchSemaphore(value: 0)
        let isOvertaken = Atomic(false)
        var settings = DownloadSettings(destination: .file(folder("x")))
        settings.options = .parallel(2)
        settings.backoff = .none
        unsafe settings.fileCalls.write = { descriptor, bytes, position in
            // A slow disk. The request for the rest would come meanwhile if it did not wait for the write.
            if position == 0, goesOn.wait(timeout: .now() + 0.3) == .success {
                isOvertaken.store(true, ordering: .relaxed)
            }
            return unsafe FileCalls.system.write(descriptor, bytes, position)
        }
        let client = HTTPClient(transport: Self.server { goesOn.signal() })
        let request = try OutgoingRequest(url: "https://example.com/f")
        let file = try await ResumableDownload(client, request, settings).run()
        let wasOvertaken = isOvertaken.load(ordering: .relaxed)
        #expect(!wasOvertaken)
        #expect(file.count == Self.size && FileManager.default.contents(atPath: folder("x")) == Data(Self.content))
    }
}
