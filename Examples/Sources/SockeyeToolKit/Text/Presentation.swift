/// The presentation of a response: indented, coloured, or unchanged byte for byte.
package struct Presentation: Sendable, Hashable {
    package var isIndented: Bool
    package var isColored: Bool

    package init(isIndented: Bool, isColored: Bool) {
        self.isIndented = isIndented
        self.isColored = isColored
    }

    /// Unchanged byte for byte.
    package static let raw = Presentation(isIndented: false, isColored: false)

    package var isRaw: Bool { self == .raw }
    package var style: TextStyle { TextStyle(isColored: isColored) }

    /// The values of `--pretty`, with httpie's names.
    package enum Choice: String, Sendable, CaseIterable {
        case all
        case colors
        case format
        case none
    }

    /// Makes the chosen presentation. Without a choice it is indented and coloured on a terminal, and raw otherwise.
    ///
    /// - Parameter environment: `NO_COLOR` (no-color.org) and `TERM=dumb` turn colours off if there is no choice.
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
    /// The form in which content is shown.
    package enum Form: Sendable, Hashable {
        case json
        /// One JSON text per line, printed as it arrives.
        case jsonLines
        case asItIs
    }

    /// Returns the form for a media type: JSON, types based on JSON (RFC 6839), JSON lines, or unchanged.
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
