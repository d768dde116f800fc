/// The words of curl's `--form`, which semicolons separate.
///
/// A part in quotation marks may contain semicolons. A backslash in it escapes a quotation mark or a backslash. A
/// quotation mark that is not closed is an ordinary character.
enum QuotedWords {
    /// Returns the words as they are written.
    static func separated(_ text: some StringProtocol) -> [String] {
        var words = [""]
        var rest = Substring(text)
        while let character = rest.first {
            if character == "\"", let end = closing(rest) {
                words[words.count - 1] += rest[...end]
                rest = rest[rest.index(after: end)...]
                continue
            }
            if character == ";" { words.append("") } else { words[words.count - 1].append(character) }
            rest = rest.dropFirst()
        }
        return words
    }

    /// Returns the content of a word in quotation marks; nil for any other word.
    static func content(_ word: some StringProtocol) -> String? {
        let word = Substring(word)
        guard word.first == "\"", let end = closing(word), word.index(after: end) == word.endIndex else { return nil }
        var content = ""
        var rest = word[..<end].dropFirst()
        while let character = rest.popFirst() {
            let isEscape = character == "\\" && (rest.first == "\"" || rest.first == "\\")
            content.append(isEscape ? rest.removeFirst() : character)
        }
        return content
    }

    /// Returns the index of the quotation mark that closes the one at the start.
    private static func closing(_ text: Substring) -> Substring.Index? {
        var isEscaped = false
        return text.indices.dropFirst().first { index in
            defer { isEscaped = !isEscaped && text[index] == "\\" }
            return !isEscaped && text[index] == "\""
        }
    }
}
