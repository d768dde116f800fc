import ArgumentParser
import Sockeye

struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Sends a file as it is, or a multipart form.",
        discussion: "With --part it is a POST of a form, with --file a PUT of the file.")

    @OptionGroup var common: CommonOptions

    @Option(help: "A file to send as it is.")
    var file: String?

    @Option(help: "A part of a form: name=text, or name=@path for a file.")
    var part: [String] = []

    func run() async throws {
        guard (file == nil) != part.isEmpty else {
            throw ValidationError("Give either --file or --part.")
        }
        let client = try common.client()
        let content = if let file { HTTPClient.Content.file(file) } else { HTTPClient.Content.multipart(try form()) }
        let task = try client.uploadTask(
            file == nil ? .post : .put, common.url, content, headers: common.headers(), options: common.options)
        await ProgressLine("sent").follow(task.progress)
        let answer = try await task.value
        try await ResponsePrinter(common).show(task.response, answer)
    }

    private func form() throws -> MultipartForm {
        var form = MultipartForm()
        for entry in part {
            guard let sign = entry.firstIndex(of: "=") else {
                throw ValidationError("'\(entry)' is no part: name=text.")
            }
            let name = String(entry[..<sign])
            let value = entry[entry.index(after: sign)...]
            if value.hasPrefix("@") {
                try form.file(name, at: String(value.dropFirst()))
            } else {
                form.field(name, String(value))
            }
        }
        return form
    }
}
