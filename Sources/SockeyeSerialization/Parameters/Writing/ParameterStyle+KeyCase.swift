extension RequestParameters.Style {
    /// Whether names are written as they are, in the order that parameters have anyway.
    var keepsNames: Bool {
        if case .unchanged = keyCase, case .ascending = order { true } else { false }
    }

    /// The members with their names as these are spelled, in the order in which they are written.
    func arranged(_ members: RequestParameters) -> [RequestParameters.Element] {
        // Sorting is stable, so that names that become equal have the order of what they came from.
        var arranged = members.elements
        if case .unchanged = keyCase {
        } else {
            arranged = arranged.map { RequestParameters.Element(keyCase.spell($0.name), $0.value) }
            Self.sort(&arranged, by: <)
        }
        switch order {
        case .ascending: break
        case .ignoringCase: Self.sort(&arranged) { $0.lowercased() < $1.lowercased() }
        case .custom(let precedes): Self.sort(&arranged, by: precedes)
        }
        return arranged
    }

    /// The standard library's sort, compiled once for all orders and not anew for each.
    @inline(never)
    private static func sort(_ members: inout [RequestParameters.Element], by precedes: (String, String) -> Bool) {
        members.sort { precedes($0.name, $1.name) }
    }
}

extension RequestParameters.Style.KeyCase {
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
