internal import Foundation

/// Everything that a run measured, in the form in which `results.json` keeps it; reports are printed from nothing else.
package struct RunResults: Codable, Sendable, Equatable {
    /// Something to know about the machine, the versions or the command of a run.
    package struct Fact: Codable, Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let facts: [Fact]
    /// How often each client was started in each scenario, and how many turns it took then at most.
    package let rounds: Int
    package let turns: Int
    package let scenarios: [ScenarioFigures]

    package init(facts: [Fact], rounds: Int, turns: Int = 1, scenarios: [ScenarioFigures]) {
        self.facts = facts
        self.rounds = rounds
        self.turns = turns
        self.scenarios = scenarios
    }

    /// Results from before there were turns are of one each.
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

    /// The contents of `results.json`: a line for each client of each scenario, so that two runs can be told apart.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return text.replacing(#"{"client":"#, with: "\n" + #"{"client":"#)
            .replacing(#","headings":["#, with: "\n" + #","headings":["#) + "\n"
    }

    /// Reads what ``json()`` wrote.
    package init(json: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(RunResults.self, from: Data(json))
    }
}
