import Foundation
import Testing

@Suite("make install", .timeLimit(.minutes(2)))
struct InstallTests {
    @Test
    func `puts the command, its manual page and its completions where they belong`() async throws {
        let folder = try Tool.Folder()
        let script = URL(filePath: #filePath).appending(path: "../../../../../Scripts/install-tool.sh").standardized
        let process = Process()
        process.executableURL = script
        process.arguments = ["/usr"]
        process.environment = [
            "PATH": "/usr/bin:/bin", "DESTDIR": folder.path("root"), "CONFIGURATION": "debug",
            "SKIP_BUILD": URL(filePath: Tool.path).deletingLastPathComponent().path(percentEncoded: false),
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)

        #expect(FileManager.default.isExecutableFile(atPath: folder.path("root/usr/bin/sockeye")))
        for (path, text) in [
            ("share/man/man1/sockeye.1", ".TH SOCKEYE 1"), ("share/bash-completion/completions/sockeye", "complete"),
            ("share/zsh/site-functions/_sockeye", "#compdef sockeye"),
            ("share/fish/vendor_completions.d/sockeye.fish", "complete -c 'sockeye'"),
        ] {
            let content = folder.read("root/usr/\(path)").map { String(decoding: $0, as: UTF8.self) }
            #expect(content?.contains(text) == true, "\(path): \(content?.prefix(200) ?? "missing")")
        }
    }
}
