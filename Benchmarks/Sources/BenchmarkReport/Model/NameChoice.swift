/// Selects names by a text from the command line.
package enum NameChoice {
    /// Returns the name that equals the text, or else all names that contain it. An empty text selects all.
    package static func names(_ names: [String], matching text: String) -> [String] {
        if names.contains(text) { return [text] }
        return names.filter { text.isEmpty || $0.contains(text) }
    }
}
