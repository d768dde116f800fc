import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The proxies of a case: `-x`, `--proxy-…`, `--socks…`, `-p`, `--noproxy`, and the environment.
struct CurlProxy: Sendable {
    /// The choice of a URL's proxy; for an invalid proxy, a selection that makes every request fail.
    enum Route: Sendable {
        case choosing(@Sendable (HTTPURL) -> Proxy?)
        case invalid(Proxy.Selection)
    }

    private static let schemes = ["--proxy-basic", "--proxy-digest", "--proxy-anyauth"]
    private static let kinds = [
        "--socks4": "socks4", "--socks4a": "socks4a", "--socks5": "socks5", "--socks5-hostname": "socks5h",
    ]
    /// The options without a counterpart in this client, with their reasons.
    private static let refused = [
        "--proxy-ntlm": "NTLM to the proxy", "--proxy1.0": "CONNECT of HTTP/1.0",
        "--haproxy-clientip": "the PROXY protocol with addresses of the caller's choice", "--preproxy": "two proxies",
    ]

    /// True if connections begin with the header of the PROXY protocol.
    private(set) var announcesClient = false
    private var url: String?
    private var login: String?
    private var scheme = "--proxy-basic"
    private var tunnels = false
    private var verifies = true
    private var headers = Headers()
    /// The value of `--noproxy`, which overrides the environment's.
    private var bypassed: String?
    private var environment: [String: String]

    static let options =
        [
            "-x", "--proxy", "-U", "--proxy-user", "--noproxy", "-p", "--proxytunnel", "--proxy-header",
            "--proxy-insecure", "--haproxy-protocol",
        ] + schemes + Array(kinds.keys) + Array(refused.keys)

    /// - Parameter environment: The case's variables, as `name=value`.
    init(environment: [String]) {
        let pairs = environment.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let variables = pairs.filter { $0.count == 2 && $0[0].lowercased().hasSuffix("_proxy") }
        self.environment = Dictionary(variables.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    mutating func apply(
        _ option: String, argument: () throws -> String, variables: CurlCommand.Variables
    ) throws {
        if let reason = Self.refused[option] { throw CurlCommand.Unsupported(description: reason) }
        switch option {
        case "-x", "--proxy":
            let filled = variables.fill(try argument())
            // curl ignores the path of a proxy's URL.
            let start = filled.firstRange(of: "://")?.upperBound ?? filled.startIndex
            let authority = filled[start...].prefix { $0 != "/" }
            url = authority.isEmpty ? filled : String(filled[..<start] + authority)
        case "-U", "--proxy-user": login = try argument()
        case "--noproxy": bypassed = variables.fill(try argument())
        case "-p", "--proxytunnel": tunnels = true
        case "--proxy-insecure": verifies = false
        case "--haproxy-protocol": announcesClient = true
        case "--proxy-header":
            let parts = try argument().split(separator: ":", maxSplits: 1).map(String.init)
            headers.append(Headers.Name(parts[0]), String(parts[1].drop { $0 == " " }))
        case _ where Self.kinds[option] != nil: url = "\(Self.kinds[option] ?? "")://" + variables.fill(try argument())
        default: scheme = option
        }
    }

    /// Fields for a forwarding proxy, which are sent with the request.
    var forwardedHeaders: Headers { tunnels ? Headers() : headers }

    /// The route; nil without a proxy.
    var route: Route? {
        get throws {
            let noProxy = bypassed ?? environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
            guard let url else { return try environmentRoute(noProxy) }
            let bypassed = BypassList(noProxy)
            do throws(SockeyeError) {
                let proxy = try proxy(at: url)
                return .choosing { bypassed.contains(host: $0.host, port: $0.port) ? nil : proxy }
            } catch {
                return .invalid(url.hasPrefix("socks") ? .socks5(url) : .http(url))
            }
        }
    }

    private func environmentRoute(_ noProxy: String) throws -> Route? {
        guard environment.keys.contains(where: { $0.lowercased() != "no_proxy" }) else { return nil }
        var variables = environment
        (variables["no_proxy"], variables["NO_PROXY"]) = (noProxy, nil)
        let reader = ProxyEnvironment { [variables] in variables[$0] }
        let proxies = try reader.addresses.map { address in
            let user = address.user.map { "\($0):\(address.password ?? "")" }
            return (address, try proxy(at: address.description, login: login ?? user))
        }
        let table = Dictionary(proxies) { first, _ in first }
        return .choosing { url in
            let address = try? reader.proxy(for: url)
            return address.flatMap { table[$0] }
        }
    }

    private func proxy(at url: String) throws(SockeyeError) -> Proxy {
        guard login == nil, scheme != "--proxy-basic", let mark = url.lastIndex(of: "@") else {
            return try proxy(at: url, login: login)
        }
        // Credentials in a URL are sent preemptively, as Basic. For Digest they move from the URL to the login.
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return try proxy(
            at: String(url[..<start] + url[url.index(after: mark)...]), login: String(url[start..<mark]))
    }

    private func proxy(at url: String, login: String?) throws(SockeyeError) -> Proxy {
        var tls = TLSOptions()
        if !verifies { tls.verification = .none }
        let headers = headers
        let proxy = try Proxy(
            url, tls: tls, authentication: login.map { authentication($0) } ?? .url,
            connectHeaders: headers.isEmpty ? nil : { @Sendable _ in headers })
        return tunnels ? proxy.tunneling : proxy
    }

    private func authentication(_ login: String) -> Proxy.Authentication {
        let user = String(login.prefix { $0 != ":" })
        let password = String(login.dropFirst(user.count + 1))
        return .credential(.user(user, password: password), unasked: scheme == "--proxy-basic")
    }
}
