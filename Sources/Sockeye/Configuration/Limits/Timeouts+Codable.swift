import SockeyeCore
public import SockeyeEngine

extension Timeouts: Codable {
    private enum CodingKeys: CodingKey { case pool, resolve, connect, tls, head, stall, total }

    /// Reads numbers of seconds, or null for no deadline; what is missing is not set.
    public init(from decoder: any Decoder) throws {
        self.init()
        try read(try decoder.container(keyedBy: CodingKeys.self))
    }

    /// Not in the initializer, where nothing notes what is set.
    private mutating func read(_ container: KeyedDecodingContainer<CodingKeys>) throws {
        if container.contains(.pool) { try container.read(.pool, into: &pool) }
        if container.contains(.resolve) { try container.read(.resolve, into: &resolve) }
        if container.contains(.connect) { try container.read(.connect, into: &connect) }
        if container.contains(.tls) { try container.read(.tls, into: &tls) }
        if container.contains(.head) { try container.read(.head, into: &head) }
        if container.contains(.stall) { try container.read(.stall, into: &stall) }
        if container.contains(.total) { try container.read(.total, into: &total) }
    }

    /// Writes the deadlines that were set: numbers of seconds, or null for no deadline.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if assigned.contains(.pool) { try container.write(pool, .pool) }
        if assigned.contains(.resolve) { try container.write(resolve, .resolve) }
        if assigned.contains(.connect) { try container.write(connect, .connect) }
        if assigned.contains(.tls) { try container.write(tls, .tls) }
        if assigned.contains(.head) { try container.write(head, .head) }
        if assigned.contains(.stall) { try container.write(stall, .stall) }
        if assigned.contains(.total) { try container.write(total, .total) }
    }
}
