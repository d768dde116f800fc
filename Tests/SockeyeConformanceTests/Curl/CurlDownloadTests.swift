import Foundation
import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@testable import SockeyeTransfers

/// The cases of curl's `-C` (resume a file) and `-J` (the server's name for it), as downloads.
@Suite(.timeLimit(.minutes(1))) struct CurlDownloadTests {
    private static func isPresent(_ id: String) -> Bool {
        CurlCase.all.contains { $0.id == id }
    }

    private func vector(_ id: String) throws -> CurlCase {
        try #require(CurlCase.all.first { $0.id == id })
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// - 1338 and 1642 have no Content-Disposition: the name is that of the URL that answered.
    /// - 1584 proposes a path, of which only the last part counts.
    private static let saved: [(id: String, path: String, name: String)] = [
        ("name-token", "/a/1", "report.csv"), ("name-quoted", "/a/1", "a;b.txt"),
        ("name-extended", "/a/1", "\u{E4}.txt"), ("name-path", "/a/1", "passwd"),
        ("name-of-url", "/a/file.bin", "file.bin"),
        ("curl-1311", "/1311", "name1311"), ("curl-1312", "/1312", "name1312;weird"), ("curl-1338", "/1338", "1338"),
        ("curl-1340", "/1340", "name1340"), ("curl-1584", "/1584", "name1584"), ("curl-1641", "/1641", "name1641"),
        ("curl-1642", "/1642", "16420002"), ("curl-3012", "/this/is/the/3012", "MMM3012MMM"),
    ]

    @Test("a download is saved under the name that curl's -J gives it", arguments: saved.filter { isPresent($0.id) })
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

    /// A file of `written` bytes with a validator, and the outcome if the server of a case is asked for the rest.
    struct Resumption: Sendable, CustomTestStringConvertible {
        let id: String
        let path: String
        let written: Int
        let validator: String
        let outcome: Outcome

        init(_ id: String, _ path: String, _ written: Int, _ validator: String, _ outcome: Outcome) {
            (self.id, self.path, self.written) = (id, path, written)
            (self.validator, self.outcome) = (validator, outcome)
        }

        var testDescription: String { id }
    }

    /// The differences from curl, with their reasons:
    /// - 0038 and 0189: curl gives up if the server sends the whole content. RFC 9110 14.2 allows that, so it is
    ///   accepted.
    /// - 3035 is not run: curl resumes without any validator, which could mix two versions in one file (RFC 9110
    ///   13.1.5).
    private static let resumed: [Resumption] = [
        Resumption("resume-rest", "/1", 4, "\"v1\"", .whole(10)),
        Resumption("resume-complete", "/1", 10, "\"v1\"", .whole(10)),
        Resumption("resume-changed", "/1", 4, "\"v1\"", .whole(6)),
        Resumption("resume-gone", "/1", 4, "\"v1\"", .error(.unacceptableStatus)),
        Resumption("curl-0092", "/want/92", 87, "\"ab57a-507-3f9968f3\"", .whole(87)),
        Resumption("curl-1043", "/1043", 40, "Tue, 13 Jun 2000 12:10:00 GMT", .whole(100)),
        Resumption("curl-1475", "/1475", 100, "\"v1\"", .whole(100)),
        Resumption("curl-0038", "/want/38", 78, "\"v1\"", .whole(64)),
        Resumption("curl-0189", "/189", 50, "\"v1\"", .whole(15)),
        Resumption("curl-0099", "/99", 9_999_999_999, "\"v1\"", .error(.unacceptableStatus)),
    ]

    @Test(
        "a download resumes at the end of the file, like curl's -C",
        arguments: resumed.filter { isPresent($0.id) })
    func resumes(_ row: Resumption) async throws {
        let (path, written) = (row.path, row.written)
        let script = CurlServer(try vector(row.id))
        let server = try await script.start()
        try await withFolder { folder in
            let partial = folder + "/.sockeye-0.part"
            try Data().write(to: URL(filePath: partial))
            unsafe truncate(partial, off_t(written))
            let fields: [String: Any] = [
                "version": 1, "url": server.url(path), "validator": row.validator, "bytesWritten": written,
                "temporaryPath": partial,
            ]
            var settings = DownloadSettings(destination: .file(folder + "/file"))
            settings.resumeData = try JSONDecoder().decode(
                ResumeData.self, from: try JSONSerialization.data(withJSONObject: fields))
            let run = ResumableDownload(HTTPClient(), try OutgoingRequest(url: server.url(path)), settings)
            do throws(SockeyeError) {
                let result = try await run.run()
                guard case .whole(let count) = row.outcome else {
                    Issue.record("no error, but \(result.count) bytes")
                    return
                }
                #expect(result.count == count)
            } catch {
                guard case .error(let code) = row.outcome else { throw error }
                #expect(error.code == code && error.resumeData?.bytesWritten == written)
            }
        }
        #expect(script.requests[0].values("range") == ["bytes=\(written)-"])
        await server.stop()
    }
}
