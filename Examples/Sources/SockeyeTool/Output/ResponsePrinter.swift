import ArgumentParser
import Foundation
import Sockeye

/// Prints responses: the content to standard output, what is said about it to standard error.
struct ResponsePrinter {
    private let common: CommonOptions

    init(_ common: CommonOptions) {
        self.common = common
    }

    /// Prints the content as it comes.
    func show(_ response: IncomingResponse) async throws {
        printHead(response)
        for try await chunk in response.body { Terminal.output.write(Data(chunk)) }
        try finish(response)
    }

    /// Prints content that is here.
    func show(_ response: IncomingResponse?, _ content: Bytes) async throws {
        guard let response else { return }
        printHead(response)
        Terminal.output.write(Data(content))
        try finish(response)
    }

    private func printHead(_ response: IncomingResponse) {
        guard common.include else { return }
        Terminal.output.print("HTTP/1.\(response.minorVersion) \(response.status)")
        for field in response.headers { Terminal.output.print("\(field.name): \(field.value)") }
        Terminal.output.print("")
    }

    private func finish(_ response: IncomingResponse) throws {
        if common.timing, let metrics = response.metrics { TimingTable(metrics).print() }
        if common.fail, !(200...299).contains(response.status.code) {
            Terminal.error.print("the server answered \(response.status)")
            throw ExitCode(22)
        }
    }
}
