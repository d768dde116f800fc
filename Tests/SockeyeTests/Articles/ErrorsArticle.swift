import Sockeye

/// The snippet of Errors.md, which would need the host that it names: compiled, not run.
struct ErrorsArticle {
    struct User: Codable, Sendable { var name: String }

    func absent(id: Int, api: HTTPClient) async throws -> User? {
        do {
            return try await api.get("users/\(id)", as: User.self)
        } catch {
            guard error.response?.status == .notFound else { throw error }
            return nil
        }
    }

    func telling(api: HTTPClient) async {
        do {
            let user = try await api.get("users/1", as: User.self)
            print(user)
        } catch {
            switch error.code {
            case .unacceptableStatus: print(error.response?.status ?? .ok, error.response?.text ?? "")
            case .timeout: print("too slow in", error.phase, error.limit?.configured ?? "")
            case .cancelled: return
            default: print(error)
            }
        }
    }
}
