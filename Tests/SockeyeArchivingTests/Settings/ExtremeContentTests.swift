import Sockeye
import SockeyeTesting
import SockeyeTransfers
import Testing

@testable import SockeyeStreams

#if XML
import SockeyeXML
#endif

@Suite("Extreme limits for the content of responses", .serialized, .timeLimit(.minutes(5)))
struct ExtremeContentTests {
    private func client(_ content: String, type: String) -> HTTPClient {
        SettingsUse.client(.bytes(Bytes(content), contentType: type))
    }

    @Test("JSON is read or refused with any limits")
    func json() async {
        let text = #"{"a": [1, {"b": [2]}], "c": null}"#
        let client = client(text, type: "application/json")
        await SettingsTable(
            JSONValue.ReadingOptions(), .plain("duplicateKeys"), .plain("allowsFragments"),
            .count("maximumDepth", \.maximumDepth), .count("maximumSize", \.maximumSize)
        ).useEach { options in
            let fits = options.maximumDepth >= 4 && options.maximumSize >= text.utf8.count
            var refusal: JSONError?
            do throws(JSONError) { _ = try JSONValue(parsing: text, options: options) } catch { refusal = error }
            #expect((refusal == nil) == fits && refusal?.description.isEmpty != true)
            _ = try await client.get("http://a.test/", as: .json(options: options))
        }
        // A larger depth than the maximum counts as the maximum, so reading does not overflow the thread's stack.
        let count = JSONValue.ReadingOptions.depthLimit + 1
        let deep = String(repeating: "[", count: count) + String(repeating: "]", count: count)
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: deep, options: JSONValue.ReadingOptions(maximumDepth: .max))
        }
        #expect(error?.kind == .tooDeep)
    }

    #if XML
    @Test("XML is read or refused with any limits")
    func xml() async {
        let text = """
            <!DOCTYPE a [<!ENTITY e "text"><!ATTLIST d f CDATA "value">]>
            <a xmlns="urn:a" b="c"><d>&e;</d><!-- comment --><![CDATA[text]]></a>
            """
        let client = client(text, type: "application/xml")
        let workingCount = await SettingsTable(
            XMLLimits(), .count("maximumDepth", \.maximumDepth), .count("maximumTokenSize", \.maximumTokenSize),
            .count("maximumAttributes", \.maximumAttributes), .count("maximumNamespaces", \.maximumNamespaces),
            .count("maximumNames", \.maximumNames), .count("maximumExpansion", \.maximumExpansion)
        ).useEach { limits in
            var options = XMLDocument.Options()
            options.limits = limits
            _ = try await client.get("http://a.test/", as: .xml(options: options))
            for try await _ in try await client.get("http://a.test/", as: .xmlEvents(limits: limits)) {}
        }
        // The two largest numbers of each limit work.
        #expect(workingCount >= 12)
        let count = await SettingsTable(
            XMLDocument.Options(), .plain("keepsWhitespace"), .plain("mergesCDATA"),
            .count("maximumNodes", \.maximumNodes), .count("maximumTextSize", \.maximumTextSize), .plain("limits")
        ).useEach { options in _ = try await client.get("http://a.test/", as: .xml(options: options)) }
        #expect(count == 4)
    }
    #endif

    @Test("Multipart content is read or refused with any limits")
    func multipart() async throws {
        let client = client(
            "preamble\r\n--b \t\r\nA: b\r\nC: d\r\n\r\ncontent\r\n--b\r\n\r\n\r\n--b--\r\nepilogue",
            type: "multipart/mixed; boundary=b")
        func read(_ limits: MultipartLimits, upTo limit: Int = .max) async throws {
            let response = try await client.get("http://a.test/")
            for try await part in try response.parts(limits: limits) { _ = try await part.bytes(upTo: limit) }
        }
        let workingCount = await SettingsTable(
            MultipartLimits(), .count("parts", \.parts), .count("headBytes", \.headBytes), .count("fields", \.fields),
            .count("preambleBytes", \.preambleBytes)
        ).useEach { limits in try await read(limits) }
        // The two largest numbers of each limit work.
        #expect(workingCount == 8)
        for limit in Extreme.counts { try await expectEnd { try await read(MultipartLimits(), upTo: limit) } }
    }

    @Test("A body is returned or refused with any limit and any validation")
    func bodies() async {
        let client = client("content", type: "text/plain")
        SettingsTable(
            BodyHandling.EmptyBodyPolicy(), .plain("acceptance"), .plain("countsLoneSpace")
        ).expectComplete()
        await SettingsTable(
            BodyHandling(), .plain("validation"), .count("limit", \.limit), .plain("emptyBody"), .plain("preprocessor")
        ).useEach { handling in
            var serializer: BodySerializer<String> = .text
            serializer.handling = handling
            let fits = handling.limit >= 7
            let text = try? await client.get("http://a.test/", as: serializer)
            #expect((text == "content") == fits)
            // A second call throws its error to `useEach`, which checks the error.
            _ = try await client.get("http://a.test/", as: serializer)
        }
        await SettingsTable(
            IncomingResponse.Validation(),
            .values("statusCodes", \.statusCodes, [StatusCodeSet(.min ... .max), StatusCodeSet(.max ... .max)]),
            .values("contentTypes", \.contentTypes, [nil, [], [""], ["\0"], ["*/*"]])
        ).useEach { validation in
            var serializer: BodySerializer<String> = .text
            serializer.handling.validation = validation
            let text = try await client.get("http://a.test/", as: serializer)
            #expect(text == "content")
        }
    }
}
