/// Who takes part in which turn of a round: all in the first, and then whoever is much slower than most less often, since
/// one of its turns takes the time of several of theirs and tells no more than one.
package struct Attendance: Sendable {
    /// What one turn of each takes, in seconds; nil until it is known.
    private var seconds: [Double?]
    /// One turn in so many, for those that nothing else decides about.
    private let fixed: [Int?]

    /// How many times slower than the one in the middle a client may be before it has fewer turns.
    private static let slowness = 2.0
    /// However slow one is, it has one turn in so many.
    private static let rarest = 6

    /// - Parameter fixed: for each client that has one turn in a given number, that number.
    package init(fixed: [Int?]) {
        self.fixed = fixed
        seconds = fixed.map { _ in nil }
    }

    /// A turn of a client took so long.
    package mutating func took(_ seconds: Double, by client: Int) { self.seconds[client] = seconds }

    /// Whether a client takes part in a turn, the first of which is 0.
    package func includes(_ client: Int, inTurn turn: Int) -> Bool { turn % interval(of: client) == 0 }

    private func interval(of client: Int) -> Int {
        if let interval = fixed[client] { return interval }
        let known = zip(seconds, fixed).compactMap { $1 == nil ? $0 : nil }
        guard let own = seconds[client], let middle = Spread(known)?.median, middle > 0 else { return 1 }
        return min(Self.rarest, max(1, Int(own / (Self.slowness * middle))))
    }
}
