import Foundation
import Sockeye

/// The file with the resume data of a download, in the folder of the downloaded file.
struct ResumeFile {
    private static let pause = Duration.seconds(1)

    private let path: String
    private var saved: (data: ResumeData, time: ContinuousClock.Instant)?

    init(for output: String) {
        path = output + ".sockeye-resume"
    }

    /// Returns the last component of the URL's path, for downloads with a file name from the server.
    static func name(for url: String) -> String {
        let path = (try? HTTPURL(url))?.path ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "download"
    }

    /// Returns the resume data of an earlier download of the same URL.
    ///
    /// - Throws: An error if another user or a server may have made the file (``ResumeData/read(from:)``).
    func load(for url: String) async throws -> ResumeData? {
        guard let data = try await ResumeData.read(from: path), let asked = try? HTTPURL(url),
            data.url == asked.removingUserInfo.withFragment(nil).description
        else { return nil }
        return data
    }

    /// Saves the resume data if it has changed: once a second at most, unless it is the last.
    mutating func save(_ data: ResumeData?, isLast: Bool = false) async {
        guard let data, data != saved?.data else { return }
        let now = ContinuousClock.now
        if !isLast, let saved, now - saved.time < Self.pause { return }
        saved = (data, now)
        try? await data.write(to: path)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
