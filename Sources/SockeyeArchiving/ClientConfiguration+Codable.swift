import SockeyeEngine
import SockeyeNet

extension ClientConfiguration: Codable {
    private static let archive = Archive<Self>(
        .value("tls", \.tls), .value("tlsOverrides", \.tlsOverrides, unless: [:]), .value("timeouts", \.timeouts),
        .value("limits", \.limits), .value("tolerances", \.tolerances, unless: []), .value("pool", \.pool),
        .value("socket", \.socket), .value("decompresses", \.decompresses), .value("userAgent", \.userAgent),
        .value("hostOverrides", \.hostOverrides), .seconds("resolverCacheLifetime", \.resolverCacheLifetime),
        .value("addressOrder", \.addressOrder, unless: .asResolved), .value("addressPolicy", \.addressPolicy),
        .value("proxy", \.proxy),
        .value("allowsPlaintextCredentials", \.allowsPlaintextCredentials), .optional("runningTasks", \.runningTasks),
        .value("pollerThreads", \.pollerThreads))

    /// Reads a configuration, for example from a file. Missing settings take their defaults.
    ///
    /// Durations are numbers of seconds. In `timeouts`, null means no deadline; in `limits` and `pool`, it means no
    /// limit. For any other setting, null means nil, for example no User-Agent.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the configuration.
    ///
    /// - Throws: `EncodingError.invalidValue` if a setting cannot be archived. The configuration must have no
    ///   `interceptors`, `monitors` or `resolver`, and no closure as `addressPolicy` or `proxy`. A proxy must be valid,
    ///   without credentials, and without settings that its URL does not express. TLS options must have no private key
    ///   in memory, no passphrase and no `evaluate` closure.
    public func encode(to encoder: any Encoder) throws {
        guard resolver == nil else {
            throw EncodingError.unarchivable("a resolver cannot be archived", at: encoder.codingPath)
        }
        guard interceptors.isEmpty, monitors.isEmpty else {
            throw EncodingError.unarchivable("interceptors and monitors cannot be archived", at: encoder.codingPath)
        }
        try Self.archive.write(self, to: encoder)
    }
}

extension Timeouts: Codable {
    private static let archive = Archive<Self>(
        .seconds("pool", \.pool, null: .unlimited), .seconds("resolve", \.resolve, null: .unlimited),
        .seconds("connect", \.connect, null: .unlimited), .seconds("tls", \.tls, null: .unlimited),
        .seconds("head", \.head, null: .unlimited), .seconds("stall", \.stall, null: .unlimited),
        .seconds("total", \.total, null: .unlimited))

    /// Reads numbers of seconds, or null for no deadline. A missing deadline stays unset (nil).
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the deadlines that are set: numbers of seconds, or null for no deadline.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension ResponseLimits: Codable {
    private static let archive = Archive<Self>(
        .value("headBytes", \.headBytes), .value("fieldCount", \.fieldCount), .value("interimBytes", \.interimBytes),
        .value("bodyBytes", \.bodyBytes), .value("decodedBytes", \.decodedBytes),
        .value("decodedRatio", \.decodedRatio), .value("decodedRatioFloor", \.decodedRatioFloor))

    /// Reads numbers. Null means no limit for `bodyBytes` and `decodedRatio`. Missing limits take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes numbers, or null for no limit.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension PoolOptions: Codable {
    private static let archive = Archive<Self>(
        .value("connectionsPerOrigin", \.connectionsPerOrigin), .value("connections", \.connections),
        .value("waiters", \.archivedWaiters), .seconds("idleTimeout", \.idleTimeout),
        .seconds("maximumAge", \.maximumAge), .value("maximumUses", \.maximumUses))

    /// Reads numbers, with durations in seconds. Null means no limit for `waiters`, `maximumAge` and `maximumUses`.
    /// Missing settings take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes numbers, with durations in seconds and null for no limit.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }

    /// The maximum number of waiting callers, as it is archived; nil for no limit.
    private var archivedWaiters: Int? {
        get { waiters == .max ? nil : waiters }
        set { waiters = newValue ?? .max }
    }
}

extension ResponseTolerances: Codable {
    /// Reads a list of names, such as `["bareLineFeeds"]`.
    public init(from decoder: any Decoder) throws {
        self = []
        for name in try decoder.singleValueContainer().decode([String].self) {
            guard let known = Self.names.first(where: { $0.name == name }) else {
                throw DecodingError.unknown("tolerance", at: decoder.codingPath)
            }
            insert(known.member)
        }
    }

    /// Writes a list of names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.names.filter { contains($0.member) }.map(\.name))
    }
}
