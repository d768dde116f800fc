import ArgumentParser
import Foundation
import Sockeye

struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetches a file, and goes on with one that was not complete.",
        discussion: """
            What resuming takes is kept beside the file, with the ending '.sockeye-resume'. When the command is started \
            again, it goes on where it was, if the server lets it.
            """)

    @OptionGroup var common: CommonOptions

    @Option(name: .shortAndLong, help: "Where the file goes. Default: the name that the server suggests.")
    var output: String?

    @Option(help: "What the file has to hash to, as SHA-256 in hexadecimal.")
    var sha256: String?

    func run() async throws {
        let client = try common.client()
        var download = DownloadOptions()
        if let sha256 {
            guard let checksum = Checksum(.sha256, hexadecimal: sha256) else {
                throw ValidationError("'\(sha256)' is no SHA-256 in hexadecimal.")
            }
            download.checksums = [checksum]
        }
        let resumeFile = ResumeFile(for: output)
        let task: DownloadTask
        if let resumeData = resumeFile?.load(for: common.url) {
            Terminal.error.print("going on: \(resumeData)")
            task = try client.download(
                resuming: resumeData, headers: common.headers(), options: common.options, download: download)
        } else {
            task = try client.download(
                common.url, to: output.map { .file($0) } ?? .folder("."), headers: common.headers(),
                options: common.options, download: download)
        }
        await ProgressLine("received").follow(task.progress) { resumeFile?.save(task.resumeData) }
        do {
            let file = try await task.value
            resumeFile?.remove()
            Terminal.error.print("\(file.path): \(file.count) bytes")
            if common.timing, let metrics = task.metrics { TimingTable(metrics).print() }
        } catch {
            resumeFile?.save(error.resumeData)
            throw error
        }
    }
}
