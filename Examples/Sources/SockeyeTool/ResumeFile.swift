import Foundation
import Sockeye

/// Keeps what resuming a download takes beside the file that it makes.
struct ResumeFile {
    private let path: URL

    init(for output: String) {
        path = URL(filePath: output + ".sockeye-resume")
    }

    /// Where the server has the say about the name of the file: the last component of the URL's path.
    static func name(for url: String) -> String {
        let path = (try? HTTPURL(url))?.path ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "download"
    }

    /// What an earlier download of the same URL left.
    func load(for url: String) -> ResumeData? {
        guard let data = try? Data(contentsOf: path),
            let resumeData = try? JSONResponseDecoder().decode(ResumeData.self, from: Bytes(data)),
            let asked = try? HTTPURL(url), resumeData.url == asked.removingUserInfo.withFragment(nil).description
        else { return nil }
        return resumeData
    }

    func save(_ resumeData: ResumeData?) {
        guard let resumeData, let data = try? JSONEncoder().encode(resumeData) else { return }
        try? data.write(to: path, options: .atomic)
    }

    func remove() {
        try? FileManager.default.removeItem(at: path)
    }
}
