import SockeyeCore

extension SocketOptions: Codable {
    private enum CodingKeys: CodingKey {
        case noDelay, keepAlive, userTimeout, localAddress, sendBufferSize, receiveBufferSize
    }

    /// Reads options, durations in seconds; what is missing is the default, and null switches off.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.noDelay, into: &noDelay)
        try container.read(.keepAlive, into: &keepAlive)
        try container.read(.userTimeout, into: &userTimeout)
        try container.read(.localAddress, into: &localAddress)
        try container.read(.sendBufferSize, into: &sendBufferSize)
        try container.read(.receiveBufferSize, into: &receiveBufferSize)
    }

    /// Writes options, durations in seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(noDelay, forKey: .noDelay)
        try container.encode(keepAlive, forKey: .keepAlive)
        try container.write(userTimeout, .userTimeout)
        try container.encode(localAddress, forKey: .localAddress)
        try container.encode(sendBufferSize, forKey: .sendBufferSize)
        try container.encode(receiveBufferSize, forKey: .receiveBufferSize)
    }
}

extension SocketOptions.KeepAlive: Codable {
    private enum CodingKeys: CodingKey { case idle, interval, count }

    /// Reads a timing, durations in seconds; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.idle, into: &idle)
        try container.read(.interval, into: &interval)
        try container.read(.count, into: &count)
    }

    /// Writes a timing, durations in seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.write(idle, .idle)
        try container.write(interval, .interval)
        try container.encode(count, forKey: .count)
    }
}
