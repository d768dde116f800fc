import Foundation
import SockeyeCore

/// Bytes in the vectors' form: text if they are ASCII, else Base64.
struct ByteString: Decodable, Sendable {
    let bytes: Bytes

    private enum Key: String, CodingKey {
        case text, b64
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            bytes = Bytes(text)
        } else {
            bytes = Bytes(Data(base64Encoded: try container.decode(String.self, forKey: .b64)) ?? Data())
        }
    }
}
