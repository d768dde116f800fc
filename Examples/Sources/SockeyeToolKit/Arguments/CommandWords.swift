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

    private static func shortOptionsWithValue(in words: [String]) -> Set<Character> {
        words.first == "bench" ? shortOptionsWithValue.union(["n"]) : shortOptionsWithValue
    }

    /// Returns the option with a value in a word of short options, and the number of bytes before the value; the value
    /// is the next word if no bytes follow. Nil for a word without such an option.
    static func value(of word: String, in words: [String]) -> (option: Character, offset: Int)? {
        let withValue = shortOptionsWithValue(in: words)
        guard let index = word.indices.dropFirst().first(where: { withValue.contains(word[$0]) }) else { return nil }
        return (word[index], word[...index].utf8.count)
    }

    package static func separated(_ words: [String]) -> [String] {
        let withValue = shortOptionsWithValue(in: words)
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
