import Foundation
import Testing

/// Each scenario that concerns sockets, bodies, time, the pool, TLS and serialization has a test that bears its name.
@Suite(.enabled(if: Vectors.arePresent, Vectors.absence)) struct CoverageTests {
    struct Scenario: Decodable {
        let id: String
        let area: String
        let `do`: String
    }

    private static let areas: Set = ["basic", "pool", "time", "tls", "serialize", "validate", "redirect"]
    /// Of the other areas those that need nothing above one exchange (no multipart, no retries), and downloads into files.
    private static let others: Set = [
        "upload-02", "upload-04", "upload-09", "download-02", "download-04", "download-05", "download-08",
        "download-09", "download-10", "download-11", "download-12", "download-14",
    ]

    @Test("every scenario has a test titled with its id and its text")
    func titles() throws {
        let scenarios = Vectors.load("acceptance/behaviours.json", as: Scenario.self)
            .filter { Self.areas.contains($0.area) || Self.others.contains($0.id) }
        #expect(scenarios.count >= Self.others.count)
        let source = Self.source
        for scenario in scenarios {
            // Several tests may share a scenario; those of time-07 have its text in the title of their suite.
            #expect(source.contains("\(scenario.id): \(Self.plain(scenario.do))"), "\(scenario.id) is not covered")
        }
    }

    /// The sources of this folder, literals on one line.
    private static var source: String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let sources = files.filter { $0.pathExtension == "swift" }
        return plain(sources.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n"))
    }

    /// Runs of blanks and line breaks as one blank, literals on several lines as one line.
    private static func plain(_ text: String) -> String {
        text.replacing(/\\\n\s*/, with: "").replacing(/\s+/, with: " ")
    }
}
