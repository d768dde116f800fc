import Testing

/// One part of a form, with the form that browsers send.
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
