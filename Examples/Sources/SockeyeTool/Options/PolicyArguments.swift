import ArgumentParser
import Glibc
import Sockeye
import SockeyeToolKit

/// The options for redirects, cookies and credentials.
struct PolicyArguments: ParsableArguments {
    @Flag(help: "Returns redirects as they are.")
    var noRedirects = false

    @Option(name: [.customLong("max-redirs"), .customLong("max-redirects")], help: "How many redirects are followed.")
    var maxRedirects = 10

    @Flag(name: [.customShort("L"), .long, .customLong("follow")], help: "Follows redirects, as it does anyway.")
    var location = false

    @Option(
        name: [.customShort("b"), .long], parsing: .unconditional,
        help: "Cookies to send, such as 'a=1; b=2', or a file to read them from; '' keeps those of the call.")
    var cookie: String?

    @Option(name: [.customShort("c"), .long], help: "A file to write cookies to.", completion: .file())
    var cookieJar: String?

    @Option(
        name: [.short, .long, .customLong("auth")], parsing: .unconditional,
        help: "User name and password, divided by a colon. Without the password it is asked for.")
    var user: String?

    @Flag(help: "Sends user name and password by Digest instead of Basic.")
    var digest = false

    @Option(name: [.long, .customLong("oauth2-bearer")], parsing: .unconditional, help: "A bearer token to send.")
    var bearer: String?

    @Flag(help: "Sends user name and password of ~/.netrc for the host.")
    var netrc = false

    @Option(help: "A file to use instead of ~/.netrc.", completion: .file())
    var netrcFile: String?

    @Flag(help: "Sends user name, password or token over plain http to other machines, too.")
    var plaintextCredentials = false

    @Option(
        name: [.customShort("A"), .long], parsing: .unconditional,
        help: "What User-Agent says; '' sends none.")
    var userAgent: String?

    @Flag(name: .shortAndLong, help: "Fails, and prints no content, when the status is 400 or above.")
    var fail = false

    var redirects: RedirectPolicy {
        get throws {
            guard !(noRedirects && location) else {
                throw UsageFault("--location and --no-redirects contradict each other")
            }
            guard (0...1000).contains(maxRedirects) else { throw UsageFault("--max-redirs is from 0 to 1,000") }
            return noRedirects ? .manual : .following(atMost: maxRedirects)
        }
    }

    /// The Cookie field in `--cookie`; nil if `--cookie` names a file.
    var cookieField: String? {
        guard let cookie, case .field(let value) = CookieArgument(cookie) else { return nil }
        return value
    }

    /// Returns a jar with the cookies of the file; nil if no option needs a jar.
    private func jar() async throws -> CookiePolicy.Jar? {
        guard cookieJar != nil || cookie != nil && cookieField == nil else { return nil }
        guard cookie != "-", cookieJar != "-" else {
            throw UsageFault("--cookie and --cookie-jar take files, not '-'")
        }
        let jar = CookiePolicy.Jar()
        guard let cookie, case .file(let path) = CookieArgument(cookie), !path.isEmpty else { return jar }
        // As in curl, a missing file has no cookies: the first call of a session creates it.
        if access(path, F_OK) != 0, errno == ENOENT { return jar }
        try await jar.load(from: path)
        return jar
    }

    /// Runs calls with the jar of the options, and saves it afterwards, also if they fail.
    func withJar(_ run: (CookiePolicy.Jar?) async throws -> Void) async throws {
        let jar = try await jar()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await run(jar))
        } catch {
            outcome = .failure(error)
        }
        do {
            if let jar, let cookieJar { try await jar.save(to: cookieJar, includesSession: true) }
        } catch {
            // The first error says more.
            try outcome.get()
            throw error
        }
        try outcome.get()
    }

    func authentication() throws -> AuthenticationPolicy? {
        guard user == nil || bearer == nil else { throw UsageFault("--user and --bearer contradict each other") }
        if let bearer { return .bearer(bearer, allowsPlaintext: plaintextCredentials) }
        guard let user else {
            guard !digest else { throw UsageFault("--digest belongs to --user NAME:PASSWORD") }
            guard netrc || netrcFile != nil else { return nil }
            return try .netrc(netrcFile, allowsPlaintext: plaintextCredentials)
        }
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let password = try parts.count > 1 ? parts[1] : Self.askForPassword(of: parts[0])
        if digest { return .digest(user: parts[0], password: password) }
        return .basic(user: parts[0], password: password, allowsPlaintext: plaintextCredentials)
    }

    private static func askForPassword(of user: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1, let answer = getpass("Password of \(user): ") else {
            throw UsageFault("--user needs a password: NAME:PASSWORD")
        }
        return String(cString: answer)
    }
}
