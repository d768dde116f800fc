internal import Foundation

/// All results of a run, in the form of `results.json`; reports are made only from them.
package struct RunResults: Codable, Sendable, Equatable {
    /// A fact about the machine, the versions or the command of a run.
    package struct Fact: Codable, Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let facts: [Fact]
    /// The number of starts of each client in each scenario, and the maximum of turns after each start.
    package let rounds: Int
    package let turns: Int
    package let scenarios: [ScenarioFigures]

    package init(facts: [Fact], rounds: Int, turns: Int = 1, scenarios: [ScenarioFigures]) {
        self.facts = facts
        self.rounds = rounds
        self.turns = turns
        self.scenarios = scenarios
    }

    /// Decodes results; those from before turns were introduced have one turn per round.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            facts: try container.decode([Fact].self, forKey: .facts),
            rounds: try container.decode(Int.self, forKey: .rounds),
            turns: try container.decodeIfPresent(Int.self, forKey: .turns) ?? 1,
            scenarios: try container.decode([ScenarioFigures].self, forKey: .scenarios))
    }

    package func scenario(_ name: String) -> ScenarioFigures? { scenarios.first { $0.name == name } }

    package func fact(_ name: String) -> String? { facts.first { $0.name == name }?.value }

    /// The client that the others are compared with.
    package var reference: String { scenarios.first?.clients.first?.client ?? ClientName.sockeye }

    /// Returns the contents of `results.json`, with a line for each client of each scenario, so that a diff shows
    /// changes.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return text.replacing(#"{"client":"#, with: "\n" + #"{"client":"#)
            .replacing(#","headings":["#, with: "\n" + #","headings":["#) + "\n"
    }

    /// Decodes the output of ``json()``.
    package init(json: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(RunResults.self, from: Data(json))
    }
}
