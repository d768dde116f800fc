/// Decides about the clients that take part in a turn of a round. All take part in the first turn. After that, clients
/// that are much slower than most take part less often, because one of their turns takes the time of several turns of
/// others.
package struct Attendance: Sendable {
    /// The seconds that one turn of each client takes; nil until they are known.
    private var seconds: [Double?]
    /// The fixed interval between turns of a client; nil if its speed decides.
    private let fixed: [Int?]

    /// The ratio to the median client's time above which a client has fewer turns.
    private static let slowness = 2.0
    /// The largest interval between turns of a slow client.
    private static let rarest = 6

    /// - Parameter fixed: The fixed interval between turns of each client; nil if its speed decides.
    package init(fixed: [Int?]) {
        self.fixed = fixed
        seconds = fixed.map { _ in nil }
    }

    /// Records the time of a client's turn.
    package mutating func took(_ seconds: Double, by client: Int) { self.seconds[client] = seconds }

    /// Returns true if a client takes part in a turn; the first turn is 0.
    package func includes(_ client: Int, inTurn turn: Int) -> Bool { turn % interval(of: client) == 0 }

    private func interval(of client: Int) -> Int {
        if let interval = fixed[client] { return interval }
        let known = zip(seconds, fixed).compactMap { $1 == nil ? $0 : nil }
        guard let own = seconds[client], let middle = Spread(known)?.median, middle > 0 else { return 1 }
        return min(Self.rarest, max(1, Int(own / (Self.slowness * middle))))
    }
}
