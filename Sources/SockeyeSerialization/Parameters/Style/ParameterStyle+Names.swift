extension ParameterStyle {
    /// The members in the order in which they are written, with their names as these are spelled.
    func sorted(_ members: [String: Parameters.Value]) -> [(key: String, value: Parameters.Value)] {
        // By the names as they came, first: sorting is stable, so that names that become equal have an order, too.
        var sorted = members.sorted { $0.key < $1.key }
        if case .unchanged = keyCase {
        } else {
            sorted = sorted.map { (keyCase.spell($0.key), $0.value) }.sorted { $0.key < $1.key }
        }
        switch order {
        case .ascending: return sorted
        case .ignoringCase: return sorted.sorted { $0.key.lowercased() < $1.key.lowercased() }
        case .custom(let precedes): return sorted.sorted { precedes($0.key, $1.key) }
        }
    }
}

extension ParameterStyle.KeyCase {
    fileprivate func spell(_ name: String) -> String {
        switch self {
        case .unchanged: name
        case .snakeCase: Self.words(of: name, separator: "_")
        case .kebabCase: Self.words(of: name, separator: "-")
        case .lowercased: name.lowercased()
        case .uppercased: name.uppercased()
        case .capitalized: name.prefix(1).uppercased() + name.dropFirst()
        case .custom(let spell): spell(name)
        }
    }

    /// A word begins with a capital after another character, and with the last of several capitals if a small letter
    /// follows: `baseURLString` has three.
    private static func words(of name: String, separator: Character) -> String {
        let characters = Array(name)
        var output = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let previous = characters[index - 1]
                let isLastOfSeveral =
                    previous.isUppercase && index + 1 < characters.count && characters[index + 1].isLowercase
                if previous.isLetter || previous.isNumber, !previous.isUppercase || isLastOfSeveral {
                    output.append(separator)
                }
            }
            output += character.lowercased()
        }
        return output
    }
}
