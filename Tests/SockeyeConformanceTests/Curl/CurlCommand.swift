import Foundation
import Sockeye
import SockeyeCore
import SockeyeTesting

/// The arguments of curl as calls of this client.
struct CurlCommand {
    /// The reason why a case cannot be run here.
    struct Unsupported: Error, CustomStringConvertible {
        let description: String
    }

    struct Call: Sendable {
        var url: String
        var method: String?
        var headers = Headers()
        var body: Bytes?
        var isChunked = false
        var options = OutgoingRequest.Options()
        var limit: Int?
        var failsOnStatus = false
        var redirects = CurlRedirects()
        var retries = 0
        var retriesEveryError = false
        var jar: CookiePolicy.Jar?
        var authentication: AuthenticationPolicy?
        var form = CurlForm()
        /// The offset from which a file is uploaded.
        var offset: Int?
        var proxy: CurlProxy.Route?

        /// Options that follow redirects and retry statuses like curl, but without pauses.
        var allOptions: OutgoingRequest.Options {
            var options = options
            options.interceptors.append(redirects.policy)
            var retrying = RetryPolicy.retry(max: retries, backoff: .none, budget: nil)
            retrying.respectsRetryAfter = false
            if retriesEveryError { retrying.isTransient = { _ in true } }
            options.interceptors.append(retrying)
            if let jar { options.interceptors.append(CookiePolicy(jar)) }
            if let authentication { options.interceptors.append(authentication) }
            return options
        }
    }

    /// The variables in the arguments for ports and paths of this machine.
    struct Variables: Sendable {
        /// The ports by the variables' names.
        var ports: [String: Int]
        var unixPath = ""
        private let closed: ClosedPort

        /// - Parameter closed: Stands for `%NOLISTENPORT`, and for servers that a case does not have.
        init(closed: ClosedPort) {
            self.closed = closed
            ports = ["%NOLISTENPORT": closed.port]
        }

        func fill(_ text: String) -> String {
            guard text.contains("%") else { return text }
            let named = text.replacing("%HOSTIP", with: "127.0.0.1").replacing("%HOST6IP", with: "[::1]")
                .replacing("%HTTPUNIXPATH", with: unixPath)
            return ports.reduce(named) { $0.replacing($1.key, with: "\($1.value)") }
                .replacing("%HTTPPORT", with: "\(closed.port)")
        }
    }

    private(set) var calls: [Call] = []
    private(set) var overrides: [String] = []
    private(set) var verifiesServer = true
    /// True if connections begin with the header of the PROXY protocol.
    private(set) var announcesClient = false

    private let vector: CurlCase
    private let variables: Variables
    private var urls: [String] = []
    private var uploads: [(name: String, bytes: Bytes)] = []
    private var common = Call(url: "")
    private var data: [String] = []
    private var binary: Bytes?
    private var isHead = false
    private var login: String?
    private var scheme = "--basic"
    private var cookies = CurlCookies()
    private var dataInQuery = false
    private var literal = false
    private var proxy: CurlProxy
    private var netrc: String?

    /// Options about curl's output or without effect on HTTP, with their number of arguments.
    private static let ignored: [String: Int] = [
        "-s": 0, "-S": 0, "-sS": 0, "--silent": 0, "-i": 0, "--no-progress-meter": 0, "-4": 0, "--http1.1": 0,
        "--create-dirs": 0, "--output": 1, "-o": 1, "-D": 1, "--dump-header": 1, "-w": 1, "--write-out": 1,
        "--cacert": 1, "--limit-rate": 1, "--netrc": 0, "--netrc-optional": 0,
    ]

    init(_ vector: CurlCase, _ variables: Variables) throws {
        self.vector = vector
        self.variables = variables
        let environment = vector.env ?? []
        guard environment.allSatisfy(Self.isUnderstood) else { throw Unsupported(description: "environment") }
        proxy = CurlProxy(environment: environment.map(variables.fill))
        var words = Self.words(vector.renamed(vector.command))[...]
        common.options.decompresses = false
        while let word = words.popFirst() {
            if let count = Self.ignored[word] {
                words = words.dropFirst(count)
            } else if CurlCookies.options.contains(word) {
                try cookies.apply(word, argument: { try Self.argument(of: word, &words) }, file: vector.file)
            } else if let option = Self.proxyOption(word) {
                if let value = option.value { words = [value] + words }
                try proxy.apply(
                    option.name, argument: { try Self.argument(of: option.name, &words) }, variables: variables)
            } else if word == "--next" {
                try finish()
                proxy = CurlProxy(environment: environment.map(variables.fill))
            } else if word.hasPrefix("-"), word.count > 1 {
                try apply(word, &words)
            } else {
                urls.append(variables.fill(word))
            }
        }
        try finish()
    }

    /// Returns true for variables about proxies, the time zone, which affects curl's output, and curl's write size.
    private static func isUnderstood(_ variable: String) -> Bool {
        ["TZ=", "#", "CURL_SMALL"].contains { variable.hasPrefix($0) } || variable.lowercased().contains("_proxy=")
    }

    /// Applies an option that has a counterpart in this client.
    private mutating func apply(_ option: String, _ words: inout ArraySlice<String>) throws {
        func argument() throws -> String { try Self.argument(of: option, &words) }
        switch option {
        case "-H", "--header": try addField(try argument())
        case "-d": data.append(try text(try argument()))
        case "--data-binary": binary = try bytes(try argument())
        case "--json": try setJSON(try argument())
        case "-F": try common.form.add(try argument())
        case "-C":
            common.offset = Int(try argument())
            if common.offset == nil { throw Unsupported(description: option) }
        case "--netrc-file": netrc = try path(try argument())
        case "-T": uploads.append(try upload(try argument()))
        case "-X": common.method = try argument()
        case "-I": isHead = true
        case "-G": dataInQuery = true
        case "-g": literal = true
        case "-f", "--fail", "--fail-with-body": common.failsOnStatus = true
        case "-r": common.headers[.range] = "bytes=" + (try argument())
        case "-u", "--user": login = try argument()
        case "--basic", "--digest", "--anyauth": scheme = option
        case "-m", "--max-time":
            common.options.timeouts = Timeouts(total: try seconds(try argument()))
        case "--expect100-timeout": common.options.expectContinue = try seconds(try argument())
        case "--compressed": common.options.decompresses = nil
        case "--max-filesize": common.limit = Int(try argument())
        case "--resolve": overrides.append(variables.fill(try argument()))
        case "--insecure": verifiesServer = false
        case "--unix-socket": common.options.unixSocketPath = variables.fill(try argument())
        default: try applyPolicy(option, argument: argument)
        }
    }

    /// Splits an option about proxies from its value after an equals sign.
    private static func proxyOption(_ word: String) -> (name: String, value: String?)? {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard let name = parts.first, CurlProxy.options.contains(name) else { return nil }
        return (name, parts.count > 1 ? parts[1] : nil)
    }

    /// Applies an option about redirects and retries.
    private mutating func applyPolicy(_ option: String, argument: () throws -> String) throws {
        switch option {
        case "-L", "--location", "--follow": common.redirects.follows = true
        case "--location-trusted": (common.redirects.follows, common.redirects.trustsAll) = (true, true)
        case "--post303": common.redirects.keepsPOST = true
        case "--max-redirs": common.redirects.maximumCount = try number(try argument())
        case "--proto-redir":
            // `-http` forbids redirects to http. After https, this client never follows them by default.
            guard try argument() == "-http", vector.servers.first?.hasPrefix("https") == true else {
                throw Unsupported(description: option)
            }
        case "--retry": common.retries = try number(try argument())
        case "--retry-all-errors": common.retriesEveryError = true
        default: throw Unsupported(description: option)
        }
    }

    private static func argument(of option: String, _ words: inout ArraySlice<String>) throws -> String {
        guard let word = words.popFirst() else { throw Unsupported(description: "\(option) without argument") }
        return word
    }

    private mutating func setJSON(_ text: String) throws {
        binary = try bytes(text)
        common.headers = common.headers.merging([.accept: "application/json"])
        common.headers[.contentType] = "application/json"
    }

    private func seconds(_ text: String) throws -> Duration {
        guard let seconds = Double(text) else { throw Unsupported(description: "no number: \(text)") }
        return .seconds(seconds)
    }

    private func number(_ text: String) throws -> Int {
        guard let number = Int(text) else { throw Unsupported(description: "no number: \(text)") }
        return number
    }

    private mutating func addField(_ text: String) throws {
        if text.hasPrefix("@") {
            let lines = String(decoding: try bytes(text), as: UTF8.self).split(whereSeparator: \.isNewline)
            for line in lines { try addField(String(line)) }
            return
        }
        if text.hasSuffix(";"), !text.contains(":") {
            let name = String(text.dropLast())
            guard name.lowercased() != "host" else { throw Unsupported(description: "an empty Host") }
            common.headers.append(Headers.Name(name), "")
            return
        }
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = String(text[..<colon])
        let value = String(text[text.index(after: colon)...].drop { $0 == " " })
        switch name.lowercased() {
        case "transfer-encoding": common.isChunked = true
        case "expect" where value.isEmpty: break
        case _ where value.isEmpty: throw Unsupported(description: "leaving out \(name)")
        default: common.headers[Headers.Name(name)] = value
        }
    }

    private func bytes(_ argument: String) throws -> Bytes {
        guard argument.hasPrefix("@") else { return Bytes(argument) }
        guard let bytes = vector.file(String(argument.dropFirst())) else {
            throw Unsupported(description: "a missing file")
        }
        return bytes
    }

    /// Returns the text of an argument of `-d`, which removes the line ends of a file.
    private func text(_ argument: String) throws -> String {
        let text = String(decoding: try bytes(argument), as: UTF8.self)
        return argument.hasPrefix("@") ? text.filter { !$0.isNewline } : text
    }

    private func upload(_ path: String) throws -> (name: String, bytes: Bytes) {
        guard let bytes = vector.file(path) else { throw Unsupported(description: "a missing file") }
        return (path.split(separator: "/").last.map(String.init) ?? path, bytes)
    }

    /// Writes a file of the case to this machine and returns its path.
    private func path(_ name: String) throws -> String {
        guard let bytes = vector.file(name) else { throw Unsupported(description: "a missing file") }
        let path = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// Makes the calls of the URLs so far and clears them.
    private mutating func finish() throws {
        common.authentication = try netrcPolicy() ?? authentication
        common.proxy = try proxy.route
        common.headers = common.headers.merging(proxy.forwardedHeaders)
        announcesClient = announcesClient || proxy.announcesClient
        if common.redirects.trustsAll, scheme == "--basic", let login {
            common.headers[.authorization] = "Basic " + Data(login.utf8).base64EncodedString()
        }
        if let field = cookies.field { common.headers[.cookie] = field }
        common.jar = try cookies.jar(variables, for: urls.first ?? "")
        var uploads = uploads[...]
        for url in urls {
            guard literal || !Self.isPattern(url) else { throw Unsupported(description: "globbing") }
            var call = common
            call.url = url.contains("://") ? url : "http://" + url
            if let upload = uploads.popFirst() {
                call.method = call.method ?? "PUT"
                if let offset = call.offset {
                    let count = upload.bytes.count
                    call.headers[.contentRange] = "bytes \(offset)-\(count - 1)/\(count)"
                }
                call.body = upload.bytes.slice((call.offset ?? 0)..<upload.bytes.count)
                if url.hasSuffix("/") { call.url += Self.encoded(upload.name) }
            } else if dataInQuery, !data.isEmpty {
                call.url += "?" + data.joined(separator: "&")
            } else if let body = binary ?? (data.isEmpty ? nil : Bytes(data.joined(separator: "&"))) {
                call.method = call.method ?? "POST"
                call.body = body
            }
            guard call.offset == nil || call.body != nil else { throw Unsupported(description: "-C") }
            if isHead { call.method = "HEAD" }
            calls.append(call)
        }
        (urls, self.uploads, data, binary, isHead, dataInQuery) = ([], [], [], nil, false, false)
        (login, scheme, netrc, cookies) = (nil, "--basic", nil, CurlCookies())
        common = Call(url: "")
        common.options.decompresses = false
    }

    /// The policy for `--netrc-file`, which is read at once.
    private func netrcPolicy() throws -> AuthenticationPolicy? {
        guard let netrc else { return nil }
        defer { try? FileManager.default.removeItem(atPath: netrc) }
        return try .netrc(netrc, allowsPlaintext: true)
    }

    /// The meaning of `-u` together with the scheme option.
    private var authentication: AuthenticationPolicy? {
        guard let login else { return scheme == "--digest" ? .digest(user: "", password: "") : nil }
        let user = String(login.prefix { $0 != ":" })
        let password = String(login.dropFirst(user.count + 1))
        switch scheme {
        case "--digest": return .digest(user: user, password: password)
        case "--anyauth":
            return .challengeHandler(allowsPlaintext: true) { _ in .useCredential(.user(user, password: password)) }
        // A policy sends credentials only to their origin. With `--location-trusted`, `finish()` sets the field
        // instead.
        case _ where common.redirects.trustsAll: return nil
        default: return .basic(user: user, password: password, allowsPlaintext: true)
        }
    }

    /// Returns true if curl would expand this URL to several. Empty brackets stand for themselves, and those of an IPv6
    /// address precede the path.
    private static func isPattern(_ url: String) -> Bool {
        let authority = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let path = url[authority...].drop { $0 != "/" }
        return path.contains("{") || (path.contains("[") && !path.contains("[]"))
    }

    /// Encodes a file's name for a path (RFC 3986 3.3).
    private static func encoded(_ name: String) -> String {
        name.replacing("[", with: "%5B").replacing("]", with: "%5D").replacing(" ", with: "%20")
    }

    /// Splits a command like a shell, at blanks outside quotes.
    private static func words(_ command: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in command {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
