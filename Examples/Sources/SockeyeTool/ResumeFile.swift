import Foundation
import Sockeye

/// The file with the state of a download, beside the file that the download makes.
struct ResumeFile {
    private static let pause = Duration.seconds(1)

    private let path: String
    private var saved: (data: ResumeData, time: ContinuousClock.Instant)?

    init(for output: String) {
        path = output + ".sockeye-resume"
    }

    /// The last component of the URL's path, if the server decides on the name of the file.
    static func name(for url: String) -> String {
        let path = (try? HTTPURL(url))?.path ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "download"
    }

    /// The state of an earlier download of the same URL. A file that may be of another user's or of a server's making is an
    /// error (``ResumeData/read(from:)``).
    func load(for url: String) async throws -> ResumeData? {
        guard let data = try await ResumeData.read(from: path), let asked = try? HTTPURL(url),
            data.url == asked.removingUserInfo.withFragment(nil).description
        else { return nil }
        return data
    }

    /// Saves the state, once a second at most unless it is the last one.
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
