import Foundation
import SockeyeArchiving
import SockeyeCore
import SockeyeEngine
import SockeyePropertyLists
import SockeyeTesting
import Testing

@testable import Sockeye

#if Images
import SockeyeImages
#endif
#if XML
import SockeyeXML
#endif

@Suite("Archives of serializers")
struct SerializerArchivingTests {
    private struct User: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }

    private func response(_ body: String, status: Int = 200) throws -> IncomingResponse {
        IncomingResponse(
            status: HTTPResponse.Status(code: status), headers: [.contentType: "application/json"], body: Bytes(body),
            url: try HTTPURL("http://example.com/"))
    }

    @Test("request serializers are read back")
    func requestSerializers() throws {
        var options = ParameterSerializer.Options(
            queryStyle: RequestParameters.Style(arrays: .repeated), placement: .uri(for: [.get]),
            headers: ["X": "1", "Y": "2"])
        options.requestOptions = .timeout(total: .seconds(3))
        options.requestOptions.compression = OutgoingRequest.Compression(.deflate, level: 9)
        options.requestOptions.bodyLimit = 7
        let form = ParameterSerializer.form(options: options, charset: .utf16)
        #expect(try text(roundTripped(form)) == text(form))
        #expect(try roundTripped(form).options.headers == options.headers)
        #expect(try roundTripped(form).options.requestOptions.compression == options.requestOptions.compression)
        #expect(try roundTripped(form).options.requestOptions.bodyLimit == 7)
        #expect(OutgoingRequest.Options().merging(options.requestOptions).bodyLimit == 7)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        let json = ParameterSerializer.json(encoder)
        let read = try roundTripped(json)
        #expect(try text(read) == text(json))
        #expect(read.jsonEncoder?.outputFormatting == [.sortedKeys])
        let list = ParameterSerializer.propertyList(.binary)
        #expect(try text(roundTripped(list)) == text(list))
        #expect(try text(list).contains("binary"))
        #expect(throws: EncodingError.self) {
            try text(ParameterSerializer(contentType: "text/plain") { _ in .string("") })
        }
    }

    @Test("response serializers are read back and behave the same")
    func responseSerializers() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let json = BodySerializer<[Date]>.json(decoder: decoder).limited(to: 100)
            .accepting(statusCodes: [201]).preprocessed(.removingPrefix("x"))
        let read = try roundTripped(json)
        #expect(try text(read) == text(json))
        let dates = try await response("x[1000]", status: 201).value(as: read)
        #expect(dates == [Date(timeIntervalSince1970: 1)])
        let compound = BodySerializer<User>.compound(.json(), .propertyList())
        let user = try await response("{\"name\":\"Ada\",\"age\":36}").value(as: roundTripped(compound))
        #expect(user.name == "Ada")
        let values = BodySerializer<String>.compound([.text])
        #expect(try await response("a").value(as: roundTripped(values)) == "a")
        let mapped = BodySerializer<String>.compound([BodySerializer<String>.text.map { $0 }])
        #expect(throws: EncodingError.self) { try text(mapped) }
    }

    #if XML
    @Test("a serializer of XML documents is read back with its options")
    func xml() throws {
        let serializer = BodySerializer<XMLDocument>.xml(options: XMLDocument.Options(keepsWhitespace: false)).limited(
            to: 5)
        let copy = try roundTripped(serializer)
        #expect(copy.handling.limit == 5)
        #expect((copy.format as? XMLDocumentFormat)?.options == XMLDocument.Options(keepsWhitespace: false))
    }
    #endif

    private func read<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("an empty archive gives a serializer with its defaults")
    func emptyArchives() throws {
        func check<Value: Codable>(_ value: Value) throws {
            #expect(try text(read("{}", as: Value.self)) == text(value))
        }
        let requestSerializers: [String: ParameterSerializer] = [
            "form": .form, "json": .json, "propertyList": .propertyList,
        ]
        for (name, serializer) in requestSerializers {
            let read = try read("{\"\(name)\": {}}", as: ParameterSerializer.self)
            #expect(try text(read) == text(serializer))
        }
        #expect(throws: DecodingError.self) { try read("{}", as: ParameterSerializer.self) }
        try check(BodySerializer<User>.json())
        #if XML
        try check(BodySerializer<XMLDocument>.xml)
        #endif
        try check(BodySerializer<String>.text)
        try check(BodySerializer<Data>.data)
        try check(BodySerializer<Bytes>.bytes)
        try check(BodySerializer<JSONValue>.json)
        #if Images
        try check(BodySerializer<ImageContent>.image)
        try check(BodySerializer<Raster>.raster)
        try check(ImageInfoResponseSerializer())
        #endif
        try check(BodyHandling())
        let list = try read("{\"decoder\": {\"propertyList\": {}}}", as: BodySerializer<User>.self)
        #expect(try text(list) == text(BodySerializer<User>.propertyList()))
        #expect(try read("{\"coding\": \"gzip\"}") == OutgoingRequest.Compression.gzip)
        #expect(try read("{\"coding\": \"gzip\", \"level\": 99}") == OutgoingRequest.Compression(.gzip, level: 9))
    }

    @Test("a setting that an archive leaves out has the default of the serializer")
    func partialArchives() throws {
        let limited = try read("{\"handling\": {\"limit\": 5}}", as: BodySerializer<JSONValue>.self)
        #expect(limited.handling.limit == 5)
        #expect(limited.handling.validation == BodySerializer<JSONValue>.json.handling.validation)
        #expect(limited.handling.emptyBody.countsLoneSpace)
        let json = """
            {"handling": {"validation": {"statusCodes": [[200, 200]]}, "emptyBody": {"acceptance": "never"}}}
            """
        let strict = try read(json, as: BodySerializer<JSONValue>.self)
        #expect(strict.handling.validation.statusCodes == [200])
        #expect(strict.handling.validation.contentTypes == JSONResponseDecoder.contentTypes)
        #expect(strict.handling.emptyBody == BodyHandling.EmptyBodyPolicy(.never, countsLoneSpace: true))
        #if Images
        let any = "{\"handling\": {\"validation\": {\"contentTypes\": null}}}"
        #expect(try read(any, as: BodySerializer<ImageContent>.self).handling.validation.contentTypes == nil)
        #endif
        let untyped = try roundTripped(BodySerializer<JSONValue>.json.acceptingAnyContentType())
        #expect(untyped.handling.validation.contentTypes == nil)
    }

    @Test("sets of status codes are equal however an archive divides them into ranges, and reversed ranges are refused")
    func statusCodes() throws {
        #expect(try read("[[304, 304], [200, 250], [240, 299]]") == StatusCodeSet.successful.union([304]))
        #expect(try text(StatusCodeSet.successful.union([304])) == "[[200,299],[304,304]]")
        #expect(throws: DecodingError.self) { try read("[[299, 200]]", as: StatusCodeSet.self) }
    }
}
