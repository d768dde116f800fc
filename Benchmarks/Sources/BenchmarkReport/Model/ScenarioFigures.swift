/// The figures of all clients in one scenario. The others are compared with the first client.
package struct ScenarioFigures: Codable, Sendable, Equatable {
    package let name: String
    package let headings: [Heading]
    package let clients: [ClientFigures]

    package init(name: String, headings: [Heading], clients: [ClientFigures]) {
        self.name = name
        self.headings = headings
        self.clients = clients
    }

    /// Computes the figures of samples.
    ///
    /// - Parameter yardstick: The best readings of the machine, which decide about disturbed turns.
    package init(_ samples: ScenarioSamples, columns: [Column], yardstick: Yardstick = Yardstick()) {
        name = samples.scenario
        let clients = samples.clients.map { ClientFigures($0, columns: columns, yardstick: yardstick) }
        self.clients = clients
        // Columns without a value of any client are omitted.
        headings = columns.map(\.heading).filter { heading in clients.contains { !$0.all(heading.figure).isEmpty } }
    }

    package func client(_ name: String) -> ClientFigures? { clients.first { $0.client == name } }

    package func heading(_ figure: String) -> Heading? { headings.first { $0.figure == figure } }

    /// Returns one client's figure divided by another's: the median of the quotients of the turns that count
    /// (``CountedTurns``).
    package func quotient(_ figure: String, of client: String, by other: String) -> Double? {
        pair(figure, of: client, by: other)?.quotient
    }

    /// Returns the median of the quotients of all turns with the given distance of the cores; nil if there are too few.
    private func quotient(
        _ figure: String, of client: String, by other: String, atDistance distance: Double
    ) -> Double? {
        pair(figure, of: client, by: other)?.quotient(atDistance: distance)
    }

    /// Returns the distance of the cores in the turns that such a quotient is computed from; nil if it is unknown.
    package func coreDistance(_ figure: String, of client: String, by other: String) -> Double? {
        pair(figure, of: client, by: other)?.coreDistance
    }

    private func pair(_ figure: String, of client: String, by other: String) -> ClientPair? {
        guard let one = self.client(client), let two = self.client(other) else { return nil }
        return ClientPair(figure, of: one, by: two)
    }

    /// Returns the factor by which one client is better than another; nil for a figure without a better direction.
    package func advantage(_ figure: String, of client: String, over other: String) -> Double? {
        advantage(figure, quotient(figure, of: client, by: other))
    }

    /// Returns the factor over all turns with the given distance of the cores; nil also if there are too few.
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
