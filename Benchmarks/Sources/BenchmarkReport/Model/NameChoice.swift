/// Which of some names a person means.
package enum NameChoice {
    /// The one that is exactly this text; if there is none, all that contain it. An empty text means all.
    package static func names(_ names: [String], matching text: String) -> [String] {
        if names.contains(text) { return [text] }
        return names.filter { text.isEmpty || $0.contains(text) }
    }
}
