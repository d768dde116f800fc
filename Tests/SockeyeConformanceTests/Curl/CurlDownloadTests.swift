import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The cases of curl's `-C` (resume a file) and `-J` (the server's name for it), as downloads.
@Suite(.enabled(if: Vectors.arePresent, Vectors.absence), .timeLimit(.minutes(1))) struct CurlDownloadTests {
    private static let cases: [CurlCase] = Vectors.load("curl/cases.json")

    private func vector(_ id: String) throws -> CurlCase {
        try #require(Self.cases.first { $0.id == id })
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// - 1338 and 1642 have no field: the name is that of the URL that answered.
    /// - 1584 has a path in it, of which only the last part counts.
    @Test(
        "a download is saved under the name that curl's -J gives it",
        arguments: [
            ("curl-1311", "/1311", "name1311"), ("curl-1312", "/1312", "name1312;weird"),
            ("curl-1338", "/1338", "1338"), ("curl-1340", "/1340", "name1340"), ("curl-1584", "/1584", "name1584"),
            ("curl-1641", "/1641", "name1641"), ("curl-1642", "/1642", "16420002"),
            ("curl-3012", "/this/is/the/3012", "MMM3012MMM"),
        ])
    func names(id: String, path: String, name: String) async throws {
        let server = try await CurlServer(try vector(id)).start()
        try await withFolder { folder in
            let settings = DownloadSettings(destination: .folder(folder))
            let result = try await ResumableDownload(HTTPClient(), try OutgoingRequest(url: server.url(path)), settings)
                .run()
            #expect(result.path == "\(folder)/\(name)" && result.count == 6)
        }
        await server.stop()
    }

    enum Outcome: Sendable {
        case whole(Int)
        case error(SockeyeError.Code)
    }

    /// The differences from curl, with their reasons:
    /// - 0038 and 0189: curl gives up if the server sends the whole content. RFC 9110 14.2 allows that, so it is
    ///   accepted.
    /// - 3035 is not run: curl resumes without any validator, which could mix two versions in one file (RFC 9110
    ///   13.1.5).
    @Test(
        "a download resumes at the end of the file, like curl's -C",
        arguments: [
            ("curl-0092", "/want/92", 87, "\"ab57a-507-3f9968f3\"", Outcome.whole(87)),
            ("curl-1043", "/1043", 40, "Tue, 13 Jun 2000 12:10:00 GMT", .whole(100)),
            ("curl-1475", "/1475", 100, "\"v1\"", .whole(100)),
            ("curl-0038", "/want/38", 78, "\"v1\"", .whole(64)), ("curl-0189", "/189", 50, "\"v1\"", .whole(15)),
            ("curl-0099", "/99", 9_999_999_999, "\"v1\"", .error(.unacceptableStatus)),
        ])
    func resumes(id: String, path: String, written: Int, validator: String, outcome: Outcome) async throws {
        let script = CurlServer(try vector(id))
        let server = try await script.start()
        try await withFolder { folder in
            let partial = folder + "/.sockeye-0.part"
            try Data().write(to: URL(filePath: partial))
            unsafe truncate(partial, off_t(written))
            let fields: [String: Any] = [
                "version": 1, "url": server.url(path), "validator": validator, "bytesWritten": written,
                "temporaryPath": partial,
            ]
            var settings = DownloadSettings(destination: .file(folder + "/file"))
            settings.resumeData = try JSONDecoder().decode(
                ResumeData.self, from: try JSONSerialization.data(withJSONObject: fields))
            let run = ResumableDownload(HTTPClient(), try OutgoingRequest(url: server.url(path)), settings)
            do throws(SockeyeError) {
                let result = try await run.run()
                guard case .whole(let count) = outcome else {
                    Issue.record("no error, but \(result.count) bytes")
                    return
                }
                #expect(result.count == count)
            } catch {
                guard case .error(let code) = outcome else { throw error }
                #expect(error.code == code && error.resumeData?.bytesWritten == written)
            }
        }
        #expect(script.requests[0].values("range") == ["bytes=\(written)-"])
        await server.stop()
    }
}
