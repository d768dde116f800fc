/// A part of a multipart form, in the syntax of curl's `--form`: `name=text`, `name=@path` for a file, or `name=<path`
/// for the text in a file, with `;type=` and `;filename=`. Text, path and file name may be in quotation marks.
package struct FormPart: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        /// A file; `-` is standard input.
        case file(String)
        /// The text in a file, as a field without a file name; `-` is standard input.
        case textFile(String)
    }

    package let name: String
    package let value: Value
    package private(set) var type: String?
    package private(set) var fileName: String?

    package init(_ text: String) throws {
        let (name, value) = try RequestDraft.pair(
            text, "a part of a form (a form that is not multipart: --data or --data-urlencode)")
        let isFile = value.hasPrefix("@")
        guard isFile || value.hasPrefix("<") else {
            self.init(name, text: value)
            return
        }
        let words = QuotedWords.separated(value.dropFirst())
        let quoted = QuotedWords.content(words[0])
        guard quoted != nil || !words[0].contains(",") else {
            throw UsageFault(
                "'\(words[0])' has a comma: each file is a part of its own, as in -F \(name)=@a -F \(name)=@b")
        }
        let path = quoted ?? words[0]
        self.init(name, isFile ? .file(path) : .textFile(path))
        for word in words.dropFirst() {
            guard take(word), isFile || fileName == nil else {
                throw UsageFault("';\(word)' is neither ;type= nor ;filename=")
            }
        }
    }

    /// A field with text that has no syntax: curl's `--form-string`.
    package init(literal text: String) throws {
        let (name, value) = try RequestDraft.pair(text, "a part of a form")
        self.init(name, .text(value))
    }

    private init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// A field with text, which may be in quotation marks. Semicolons with another meaning stay in the text.
    private init(_ name: String, text: String) {
        self.init(name, .text(text))
        let words = QuotedWords.separated(text)
        var part: FormPart
        var options: [String] = []
        if let content = QuotedWords.content(words[0]) {
            part = FormPart(name, .text(content))
            options = Array(words.dropFirst())
        } else if let range = text.ranges(of: ";type=").last {
            part = FormPart(name, .text(String(text[..<range.lowerBound])))
            options = QuotedWords.separated(text[range.lowerBound...].dropFirst())
        } else {
            return
        }
        for option in options where !part.take(option) { return }
        self = part
    }

    /// Takes an option behind the value: `type=`, a parameter of that media type, or `filename=`. Returns false for any
    /// other word.
    private mutating func take(_ word: String) -> Bool {
        let option = word.drop { $0 == " " }
        if option.hasPrefix("filename=") {
            let name = option.dropFirst("filename=".count)
            fileName = QuotedWords.content(name) ?? String(name)
        } else if let given = type {
            // curl has options of these names, and takes any other text for a part of the type.
            let isOption = option.hasPrefix("type=") || option.hasPrefix("headers=") || option.hasPrefix("encoder=")
            guard !isOption, option.firstMatch(of: /^[^=" ]+=./) != nil else { return false }
            type = "\(given);\(word)"
        } else if option.hasPrefix("type=") {
            type = String(option.dropFirst("type=".count))
        } else {
            return false
        }
        return true
    }
}
