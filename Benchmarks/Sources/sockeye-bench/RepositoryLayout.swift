import Foundation

/// Where things are, seen from this file and from the program.
enum RepositoryLayout {
    /// The folder of this package.
    static let benchmarks = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the programs that were built together with this one.
    static let programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
}
