import ObservedService

/// Prints what logs, traces and metrics have of one call with a redirect, a retry and a connect.
///
///     swift run --package-path Examples observed
@main
struct ObservedDemo {
    static func main() async throws {
        for line in try await Report.lines() { print(line) }
    }
}
