import Foundation
import SockeyeTestSupport
import Testing

/// Checks that each scenario of `acceptance/behaviours.json` in these areas has a test with the scenario's text in its
/// title.
@Suite struct CoverageTests {
    struct Scenario: Decodable {
        let id: String
        let area: String
        let `do`: String
    }

    private static let areas: Set = [
        "basic", "pool", "time", "tls", "serialize", "validate", "redirect", "retry", "auth", "upload", "download",
        "multipart", "proxy", "cache",
    ]

    @Test("each area has a title with a scenario's id, and its public scenarios have titles with their ids and texts")
    func titles() throws {
        let source = Self.source
        for area in Self.areas {
            let id = try Regex("\(area)-[0-9]{2}: ")
            #expect(source.contains(id), "\(area) has no test")
        }
        let scenarios = Vectors.load(public: ["acceptance/behaviours.json"], as: Scenario.self)
        for scenario in scenarios where Self.areas.contains(scenario.area) {
            // Several tests may share a scenario. Those of time-07 have its text in the title of their suite.
            let isCovered = source.contains("\(scenario.id): \(Self.plain(scenario.do))")
            #expect(isCovered, "\(scenario.id) is not covered")
        }
    }

    /// The sources of this folder, with literals on one line.
    private static var source: String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let sources = files.filter { $0.pathExtension == "swift" }
        return plain(sources.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n"))
    }

    /// Joins runs of blanks and line breaks to one blank, and literals on several lines to one line.
    private static func plain(_ text: String) -> String {
        text.replacing(/\\\n\s*/, with: "").replacing(/\s+/, with: " ")
    }
}
