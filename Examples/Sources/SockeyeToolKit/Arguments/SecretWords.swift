/// The secrets among the words of a command line. The command overwrites them in its memory, as curl does, because
/// every user can read the command lines of all processes.
package enum SecretWords {
    /// The place of a secret: it extends to the end of its word.
    package struct Place: Sendable, Hashable {
        /// The index of the word.
        package let word: Int
        /// The number of bytes in the word before the secret.
        package let offset: Int

        package init(word: Int, offset: Int) {
            self.word = word
            self.offset = offset
        }
    }

    private static let shortOptions: Set<Character> = ["u", "U"]
    private static let longOptions: Set<String> = [
        "--auth", "--bearer", "--oauth2-bearer", "--pass", "--proxy-user", "--user",
    ]

    package static func places(_ words: [String]) -> [Place] {
        var places: [Place] = []
        var index = 0
        while index < words.count, words[index] != "--" {
            let word = words[index]
            index += 1
            if word.hasPrefix("--") {
                let name = String(word.prefix { $0 != "=" })
                let isSecret = longOptions.contains(name)
                if name != word {
                    if isSecret { places.append(Place(word: index - 1, offset: name.utf8.count + 1)) }
                } else if isSecret || CommandWords.longOptionsWithAnyValue.contains(name) {
                    if isSecret { places.append(Place(word: index, offset: 0)) }
                    index += 1
                }
            } else if word.hasPrefix("-"), let value = CommandWords.value(of: word, in: words) {
                if shortOptions.contains(value.option) {
                    let isJoined = value.offset < word.utf8.count
                    places.append(
                        isJoined ? Place(word: index - 1, offset: value.offset) : Place(word: index, offset: 0))
                }
                if value.offset == word.utf8.count { index += 1 }
            }
        }
        return places.filter { $0.word < words.count }
    }
}
