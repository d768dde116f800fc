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

    /// - Parameter yardstick: what tells which turns were disturbed.
    package init(_ samples: ScenarioSamples, columns: [Column], yardstick: Yardstick = Yardstick()) {
        name = samples.scenario
        let clients = samples.clients.map { ClientFigures($0, columns: columns, yardstick: yardstick) }
        self.clients = clients
        // A column in which nobody has anything is left out.
        headings = columns.map(\.heading).filter { heading in clients.contains { !$0.all(heading.figure).isEmpty } }
    }

    package func client(_ name: String) -> ClientFigures? { clients.first { $0.client == name } }

    package func heading(_ figure: String) -> Heading? { headings.first { $0.figure == figure } }

    /// What one client's figure is, divided by another's: the median of the quotients of each turn, as far as they count
    /// (``CountedTurns``).
    package func quotient(_ figure: String, of client: String, by other: String) -> Double? {
        pair(figure, of: client, by: other)?.quotient
    }

    /// The same over all turns that met cores as far apart as given; nil if they are too few to tell.
    private func quotient(
        _ figure: String, of client: String, by other: String, atDistance distance: Double
    ) -> Double? {
        pair(figure, of: client, by: other)?.quotient(atDistance: distance)
    }

    /// How far apart the cores were in the turns that such a quotient is made of; nil where that is not known.
    package func coreDistance(_ figure: String, of client: String, by other: String) -> Double? {
        pair(figure, of: client, by: other)?.coreDistance
    }

    private func pair(_ figure: String, of client: String, by other: String) -> ClientPair? {
        guard let one = self.client(client), let two = self.client(other) else { return nil }
        return ClientPair(figure, of: one, by: two)
    }

    /// How many times better one client is than another; nil for a figure that has no better.
    package func advantage(_ figure: String, of client: String, over other: String) -> Double? {
        advantage(figure, quotient(figure, of: client, by: other))
    }

    /// The same over all turns that met cores as far apart as given; nil as well if they are too few to tell.
    package func advantage(
        _ figure: String, of client: String, over other: String, atDistance distance: Double
    ) -> Double? {
        advantage(figure, quotient(figure, of: client, by: other, atDistance: distance))
    }

    private func advantage(_ figure: String, _ quotient: Double?) -> Double? {
        guard let better = heading(figure)?.better, let quotient else { return nil }
        return better.advantage(of: quotient, over: 1)
    }
}
