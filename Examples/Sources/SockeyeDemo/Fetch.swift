import Sockeye

/// Fetches one URL. Writes the unchanged body to standard output, and everything else to standard error.
struct Fetch {
    let url: String

    func run() async throws {
        let terminal = Terminal.standardError
        let clock = ContinuousClock()
        let start = clock.now
        let client = HTTPClient()
        let response = try await client.get(url.contains("://") ? url : "https://\(url)")
        let head = clock.now
        terminal.print(terminal.strong("HTTP/1.\(response.minorVersion) \(response.status.code) \(response.reason)"))
        for field in response.headers { terminal.print("\(terminal.dim(field.name.description + ":")) \(field.value)") }
        terminal.print("")

        var count = 0
        for try await piece in response.body {
            count += piece.count
            guard Terminal.standardOutput.write(piece) else { throw OutputClosed() }
        }
        let end = clock.now
        terminal.print("")
        terminal.result("head", format(head - start))
        terminal.result("body", size(count), format(end - head))
        if response.url.description != url { terminal.result("from", "\(response.url)") }
    }

    struct OutputClosed: Error, CustomStringConvertible {
        var description: String { "standard output is closed" }
    }
}
