/// Text in the `man` macros of roff.
struct Roff {
    private(set) var output = ""

    mutating func line(_ line: String) {
        output += line + "\n"
    }

    mutating func section(_ title: String) {
        line(".SH \(Self.quoted(title))")
    }

    /// Adds text that is already escaped.
    mutating func text(_ text: String) {
        if !text.isEmpty { line(text) }
    }

    /// Adds paragraphs, which empty lines separate. Indented paragraphs are examples and keep their line breaks.
    mutating func paragraphs(_ text: String) {
        var paragraph: [Substring] = []
        func isExample(_ lines: [Substring]) -> Bool { lines.allSatisfy { $0.hasPrefix("  ") } }
        for part: Substring in text.split(separator: "\n", omittingEmptySubsequences: false) + [""] {
            guard part.isEmpty else {
                paragraph.append(part)
                continue
            }
            if paragraph.isEmpty { continue }
            line(".PP")
            let example = isExample(paragraph)
            if example { line(".nf") }
            for line in paragraph { self.line(Self.escaped(String(line))) }
            if example { line(".fi") }
            paragraph = []
        }
    }

    /// Adds a term in bold with its explanation.
    mutating func item(_ term: String, _ text: String) {
        line(".TP")
        line("\\fB\(Self.escaped(term, isStart: false))\\fR")
        line(Self.escaped(text.isEmpty ? "…" : text))
    }

    /// Returns a quoted argument of a macro.
    static func quoted(_ text: String) -> String {
        "\"\(escaped(text, isStart: false).replacing("\"", with: "\\(dq"))\""
    }

    /// Escapes backslashes and hyphens, and a dot or an apostrophe at the start of a line, which are roff's control
    /// characters.
    static func escaped(_ text: String, isStart: Bool = true) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
        return isStart && (escaped.hasPrefix(".") || escaped.hasPrefix("'")) ? "\\&" + escaped : escaped
    }
}
