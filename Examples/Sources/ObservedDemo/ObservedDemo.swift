import ObservedService

/// Prints the logs, spans and metrics of one call with a redirect, a retry and a new connection.
///
///     swift run --package-path Examples observed
@main
struct ObservedDemo {
    static func main() async throws {
        for line in try await Report.lines() { print(line) }
    }
}
