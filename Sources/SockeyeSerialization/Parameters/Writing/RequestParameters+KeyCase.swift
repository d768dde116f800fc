extension RequestParameters.Style {
    /// True if names are written unchanged and in the order in which parameters are stored.
    var keepsNames: Bool {
        if case .unchanged = keyCase, case .ascending = order { true } else { false }
    }

    /// Returns the members with their names spelled by the style, in the order of writing.
    func arranged(_ members: RequestParameters) -> [RequestParameters.Element] {
        // Sorting is stable: names that become equal stay in the order of the original names.
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

    /// The standard library's sort, compiled once for all orders.
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

    /// Returns the words of a name in lower case, joined by `separator`. A word begins at a capital letter that follows
    /// a digit or a letter other than a capital. It also begins at the last of several capitals if a small letter
    /// follows. So `baseURLString` has three words.
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
