/// A style that adds ANSI colours (ECMA-48 SGR) to text, or leaves it plain.
package struct TextStyle: Sendable, Hashable {
    package enum Color: Int, Sendable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
        case gray = 90
    }

    package var isColored: Bool

    package init(isColored: Bool) {
        self.isColored = isColored
    }

    package static let plain = TextStyle(isColored: false)
    package static let colored = TextStyle(isColored: true)

    package func callAsFunction(_ text: String, _ color: Color) -> String {
        isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Returns a text in the colour of a status's class, with httpie's colours.
    package func status(_ code: Int, _ text: String) -> String {
        switch code {
        case 200..<300: self(text, .green)
        case 300..<400: self(text, .cyan)
        case 400..<500: self(text, .yellow)
        default: self(text, .red)
        }
    }
}
