import SockeyeCore
public import SockeyeEngine

extension ProxyConfiguration: Codable {
    /// Reads `none`, `environment`, or the URL of a proxy.
    public init(from decoder: any Decoder) throws {
        switch try decoder.singleValueContainer().decode(String.self) {
        case "none": self = .none
        case "environment": self = .environment
        case let url: self = .init(choice: .fixed(.success(try Proxy(url))))
        }
    }

    /// Writes the name of the choice, or the URL of the proxy.
    ///
    /// - Throws: `EncodingError.invalidValue` for a closure, for a proxy with credentials, and for what is no proxy.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch choice {
        case .none: try container.encode("none")
        case .environment: try container.encode("environment")
        case .fixed(.success(let proxy)) where !proxy.hasCredentials: try container.encode(proxy.description)
        case .fixed:
            throw EncodingError.unarchivable("the proxy is none or has credentials", at: encoder.codingPath)
        case .choosing: throw EncodingError.unarchivable("the proxy is a closure", at: encoder.codingPath)
        }
    }
}
