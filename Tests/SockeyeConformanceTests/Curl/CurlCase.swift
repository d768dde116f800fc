import Foundation
import SockeyeCore
import SockeyeTestSupport

/// One of curl's recorded cases; the folder's README says what the parts mean.
struct CurlCase: Decodable, Sendable {
    struct Expectation: Decodable, Sendable {
        let `protocol`: ByteString?
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

    static let plain: [CurlCase] = Vectors.load("curl/cases.json").filter(\.plain)

    var expectsFailure: Bool { !expect.errorcode.contains(0) }
    var isOverTLS: Bool { servers.contains { $0.hasPrefix("https") } }
    var isOverIPv6: Bool { servers.contains("http-ipv6") }

    /// Whether credentials are not to be sent unasked.
    var expectsChallenge: Bool { command.contains("--digest") || command.contains("--anyauth") }

    /// How many bytes of a request body the server leaves unread.
    var skippedBytes: Int {
        let command = (servercmd ?? []).first { $0.hasPrefix("skip: ") }
        return command.flatMap { Int($0.dropFirst("skip: ".count)) } ?? 0
    }

    /// A section of the reply, the one variable that stands in some filled in.
    func section(_ name: String) -> Bytes? {
        guard let bytes = reply[name]?.bytes else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("%CR") ? Bytes(text.replacing("%CR", with: "\r")) : bytes
    }

    /// Whether the server waits for long before it closes.
    var lingers: Bool { (postcmd ?? []).contains { $0.hasPrefix("wait 10") } }

    /// What the user should see; nil where it stands in another file of curl's.
    var visible: Bytes? {
        guard let bytes = received?["datacheck"]?.bytes else { return nil }
        return String(decoding: bytes, as: UTF8.self).contains("%include") ? nil : bytes
    }

    func file(_ path: String) -> Bytes? {
        if path == "-" { return files?["stdin"]?.bytes }
        return files?.values.first { $0.name == path }?.bytes
    }
}
