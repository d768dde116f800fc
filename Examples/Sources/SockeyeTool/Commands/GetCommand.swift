import ArgumentParser
import Sockeye

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Prints what is at a URL.")

    @OptionGroup var common: CommonOptions

    @Option(help: "A parameter of the query, such as page=2.")
    var query: [String] = []

    func run() async throws {
        let request = try await common.client().get(
            common.url, query: RequestParameters(assignments: query), headers: common.headers(), options: common.options
        )
        try await ResponsePrinter(common).show(request)
    }
}
