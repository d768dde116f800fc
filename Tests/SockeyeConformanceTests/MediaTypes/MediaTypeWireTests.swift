import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTesting
import Testing

/// The cases of media types, parsed by `InternetMediaType` and, as Content-Type fields of responses over sockets, by
/// `IncomingResponse.contentType`.
@Suite(.serialized) struct MediaTypeWireTests {
    @Test("every media type is read and written as the MIME Sniffing and Encoding standards require")
    func parser() {
        for vector in MediaTypeCase.all {
            let type = InternetMediaType(vector.input)
            #expect(type?.description == vector.output, "\(vector.id): \(vector.input)")
            #expect(type?.encoding?.name == vector.encoding, "\(vector.id): \(vector.input)")
        }
    }

    @Test("the type of every Content-Type is read over a socket", .timeLimit(.minutes(1)))
    func fields() async throws {
        let vectors = MediaTypeCase.all.filter { $0.fieldValue != nil }
        print("media-types: \(MediaTypeCase.all.count) cases, \(vectors.count) of them as a field over sockets")
        try await overSockets(vectors.map { [$0.fieldValue ?? []] }) { key, response in
            let vector = vectors[key]
            // A field differs from a bare string in two ways: a comma outside quotes makes a list (RFC 9110 5.3), and
            // `*/*` is not a type of content (Fetch, "extract a MIME type").
            let isList = InternetMediaType.extract(from: [vector.input])?.description != vector.output
            guard !isList else { return }
            #expect(response.contentType?.description == vector.output, "\(vector.id): \(vector.input)")
            #expect(response.contentType?.encoding?.name == vector.encoding, "\(vector.id): \(vector.input)")
        }
    }

    @Test("the type of several Content-Type fields is read over a socket", .timeLimit(.minutes(1)))
    func severalFields() async throws {
        try await overSockets(ContentTypeCase.all.map { $0.contentType.map { Array($0.utf8) } }) { key, response in
            let vector = ContentTypeCase.all[key]
            #expect(response.contentType?.description == vector.mimeType, "\(vector.id)")
            #expect(response.contentType?.encoding?.name == vector.encoding, "\(vector.id)")
        }
    }

    /// Serves each list of values as separate fields.
    private func overSockets(
        _ values: [[[UInt8]]], check: @escaping @Sendable (Int, IncomingResponse) -> Void
    ) async throws {
        let server = try await CaseServer(count: values.count) { key, connection in
            var message = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".utf8)
            for value in values[key] { message += Array("Content-Type: ".utf8) + value + [13, 10] }
            try await connection.write(Bytes(message + [13, 10]))
        }
        try await concurrently(values.count) { key, client in
            check(key, try await client.get(server.url(), headers: CaseServer.fields(for: key)))
        }
        await server.stop()
    }
}
