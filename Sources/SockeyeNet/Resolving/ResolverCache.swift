import SockeyeCore

/// What a ``CachingResolver`` knows at the moment. Pure bookkeeping: time is an argument.
///
/// States of a name: unknown → `lookUp` → flying → `finish` → known for a while (addresses, or that there are none) →
/// unknown. An error other than "no such name" makes it unknown at once.
struct ResolverCache {
    struct Key: Hashable {
        let host: String
        let port: Int
    }

    enum Answer {
        case addresses([SocketAddress])
        case notFound
        /// Wait for a look-up that is under way.
        case join(LookUp)
        /// Begin a look-up, in place of one that has been under way for too long.
        case start(LookUp, insteadOf: LookUp?)
    }

    private enum Entry {
        case flying(LookUp, since: MonotonicTime)
        /// `turn` counts the look-ups that were answered.
        case known([SocketAddress], until: MonotonicTime, turn: Int)
        case notFound(until: MonotonicTime)

        /// Nil while flying.
        var expiry: MonotonicTime? {
            switch self {
            case .flying: nil
            case .known(_, let until, _), .notFound(let until): until
            }
        }
    }

    /// A resolver that never answers must not take a name away for good.
    static let longestFlight = Duration.seconds(30)

    private let configuration: CachingResolver.Configuration
    private var entries: [Key: Entry] = [:]

    init(_ configuration: CachingResolver.Configuration) {
        self.configuration = configuration
    }

    var count: Int { entries.count }

    mutating func lookUp(_ key: Key, at now: MonotonicTime) -> Answer {
        switch entries[key] {
        case .known(let addresses, let until, let turn) where now < until:
            if configuration.order == .asResolved { return .addresses(addresses) }
            entries[key] = .known(addresses, until: until, turn: turn &+ 1)
            return .addresses(configuration.order.apply(to: addresses, turn: turn))
        case .notFound(let until) where now < until:
            return .notFound
        case .flying(let flight, let since) where now < since.advanced(by: Self.longestFlight):
            return .join(flight)
        case let old:
            let flight = LookUp()
            if old == nil { makeRoom(at: now) }
            entries[key] = .flying(flight, since: now)
            if case .flying(let hung, _) = old { return .start(flight, insteadOf: hung) }
            return .start(flight, insteadOf: nil)
        }
    }

    /// Takes the outcome of a look-up, unless another one has taken its place.
    mutating func finish(_ key: Key, _ flight: LookUp, _ outcome: LookUp.Outcome, at now: MonotonicTime) {
        guard case .flying(let current, _) = entries[key], current === flight else { return }
        switch outcome {
        case .success(let addresses):
            let until = now.advanced(by: configuration.timeToLive)
            entries[key] = .known(addresses, until: until, turn: 1)
        case .failure(.notFound):
            entries[key] = .notFound(until: now.advanced(by: configuration.negativeTimeToLive))
        case .failure:
            entries[key] = nil
        }
        let isKept = entries[key]?.expiry.map { now < $0 } ?? false
        if !isKept || entries.count > configuration.maximumEntries { entries[key] = nil }
    }

    mutating func forget(_ key: Key) {
        if case .flying = entries[key] { return }
        entries[key] = nil
    }

    /// Drops what has expired or, with nothing expired, what expires first. Look-ups under way stay.
    private mutating func makeRoom(at now: MonotonicTime) {
        guard entries.count >= configuration.maximumEntries else { return }
        entries = entries.filter { $0.value.expiry.map { now < $0 } ?? true }
        guard entries.count >= configuration.maximumEntries else { return }
        let oldest = entries.compactMap { key, entry in entry.expiry.map { (key, $0) } }.min { $0.1 < $1.1 }
        if let oldest { entries[oldest.0] = nil }
    }
}
