import Testing

/// A form with one part, and the names and values that browsers send for it.
struct MultipartCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable {
        let name: String?
        let value: String?
        let filename: String?
    }

    let id: String
    let title: String
    let name: String
    let value: String?
    let filename: String?
    let content: String?
    let type: String?
    let expect: Expectation

    var testDescription: String { "\(id): \(title)" }
}
