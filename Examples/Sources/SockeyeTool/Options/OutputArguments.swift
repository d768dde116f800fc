import ArgumentParser
import SockeyeToolKit

extension Presentation.Choice: ExpressibleByArgument {}

/// The options for the destination and the form of the output.
struct OutputArguments: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "Where the content goes; '-' is standard output, also for what is no text.",
        completion: .file())
    var output: String?

    @Flag(
        name: [.customShort("O"), .long], help: "Writes the content to a file with the name that the server suggests.")
    var remoteName = false

    @Flag(name: .shortAndLong, help: "Prints the head of the response, too.")
    var include = false

    @Flag(name: .shortAndLong, help: "Tells which requests were made, over which connections, and what they took.")
    var verbose = false

    @Option(help: "How JSON is printed: all, colors, format or none. Default: all on a terminal, else none.")
    var pretty: Presentation.Choice?

    @Flag(help: "Prints one JSON object for machines: status, fields, content, timing, or the error.")
    var json = false

    @Flag(name: .shortAndLong, help: "Shows neither bars nor errors.")
    var silent = false

    @Flag(help: "Prints how long everything took, as a waterfall.")
    var timing = false
}
