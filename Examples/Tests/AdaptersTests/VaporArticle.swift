import Sockeye
import SockeyeVapor
import Vapor

/// The snippets about Vapor in Adapters.md: compiled, not run.
private struct VaporArticle {
    func configure(_ app: Application) {
        let http = Sockeye.HTTPClient()
        app.clients.use(.sockeye(http))
    }
}
