import SockeyeSerialization
import Testing

/// Parameters and their encoding by a style.
struct StyleRow: Sendable, CustomTestStringConvertible {
    let name: String
    let style: RequestParameters.Style
    let parameters: RequestParameters
    let text: String

    /// A row of AFNetworking's style.
    init(_ name: String, _ parameters: KeyValuePairs<String, ParameterValue>, _ text: String) {
        self.init(name, .afNetworking, parameters, text)
    }

    init(
        _ name: String, _ style: RequestParameters.Style, _ parameters: KeyValuePairs<String, ParameterValue>,
        _ text: String
    ) {
        self.name = name
        self.style = style
        self.parameters = RequestParameters(parameters.map { ($0.key, $0.value) })
        self.text = text
    }

    var testDescription: String { name }

    func check() throws {
        #expect(try style.encode(parameters) == text)
    }
}
