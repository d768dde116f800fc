import Sockeye
import SockeyeEssentials
import SockeyeHTTP

/// A URL with the scheme ws or wss, converted to http or https for the handshake (RFC 6455 3, 4.1).
struct WebSocketURL<Base: HTTPURL.Convertible>: HTTPURL.Convertible {
    let base: Base

    func httpURL(relativeTo context: HTTPURL?) throws(HTTPURL.Fault) -> HTTPURL {
        switch base {
        case let text as String: try Self.replacingScheme(of: text).httpURL(relativeTo: context)
        case let text as Substring: try Self.replacingScheme(of: String(text)).httpURL(relativeTo: context)
        case let url as URL: try Self.replacingScheme(of: url.absoluteString).httpURL(relativeTo: context)
        default: try base.httpURL(relativeTo: context)
        }
    }

    /// Replaces ws by http and wss by https. Schemes are case-insensitive (RFC 3986 3.1).
    static func replacingScheme(of text: String) -> String {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return text }
        switch text[..<colon].lowercased() {
        case "ws": return "http" + text[colon...]
        case "wss": return "https" + text[colon...]
        default: return text
        }
    }
}
