/// All measurements of one scenario, before anything is computed from them.
package struct ScenarioSamples: Codable, Sendable {
    package let scenario: String
    package var clients: [ClientSamples]

    package init(scenario: String, clients: [ClientSamples]) {
        self.scenario = scenario
        self.clients = clients
    }
}
