import ArgumentParser
import Glibc
import SockeyeToolKit

/// `sockeye`: an HTTP client for the command line, with a syntax similar to curl's and httpie's. Its decisions are
/// values in SockeyeToolKit.
///
/// ```console
/// $ swift run --package-path Examples sockeye https://example.com/ --timing
/// $ … sockeye post http://127.0.0.1:8080/items name=coast depth:=12
/// $ … sockeye http://127.0.0.1:8080/photos --form photo=@coast.jpeg --form title=Coast
/// $ … sockeye download https://example.com/big.iso
/// ```
@main
struct SockeyeTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sockeye", abstract: "An HTTP client for the command line.",
        usage: """
            sockeye [METHOD] URL [ITEM...] [OPTION...]
            sockeye download|bench|trace URL [OPTION...]
            """,
        discussion: """
            Without a subcommand it makes a request and prints the content of the response:

              sockeye https://example.com/
              sockeye post https://example.com/items name=coast depth:=12
              sockeye https://example.com/form --data 'a=1&b=2'
              sockeye download https://example.com/big.iso

            'sockeye help fetch' lists the options.
            """,
        version: "0.9.0",
        subcommands: [
            FetchCommand.self, DownloadCommand.self, BenchCommand.self, TraceCommand.self, ManualCommand.self,
        ],
        defaultSubcommand: FetchCommand.self)

    static func main() async {
        do {
            var command = try await asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    private static func end(with error: any Error) -> Never {
        switch error {
        case let failure as CommandFailure: failure.tell()
        case let fault as UsageFault:
            Terminal.error.tell("sockeye: \(fault)\nSee 'sockeye --help'.")
            Glibc.exit(ExitStatus.usage.code)
        case is OutputClosed: Glibc.exit(ExitStatus.write.code)
        default:
            // An error of ArgumentParser: a request for help, or an invalid command line, for which curl's status is 2.
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            Terminal.error.tell(fullMessage(for: error))
            Glibc.exit(ExitStatus.usage.code)
        }
    }
}
