/// httpbin's description of a request.
struct Echo: Decodable, Sendable {
    /// The fields by name, in the capitalization of Python's server; several with one name are joined.
    let headers: [String: String]
    let url: String
    var method: String?
    var args: [String: OneOrMore]?
    var data: String?
    var form: [String: OneOrMore]?

    /// The value of a parameter, or several values.
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
