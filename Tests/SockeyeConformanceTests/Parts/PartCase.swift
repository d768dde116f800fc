import Foundation
import SockeyeCore
import SockeyeTestSupport

/// One case of the public `multipart-content`: the multipart body of a response, and its parts.
struct PartCase: Decodable, Sendable {
    /// A part of a form, or of another multipart body.
    struct Part: Decodable, Sendable {
        /// The name of the field; nil if the case does not give it.
        let name: String?
        /// Nil if the part is no file, or if the case does not give the names.
        let filename: String?
        private let b64: String

        var content: Bytes { Bytes(Data(base64Encoded: b64) ?? Data()) }
    }

    let id: String
    let contentType: String
    let body: ByteString
    let expect: String
    private let parts: [Part]?

    static let all: [PartCase] = Vectors.load(public: Vectors.publicFiles(in: "multipart-content"))

    /// The parts that the client must deliver; nil if it must refuse the body.
    var expected: [Part]? {
        switch id {
        // The case expects an error. RFC 2046 5.1.1 requires a part, but browsers send a form without fields as a
        // closing boundary alone (HTML 4.10.21.8).
        case "okhttp-10": []
        // The case expects a part. Its Content-Type has the boundary `--boundary`, but the delimiters in its body are
        // those of the boundary `boundary` (RFC 2046 5.1.1).
        case "pm-single_field_blocks": nil
        default: expect == "ok" ? parts : nil
        }
    }
}
