/// The figures of all clients in one scenario; the first client is the one that the others are compared with.
package struct ScenarioFigures: Codable, Sendable, Equatable {
    package let name: String
    package let headings: [Heading]
    package let clients: [ClientFigures]

    package init(name: String, headings: [Heading], clients: [ClientFigures]) {
        self.name = name
        self.headings = headings
        self.clients = clients
    }

    /// - Parameter yardstick: what tells which rounds were disturbed.
    package init(_ samples: ScenarioSamples, columns: [Column], yardstick: Yardstick = Yardstick()) {
        name = samples.scenario
        let clients = samples.clients.map { ClientFigures($0, columns: columns, yardstick: yardstick) }
        self.clients = clients
        // A column in which nobody has anything is left out.
        headings = columns.map(\.heading).filter { heading in clients.contains { $0.values[heading.figure] != nil } }
    }

    package func client(_ name: String) -> ClientFigures? { clients.first { $0.client == name } }

    package func heading(_ figure: String) -> Heading? { headings.first { $0.figure == figure } }

    /// What one client's figure is, divided by another's: the median of the quotients of each round.
    ///
    /// Clients that ran in the same round met the same machine, so its quotients differ less than its figures do. A round
    /// that was disturbed for one of the two is left out where enough others remain (``CountedRounds``).
    package func quotient(_ figure: String, of client: String, by other: String) -> Double? {
        guard let one = self.client(client), let two = self.client(other), let ours = one.values[figure],
            let theirs = two.values[figure]
        else { return nil }
        let quotients = zip(ours, theirs).map { value, divisor -> Double? in
            guard let value, let divisor, divisor > 0 else { return nil }
            return value / divisor
        }
        return Spread(
            CountedRounds.values(quotients) { one.isDisturbed(round: $0) || two.isDisturbed(round: $0) })?.median
    }

    /// How many times better one client is than another; nil for a figure that has no better.
    package func advantage(_ figure: String, of client: String, over other: String) -> Double? {
        guard let better = heading(figure)?.better, let quotient = quotient(figure, of: client, by: other) else {
            return nil
        }
        return better.advantage(of: quotient, over: 1)
    }
}
