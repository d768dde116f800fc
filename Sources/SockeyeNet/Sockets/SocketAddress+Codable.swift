import SockeyeCore

extension SocketAddress: Codable {
    /// Reads an address as ``description`` has it: `192.0.2.1:80`, `[2001:db8::1]:443`, `unix:/path`, or `unix:@name` for
    /// Linux's abstract space.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let address = SocketAddress(archived: text) else {
            throw DecodingError.unknown("socket address", at: decoder.codingPath)
        }
        self = address
    }

    private init?(archived text: String) {
        if text.hasPrefix("unix:@") {
            self.init(unixPath: "\0" + text.dropFirst(6))
        } else if text.hasPrefix("unix:") {
            self.init(unixPath: String(text.dropFirst(5)))
        } else {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else {
                return nil
            }
            let host = text[..<colon]
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            self.init(literal: String(isBracketed ? host.dropFirst().dropLast() : host), port: port)
        }
    }

    /// Writes the address as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
