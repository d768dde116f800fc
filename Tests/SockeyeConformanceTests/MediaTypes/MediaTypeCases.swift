import SockeyeTestSupport

/// One case of `media-types.json` or `media-types/mime-types.json`.
struct MediaTypeCase: Decodable, Sendable {
    let id: String
    let input: String
    let output: String?
    let encoding: String?

    static let all: [MediaTypeCase] = Vectors.load(
        own: "media-types.json", public: ["media-types/mime-types.json"])

    /// The bytes of the input as a field value; nil if a field cannot hold them.
    var fieldValue: [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in input.unicodeScalars {
            guard scalar.value <= 0xFF, scalar.value >= 0x20 || scalar == "\t", scalar.value != 0x7F else { return nil }
            bytes.append(UInt8(scalar.value))
        }
        return bytes
    }
}

/// One case of `content-type-fields.json` or `media-types/content-type-header.json`.
struct ContentTypeCase: Decodable, Sendable {
    let id: String
    let contentType: [String]
    let mimeType: String?
    let encoding: String?

    static let all: [ContentTypeCase] = Vectors.load(
        own: "content-type-fields.json", public: ["media-types/content-type-header.json"])
}
