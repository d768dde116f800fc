import SockeyeEssentials

extension ParameterValue {
    /// Returns the elements of a set in AFNetworking's order: by their descriptions, so that 10 precedes 9.
    ///
    /// Elements of different types with equal descriptions are ordered by type, since the order must not depend on the
    /// hashing of this process.
    package static func sorted(_ elements: Set<Self>) -> [Self] {
        guard elements.count > 1 else { return Array(elements) }
        return elements.map { (text: $0.sortingText(depth: 0), rank: $0.sortingRank, value: $0) }
            .sorted { ($0.text, $0.rank) < ($1.text, $1.rank) }
            .map(\.value)
    }

    private func sortingText(depth: Int) -> String {
        guard depth < RequestParameters.maximumDepth else { return "" }
        return switch self {
        case .null: "<null>"  // the description of NSNull
        case .bool(let value): value ? "1" : "0"
        case .integer(let value): value.description
        case .unsignedInteger(let value): value.description
        case .double(let value): ParameterText.number(value)
        case .decimal(let value): value.description
        case .string(let value): value
        case .data(let value): ParameterText.hexadecimal(value)
        case .date(let value): DateText(value)?.spaced ?? value.timeIntervalSince1970.description
        case .unsupported(let type): type
        case .array(let elements):
            "(\(elements.map { $0.sortingText(depth: depth + 1) }.joined(separator: ",")))"
        case .set(let elements):
            "{(\(elements.map { $0.sortingText(depth: depth + 1) }.sorted().joined(separator: ",")))}"
        case .dictionary(let members):
            "{\(members.map { "\($0.name)=\($0.value.sortingText(depth: depth + 1))" }.joined(separator: ";"))}"
        }
    }

    private var sortingRank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .integer: 2
        case .unsignedInteger: 3
        case .double: 4
        case .decimal: 5
        case .string: 6
        case .data: 7
        case .date: 8
        case .array: 9
        case .set: 10
        case .dictionary: 11
        case .unsupported: 12
        }
    }
}
