extension Target {
    /// One value that is compared with the target.
    private struct Measurement {
        let multiple: Double
        let text: String
    }

    /// Returns the outcome of the target in the results of a run.
    package func outcome(in results: RunResults) -> TargetOutcome {
        let scenarios = self.scenarios(in: results)
        guard !scenarios.isEmpty else { return .notMeasured("\(subject) did not run") }
        let measurements = scenarios.flatMap { self.measurements(in: $0, results) }
        guard let worst = measurements.min(by: { margin(of: $0.multiple) < margin(of: $1.multiple) }) else {
            return .notMeasured(missing(in: scenarios, results))
        }
        return .measured(
            worst.multiple, text: worst.text, margin: margin(of: worst.multiple), isMet: isMet(by: worst.multiple))
    }

    private func scenarios(in results: RunResults) -> [ScenarioFigures] {
        switch scope {
        case .scenario(let name): results.scenario(name).map { [$0] } ?? []
        case .everyTransfer: results.scenarios.filter { $0.heading(FigureName.byteRate) != nil }
        }
    }

    private func measurements(in scenario: ScenarioFigures, _ results: RunResults) -> [Measurement] {
        guard let ours = scenario.client(client)?.median(figure) else { return [] }
        let style = scenario.heading(figure)?.style ?? .significant
        func compared(_ quotient: Double?, _ theirs: Double?, _ name: String) -> Measurement? {
            guard let quotient, let theirs else { return nil }
            let text =
                "\(NumberStyle.significant.text(quotient))× (\(style.text(ours)) to \(style.text(theirs))\(name))"
            return Measurement(multiple: quotient, text: text)
        }
        switch yardstick {
        case .clients(let names):
            return names.compactMap { name in
                compared(
                    scenario.quotient(figure, of: client, by: name), scenario.client(name)?.median(figure),
                    names.count > 1 ? " of \(name)" : "")
            }
        case .elsewhere(let name, let elsewhere):
            let theirs = results.scenario(elsewhere)?.client(name)?.median(figure)
            return [compared(theirs.map { ours / $0 }, theirs, "")].compactMap(\.self)
        case .value(let unit):
            let place = subject == scenario.name ? "" : " (\(scenario.name))"
            return [Measurement(multiple: ours, text: "\(style.text(ours)) \(unit)\(place)")]
        }
    }

    private func missing(in scenarios: [ScenarioFigures], _ results: RunResults) -> String {
        if scenarios.allSatisfy({ $0.client(client)?.median(figure) == nil }) { return "no figures of \(client)" }
        return switch yardstick {
        case .clients(let names): "no figures of \(names.joined(separator: ", "))"
        case .elsewhere(let name, let scenario): "no figures of \(name) in \(scenario)"
        case .value: "no figures"
        }
    }

    private func isMet(by multiple: Double) -> Bool {
        switch bound {
        case .atLeast: multiple >= factor
        case .moreThan: multiple > factor
        case .atMost: multiple <= factor
        case .lessThan: multiple < factor
        }
    }

    /// Returns the distance of a value from the bound, as a fraction of the bound; positive if the target is met.
    private func margin(of multiple: Double) -> Double {
        switch bound {
        case .atLeast, .moreThan: multiple / factor - 1
        case .atMost, .lessThan: 1 - multiple / factor
        }
    }
}
