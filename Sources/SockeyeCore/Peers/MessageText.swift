// Prepares text from peers for error messages and logs.

extension StringProtocol {
    /// Returns the first `count` Unicode scalars of a text. Unlike `prefix(_:)`, this also limits the bytes: in a
    /// peer's text, a single `Character` can have megabytes of combining marks.
    package func start(ofScalars count: Int) -> String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }

    /// The text on one line. Control characters of ASCII are shown as their pictures, such as `␊`. U+FFFD replaces
    /// other control characters, line separators and invisible format characters.
    package var visible: String {
        String(String.UnicodeScalarView(unicodeScalars.map(\.visible)))
    }
}

extension Unicode.Scalar {
    fileprivate var visible: Unicode.Scalar {
        // The block Control Pictures (U+2400) has a symbol for each of these control characters, in the same order.
        if value < 0x20 { return Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}" }
        if value == 0x7F { return "\u{2421}" }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: self
        }
    }
}
