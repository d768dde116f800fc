/// Stops before anything is measured unless a step does what its name says: no figure is better than one of other work.
public func require(_ claim: String, _ step: () throws -> Bool) {
    do {
        guard try step() else { fatalError("not so: \(claim)") }
    } catch {
        fatalError("\(claim)? \(error)")
    }
}
