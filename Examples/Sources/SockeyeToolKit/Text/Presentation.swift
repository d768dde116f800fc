/// How a response is shown: indented, coloured, or byte for byte as it came.
package struct Presentation: Sendable, Hashable {
    package var isIndented: Bool
    package var isColored: Bool

    package init(isIndented: Bool, isColored: Bool) {
        self.isIndented = isIndented
        self.isColored = isColored
    }

    /// Byte for byte.
    package static let raw = Presentation(isIndented: false, isColored: false)

    package var isRaw: Bool { self == .raw }
    package var style: TextStyle { TextStyle(isColored: isColored) }

    /// What `--pretty` takes; httpie's names.
    package enum Choice: String, Sendable, CaseIterable {
        case all
        case colors
        case format
        case none
    }

    /// What was asked for; otherwise everything on a terminal and nothing in a pipe, where a program reads.
    ///
    /// - Parameter environment: `NO_COLOR` (no-color.org) and `TERM=dumb` go without colours.
    package init(_ choice: Choice?, isTerminal: Bool, environment: [String: String]) {
        switch choice {
        case .all: self.init(isIndented: true, isColored: true)
        case .colors: self.init(isIndented: false, isColored: true)
        case .format: self.init(isIndented: true, isColored: false)
        case .some(.none): self = .raw
        case nil:
            let allows = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
            self.init(isIndented: isTerminal, isColored: isTerminal && allows)
        }
    }
}

extension Presentation {
    /// How the content of a type is shown.
    package enum Form: Sendable, Hashable {
        case json
        /// A JSON text a line, as it comes.
        case jsonLines
        case asItIs
    }

    /// By the media type of the content: JSON, what is built on it (RFC 6839), and JSON lines.
    package func form(ofType type: String?, subtype: String?) -> Form {
        guard !isRaw, let type = type?.lowercased(), let subtype = subtype?.lowercased() else { return .asItIs }
        switch (type, subtype) {
        case ("application", "x-ndjson"), ("application", "jsonl"), ("application", "ndjson"),
            ("application", "x-jsonlines"):
            return .jsonLines
        case (_, "json"): return .json
        default: return subtype.hasSuffix("+json") ? .json : .asItIs
        }
    }
}
