/// A bounded map by origin with LRU eviction of half of the entries at once.
struct OriginLRU<Entry: Sendable>: Sendable {
    private struct Record: Sendable {
        let origin: HTTPURL.Origin
        var entry: Entry
        /// The logical time of the last use.
        var used: UInt64
    }

    private let capacity: Int
    private var records: [Record] = []
    private var places: [HTTPURL.Origin: Int] = [:]
    /// The index of the last lookup: most clients use one origin most of the time.
    private var last = 0
    private var uses: UInt64 = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var isEmpty: Bool { records.isEmpty }
    var count: Int { records.count }

    /// All entries, in no particular order.
    var entries: [(HTTPURL.Origin, Entry)] { records.map { ($0.origin, $0.entry) } }

    /// Returns the entry of an origin; does not count as a use.
    func entry(of origin: HTTPURL.Origin) -> Entry? {
        places[origin].map { records[$0].entry }
    }

    /// Changes the entry of an origin if it exists.
    @discardableResult
    mutating func change<Result>(_ origin: HTTPURL.Origin, _ body: (inout Entry) -> Result) -> Result? {
        guard let place = place(of: origin) else { return nil }
        uses &+= 1
        records[place].used = uses
        return body(&records[place].entry)
    }

    /// Adds an entry for an origin without one.
    mutating func add(_ origin: HTTPURL.Origin, _ entry: Entry) {
        if records.count >= capacity { forgetHalf() }
        uses &+= 1
        last = records.count
        places[origin] = last
        records.append(Record(origin: origin, entry: entry, used: uses))
    }

    mutating func remove(_ origin: HTTPURL.Origin) {
        guard let place = places.removeValue(forKey: origin) else { return }
        let moved = records.removeLast()
        guard place < records.count else { return }
        records[place] = moved
        places[moved.origin] = place
    }

    /// As ``change(_:_:)``, for the origin of a URL. The last found origin is compared in place.
    @discardableResult
    mutating func change<Result>(originOf url: HTTPURL, _ body: (inout Entry) -> Result) -> Result? {
        guard isLast(url) else { return change(url.origin, body) }
        uses &+= 1
        records[last].used = uses
        return body(&records[last].entry)
    }

    /// Reads through a span, because reading a part of an array's element copies the element.
    private func isLast(_ url: HTTPURL) -> Bool {
        let records = records.span
        return last < records.count && url.isAt(records[last].origin)
    }

    private mutating func place(of origin: HTTPURL.Origin) -> Int? {
        if last < records.count, records[last].origin == origin { return last }
        guard let place = places[origin] else { return nil }
        last = place
        return place
    }

    /// Evicts half of the entries at once, which amortizes the cost of finding the oldest ones.
    private mutating func forgetHalf() {
        records.sort { $0.used > $1.used }
        records.removeLast((records.count + 1) / 2)
        places = Dictionary(uniqueKeysWithValues: records.enumerated().map { ($0.element.origin, $0.offset) })
    }
}
