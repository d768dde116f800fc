import Foundation
import Sockeye
import SockeyeCore

/// What a case says of its proxy, which is the case's own server: `-x`, `--proxy-…`, `--noproxy`.
struct CurlProxy {
    private static let schemes = ["--proxy-basic", "--proxy-digest", "--proxy-anyauth"]

    private var url: String?
    private var login: String?
    private var scheme = "--proxy-basic"
    private var bypassed: [String] = []

    static let options = ["-x", "--proxy", "-U", "--proxy-user", "--noproxy"] + schemes

    mutating func apply(
        _ option: String, argument: () throws -> String, variables: CurlCommand.Variables
    ) throws {
        switch option {
        case "-x", "--proxy":
            let text = try argument()
            guard text.contains("%HOSTIP:%HTTPPORT") || text.contains("%HOST6IP:%HTTP6PORT"), !text.hasPrefix("socks")
            else {
                throw CurlCommand.Unsupported(description: "another proxy than the case's server: \(text)")
            }
            let filled = variables.fill(text)
            // curl passes over the path of a proxy's URL.
            let start = filled.firstRange(of: "://")?.upperBound ?? filled.startIndex
            url = String(filled[..<start] + filled[start...].prefix { $0 != "/" })
        case "-U", "--proxy-user": login = try argument()
        case "--noproxy": bypassed += try argument().split(separator: ",").map { variables.fill(String($0)) }
        default: scheme = option
        }
    }

    /// Nil without one.
    var configuration: Proxy.Configuration? {
        get throws {
            guard let proxy = try proxy else { return nil }
            let bypassed = bypassed
            return .choosing { bypassed.contains($0.host) ? nil : proxy }
        }
    }

    private var proxy: Proxy? {
        get throws {
            guard let url else { return nil }
            guard let login else {
                guard scheme == "--proxy-basic" || !url.contains("@") else { return try withLogin(of: url) }
                return try Proxy(url)
            }
            return try Proxy(url, authentication: authentication(login))
        }
    }

    /// Digest with the user of the URL, which is sent unasked otherwise.
    private func withLogin(of url: String) throws -> Proxy {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let rest = url[start...]
        guard let end = rest.lastIndex(of: "@") else { return try Proxy(url) }
        return try Proxy(
            url[..<start] + rest[rest.index(after: end)...], authentication: authentication(String(rest[..<end])))
    }

    private func authentication(_ login: String) -> Proxy.Authentication {
        let user = String(login.prefix { $0 != ":" })
        let password = String(login.dropFirst(user.count + 1))
        return .credential(.user(user, password: password), unasked: scheme == "--proxy-basic")
    }
}

extension Proxy {
    fileprivate init(_ url: Substring, authentication: Authentication) throws {
        try self.init(String(url), authentication: authentication)
    }
}
