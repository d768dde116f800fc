import ArgumentParser
import Foundation
import SockeyeToolKit

/// The command that prints the manual page, for `make install`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-manual", abstract: "Prints the manual page.", shouldDisplay: false)

    @Option(help: "The date in its footer.")
    var date: String?

    func run() throws {
        let today = String(Date.now.formatted(.iso8601.year().month().day()))
        let page = try ManualPage(help: SockeyeTool._dumpHelp())
        try Terminal.output.print(page.text(date: date ?? today))
    }
}
