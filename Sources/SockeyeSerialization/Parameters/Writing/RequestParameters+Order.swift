import SockeyeEssentials

extension ParameterValue {
    /// Returns the elements of a set in AFNetworking's order: by their descriptions, so that 10 precedes 9.
    ///
    /// Elements with equal descriptions are ordered by their types and the types of their parts. Otherwise the result
    /// would depend on the iteration order of the set, which differs between processes.
    package static func sorted(_ elements: Set<Self>) -> [Self] {
        guard elements.count > 1 else { return Array(elements) }
        return elements.map { (text: $0.sortingText(depth: 0), value: $0) }
            .sorted { one, other in
                guard one.text == other.text else { return one.text < other.text }
                return one.value.sortingText(depth: 0, isUnique: true)
                    < other.value.sortingText(depth: 0, isUnique: true)
            }
            .map(\.value)
    }

    /// Returns the text by which elements are sorted.
    ///
    /// - Parameters:
    ///   - depth: The level of this value in the element: 0 for the element itself, 1 for its members.
    ///   - isUnique: True to add the type and the length of each value. Then different values have different texts,
    ///     except dictionaries with `=` or `;` in a member name.
    private func sortingText(depth: Int, isUnique: Bool = false) -> String {
        // Of a value that is deeper than the stack allows, the order does not matter: it cannot be encoded.
        guard depth < RequestParameters.maximumDepth, StackSpace.allowsWalk(at: depth) else { return "" }
        let parts: (Self) -> String = { $0.sortingText(depth: depth + 1, isUnique: isUnique) }
        let text =
            switch self {
            case .date(let value) where isUnique: value.timeIntervalSinceReferenceDate.description
            case .array(let elements): "(\(elements.map(parts).joined(separator: ",")))"
            case .set(let elements): "{(\(elements.map(parts).sorted().joined(separator: ",")))}"
            case .dictionary(let members):
                "{\(members.map { "\($0.name)=\(parts($0.value))" }.joined(separator: ";"))}"
            default: scalarText
            }
        return isUnique ? "\(10 + sortingRank):\(text.utf8.count):\(text)" : text
    }

    private var scalarText: String {
        switch self {
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
        case .array, .set, .dictionary: ""
        }
    }

    /// The rank of the value's type, by which elements with equal descriptions are ordered.
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
