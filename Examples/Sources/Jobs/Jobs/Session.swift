import Sockeye
import SockeyeTesting
import Synchronization

// snippet.show
func makeSession(at baseURL: String, refreshToken: String) -> HTTPClient {
    let client = HTTPClient().scoped(baseURL: baseURL)
    let grant: RequestParameters = [
        "grant_type": "refresh_token", "refresh_token": refreshToken,
    ]
    let bearer = AuthenticationPolicy.bearer {
        let reply = try await client.post("token", .form(grant), as: .json)
        return AuthenticationPolicy.Token(
            reply["access_token"]?.string ?? "",
            expiresIn: reply["expires_in"]?.int.map { .seconds($0) })
    }
    return client.adding(
        bearer, .retry(max: 3), .redirects(.following(atMost: 5)), .cookies())
}
// snippet.hide

extension Job {
    /// The server refuses the first token. With the second token it answers 503 once, then redirects and sets a cookie.
    static let session = Job("Token refresh with retries, redirects and cookies") {
        let tokens = Atomic(0)
        let overloads = Atomic(0)
        return try await withTestServer { request in
            switch (request.path, request[.authorization]) {
            case ("/token", _):
                guard try await request.text() == "grant_type=refresh_token&refresh_token=r%201" else {
                    return .status(400)
                }
                let count = tokens.add(1, ordering: .relaxed).newValue
                return .json(["access_token": .string("t\(count)"), "expires_in": 3600] as JSONValue)
            case ("/me", "Bearer t2"):
                guard overloads.add(1, ordering: .relaxed).oldValue > 0 else { return .status(503) }
                return .redirect(to: "/users/1", headers: ["Set-Cookie": "seen=yes; Path=/"])
            case ("/users/1", "Bearer t2"): return .text(request[.cookie] ?? "no cookie")
            default: return .status(401, headers: ["WWW-Authenticate": "Bearer"])
            }
        } run: { server in
            let response = try await makeSession(at: server.url(), refreshToken: "r 1").get("me").validated()
            let statuses = response.history.compactMap { $0.status?.code } + [response.status.code]
            return "\(statuses.map(String.init).joined(separator: ", ")) with \(try await response.text())"
        }
    }
}
