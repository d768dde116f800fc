import SockeyeCore

extension Timeouts: Codable {
    private enum CodingKeys: CodingKey { case pool, resolve, connect, tls, head, stall, total }

    /// Reads numbers of seconds, or null for no deadline; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.pool, into: &pool)
        try container.read(.resolve, into: &resolve)
        try container.read(.connect, into: &connect)
        try container.read(.tls, into: &tls)
        try container.read(.head, into: &head)
        try container.read(.stall, into: &stall)
        try container.read(.total, into: &total)
    }

    /// Writes numbers of seconds, or null for no deadline.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.write(pool, .pool)
        try container.write(resolve, .resolve)
        try container.write(connect, .connect)
        try container.write(tls, .tls)
        try container.write(head, .head)
        try container.write(stall, .stall)
        try container.write(total, .total)
    }
}
