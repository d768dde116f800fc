import ArgumentParser
import Foundation
import SockeyeToolKit

/// The options for one transfer with curl's names: parts of files, and what is printed about the response.
struct TransferArguments: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Prints the head of the response, too.")
    var include = false

    @Option(
        name: [.customShort("D"), .long], help: "A file for the head of the response; '-' is standard output.",
        completion: .file())
    var dumpHeader: String?

    @Flag(name: [.customShort("O"), .long], help: "Writes the content to a file with the last name in the URL.")
    var remoteName = false

    @Flag(
        name: [.customShort("J"), .long],
        help: "With -O: the name that the server suggests, made safe; an existing file stays.")
    var remoteHeaderName = false

    @Option(
        name: .shortAndLong, parsing: .unconditional, help: "Which bytes to ask for, such as 0-99, 100- or -100.")
    var range: String?

    @Option(
        name: [.customShort("C"), .long],
        help: "Goes on at this byte; '-' is the length of the output file. 'sockeye download' also checks the version.")
    var continueAt: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: "What to print at the end, such as '%{http_code} %{time_total}\\n', or @FILE with it.")
    var writeOut: String?

    @Flag(name: [.customShort("N"), .long], help: "Prints JSON on a terminal as it arrives, without indentation.")
    var noBuffer = false

    @Flag(help: "Prints control sequences in content on a terminal as they are.")
    var raw = false

    @Flag(help: "Like --fail, but prints the content.")
    var failWithBody = false

    func format() throws -> WriteOutFormat? {
        guard let writeOut else { return nil }
        guard writeOut.hasPrefix("@") else { return try WriteOutFormat(writeOut) }
        let path = String(writeOut.dropFirst())
        return try WriteOutFormat(UTF8Text.decoded(try StandardStreams.current.input.content(of: path), path))
    }
}
