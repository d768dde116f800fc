/// A value that Sockeye, or a variant of it, should reach in a scenario.
package struct Target: Sendable {
    /// The scenarios of a target. If there are several, the worst of them counts.
    package enum Scope: Sendable {
        case scenario(String)
        /// All scenarios about bytes.
        case everyTransfer
    }

    /// The kind of bound of a figure.
    package enum Bound: Sendable {
        case atLeast
        case moreThan
        case atMost
        case lessThan
    }

    /// The value that a figure is compared with.
    package enum Yardstick: Sendable {
        /// The same figure of other clients, in the same scenario; the worst of them counts.
        case clients([String])
        /// The same figure of a client in another scenario.
        case elsewhere(client: String, scenario: String)
        /// A fixed value in the unit of the figure.
        case value(unit: String)
    }

    package let client: String
    package let scope: Scope
    package let figure: String
    /// The figure in words.
    package let title: String
    package let bound: Bound
    /// The multiple of the yardstick.
    package let factor: Double
    package let yardstick: Yardstick

    /// The scenario in words.
    package var subject: String {
        switch scope {
        case .scenario(let name): name
        case .everyTransfer: "all transfers"
        }
    }

    /// The goal in words: `≥ 5 × async-http-client`.
    package var goal: String {
        let sign =
            switch bound {
            case .atLeast: "≥"
            case .moreThan: ">"
            case .atMost: "≤"
            case .lessThan: "<"
            }
        switch yardstick {
        case .clients(let names):
            let isEveryPeer = names == ClientName.peers
            return "\(sign) \(multiple)\(isEveryPeer ? "every other library" : names.joined(separator: ", "))"
        case .elsewhere(let name, let scenario): return "\(sign) \(multiple)\(name), \(scenario)"
        case .value(let unit): return "\(sign) \(Self.plain(factor)) \(unit)"
        }
    }

    /// The factor in words: `5 × `, `1/5 × `, or an empty text for 1.
    private var multiple: String {
        let inverse = (1 / factor * 1000).rounded() / 1000
        if factor == 1 { return "" }
        if factor < 1, inverse == inverse.rounded() { return "1/\(Int(inverse)) × " }
        return Self.plain(factor) + " × "
    }

    private static func plain(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
