/// What httpbin answers about a request.
struct Echo: Decodable, Sendable {
    /// Fields by name, as Python's server titles them; several of one name joined.
    let headers: [String: String]
    let url: String
    var method: String?
    var args: [String: OneOrMore]?
    var data: String?
    var form: [String: OneOrMore]?

    /// A parameter's value, or its values when there are several.
    struct OneOrMore: Decodable, Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
        let values: [String]

        init(stringLiteral value: String) { values = [value] }
        init(arrayLiteral elements: String...) { values = elements }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                values = [one]
            } else {
                values = try container.decode([String].self)
            }
        }
    }
}
