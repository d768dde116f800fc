public import Sockeye
public import SockeyeHTTP

extension RetryPolicy: Codable {
    private static let archive = Archive<Self>(
        .value("maximumCount", \.maximumCount), .value("backoff", \.backoff), methods,
        .value("statuses", \.statuses), .seconds("attemptTimeout", \.attemptTimeout, omitsNil: true),
        .value("respectsRetryAfter", \.respectsRetryAfter), .seconds("maximumRetryAfter", \.maximumRetryAfter),
        .value("budget", \.archivedBudget), .optional("breaker", \.archivedBreaker))

    /// The names of the methods, sorted so that equal policies are encoded alike.
    private static let methods = ArchiveMember<Self>("methods") { source, key, policy in
        policy.methods = Set(
            try source.decode([String].self, forKey: key).map { name in
                guard let method = HTTPRequest.Method(name) else {
                    throw DecodingError.unknown("method", at: source.codingPath + [key])
                }
                return method
            })
    } write: { policy, key, target in
        try target.encode(policy.methods.map(\.rawValue).sorted(), forKey: key)
    }

    /// Reads a policy. Missing settings take their defaults, but a budget must have `percent` and `minimumPerSecond`.
    /// The budget and the circuit breaker start with zero counts.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the policy. Of the budget and the circuit breaker only the settings are written, not the counts.
    ///
    /// - Throws: `EncodingError.invalidValue` if `isTransient`, `decide` or `onRetry` is set, because these are
    ///   closures.
    public func encode(to encoder: any Encoder) throws {
        let closures = [("isTransient", hasCustomIsTransient), ("decide", decide != nil), ("onRetry", onRetry != nil)]
        if let closure = closures.first(where: \.1) {
            throw EncodingError.unarchivable("RetryPolicy.\(closure.0) is a closure", at: encoder.codingPath)
        }
        try Self.archive.write(self, to: encoder)
    }

    private var archivedBudget: ArchivedBudget? {
        get { budget.map { ArchivedBudget(percent: $0.percent, minimumPerSecond: $0.minimumPerSecond) } }
        set { budget = newValue.map { .percent($0.percent, minimumPerSecond: $0.minimumPerSecond) } }
    }

    private var archivedBreaker: ArchivedBreaker? {
        get { breaker.map { ArchivedBreaker($0) } }
        set { breaker = newValue.map(\.breaker) }
    }
}

/// The settings of a retry budget.
private struct ArchivedBudget: Codable {
    var percent: Double
    var minimumPerSecond: Double
}

/// The settings of a circuit breaker.
private struct ArchivedBreaker: Codable {
    private var failures = 5
    private var window = Duration.seconds(10)
    private var coolDown = Duration.seconds(30)

    private static let archive = Archive<Self>(
        .value("failures", \.failures), .seconds("window", \.window), .seconds("coolDown", \.coolDown))

    init(_ breaker: RetryPolicy.CircuitBreaker) {
        (failures, window) = (breaker.rules.threshold, breaker.rules.window)
        coolDown = breaker.rules.coolDown
    }

    private init() {}

    init(from decoder: any Decoder) throws { self = try Self.archive.read(from: decoder, over: Self()) }

    func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }

    var breaker: RetryPolicy.CircuitBreaker {
        RetryPolicy.CircuitBreaker(failures: failures, within: window, coolDown: coolDown)
    }
}

extension RetryBackoff: Codable {
    private enum CodingKeys: CodingKey { case base, factor, cap, jitter }

    private static let jitters: [(name: String, value: Jitter)] = [
        ("none", .none), ("full", .full), ("equal", .equal),
    ]

    /// Reads base and cap in seconds, the factor, and the name of the jitter. Missing values take the defaults of
    /// `exponential(base:factor:cap:jitter:)`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let usual = RetryBackoff.exponential()
        func number(_ key: CodingKeys, _ standard: Double) throws -> Double {
            let value = try container.decodeIfPresent(Double.self, forKey: key) ?? standard
            guard value.isFinite, value.magnitude < 1e15 else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "the magnitude of the number must be below 1e15")
            }
            return value
        }
        let name = try container.decodeIfPresent(String.self, forKey: .jitter)
        let jitter = name.map { name in Self.jitters.first { $0.name == name }?.value }
        guard let jitter = jitter ?? usual.jitter else { throw DecodingError.unknown("jitter", at: decoder.codingPath) }
        self = .exponential(
            base: .seconds(try number(.base, usual.base)), factor: try number(.factor, usual.factor),
            cap: .seconds(try number(.cap, usual.cap)), jitter: jitter)
    }

    /// Writes base and cap in seconds, the factor, and the name of the jitter.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(base, forKey: .base)
        try container.encode(factor, forKey: .factor)
        try container.encode(cap, forKey: .cap)
        try container.encode(Self.jitters.first { $0.value == jitter }?.name ?? "none", forKey: .jitter)
    }
}
