/// The drains in progress. A drain closes the connections to some origins, and waits until the connections and dials in
/// its two sets have ended.
struct PendingDrains: Sendable {
    private struct Drain {
        var connections: Set<ConnectionID>
        var dials: Set<DialID>

        var isOver: Bool { connections.isEmpty && dials.isEmpty }
    }

    private var drains: [Int: Drain] = [:]
    private var lastNumber = 0

    var isEmpty: Bool { drains.isEmpty }

    /// Starts a drain. Returns its number, valid until ``forget(_:)``; nil if there is nothing to wait for.
    mutating func begin(_ connections: [ConnectionID], _ dials: [DialID]) -> Int? {
        let drain = Drain(connections: Set(connections), dials: Set(dials))
        guard !drain.isOver else { return nil }
        lastNumber += 1
        drains[lastNumber] = drain
        return lastNumber
    }

    func isOver(_ number: Int) -> Bool { drains[number]?.isOver ?? true }

    mutating func forget(_ number: Int) { drains[number] = nil }

    mutating func connectionClosed(_ id: ConnectionID) {
        for number in drains.keys { drains[number]?.connections.remove(id) }
    }

    mutating func dialEnded(_ id: DialID) {
        for number in drains.keys { drains[number]?.dials.remove(id) }
    }

    /// The numbers of the drains that wait for a dial.
    func awaiting(_ id: DialID) -> [Int] {
        drains.filter { $0.value.dials.contains(id) }.map(\.key)
    }

    /// Adds the connection that resulted from a dial to the drains that waited for the dial.
    mutating func add(_ id: ConnectionID, to numbers: [Int]) {
        for number in numbers { drains[number]?.connections.insert(id) }
    }
}
