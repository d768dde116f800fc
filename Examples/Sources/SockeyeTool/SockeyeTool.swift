import ArgumentParser
import Sockeye

/// `sockeye`: fetches, sends, uploads and downloads from the command line, and reads as sample code.
///
/// ```console
/// $ swift run --package-path Examples sockeye get https://example.com/ --timing
/// $ … sockeye post http://127.0.0.1:8080/items --json '{"name": "coast"}'
/// $ … sockeye upload http://127.0.0.1:8080/photos --part photo=@coast.jpeg --part title=Coast
/// $ … sockeye download https://example.com/big.iso --output big.iso
/// ```
@main
struct SockeyeTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sockeye", abstract: "An HTTP client for the command line.",
        subcommands: [GetCommand.self, PostCommand.self, UploadCommand.self, DownloadCommand.self])
}
