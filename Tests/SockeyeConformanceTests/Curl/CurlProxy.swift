import Foundation
import SockeyeCore

/// A proxy whose only part in a case is to be reached instead of hosts that do not exist.
///
/// This client has no proxies; what it has for such hosts are addresses of one's own. All that differs on the wire then
/// is the form of the target (RFC 9112 3.2): that of the recording is turned into the one for an origin.
enum CurlProxy {
    /// Whether an argument of `-x` names the case's own server, without credentials and in plain.
    static func isStandIn(_ argument: String) -> Bool {
        ["%HOSTIP:%HTTPPORT", "http://%HOSTIP:%HTTPPORT"].contains(argument)
    }

    /// All hosts and ports, as `host:port`, that a case names anywhere.
    static func hosts(of vector: CurlCase) -> Set<String> {
        let replies = vector.reply.values.map { String(decoding: $0.bytes, as: UTF8.self) }
        var hosts: Set<String> = []
        let expected = String(decoding: vector.expect.protocol?.bytes ?? Bytes(), as: UTF8.self)
        for text in replies + [vector.command, expected] {
            for start in text.ranges(of: "http://") {
                let authority = text[start.upperBound...].prefix { !"/?# \r\n\t\"'".contains($0) }
                let host = authority.split(separator: "@").last ?? ""
                guard !host.isEmpty, !host.contains("%") else { continue }
                hosts.insert(host.contains(":") ? String(host) : "\(host):80")
            }
        }
        return hosts
    }

    /// The request line with the target in origin form.
    static func originForm(_ line: String) -> String {
        var words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, words[1].hasPrefix("http://") else { return line }
        let rest = words[1].dropFirst("http://".count).drop { $0 != "/" && $0 != "?" }
        words[1] = rest.hasPrefix("/") ? String(rest) : "/" + rest
        return words.joined(separator: " ")
    }
}
