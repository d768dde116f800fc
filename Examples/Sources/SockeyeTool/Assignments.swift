import ArgumentParser
import Sockeye

extension RequestParameters {
    /// Parameters of arguments such as `page=2`.
    init(assignments: [String]) throws {
        var pairs: [(String, ParameterValue)] = []
        for assignment in assignments {
            guard let sign = assignment.firstIndex(of: "=") else {
                throw ValidationError("'\(assignment)' is no parameter: name=value.")
            }
            let value = assignment[assignment.index(after: sign)...]
            pairs.append((String(assignment[..<sign]), .string(String(value))))
        }
        self.init(pairs)
    }
}
