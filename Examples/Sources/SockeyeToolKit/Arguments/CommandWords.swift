/// Separates short options that are written together, as curl reads them.
///
/// `-sSo FILE` becomes `-s -S -o FILE`, and `-XPOST` becomes `-X POST`. Letters are options of their own up to the
/// first option with a value, which is the rest of the word or the next word. ArgumentParser takes a joined value only
/// from a word that starts with its option.
package enum CommandWords {
    /// The short options with a value.
    package static let shortOptionsWithValue: Set<Character> = [
        "A", "C", "D", "E", "F", "H", "T", "U", "X", "b", "c", "d", "e", "m", "o", "r", "u", "w", "x",
    ]

    /// The long options with a value that may itself begin with a hyphen.
    package static let longOptionsWithAnyValue: Set<String> = [
        "--bearer", "--cookie", "--data", "--data-ascii", "--data-binary", "--data-json", "--data-raw",
        "--data-urlencode", "--form", "--form-string", "--header", "--json", "--oauth2-bearer", "--pass",
        "--proxy-user", "--query", "--range", "--referer", "--url-query", "--user", "--user-agent", "--write-out",
    ]

    package static func separated(_ words: [String]) -> [String] {
        var withValue = shortOptionsWithValue
        if words.first == "bench" { withValue.insert("n") }
        var output: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" { return output + [word] + rest }
            guard word.hasPrefix("-"), word.count > 1 else {
                output.append(word)
                continue
            }
            if word.hasPrefix("--") {
                output.append(word)
                if longOptionsWithAnyValue.contains(word), let value = rest.popFirst() { output.append(value) }
                continue
            }
            var letters = word.dropFirst()
            while let letter = letters.popFirst() {
                output.append("-\(letter)")
                guard withValue.contains(letter) else { continue }
                if let value = letters.isEmpty ? rest.popFirst() : String(letters) { output.append(value) }
                break
            }
        }
        return output
    }
}
