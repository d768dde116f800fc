import Sockeye
import SockeyeDiagnostics
import SockeyeTransfers

/// The snippet of SockeyeDiagnostics.md about activity, which would need the host that it names: compiled, not run. The
/// other one is in ReadmeTests.swift.
struct DiagnosticsArticle {
    @MainActor final class Spinner {
        var isHidden = true
    }

    @MainActor func activity(spinner: Spinner) async throws {
        let activity = NetworkActivity()
        let client = HTTPClient().monitored(by: activity)
        Task {
            for await isActive in activity.changes { spinner.isHidden = !isActive }
        }

        let single = NetworkActivity(activationDelay: .zero, completionDelay: .zero)
        let report = try client.monitored(by: single).dataTask(.get, "https://example.com/report", as: .bytes)
        for await isActive in single.changes { spinner.isHidden = !isActive }
        print(report.id)
    }
}
