package import Foundation

/// The Swift snippets of an article, line by line, without comments and white space.
package struct ArticleSnippets {
    /// The number of snippets.
    package let count: Int
    private let lines: [(shown: Substring, code: String)]

    /// Reads an article. Snippets that begin with `// Package.swift` are parts of a manifest and are left out.
    package init(of article: URL) throws {
        let text = try String(contentsOf: article, encoding: .utf8)
        let blocks = text.split(separator: "```swift\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "\n```").first }
            .filter { !$0.hasPrefix("// Package.swift") }
        count = blocks.count
        lines = blocks.flatMap { $0.split(separator: "\n") }.map { ($0, Self.code($0)) }
    }

    /// Returns the lines that a source does not contain.
    package func lines(missingIn source: String) -> [Substring] {
        let compiled = source.filter { !$0.isWhitespace }
        return lines.filter { !$0.code.isEmpty && !compiled.contains($0.code) }.map(\.shown)
    }

    private static func code(_ line: Substring) -> String {
        line.trimmingPrefix { $0 == " " }.hasPrefix("//") ? "" : line.filter { !$0.isWhitespace }
    }
}
