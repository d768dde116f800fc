import SockeyeSerialization
import Testing

/// Parameters and what a style makes of them.
struct StyleRow: Sendable, CustomTestStringConvertible {
    let name: String
    let style: ParameterStyle
    let parameters: Parameters
    let text: String

    init(_ name: String, _ parameters: KeyValuePairs<String, ParameterValue>, _ text: String) {
        self.init(name, .standard, parameters, text)
    }

    init(
        _ name: String, _ style: ParameterStyle, _ parameters: KeyValuePairs<String, ParameterValue>, _ text: String
    ) {
        self.name = name
        self.style = style
        self.parameters = Parameters(parameters.map { ($0.key, $0.value) })
        self.text = text
    }

    var testDescription: String { name }

    func check() throws {
        #expect(try style.encode(parameters) == text)
    }
}
