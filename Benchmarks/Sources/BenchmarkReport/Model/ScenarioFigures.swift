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

    package init(_ samples: ScenarioSamples, columns: [Column]) {
        name = samples.scenario
        let clients = samples.clients.map { ClientFigures($0, columns: columns) }
        self.clients = clients
        // A column in which nobody has anything is left out.
        headings = columns.map(\.heading).filter { heading in clients.contains { $0.values[heading.figure] != nil } }
    }

    package func client(_ name: String) -> ClientFigures? { clients.first { $0.client == name } }

    package func heading(_ figure: String) -> Heading? { headings.first { $0.figure == figure } }

    /// What one client's figure is, divided by another's: the median of the quotients of each round.
    ///
    /// Clients that ran in the same round met the same machine, so its quotients differ less than its figures do.
    package func quotient(_ figure: String, of client: String, by other: String) -> Double? {
        guard let ours = self.client(client)?.values[figure], let theirs = self.client(other)?.values[figure] else {
            return nil
        }
        let quotients = zip(ours, theirs).compactMap { pair -> Double? in
            guard let value = pair.0, let divisor = pair.1, divisor > 0 else { return nil }
            return value / divisor
        }
        return Spread(quotients)?.median
    }

    /// How many times better one client is than another; nil for a figure that has no better.
    package func advantage(_ figure: String, of client: String, over other: String) -> Double? {
        guard let better = heading(figure)?.better, let quotient = quotient(figure, of: client, by: other) else {
            return nil
        }
        return better.advantage(of: quotient, over: 1)
    }
}
