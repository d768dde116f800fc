import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Cases of multipart/form-data: the client sends the same bytes as browsers.
@Suite("Multipart vectors", .timeLimit(.minutes(1))) struct MultipartVectorTests {
    static let cases = Vectors.load(own: "forms.json", public: ["multipart/wpt.json"], as: MultipartCase.self)

    @Test("each form is sent as in browsers", arguments: cases)
    func forms(vector: MultipartCase) async throws {
        var form = try MultipartForm(boundary: "b")
        form.normalizesLineEnds = true
        if let filename = vector.filename {
            form.data(vector.name, Bytes(vector.content ?? ""), filename: filename, contentType: vector.type)
        } else {
            form.field(vector.name, vector.value ?? "")
        }
        let client = HTTPClient(transport: MockTransport { request in .bytes(request.body) })
        var request = try OutgoingRequest(method: .post, url: "http://x/")
        try request.setBody(form)
        let wire = try await client.send(request).bytes()

        var disposition = "form-data; name=\"\(vector.expect.name ?? vector.name)\""
        // One case is about a form whose encoding lacks a character. This library always uses UTF-8, which has all
        // characters.
        let filename = vector.expect.filename?.hasPrefix("&#") == true ? vector.filename : vector.expect.filename
        if let filename { disposition += "; filename=\"\(filename)\"" }
        let type = vector.type.map { "Content-Type: \($0)\r\n" } ?? ""
        let content = vector.expect.value ?? vector.content ?? ""
        let expected = "--b\r\nContent-Disposition: \(disposition)\r\n\(type)\r\n\(content)\r\n--b--\r\n"
        #expect(wire == Bytes(expected))
    }
}
