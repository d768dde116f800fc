/// Text in the `man` macros of roff.
struct Roff {
    private(set) var output = ""

    mutating func line(_ line: String) {
        output += line + "\n"
    }

    mutating func section(_ title: String) {
        line(".SH \(Self.quoted(title))")
    }

    /// Text that is escaped already.
    mutating func text(_ text: String) {
        if !text.isEmpty { line(text) }
    }

    /// Paragraphs, divided by empty lines; indented ones are examples and keep their lines.
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

    /// A term in bold with its explanation.
    mutating func item(_ term: String, _ text: String) {
        line(".TP")
        line("\\fB\(Self.escaped(term, isStart: false))\\fR")
        line(Self.escaped(text.isEmpty ? "…" : text))
    }

    /// An argument of a macro.
    static func quoted(_ text: String) -> String {
        "\"\(escaped(text, isStart: false).replacing("\"", with: "\\(dq"))\""
    }

    /// Backslashes and hyphens are the formatter's, and so is a dot or an apostrophe at the start of a line.
    static func escaped(_ text: String, isStart: Bool = true) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
        return isStart && (escaped.hasPrefix(".") || escaped.hasPrefix("'")) ? "\\&" + escaped : escaped
    }
}
