import Foundation
import SockeyeCore
import SockeyeTestSupport

/// One of curl's recorded cases, or of `curl-commands.json` in the same form. The public folder's README explains the
/// parts.
struct CurlCase: Decodable, Sendable {
    struct Expectation: Decodable, Sendable {
        /// The bytes that the origin receives.
        let `protocol`: ByteString?
        /// The bytes that a separate proxy receives.
        let proxy: ByteString?
        let errorcode: [Int]
    }

    struct File: Decodable, Sendable {
        let name: String?
        let bytes: Bytes

        private enum Key: String, CodingKey {
            case name
        }

        init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .name)
            bytes = try ByteString(from: decoder).bytes
        }
    }

    let id: String
    let name: String
    let command: String
    let plain: Bool
    let servers: [String]
    let features: [String]
    let reply: [String: ByteString]
    let bareLfHead: Bool?
    let servercmd: [String]?
    let postcmd: [String]?
    let env: [String]?
    let files: [String: File]?
    let received: [String: ByteString]?
    let expect: Expectation

    static let all: [CurlCase] = Vectors.load(own: "curl-commands.json", public: ["curl/cases.json"])
    /// The cases in which every option has a counterpart in a general client, and all cases about proxies.
    static let chosen = all.filter { $0.plain || $0.isAboutProxies }

    /// True if an option or the environment selects or bypasses a proxy, or there are several servers.
    var isAboutProxies: Bool {
        let words = command.split(whereSeparator: \.isWhitespace)
        let options = ["-x", "-p", "-U", "--preproxy", "--noproxy"]
        let prefixes = ["--proxy", "--socks", "--haproxy"]
        return servers.count > 1 || (env ?? []).contains { $0.lowercased().contains("_proxy=") }
            || words.contains { word in
                options.contains(String(word)) || prefixes.contains { word.hasPrefix($0) }
            }
    }

    var expectsFailure: Bool { !expect.errorcode.contains(0) }

    /// Renames hosts that end in the number of the case, such as `test.95`. A name that ends in a number is an IPv4
    /// address or invalid (WHATWG URL 3.5), so the number gets a letter in front, wherever the case has the host.
    func renamed(_ text: String) -> String {
        guard let number = Int(id.dropFirst("curl-".count)) else { return text }
        let isEnd: (Character?) -> Bool = { $0.map(":/#\"\r\n ".contains) ?? true }
        let parts = text.split(separator: ".\(number)", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let isOfHost = text.last?.isLetter == true && isEnd(part.first)
            return text + (isOfHost ? ".n\(number)" : ".\(number)") + part
        }
    }

    var isRenamed: Bool { renamed(command) != command }

    /// True if credentials must not be sent preemptively.
    var expectsChallenge: Bool { command.contains("--digest") || command.contains("--anyauth") }

    /// True if credentials for a proxy must not be sent preemptively.
    var expectsProxyChallenge: Bool { command.contains("--proxy-digest") || command.contains("--proxy-anyauth") }

    /// The number of bytes of a request body that the server leaves unread.
    var skippedBytes: Int {
        let command = (servercmd ?? []).first { $0.hasPrefix("skip: ") }
        return command.flatMap { Int($0.dropFirst("skip: ".count)) } ?? 0
    }

    /// Returns a section of the reply, with the variable `%CR` replaced.
    func section(_ name: String) -> Bytes? {
        guard let bytes = reply[name]?.bytes else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("%CR") ? Bytes(text.replacing("%CR", with: "\r")) : bytes
    }

    /// Returns the value of a server's setting, such as `user` of a SOCKS proxy.
    func setting(_ name: String) -> String? {
        (servercmd ?? []).first { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// True if the server waits for long before it closes.
    var lingers: Bool { (postcmd ?? []).contains { $0.hasPrefix("wait 10") } }

    /// The response that curl's user sees; nil if it is in another file of curl's. curl prints a proxy's answer to
    /// CONNECT before it.
    var visible: Bytes? {
        guard let bytes = received?["datacheck"]?.bytes else { return nil }
        guard !String(decoding: bytes, as: UTF8.self).contains("%include") else { return nil }
        guard !expectsFailure, let tunnel = reply["connect"]?.bytes, bytes.starts(with: tunnel) else { return bytes }
        return bytes.slice(tunnel.count..<bytes.count)
    }

    func file(_ path: String) -> Bytes? {
        if path == "-" { return files?["stdin"]?.bytes }
        return files?.values.first { $0.name == path }?.bytes
    }
}
