import Foundation
import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@testable import SockeyeTransfers

/// A download from a faulty server into a folder of its own.
final class DownloadScene: Sendable {
    let folder: String
    let resource: FaultyResource
    let client: HTTPClient

    init(_ resource: FaultyResource = FaultyResource(), client: HTTPClient = HTTPClient()) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path()
        self.resource = resource
        self.client = client
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var path: String { "\(folder)/file.bin" }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
    var content: Bytes? { FileManager.default.contents(atPath: path).map { Bytes($0) } }

    /// The Range fields in the order of the requests; nil for a request without one.
    var ranges: [String?] { resource.requests.map(\.range) }

    func run(
        _ url: String, options: OutgoingRequest.Options = OutgoingRequest.Options(),
        _ change: (inout DownloadSettings) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        var settings = DownloadSettings(destination: .file(path))
        settings.backoff = .none
        change(&settings)
        return try await ResumableDownload(client, try OutgoingRequest(url: url, options: options), settings).run()
    }

    /// Downloads, and expects that the folder contains exactly one file, with the resource.
    @discardableResult
    func expectWhole(
        _ answers: FaultyResource.Answer..., tls: TestTLS? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> DownloadedFile {
        let result = try await run(try await resource.start(answers, tls: tls))
        #expect(content == resource.body, sourceLocation: sourceLocation)
        #expect(result.count == resource.body.count && names == ["file.bin"], sourceLocation: sourceLocation)
        await resource.stop()
        return result
    }
}
