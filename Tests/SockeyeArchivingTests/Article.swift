import Foundation
import SockeyeArchiving

/// The snippets of SockeyeArchiving.md, which need the files that they read: compiled, not run.
struct Article {
    func configuration(file: Data) throws -> ClientConfiguration {
        let configuration = try JSONDecoder().decode(ClientConfiguration.self, from: file)
        return configuration
    }

    func writeScope(api: HTTPClient) throws -> Data {
        let file = try JSONEncoder().encode(api.archivedScope())
        return file
    }

    func readScope(file: Data, configuration: ClientConfiguration) throws -> HTTPClient {
        let restored = HTTPClient(configuration: configuration).scoped(
            by: try JSONDecoder().decode(ScopeArchive.self, from: file))
        return restored
    }
}
