import SockeyeCore
public import SockeyeEngine

extension PoolConfiguration: Codable {
    private enum CodingKeys: CodingKey {
        case connectionsPerOrigin, connections, waiters, idleTimeout, maximumAge, maximumUses
    }

    /// Reads numbers, durations in seconds, or null for no limit; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.connectionsPerOrigin, into: &connectionsPerOrigin)
        try container.read(.connections, into: &connections)
        var limit: Int? = waiters
        try container.read(.waiters, into: &limit)
        waiters = limit ?? .max
        try container.read(.idleTimeout, into: &idleTimeout)
        try container.read(.maximumAge, into: &maximumAge)
        try container.read(.maximumUses, into: &maximumUses)
    }

    /// Writes numbers, durations in seconds, or null for no limit.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(connectionsPerOrigin, forKey: .connectionsPerOrigin)
        try container.encode(connections, forKey: .connections)
        try container.encode(waiters == .max ? nil : waiters, forKey: .waiters)
        try container.write(idleTimeout, .idleTimeout)
        try container.write(maximumAge, .maximumAge)
        try container.encode(maximumUses, forKey: .maximumUses)
    }
}
