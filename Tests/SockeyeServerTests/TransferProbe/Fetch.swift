import Sockeye
import SockeyeEssentials
import SockeyeTransfers

/// A download that may be killed at any time. Its resume data is saved before the first byte.
struct Fetch {
    let url: String
    let path: String
    let state: String

    func run() async throws {
        let file = URL(filePath: state)
        var settings = DownloadSettings(destination: .file(path))
        if let data = try? Data(contentsOf: file) {
            settings.resumeData = try JSONDecoder().decode(ResumeData.self, from: data)
        }
        settings.onEvent = { event in
            switch event {
            case .resumable(let data?): try? JSONEncoder().encode(data).write(to: file, options: .atomic)
            case .resumed(let position, _): print("resumed at \(position)")
            case .startedOver: print("started over")
            default: break
            }
        }
        let result = try await ResumableDownload(HTTPClient(), try OutgoingRequest(url: url), settings).run()
        print("complete: \(result.count)")
    }
}
