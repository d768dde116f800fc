/// The number of times that each behaviour ended in each way.
struct Tally: Sendable {
    private var counts: [String: [String: Int]] = [:]
    private(set) var complaints: [String] = []
    private(set) var complaintCount = 0
    /// The longest time by which an exchange ended after its deadline.
    private(set) var lateness = Duration.zero

    mutating func add(_ outcome: SoakOutcome, of exchange: SoakExchange) {
        counts[exchange.behaviour.name, default: [:]][outcome.label, default: 0] += 1
        lateness = max(lateness, outcome.lateness)
        guard let complaint = outcome.complaint else { return }
        complaintCount += 1
        if complaints.count < 50 { complaints.append(complaint) }
    }

    /// A line for each behaviour, in the order of all behaviours.
    var table: String {
        let width = Behaviours.all.map(\.name.count).max() ?? 0
        return Behaviours.all.map { behaviour in
            let ways = (counts[behaviour.name] ?? [:]).sorted { $0.value > $1.value }
            let name = behaviour.name + String(repeating: " ", count: width - behaviour.name.count)
            return "\(name)  " + ways.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
        .joined(separator: "\n")
    }
}
