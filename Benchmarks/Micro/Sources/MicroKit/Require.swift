/// Ends the program before the measurement unless a step has the claimed result, so that no other work is measured.
public func require(_ claim: String, _ step: () throws -> Bool) {
    do {
        guard try step() else { fatalError("not so: \(claim)") }
    } catch {
        fatalError("\(claim)? \(error)")
    }
}
