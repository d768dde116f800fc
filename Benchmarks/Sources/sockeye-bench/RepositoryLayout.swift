import Foundation

/// The paths of folders, derived from this file and from the program.
enum RepositoryLayout {
    /// The folder of this package.
    static let benchmarks = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder into which `Scripts/build-peers.sh` puts the clients that are not written in Swift.
    static let peers = benchmarks.appending(path: ".build/peers")

    /// The folder of this program and the programs that were built with it.
    static let programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
}
