import Foundation
import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization

/// A server that admits clients that answer its Digest challenge, and logs the requests.
final class DigestServer: Sendable {
    struct Settings: Sendable {
        var realm = "test \"this\" realm"
        /// The parameters of the challenge besides realm, nonce and stale.
        var parameters = "qop=\"auth\", algorithm=SHA-256"
        var user = "Mufasa"
        var password = "Circle of Life"
        /// The number of answers for which a nonce is valid.
        var answersOfNonce = Int.max
        /// Announces the next nonce instead of refusing the old one.
        var announces = false
        /// Refuses every request, each time with a new nonce and `stale`.
        var isNeverContent = false
    }

    private struct State {
        var nonce = 1
        var answers = 0
    }

    let log = RequestLog()
    private let settings: Settings
    private let state = Mutex(State())

    init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The Authorization fields of the requests; nil for a request without one.
    var authorizations: [DigestText?] { log.all.map { $0.values("authorization").first.flatMap { DigestText($0) } } }
    var statuses: [Bool] { authorizations.map { $0 != nil } }

    func start(tls: TestTLS? = nil) async throws -> TestServer {
        try await TestServer.start(tls: tls) { request in
            try await self.log.take(request)
            return self.answer(
                self.log.all.last { $0.target == request.target && $0.method == request.method.rawValue })
        }
    }

    func answer(_ request: LoggedRequest?) -> TestServerResponse {
        state.withLock { state in
            guard let request, let text = request.values("authorization").first.flatMap({ DigestText($0) }) else {
                return challenge(state)
            }
            let expected = text.expected(
                request.method, user: settings.user, password: settings.password, content: request.body)
            let user =
                text["userhash"] == "true"
                ? DigestText.hash(Bytes("\(settings.user):\(settings.realm)"), text["algorithm"] ?? "MD5")
                : settings.user
            let named =
                text["username"] ?? text["username*"].map { String($0.dropFirst("UTF-8''".count)).removingPercents }
            guard text["response"] == expected, named == user, text["realm"] == settings.realm,
                text["uri"] == request.target
            else { return challenge(state) }
            guard text["nonce"] == "n\(state.nonce)", !settings.isNeverContent else {
                if settings.isNeverContent { state.nonce += 1 }
                return challenge(state, isStale: true)
            }
            state.answers += 1
            guard text["qop"] == nil || text["nc"] == Self.counter(state.answers) else { return .status(400) }
            var headers: Headers = [:]
            if state.answers >= settings.answersOfNonce {
                state.nonce += 1
                state.answers = 0
                if settings.announces { headers["Authentication-Info"] = "qop=auth, nextnonce=\"n\(state.nonce)\"" }
            }
            return .text("in: \(String(decoding: request.body, as: UTF8.self))", headers: headers)
        }
    }

    private static func counter(_ count: Int) -> String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private func challenge(_ state: State, isStale: Bool = false) -> TestServerResponse {
        let realm = settings.realm.replacing("\"", with: "\\\"")
        let value =
            "Digest realm=\"\(realm)\", nonce=\"n\(state.nonce)\", opaque=\"op\\\\aque\""
            + (isStale ? ", stale=true" : "")
            + (settings.parameters.isEmpty ? "" : ", \(settings.parameters)")
        return .text("who?", status: 401, headers: ["WWW-Authenticate": value])
    }
}

extension String {
    /// Undoes percent-encoding.
    fileprivate var removingPercents: String { removingPercentEncoding ?? self }
}
