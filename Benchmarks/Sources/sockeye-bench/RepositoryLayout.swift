import Foundation

/// Where things are, seen from this file and from the program.
enum RepositoryLayout {
    /// The folder of this package.
    static let benchmarks = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where `Scripts/build-peers.sh` puts the clients that are not written in Swift.
    static let peers = benchmarks.appending(path: ".build/peers")

    /// The folder of the programs that were built together with this one.
    static let programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
}
