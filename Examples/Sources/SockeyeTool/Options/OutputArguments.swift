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
        name: .shortAndLong,
        help: "Shows the fields of every request and response on standard error, with secrets as ***.")
    var verbose = false

    @Flag(help: "Shows passwords, tokens and cookies in what --verbose and --curl print.")
    var showSecrets = false

    @Option(help: "How JSON is printed: all, colors, format or none. Default: all on a terminal, else none.")
    var pretty: Presentation.Choice?

    @Flag(
        name: .customLong("as-json"),
        help: "Prints one JSON object for machines: status, fields, content, timing, or the error.")
    var asJSON = false

    @Flag(name: .shortAndLong, help: "Shows neither bars nor errors.")
    var silent = false

    @Flag(name: [.customShort("S"), .long], help: "Shows errors in spite of --silent.")
    var showError = false

    @Flag(name: [.customShort("#"), .long], help: "Shows a bar on a terminal, as it does anyway.")
    var progressBar = false

    @Flag(help: "Shows no bars.")
    var noProgressMeter = false

    @Flag(help: "Prints how long everything took, as a waterfall.")
    var timing = false

    var showsErrors: Bool { !silent || showError }
    var showsBars: Bool { !silent && !noProgressMeter }
}
