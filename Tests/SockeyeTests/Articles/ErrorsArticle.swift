import Sockeye

/// The snippet of Errors.md, which would need the host that it names: compiled, not run.
struct ErrorsArticle {
    struct User: Codable, Sendable { var name: String }

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
